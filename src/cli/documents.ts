import { resolve } from 'node:path'
import { isObject } from '../model/json.js'
import { type Document, readDocument } from '../read/document.js'
import { disk, type FileTree, MOST_FILE_BYTES } from '../read/file-tree.js'
import { isRpcSchema } from '../read/json-rpc-schema.js'
import { fetchDocument, isAddress, type LiveKind, nameOfAddress } from '../read/live-document.js'
import { type ApiFiles, findDocuments } from '../read/load.js'
import type { FetchReferences, Permission } from './fetch-references.js'
import { assertInProject, type Io, UsageError, withProgress } from './io.js'

/**
 * Opens the documents of a command line, and returns the tree that they are read from: files, URLs and standard input. `more`
 * are further documents to make readable. Rejects with UsageError and DocumentError.
 */
export const openDocuments = async (
  words: readonly string[],
  flags: SourceFlags,
  io: Io,
  ...more: readonly (string | undefined)[]
): Promise<Opened> => {
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
  const addresses = sources.map(({ word }) => word).filter(isAddress)
  const tree = await withProgress(io, (show) => {
    if (addresses.length > 0) show(`fetching ${addresses.map(nameOfAddress).join(' and ')} …`)
    return readLiveSources(sources, diskAllowing(flags, io), flags.header, io.stdin)
  })
  const isNamed = words.length > 0 || flags.openapi !== undefined || flags.openrpc !== undefined
  if (!isNamed && (flags.fix || flags['fetch-references']))
    assertInProject(DEFAULT_FOLDER, {
      config: undefined,
      by: DEFAULT_FOLDER,
      instead: 'name the documents on the command line',
    })
  return { documents: documentsByKind(words, flags, tree), tree, isNamed }
}

export type Opened = {
  readonly documents: ApiFiles
  readonly tree: FileTree
  /** Whether the documents were named explicitly, and are not the default ones of `spec/`. */
  readonly isNamed: boolean
}

type SourceFlags = Partial<Paths> &
  Allowing & {
    readonly header: readonly string[]
    /** Whether `lint` corrects the documents. */
    readonly fix?: boolean
  }

/**
 * The disk, with the folder of `--allow-outside`, and with copies of remote documents for `--fetch-references`. Throws
 * UsageError if the folder is none.
 */
const diskAllowing = (
  { 'allow-outside': allowed, 'fetch-references': isFetching, overlay: overlays }: Allowing,
  io: Io,
): FileTree => {
  if (allowed !== undefined && !isFolder(allowed)) {
    throw new UsageError(`--allow-outside names ${allowed}, which is not a folder`)
  }
  if (!isFetching) return { ...disk, allowed, overlays }
  let fetcher: FetchReferences | undefined
  const fetchReferences: FetchReferences = async (uris, folder) => {
    const { createReferenceFetcher } = await import('./fetch-references.js')
    fetcher ??= createReferenceFetcher(io, isFetching)
    return fetcher(uris, folder)
  }
  return { ...disk, allowed, overlays, fetchReferences }
}

type Allowing = {
  readonly 'allow-outside': string | undefined
  readonly 'fetch-references': Permission | false
  readonly overlay?: readonly string[]
}

/** The files of another version, with the same permissions and overlays as the disk. In a git revision, nothing is fetched. */
export const alsoAllowing = (tree: FileTree, own: FileTree): FileTree =>
  tree === own ? own : { ...tree, allowed: own.allowed, overlays: own.overlays }

/** The paths of the documents, by kind; undefined if there is none. */
export type Paths = { readonly [kind in keyof ApiFiles]: string | undefined }

/**
 * The documents in arguments or flags, else those of `spec/` or of the working directory. Arguments are files of any name,
 * recognised by their content, or one folder. Throws UsageError if two documents are of one kind, or there are none.
 */
const documentsByKind = (
  words: readonly string[],
  flags: Partial<Paths>,
  tree: FileTree,
): ApiFiles => {
  const { openapi, openrpc, arazzo } = flags
  if (words.length === 0) {
    if (openapi !== undefined || openrpc !== undefined) return { openapi, openrpc, arazzo }
    const found = [DEFAULT_FOLDER, '.'].map((folder) => findDocuments(folder)).find(hasDocument)
    if (!found) throw new UsageError(nothingIn(`${DEFAULT_FOLDER}/ or this folder`))
    return { ...found, arazzo: arazzo ?? found.arazzo }
  }
  const named = KINDS.flatMap((kind) => (flags[kind] === undefined ? [] : [[kind, flags[kind]]]))
  const [only = ''] = words
  if (words.length === 1 && isFolder(only)) {
    const [[flag, path] = []] = named
    if (flag === undefined) return documentsIn(only)
    throw new UsageError(
      `${only} is a folder, but --${flag} names ${path}: give only the folder, or a file for each document`,
    )
  }
  const byKind: { -readonly [kind in keyof ApiFiles]: Document | string } =
    Object.fromEntries(named)
  for (const path of words) {
    const document = readDocument(path, tree)
    const kind = kindOf(document) ?? 'openapi'
    const other = byKind[kind]
    if (other !== undefined) {
      const one = typeof other === 'string' ? `--${kind} ${other}` : other.file
      throw new UsageError(`${one} and ${path} are both ${kind} documents: give only one`)
    }
    byKind[kind] = document
  }
  return byKind
}

/** The paths of documents, to read them again. */
export const pathsOf = ({ openapi, openrpc, arazzo }: ApiFiles): Paths => {
  const path = (one: Document | string | undefined) =>
    typeof one === 'object' ? (one.path ?? one.file) : one
  return { openapi: path(openapi), openrpc: path(openrpc), arazzo: path(arazzo) }
}

/** The default folder for documents. */
export const DEFAULT_FOLDER = 'spec'

const KINDS = ['openapi', 'openrpc', 'arazzo'] as const

/** The kind of a document, recognised by its content. */
export const kindOf = (document: Document) => {
  const { value } = document
  if (!isObject(value)) return undefined
  if ('swagger' in value) return 'openapi'
  return KINDS.find((kind) => kind in value) ?? (isRpcSchema(document) ? 'openrpc' : undefined)
}

const documentsIn = (folder: string): Paths => {
  const found = findDocuments(folder)
  if (hasDocument(found)) return found
  throw new UsageError(nothingIn(`${folder}/`))
}

const hasDocument = ({ openapi, openrpc }: Paths) => openapi !== undefined || openrpc !== undefined

const nothingIn = (where: string) =>
  `there is neither openapi.yaml nor openrpc.yaml in ${where}: name the documents, or run the command in their folder`

const isFolder = (path: string) => disk.kindOf(path) === 'folder'

/** Whether an argument names a document that is no file: a URL, or `-` for standard input. */
export const isLive = (word: string): boolean => word === STANDARD_INPUT || isAddress(word)

const STANDARD_INPUT = '-'

/**
 * A tree with the documents of URLs and of standard input in addition to the files of `below`. Rejects with DocumentError for a
 * URL without a document, and with UsageError if standard input is named twice.
 */
const readLiveSources = async (
  named: readonly LiveSource[],
  below: FileTree,
  headers: readonly string[],
  stdin: Io['stdin'],
): Promise<FileTree> => {
  const live = named.filter(({ word }) => isLive(word))
  if (live.length === 0) return below
  if (live.filter(({ word }) => word === STANDARD_INPUT).length > 1) {
    throw new UsageError('- is standard input, which can be read once: name a file for the other')
  }
  const options = { headers: headers.map(readHeader) }
  // Keyed by absolute path, because some readers resolve paths.
  const texts = new Map<string, { readonly name: string; readonly bytes: Uint8Array }>()
  for (const { word, kind } of live) {
    if (word === STANDARD_INPUT) {
      texts.set(resolve(word), { name: '<stdin>', bytes: await readStandardInput(stdin) })
    } else {
      const { name, text } = await fetchDocument(word, kind, options)
      texts.set(resolve(word), { name, bytes: Buffer.from(text) })
    }
  }
  return {
    ...below,
    read: (path) => texts.get(resolve(path))?.bytes ?? below.read(path),
    kindOf: (path) => (texts.has(resolve(path)) ? 'file' : below.kindOf(path)),
    nameOf: (path) => texts.get(resolve(path))?.name ?? below.nameOf(path),
    realPath: (path) => (isAddress(path) ? path : below.realPath(path)),
  }
}

type LiveSource = {
  readonly word: string
  /** Undefined if the content decides. */
  readonly kind: LiveKind | undefined
}

/** Parses `name: value`, as for curl. The value may be a secret, so no message shows it. */
const readHeader = (line: string): readonly [string, string] => {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)/s.exec(line) ?? []
  try {
    new Headers([[name, value]])
    return [name, value]
  } catch (cause) {
    throw new UsageError("--header is not a header: write it as 'name: value'", { cause })
  }
}

const readStandardInput = async (stdin: Io['stdin']): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of stdin?.() ?? []) {
    total += part.length
    if (total > MOST_FILE_BYTES) {
      throw new UsageError(`standard input has more than ${MOST_FILE_BYTES / 2 ** 20} MiB`)
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}
