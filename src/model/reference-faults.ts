import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Document } from './document.js'
import type { FileTree } from './file-tree.js'
import { DocumentError } from './finding.js'
import { isReference } from './json.js'
import { locate, type Origin, pathOf } from './origin.js'
import { joinPointer } from './pointer.js'

/** A reference that cannot be followed, at its line. */
export function refused(rule: string, origin: Origin, message: string): DocumentError {
  return new DocumentError({ rule, level: 'error', location: locate(origin, '$ref'), message })
}

/** Throws DocumentError where one reference is in place of all schemas, or of another whole section. */
export function assertNoReference(document: Document, section: string, members: unknown): void {
  if (!isReference(members)) return
  const { $ref } = members
  const name = $ref.includes('#') ? `${$ref}/NAME` : `${$ref}#/NAME`
  throw refused(
    'field-has-wrong-type',
    { document, pointer: joinPointer('', 'components', section) },
    `components.${section} is a reference to ${$ref}, and OpenAPI allows references only to single components: write one line for each, NAME: { $ref: '${name}' }, or bundle the document first, for example with npx @redocly/cli bundle`,
  )
}

/** Why a path is not read that leads outside of `folders`, itself or by a symbolic link. */
export function outsideMessage(
  ref: string,
  path: string,
  real: string,
  folders: readonly string[],
): string {
  const isLink = folders.some((folder) => isWithin(resolve(folder), resolve(path)))
  const [way, folder] = isLink
    ? [` by a symbolic link to ${real}`, dirname(real)]
    : ['', dirname(path)]
  return `${ref} leads outside of ${folders.join(' and ')}${way}: move the file below the document's folder, or allow its folder with --allow-outside ${folder}`
}

/** What to do about a file that does not exist at `path`. */
export function missingMessage(ref: string, path: string, origin: Origin, tree: FileTree): string {
  const document = pathOf(origin.document)
  const [folder, real] = [dirname(document), tree.realPath(document)]
  const isLink = join(tree.realPath(folder), basename(document)) !== real
  const beside = join(dirname(real), relative(folder, path))
  const isThere = isLink && isWithin(dirname(real), beside) && tree.kindOf(beside) !== undefined
  const advice = isThere
    ? `${document} is a symbolic link, and the file is beside its target, so name that document: ${real}`
    : `put it at ${path}, or correct the reference`
  return `${ref} points at a file that does not exist: ${advice}`
}

export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
