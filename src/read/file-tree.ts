import {
  closeSync,
  type Dirent,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Location } from '../model/finding.js'

/** Where documents are read from: the disk, or one revision of a repository. */
export type FileTree = {
  /** The bytes of a file. Throws an error with the `code` that Node's own would have: ENOENT, EISDIR, EFBIG. */
  readonly read: (path: string) => Uint8Array
  /** The kind of a path; undefined if nothing exists there. */
  readonly kindOf: (path: string) => 'file' | 'folder' | undefined
  /** The name of the file at a path, for messages. */
  readonly nameOf: (path: string) => string
  /** The absolute path without symbolic links, as far as it exists. */
  readonly realPath: (path: string) => string
  /** Paths of the files below a folder, limited in number and depth, without hidden folders and links. */
  readonly filesBelow?: (folder: string) => readonly string[]
  /**
   * Fetches copies of remote documents, URI by URI, for the document in `folder`. Resolves to whether there are new copies;
   * rejects with DocumentError if one cannot be fetched. Without it, nothing is fetched.
   */
  readonly fetchReferences?: (
    uris: ReadonlyMap<string, () => Location>,
    folder: string,
  ) => Promise<boolean>
  /** A folder that references may lead into, besides the folder of the document. */
  readonly allowed?: string | undefined
  /** The paths of overlays, which are applied to each document in this order. They are read from the disk, whatever the tree. */
  readonly overlays?: readonly string[] | undefined
}

export const disk: FileTree = {
  read: (path) => (statSync(path).isFile() ? readWhole(path) : readToItsEnd(path)),
  kindOf: (path) => {
    try {
      const found = statSync(path, { throwIfNoEntry: false })
      return found && (found.isDirectory() ? 'folder' : 'file')
    } catch (cause) {
      // A cycle of links, or a folder without permission: reading the path reports it.
      return (cause as NodeJS.ErrnoException).code === 'ENOTDIR' ? undefined : 'file'
    }
  },
  nameOf: (path) => path,
  realPath: (path) => realPathOf(resolve(path)),
  filesBelow: (folder) => filesBelow(folder),
}

function filesBelow(top: string): readonly string[] {
  const files: string[] = []
  const waiting = [{ folder: top, depth: 0 }]
  for (let next = waiting.shift(); next && files.length < MOST_FILES; next = waiting.shift()) {
    const { folder, depth } = next
    let entries: Dirent[]
    try {
      entries = readdirSync(folder, { withFileTypes: true })
    } catch {
      // A folder that cannot be read has no readable files.
      continue
    }
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isFile()) files.push(path)
      const isSearched = !/^(\.|node_modules$)/.test(entry.name) && depth < MOST_DEPTH
      if (entry.isDirectory() && isSearched) waiting.push({ folder: path, depth: depth + 1 })
    }
  }
  return files.slice(0, MOST_FILES)
}

const MOST_FILES = 2000
const MOST_DEPTH = 4

/** Of a path that does not exist, the existing part is resolved. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPathOf(above), basename(path))
  }
}

const readWhole = (path: string): Uint8Array => {
  if (statSync(path).size > MOST_FILE_BYTES) throw tooLarge()
  return readFileSync(path)
}

/** A pipe has no size in advance, and a device may be endless. */
const readToItsEnd = (path: string): Uint8Array => {
  const file = openSync(path, 'r')
  try {
    const parts: Uint8Array[] = []
    let total = 0
    for (;;) {
      const part = new Uint8Array(PART_BYTES)
      const count = readSync(file, part)
      if (count === 0) return Buffer.concat(parts)
      total += count
      if (total > MOST_FILE_BYTES) throw tooLarge()
      parts.push(part.subarray(0, count))
    }
  } finally {
    closeSync(file)
  }
}

const tooLarge = () => Object.assign(new Error('file too large'), { code: 'EFBIG' })

/** The limit is larger than any real document. */
export const MOST_FILE_BYTES = 256 * 2 ** 20

const PART_BYTES = 2 ** 20
