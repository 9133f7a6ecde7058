import type { ImportedCodec, ValueCodec, ValueCodecs } from '../runtime/shared/codecs.js'
import type { Api } from './api.js'
import { importedCodecs } from './http-content.js'

/** The codecs that the operations of an Api need. Rejects with an Error for one whose package is not installed. */
export const loadCodecs = async ({ operations }: Api): Promise<ValueCodecs> => {
  const http = operations.filter((one) => one.kind === 'http')
  const loaded = importedCodecs(http).map(async (kind) => [kind, await loadCodec(kind)] as const)
  return Object.fromEntries(await Promise.all(loaded))
}

const loadCodec = async (kind: ImportedCodec): Promise<ValueCodec> => {
  // A name that no bundler resolves, because the package of a codec may be absent.
  const name = ['twinspec/runtime/codecs', kind].join('/')
  try {
    const module: Readonly<Record<ImportedCodec, ValueCodec>> = await import(name)
    return module[kind]
  } catch (cause) {
    throw new Error(`bodies of ${kind} need a package that is not installed`, { cause })
  }
}
