import { type File, type Fragment, file } from '../file.js'
import { header, uncheckedHeader } from '../header.js'

/** The folder for declarations that more than one group needs. */
export const SHARED = 'shared'

/** The folder of schemas that no operation uses, such as those of webhooks. */
export const UNCALLED = 'uncalled'

/** The folder of the smallest groups. */
export const OTHER = 'other'

/** Names that no group has; `runtime` is a folder of packages. */
export const RESERVED: ReadonlySet<string> = new Set([SHARED, UNCALLED, 'runtime'])

/** A file in a folder, or for the whole document. */
export type FilePart = {
  /** The folder; undefined for the whole document. */
  readonly folder: string | undefined
  /** `http.types.ts` */
  readonly name: string
  readonly body: Fragment
}

/** The files of parts. A part without text has none. */
export const filesOf = (parts: readonly FilePart[]): readonly File[] =>
  parts
    .filter(({ body }) => body.text.trim() !== '')
    .map(({ folder, name, body }) =>
      folder === undefined
        ? file(name, body, header())
        : file(`${folder}/${name}`, body, uncheckedHeader()),
    )

/** The specifier by which a file of a folder, or of the whole document, imports that of another. */
export function moduleFrom(from: string | undefined, to: string | undefined, name: string): string {
  const module = name.replace(/\.ts$/, '.js')
  if (from === to) return `./${module}`
  const path = to === undefined ? module : `${to}/${module}`
  return from === undefined ? `./${path}` : `../${path}`
}

/** The import of a file of the whole document, `./http.types.js`, changed for the same file of a folder. */
export function movedTo(folder: string | undefined, from: string): string {
  if (folder === undefined || !from.startsWith('./')) return from
  const name = from.slice(2).replace(/\.js$/, '.ts')
  return moduleFrom(folder, IN_FOLDERS.has(name) ? folder : undefined, name)
}

/** The files that folders have. */
const IN_FOLDERS: ReadonlySet<string> = new Set([
  'http.calls.ts',
  'http.types.ts',
  'validators.ts',
  'explanations.ts',
])
