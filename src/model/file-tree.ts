import { readFileSync, statSync } from 'node:fs'

/** Where documents are read from: the disk, or one revision of a repository. */
export type FileTree = {
  /** The bytes of a file. Throws an error with the `code` that Node's own would have: ENOENT, EISDIR. */
  readonly read: (path: string) => Uint8Array
  /** What stands at a path; undefined where nothing does. */
  readonly kindOf: (path: string) => 'file' | 'folder' | undefined
  /** What messages call the file at a path. */
  readonly nameOf: (path: string) => string
}

export const disk: FileTree = {
  read: (path) => readFileSync(path),
  kindOf: (path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && (found.isDirectory() ? 'folder' : 'file')
  },
  nameOf: (path) => path,
}
