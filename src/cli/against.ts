import { execFileSync } from 'node:child_process'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { REVISION_SCHEME } from '../model/finding.js'
import { readDocument } from '../read/document.js'
import type { FileTree } from '../read/file-tree.js'
import { type ApiFiles, findDocuments } from '../read/load.js'
import { DEFAULT_FOLDER, kindOf, type Opened, type Paths, pathsOf } from './documents.js'
import { UsageError } from './io.js'

/**
 * The documents of two versions: the opened ones, and those at `against`. Throws UsageError if nothing is there, because it may
 * have been moved; with `missing: 'is-new'`, there is no earlier version then.
 */
export const versions = (
  { documents, tree: sources, isNamed }: Opened,
  against: string,
  missing: Missing = 'is-rejected',
): Versions => {
  const { openapi, openrpc } = pathsOf(documents)
  const after = { openapi, openrpc, arazzo: undefined }
  const isNew = (tree: FileTree, path: string) =>
    missing === 'is-new' && tree.kindOf(path) === undefined
  if (!against.startsWith(REVISION_SCHEME)) {
    if (isNew(sources, against)) return { before: undefined, tree: sources, after }
    return inTree(sources, against, against, after, isNamed)
  }

  const [ref = '', path] = split(against.slice(REVISION_SCHEME.length))
  if (path === undefined) return atSamePaths(ref, after, isNamed, missing)
  const tree = openRevision(ref, '.')
  const place = /^\.\.?\//.test(path) ? path : join(tree.root, path)
  if (isNew(tree, place)) return { before: undefined, tree, after }
  return inTree(tree, place, against, after, isNamed)
}

export type Missing = 'is-rejected' | 'is-new'

export type Versions = {
  /** Undefined if there is no earlier version, and that is allowed. */
  readonly before: ApiFiles | undefined
  /** The file tree of the earlier documents. */
  readonly tree: FileTree
  readonly after: ApiFiles
}

/** As in git: revision names contain no colon. */
const split = (words: string): readonly [string, string | undefined] => {
  const at = words.indexOf(':')
  return at < 0 ? [words, undefined] : [words.slice(0, at), words.slice(at + 1)]
}

const atSamePaths = (ref: string, after: Paths, isNamed: boolean, missing: Missing): Versions => {
  const first = after.openapi ?? after.openrpc ?? DEFAULT_FOLDER
  const tree = openRevision(ref, dirname(first))
  const there = (path: string | undefined) =>
    path !== undefined && tree.kindOf(path) === 'file' ? path : undefined
  const before = isNamed
    ? { openapi: there(after.openapi), openrpc: there(after.openrpc) }
    : onlyDocuments(findDocuments(dirname(first), tree))
  if (before.openapi !== undefined || before.openrpc !== undefined) return { before, tree, after }
  if (missing === 'is-new') return { before: undefined, tree, after }
  const named = [after.openapi, after.openrpc].filter((path) => path !== undefined)
  const usual = named.length > 1 ? '' : `/${after.openapi === undefined ? RPC_FILE : HTTP_FILE}`
  throw new UsageError(
    `there is no ${named.join(' nor ')} at ${ref}: name a file or folder of ${ref}, as in --against git:${ref}:${DEFAULT_FOLDER}${usual}, or add --allow-missing-base`,
  )
}

const HTTP_FILE = 'openapi.yaml'
const RPC_FILE = 'openrpc.yaml'

/** Finds a folder of documents with their usual names, or one document, recognised by its content. */
const inTree = (
  tree: FileTree,
  path: string,
  word: string,
  after: Paths,
  isNamed: boolean,
): Versions => {
  if (tree.kindOf(path) === 'folder') {
    const found = onlyDocuments(findDocuments(path, tree))
    if (found.openapi === undefined && found.openrpc === undefined) {
      throw new UsageError(`there is neither openapi.yaml nor openrpc.yaml in ${word}`)
    }
    if (!isNamed) return { before: found, tree, after }
    const before = {
      openapi: after.openapi === undefined ? undefined : found.openapi,
      openrpc: after.openrpc === undefined ? undefined : found.openrpc,
    }
    if (before.openapi === undefined && before.openrpc === undefined) {
      const usual = after.openapi === undefined ? RPC_FILE : HTTP_FILE
      throw new UsageError(`there is no ${usual} in ${word}: name the document itself`)
    }
    return { before, tree, after }
  }
  const document = readDocument(path, tree)
  const kind = kindOf(document)
  if (kind !== 'openapi' && kind !== 'openrpc') {
    throw new UsageError(`${word} is neither an OpenAPI nor an OpenRPC document`)
  }
  if (after[kind] === undefined) {
    throw new UsageError(`${word} is an ${kind} document: name the new one with --${kind}`)
  }
  const other = kind === 'openapi' ? 'openrpc' : 'openapi'
  if (isNamed && after[other] !== undefined) {
    throw new UsageError(`${word} is an ${kind} document: leave out --${other}, or name a folder`)
  }
  return { before: { [kind]: document }, tree, after: { [kind]: after[kind] } }
}

const onlyDocuments = ({ openapi, openrpc }: Paths) => ({ openapi, openrpc })

/**
 * Opens one revision of the repository of `folder`, to read files from. Paths are those of the disk; the work tree is
 * not changed. Throws UsageError if there is no such revision.
 */
export const openRevision = (ref: string, folder: string): Revision => {
  const prefix = git(folder, ['rev-parse', '--show-prefix'], `${folder} is not in a git repository`)
  const unknown = `git does not find ${ref}: fetch it first, or name another branch, tag or commit`
  if (ref === '') throw new UsageError('git: must be followed by a revision, as in git:main')
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
    // git stores the text of a symbolic link and does not follow it.
    realPath: (path) => resolve(path),
    nameOf: (path) => `${REVISION_SCHEME}${ref}:${within(path)}`,
  }
}

export type Revision = FileTree & {
  /** The top folder of the repository on disk. */
  readonly root: string
}

const above = (file: string): readonly string[] =>
  file
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => join(...parts.slice(0, index + 1)))

/** The output of a git command. Throws UsageError with `message` if it fails. */
export const git = (folder: string, args: readonly string[], message: string): Buffer => {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: LARGEST,
    })
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const missing = 'git is not on the PATH: install it, or name a file or a folder instead'
    throw new UsageError(isMissing ? missing : message, { cause })
  }
}

const LARGEST = 1024 * 1024 * 1024

const text = (bytes: Buffer): string => bytes.toString('utf8').trim()

const notReadable = (code: string, path: string) =>
  Object.assign(new Error(`${code}: ${path}`), { code })
