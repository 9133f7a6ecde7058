import { execFileSync } from 'node:child_process'
import { join, relative, resolve, sep } from 'node:path'
import type { FileTree } from '../model/file-tree.js'
import { UsageError } from './io.js'

/**
 * One revision of the repository that `folder` is in, as files are read from: the paths are those of
 * the disk, the work tree is not touched. Throws UsageError where there is no such revision.
 */
export const openRevision = (ref: string, folder: string): Revision => {
  const prefix = git(folder, ['rev-parse', '--show-prefix'], `${folder} is in no git repository`)
  const unknown = `git knows no ${ref}: fetch it first, or name another branch, tag or commit`
  if (ref === '') throw new UsageError('git: names no revision: write one after it, as in git:main')
  if (ref.startsWith('-')) throw new UsageError(unknown)
  const commit = text(git(folder, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], unknown))
  const listed = git(folder, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], unknown)
  const files = new Set(listed.toString('utf8').split('\0'))
  const folders = new Set([...files].flatMap(above))
  const root = resolve(
    folder,
    ...text(prefix)
      .split('/')
      .filter(Boolean)
      .map(() => '..'),
  )
  const within = (path: string) => relative(root, resolve(path)).split(sep).join('/')
  return {
    root,
    read: (path) => {
      const name = within(path)
      if (folders.has(name)) throw notReadable('EISDIR', path)
      if (!files.has(name)) throw notReadable('ENOENT', path)
      return git(
        folder,
        ['cat-file', 'blob', `${commit}:${name}`],
        `git cannot read ${ref}:${name}`,
      )
    },
    kindOf: (path) => {
      const name = within(path)
      return files.has(name) ? 'file' : folders.has(name) || name === '' ? 'folder' : undefined
    },
    // Of a symbolic link, git has the text and does not follow it.
    realPath: (path) => resolve(path),
    nameOf: (path) => `${SCHEME}${ref}:${within(path)}`,
  }
}

/** Whether a document is called as those of a revision are: `git:origin/main:spec/openapi.yaml`. */
export const isAtRevision = (file: string): boolean => file.startsWith(SCHEME)

const SCHEME = 'git:'

export type Revision = FileTree & {
  /** The top folder of the repository on disk. */
  readonly root: string
}

/** The folders that a file is in. */
const above = (file: string): readonly string[] =>
  file
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => join(...parts.slice(0, index + 1)))

const git = (folder: string, args: readonly string[], refusal: string): Buffer => {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: LARGEST,
    })
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const missing = 'there is no git on the PATH: install it, or name a file or a folder instead'
    throw new UsageError(isMissing ? missing : refusal, { cause })
  }
}

const LARGEST = 1024 * 1024 * 1024

const text = (bytes: Buffer): string => bytes.toString('utf8').trim()

const notReadable = (code: string, path: string) =>
  Object.assign(new Error(`${code}: ${path}`), { code })
