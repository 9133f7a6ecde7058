import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import generator from '@open-rpc/generator'
import type { Api } from '../model/api.js'
import { type File, jsonFile } from './file.js'
import { shieldDocument } from './shield.js'

/**
 * Has @open-rpc/generator write the files that follow from the OpenRPC document alone, through our
 * component, into a folder that is read back and removed.
 */
export async function driveOpenRpcGenerator(api: Api): Promise<readonly File[]> {
  if (!api.rpc) return []
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-'))
  try {
    await generate({
      openrpcDocument: shieldDocument(api.rpc.bundled),
      components: [
        {
          type: 'custom',
          name: 'twinspec',
          language: 'typescript',
          customComponent: COMPONENT,
          customType: 'rpc',
          outPath: folder,
          openRPCPath: null,
        },
      ],
    })
    const read = async (name: string): Promise<File> => ({
      name,
      text: await readFile(join(folder, name), 'utf8'),
    })
    const written = await Promise.all(NAMES.map(read))
    // The generator was given the shielded document; ours is the one as bundled.
    return [jsonFile('rpc.openrpc.json', api.rpc.bundled), ...written]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const NAMES = ['rpc.openapi.json', 'rpc.types.ts', 'rpc.client.ts']

/** From source this module ends in `.ts`, and so does its neighbour. */
const COMPONENT = fileURLToPath(
  new URL(`./rpc-component${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
)

type Generate = (options: {
  readonly openrpcDocument: unknown
  readonly components: readonly Readonly<Record<string, unknown>>[]
}) => Promise<void>

/** A CommonJS package whose default export lies one level deeper when it is imported. */
const generate = ((generator as { readonly default?: unknown }).default ?? generator) as Generate
