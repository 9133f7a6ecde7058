import { createHash } from 'node:crypto'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { DocumentError, type Location } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import { readDocument } from './document.js'
import type { FileTree } from './file-tree.js'

/**
 * Copies of remote documents: `references/` next to the document that refers to them, with `lock.json`, which lists the file
 * and the SHA-256 of each URI. `--fetch-references` writes both; every later run reads them, without network access.
 */
export const COPIES_FOLDER = 'references'

export const LOCK_FILE = 'lock.json'

/** URI without a fragment -> its copy, relative to the folder, with slashes, and the SHA-256 of its bytes in hex. */
export type Lock = Readonly<Record<string, { readonly file: string; readonly sha256: string }>>

/** The lock file next to the documents of `folder`; empty if there is none. Throws DocumentError if it cannot be read. */
export function readLock(folder: string, tree: FileTree): Lock {
  const path = join(folder, COPIES_FOLDER, LOCK_FILE)
  if (tree.kindOf(path) !== 'file') return {}
  const document = readDocument(path, tree)
  const rows = entriesOf(document.value).map(([uri, row]) => {
    const { file, sha256 } = isObject(row) ? row : {}
    if (typeof file === 'string' && typeof sha256 === 'string' && isCopy(folder, file))
      return [uri, { file, sha256 }]
    throw new DocumentError({
      rule: 'reference-lock-is-invalid',
      level: 'error',
      location: document.locate(''),
      message: `the entry of ${uri} must have a file below ${COPIES_FOLDER}/ and its sha256: remove the entry, and run again with --fetch-references`,
    })
  })
  return Object.fromEntries(rows)
}

/** A file below the folder of the copies, other than the lock file. */
const isCopy = (folder: string, file: string): boolean => {
  const copies = join(folder, COPIES_FOLDER)
  const path = join(copies, file)
  if (isAbsolute(file)) return false
  const own = [copies, join(copies, LOCK_FILE)].map((one) => resolve(one))
  return isWithin(copies, path) && !own.includes(resolve(path)) && !/[\\/]$/.test(file)
}

/** Whether a file is below a folder, symbolic links resolved. */
export const isInFolder = (folder: string, path: string, tree: FileTree): boolean =>
  isWithin(tree.realPath(folder), tree.realPath(path))

/** Whether a path is a folder or below it. */
export const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The copies next to the documents of `folder`, read on first use. */
export function createCopies(folder: string, tree: FileTree): Copies {
  let lock: Lock | undefined
  const locked = () => {
    lock ??= readLock(folder, tree)
    return lock
  }
  const pathOf = (file: string) => join(folder, COPIES_FOLDER, file)
  return {
    uriOf: (path) => {
      if (!resolve(path).startsWith(resolve(folder, COPIES_FOLDER) + sep)) return undefined
      const found = Object.entries(locked()).find(
        ([, { file }]) => resolve(pathOf(file)) === resolve(path),
      )
      return found?.[0]
    },
    fileOf: (uri, place) => {
      const row = Object.hasOwn(locked(), uri) ? locked()[uri] : undefined
      const path = row && pathOf(row.file)
      if (row === undefined || path === undefined) return undefined
      if (!isInFolder(folder, path, tree) || tree.kindOf(path) !== 'file') return undefined
      const found = sha256Of(tree.read(path))
      if (found === row.sha256) return path
      throw new DocumentError({
        rule: 'reference-copy-changed',
        level: 'error',
        location: place(),
        message: `${tree.nameOf(path)} is not the copy of ${uri} that was fetched: its SHA-256 is ${found}, and ${LOCK_FILE} says ${row.sha256}; restore the file, or remove it and its entry in ${LOCK_FILE} and run again with --fetch-references`,
      })
    },
  }
}

export type Copies = {
  /** The URI of which a file is the copy. */
  readonly uriOf: (path: string) => string | undefined
  /**
   * The copy of a URI; undefined if there is none. Throws DocumentError, with the `place` of the reference, if it was changed.
   */
  readonly fileOf: (uri: string, place: () => Location) => string | undefined
}

export const sha256Of = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')
