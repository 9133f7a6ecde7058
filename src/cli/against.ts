import { dirname, join } from 'node:path'
import { readDocument } from '../model/document.js'
import { disk, type FileTree } from '../model/file-tree.js'
import { type ApiFiles, findDocuments } from '../model/load.js'
import { DEFAULT_FOLDER, kindOf, type Paths } from './documents.js'
import { UsageError } from './io.js'
import { openRevision } from './revision.js'

/**
 * The documents of two versions: those after, and what is at `against`; `isNamed` where those after are not all of `spec/`. Throws UsageError where nothing
 * is there, for it may have been moved; with `missing: 'is-new'` there is no version before then.
 */
export const versions = (
  { openapi, openrpc }: Paths,
  isNamed: boolean,
  against: string,
  missing: 'is-refused' | 'is-new' = 'is-refused',
): Versions => {
  const after = { openapi, openrpc, arazzo: undefined }
  const isNew = (tree: FileTree, path: string) =>
    missing === 'is-new' && tree.kindOf(path) === undefined
  if (!against.startsWith('git:')) {
    if (isNew(disk, against)) return { before: undefined, tree: disk, after }
    return inTree(disk, against, against, after, isNamed)
  }

  const [ref = '', path] = split(against.slice('git:'.length))
  if (path === undefined) return atSamePaths(ref, after, isNamed, missing)
  const tree = openRevision(ref, '.')
  const place = /^\.\.?\//.test(path) ? path : join(tree.root, path)
  if (isNew(tree, place)) return { before: undefined, tree, after }
  return inTree(tree, place, against, after, isNamed)
}

export type Versions = {
  /** Undefined where there was none, and that is well. */
  readonly before: ApiFiles | undefined
  /** Where the documents before are read from; those after are on disk. */
  readonly tree: FileTree
  readonly after: ApiFiles
}

/** git itself: no name of a revision holds a colon. */
const split = (words: string): readonly [string, string | undefined] => {
  const at = words.indexOf(':')
  return at < 0 ? [words, undefined] : [words.slice(0, at), words.slice(at + 1)]
}

const atSamePaths = (
  ref: string,
  after: Paths,
  isNamed: boolean,
  missing: 'is-refused' | 'is-new',
): Versions => {
  const first = after.openapi ?? after.openrpc ?? DEFAULT_FOLDER
  const tree = openRevision(ref, dirname(first))
  const there = (path: string | undefined) =>
    path !== undefined && tree.kindOf(path) === 'file' ? path : undefined
  const before = isNamed
    ? { openapi: there(after.openapi), openrpc: there(after.openrpc) }
    : onlyDocuments(findDocuments(DEFAULT_FOLDER, tree))
  if (before.openapi !== undefined || before.openrpc !== undefined) return { before, tree, after }
  if (missing === 'is-new') return { before: undefined, tree, after }
  const named = [after.openapi, after.openrpc].filter((path) => path !== undefined)
  const usual = named.length > 1 ? '' : `/${after.openapi === undefined ? RPC_FILE : HTTP_FILE}`
  throw new UsageError(
    `there is no ${named.join(' nor ')} at ${ref}: name what was there, as in --against git:${ref}:${DEFAULT_FOLDER}${usual}, or say --allow-missing-base`,
  )
}

const HTTP_FILE = 'openapi.yaml'

const RPC_FILE = 'openrpc.yaml'

/** A folder of documents under their usual names, or one document, recognised by its content. */
const inTree = (
  tree: FileTree,
  path: string,
  given: string,
  after: Paths,
  isNamed: boolean,
): Versions => {
  if (tree.kindOf(path) === 'folder') {
    const found = onlyDocuments(findDocuments(path, tree))
    if (found.openapi === undefined && found.openrpc === undefined) {
      throw new UsageError(`there is neither openapi.yaml nor openrpc.yaml in ${given}`)
    }
    if (!isNamed) return { before: found, tree, after }
    const before = {
      openapi: after.openapi === undefined ? undefined : found.openapi,
      openrpc: after.openrpc === undefined ? undefined : found.openrpc,
    }
    if (before.openapi === undefined && before.openrpc === undefined) {
      const usual = after.openapi === undefined ? RPC_FILE : HTTP_FILE
      throw new UsageError(`there is no ${usual} in ${given}: name the document itself`)
    }
    return { before, tree, after }
  }
  const document = readDocument(path, tree)
  const kind = kindOf(document)
  if (kind !== 'openapi' && kind !== 'openrpc') {
    throw new UsageError(`${given} is neither an OpenAPI nor an OpenRPC document`)
  }
  if (after[kind] === undefined) {
    throw new UsageError(`${given} is an ${kind} document: name the new one with --${kind}`)
  }
  const other = kind === 'openapi' ? 'openrpc' : 'openapi'
  if (isNamed && after[other] !== undefined) {
    throw new UsageError(`${given} is an ${kind} document: leave out --${other}, or name a folder`)
  }
  return { before: { [kind]: document }, tree, after: { [kind]: after[kind] } }
}

const onlyDocuments = ({ openapi, openrpc }: Paths) => ({ openapi, openrpc })
