import { diff } from '../diff/diff.js'
import { emitAll } from '../emit/emit.js'
import type { File } from '../emit/file.js'
import type { Api } from '../model/api.js'
import { jsonText } from '../text/escape.js'
import type { Before } from './pack.js'
import { PACKED, PACKED_DOCUMENTS } from './packed-documents.js'
import { nextVersion } from './version.js'

/** A package of another language than TypeScript, or one sentence why there is none. */
export type OtherPackage =
  | { readonly kind: 'packed'; readonly files: readonly File[]; readonly why: string }
  | { readonly kind: 'rejected'; readonly sentence: string }

export type OtherPackageOptions = {
  /** The requested version; by default, it follows from `before`, or is 0.1.0. */
  readonly version: string | undefined
  /** An SPDX id, in place of the licence in the documents. */
  readonly license: string | undefined
  readonly today: Date
  readonly before?: Before | undefined
  /** Accepts that version although the change requires a greater one. */
  readonly forces?: boolean | undefined
}

/** The version of a package, as `pack` of npm finds it. `code` are the files that programs import. */
export const versionAfter = (
  api: Api,
  { before, version, forces, today }: OtherPackageOptions,
  code: () => readonly File[],
) => {
  const versions = { before: before?.version, wanted: version, forces }
  const readable = nextVersion({ ...versions, findings: [], texts: [], forces: true })
  if (before === undefined || readable.kind === 'rejected') return readable
  const { files } = before
  const texts =
    files === undefined
      ? []
      : code().flatMap(({ name, text }) => (files.get(name) === text ? [] : [name]))
  return nextVersion({ ...versions, findings: diff(before.api, api, { today }), texts })
}

/** The documents of a package, and its name and version. */
export const packedDocuments = (api: Api, name: string, version: string): readonly File[] => {
  const paths: readonly string[] = Object.values(PACKED_DOCUMENTS)
  return [
    ...emitAll(api, [], ['documents'])
      .map((file) => ({ ...file, name: `documents/${file.name}` }))
      .filter((file) => paths.includes(file.name)),
    { name: PACKED, text: `${jsonText({ packedBy: 'twinspec pack', name, version }, 2)}\n` },
  ]
}
