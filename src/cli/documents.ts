import { statSync } from 'node:fs'
import { type Document, readDocument } from '../model/document.js'
import { disk, type FileTree } from '../model/file-tree.js'
import { isObject } from '../model/json.js'
import { isRpcSchema } from '../model/json-rpc-schema.js'
import { isAddress, nameOfAddress } from '../model/live-document.js'
import { type ApiFiles, findDocuments } from '../model/load.js'
import type { FetchReferences } from './fetch-references.js'
import { type Io, UsageError, withProgress } from './io.js'
import { readLiveSources } from './live-sources.js'

/**
 * The documents that a command line names, and the tree that they are read from: files, URLs and standard input. `more` are
 * documents that it names besides. Rejects with UsageError and DocumentError.
 */
export const openDocuments = async (
  words: readonly string[],
  flags: SourceFlags,
  io: Io,
  ...more: readonly (string | undefined)[]
): Promise<{ readonly documents: ApiFiles; readonly tree: FileTree }> => {
  const named = KINDS.flatMap((kind) => {
    const word = flags[kind]
    return word === undefined ? [] : [{ word, kind }]
  })
  const kinds = [...new Set(named.map(({ kind }) => kind))]
  const sources = [
    ...named,
    ...words.map((word) => ({ word, kind: undefined })),
    ...more.flatMap((word) =>
      word === undefined ? [] : [{ word, kind: kinds.length === 1 ? kinds[0] : undefined }],
    ),
  ]
  const input = { headers: flags.header, stdin: io.stdin }
  const addresses = sources.map(({ word }) => word).filter(isAddress)
  const tree = await withProgress(io, (show) => {
    if (addresses.length > 0) show(`fetching ${addresses.map(nameOfAddress).join(' and ')} …`)
    return readLiveSources(sources, diskAllowing(flags, io), input)
  })
  return { documents: documentsGiven(words, flags, tree), tree }
}

type SourceFlags = Partial<Paths> & Allowing & { readonly header: readonly string[] }

/**
 * The disk, with the folder that `--allow-outside` names, and with `--fetch-references` copies of remote documents. Throws
 * UsageError where the folder is none.
 */
const diskAllowing = (
  { 'allow-outside': allowed, 'fetch-references': isFetching }: Allowing,
  io: Io,
): FileTree => {
  if (allowed !== undefined && !isFolder(allowed)) {
    throw new UsageError(`--allow-outside names ${allowed}, which is no folder`)
  }
  if (!isFetching) return { ...disk, allowed }
  let fetcher: FetchReferences | undefined
  const fetchReferences: FetchReferences = async (uris, folder) => {
    const { createReferenceFetcher } = await import('./fetch-references.js')
    fetcher ??= createReferenceFetcher(io)
    return fetcher(uris, folder)
  }
  return { ...disk, allowed, fetchReferences }
}

type Allowing = {
  readonly 'allow-outside': string | undefined
  readonly 'fetch-references': boolean
}

/** The files of another version, with what the flags allow for the disk. In a revision of git, nothing is fetched. */
export const alsoAllowing = (tree: FileTree, own: FileTree): FileTree =>
  tree === own ? own : { ...tree, allowed: own.allowed }

/** Names of the documents; undefined where there is none of the kind. */
export type Paths = { readonly [kind in keyof ApiFiles]: string | undefined }

/**
 * The documents that words or flags name, else those of `spec/`. Words are files of any name, recognised by their content,
 * or one folder. Throws UsageError where two documents are of one kind, and where there are none.
 */
const documentsGiven = (
  words: readonly string[],
  flags: Partial<Paths>,
  tree: FileTree,
): ApiFiles => {
  const { openapi, openrpc, arazzo } = flags
  if (words.length === 0) {
    if (openapi !== undefined || openrpc !== undefined) return { openapi, openrpc, arazzo }
    const found = documentsIn(DEFAULT_FOLDER)
    return { ...found, arazzo: arazzo ?? found.arazzo }
  }
  const named = KINDS.flatMap((kind) => (flags[kind] === undefined ? [] : [[kind, flags[kind]]]))
  const [only = ''] = words
  if (words.length === 1 && isFolder(only)) {
    const [[flag, path] = []] = named
    if (flag === undefined) return documentsIn(only)
    throw new UsageError(
      `${only} is a folder, and --${flag} names ${path}: give the folder alone, or a file for each document`,
    )
  }
  const given: { -readonly [kind in keyof ApiFiles]: Document | string } = Object.fromEntries(named)
  for (const path of words) {
    const document = readDocument(path, tree)
    const kind = kindOf(document) ?? 'openapi'
    const other = given[kind]
    if (other !== undefined) {
      const one = typeof other === 'string' ? `--${kind} ${other}` : other.file
      throw new UsageError(`${one} and ${path} are both ${kind} documents: one can be given`)
    }
    given[kind] = document
  }
  return given
}

/** The paths of documents, for what reads them again. */
export const pathsOf = ({ openapi, openrpc, arazzo }: ApiFiles): Paths => {
  const path = (one: Document | string | undefined) =>
    typeof one === 'object' ? (one.path ?? one.file) : one
  return { openapi: path(openapi), openrpc: path(openrpc), arazzo: path(arazzo) }
}

/** Where documents are looked for unless flags name them. */
export const DEFAULT_FOLDER = 'spec'

const KINDS = ['openapi', 'openrpc', 'arazzo'] as const

/** Recognised by its content, with any name. */
export const kindOf = (document: Document) => {
  const { value } = document
  if (!isObject(value)) return undefined
  if ('swagger' in value) return 'openapi'
  return KINDS.find((kind) => kind in value) ?? (isRpcSchema(document) ? 'openrpc' : undefined)
}

const documentsIn = (folder: string): Paths => {
  const found = findDocuments(folder)
  if (found.openapi !== undefined || found.openrpc !== undefined) return found
  throw new UsageError(
    `there is neither openapi.yaml nor openrpc.yaml in ${folder}/: name your documents, or go where they are`,
  )
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
