import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isObject } from '../model/json.js'
import { PACKED, PACKED_DOCUMENTS } from '../pack/packed-documents.js'
import { type Document, parseDocument } from '../read/document.js'
import { disk } from '../read/file-tree.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { UsageError } from './io.js'

/**
 * Reads a packed package of any language: a folder, a .tgz or a .tar.gz; undefined if it is neither. Throws UsageError if it is a
 * broken archive, or has no documents.
 */
export const readPackage = (source: string): PackedVersion | undefined => {
  const files = filesOf(source)
  if (files === undefined) return undefined
  if (files.has(PACKED)) return readOther(files, source)
  const { name, version, exports } = manifestIn(files, source)
  const pathOf = (entry: string) => {
    const path = exports?.[entry]
    const target = isObject(path) ? path.default : path
    const file = typeof target === 'string' ? posix.normalize(target) : ''
    return files.has(file) ? file : undefined
  }
  const document = (entry: string) => {
    const path = pathOf(entry)
    const text = files.get(path ?? '')
    return text === undefined ? undefined : parseDocument(text, `${source}:./${path}`)
  }
  const documents = { openapi: document('./openapi.json'), openrpc: document('./openrpc.json') }
  if (!documents.openapi && !documents.openrpc) {
    throw new UsageError(
      `${source} is a package without ./openapi.json and ./openrpc.json: name a package of twinspec pack`,
    )
  }
  return { name, version, files, documents, pathOf }
}

/** A package of Python or Go. */
const readOther = (files: ReadonlyMap<string, string>, source: string): PackedVersion => {
  const { name, version } = manifestIn(files, source, PACKED)
  const document = (path: string) => {
    const text = files.get(path)
    return text === undefined ? undefined : parseDocument(text, `${source}:./${path}`)
  }
  const documents = {
    openapi: document(PACKED_DOCUMENTS.openapi),
    openrpc: document(PACKED_DOCUMENTS.openrpc),
  }
  return { name, version, files, documents, pathOf: () => undefined }
}

export type PackedVersion = {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly files: ReadonlyMap<string, string>
  readonly documents: {
    readonly openapi: Document | undefined
    readonly openrpc: Document | undefined
  }
  /** The file of an entry such as `./client`; undefined if it is not in the package. */
  readonly pathOf: (entry: string) => string | undefined
}

const filesOf = (source: string): ReadonlyMap<string, string> | undefined => {
  const kind = disk.kindOf(source)
  if (/\.(tgz|tar\.gz)$/.test(source)) {
    if (kind !== 'file') throw new UsageError(`there is no file ${source}`)
    return inASentence(source, () => withoutFolder(readTarball(readFileSync(source))))
  }
  if (kind === 'folder' && existsSync(join(source, PACKED)))
    return inASentence(source, () => inFolder(source))
  if (kind !== 'folder' || !existsSync(join(source, 'package.json'))) return undefined
  // Documents may be in a folder with its own package.json, which need not be that of a packed package.
  return inASentence(source, () => {
    const { exports } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
    return exports?.['./openapi.json'] || exports?.['./openrpc.json'] ? inFolder(source) : undefined
  })
}

/** Removes the top folder, into which npm puts all files; its name may vary. */
const withoutFolder = (files: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...files].map(([name, text]) => [name.replace(/^[^/]*\//, ''), text]))

const inFolder = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((name) => !name.split('/').some((one) => one === 'node_modules' || one === '.venv'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

const manifestIn = (
  files: ReadonlyMap<string, string>,
  source: string,
  path = 'package.json',
): Manifest =>
  inASentence(source, () => {
    const text = files.get(path)
    if (text === undefined) throw new Error(`there is no ${path} in it`)
    const manifest: unknown = JSON.parse(text)
    if (!isObject(manifest)) throw new Error(`its ${path} is not an object`)
    return manifest
  })

type Manifest = {
  readonly name?: string
  readonly version?: string
  readonly exports?: Readonly<Record<string, unknown>> | null
}

const inASentence = <T>(source: string, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    throw new UsageError(`${source} cannot be read as a package: ${messageOf(cause)}`, { cause })
  }
}

/**
 * The texts in a .tgz by path, as npm writes one: POSIX.1-1988 headers, with the POSIX.1-2001 extension for long paths. Throws
 * if it is no archive, or truncated, or if an entry could be written outside of a folder.
 */
const readTarball = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const tar = gunzipSync(bytes)
  const files = new Map<string, string>()
  let longName: string | undefined
  let at = 0
  while (at + BLOCK <= tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + BLOCK)
    if (field(header, 257, 5) !== 'ustar') throw new Error('it is not a tar archive')
    const size = Number.parseInt(field(header, 124, 12), 8)
    const body = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (!(size >= 0) || body.length < size) throw new Error('the archive is truncated')
    const kind = field(header, 156, 1)
    if (kind === 'x') longName = /^\d+ path=(.*)/m.exec(body.toString('utf8'))?.[1]
    else {
      const prefix = field(header, 345, 155)
      const name = longName ?? (prefix === '' ? '' : `${prefix}/`) + field(header, 0, 100)
      longName = undefined
      if (OUTSIDE.test(name)) throw new Error(unsafe(name, 'leads out of the package'))
      if (kind === '1' || kind === '2') throw new Error(unsafe(name, 'is a link'))
      if (kind === '0' || kind === '') files.set(name, body.toString('utf8'))
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  // A complete archive ends with blocks of zeros.
  if (tar[at] !== 0) throw new Error('the archive is truncated')
  return files
}

const BLOCK = 512

/** An absolute path, on Windows too, or a path with `..` in it. */
const OUTSIDE = /^(?:[/\\]|[a-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i

const unsafe = (name: string, why: string): string =>
  `its entry ${name} ${why}: get the archive that twinspec pack made, or name the documents of that version`

/** The text of a header field, up to the first zero byte. */
const field = (header: Buffer, start: number, length: number): string => {
  const text = header.toString('utf8', start, start + length)
  const end = text.indexOf('\0')
  return (end < 0 ? text : text.slice(0, end)).trim()
}
