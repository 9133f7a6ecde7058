import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isObject } from '../model/json.js'
import { readTar } from './read-tar.js'

/**
 * What is read of the package before, of its folder or of the tarball that `npm pack` made of it. Undefined where no package
 * stands there, but documents, or nothing. Throws an Error with a sentence where a package can be seen, and not be read.
 */
export const readPackage = (path: string): PackageBefore | undefined => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  const isTarball = found.isFile() && /\.(?:tgz|tar\.gz)$/.test(path)
  if (!isTarball && !found.isDirectory()) return undefined
  const read = isTarball ? inTarball(path) : inFolder(path)
  const written = read('package.json')
  if (written === undefined) {
    if (isTarball) throw new Error(`${path} holds no package.json: it is no package of npm`)
    return undefined
  }
  const manifest = parsed(written, path)
  const document = (entry: string): DocumentBefore | undefined => {
    const target = isObject(manifest.exports) ? manifest.exports[entry] : undefined
    const text = typeof target === 'string' ? read(target.replace(/^\.\//, '')) : undefined
    return text === undefined ? undefined : { name: `${path}/${String(target).slice(2)}`, text }
  }
  const openapi = document('./openapi.json')
  const openrpc = document('./openrpc.json')
  // Whoever names a folder with a manifest of something else means the documents in it.
  if (!openapi && !openrpc && !isTarball) return undefined
  if (!openapi && !openrpc) {
    throw new Error(
      `${path} has neither ./openapi.json nor ./openrpc.json among its exports: it was not made by twinspec pack`,
    )
  }
  if (typeof manifest.version !== 'string')
    throw new Error(`the package.json of ${path} names no version`)
  const { name, version } = manifest
  return {
    name: typeof name === 'string' ? name : undefined,
    version,
    openapi,
    openrpc,
    changelog: read('CHANGELOG.md'),
    read,
  }
}

export type PackageBefore = {
  readonly name: string | undefined
  readonly version: string
  /** Its bundled documents, for `parseDocument`. */
  readonly openapi: DocumentBefore | undefined
  readonly openrpc: DocumentBefore | undefined
  readonly changelog: string | undefined
  /** A file by its path in the package; undefined where it has none of that name. */
  readonly read: (path: string) => string | undefined
}

export type DocumentBefore = {
  /** `DIR/dist/http.openapi.json`, or `the.tgz/dist/http.openapi.json`: what messages say. */
  readonly name: string
  readonly text: string
}

/**
 * The files of which a package made now differs from one before, by their paths: what no finding of `diff` need tell of. The
 * version, and what is written of it, makes no difference.
 */
export const differing = (
  before: Pick<PackageBefore, 'read'>,
  files: readonly { readonly name: string; readonly text: string }[],
): readonly string[] =>
  files
    .filter(({ name }) => !OF_THE_VERSION.has(name))
    .filter(({ name, text }) => comparable(name, before.read(name)) !== comparable(name, text))
    .map(({ name }) => name)

const OF_THE_VERSION: ReadonlySet<string> = new Set(['CHANGELOG.md', 'LICENSE'])

const comparable = (name: string, text: string | undefined): string | undefined => {
  if (name !== 'package.json' || text === undefined) return text
  const { version: _, ...rest } = JSON.parse(text) as Record<string, unknown>
  return JSON.stringify(rest)
}

const parsed = (text: string, path: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    throw new Error(`the package.json of ${path} is no JSON: ${(error as Error).message}`, {
      cause: error,
    })
  }
  throw new Error(`the package.json of ${path} is no object`)
}

const inFolder =
  (folder: string) =>
  (name: string): string | undefined => {
    try {
      return readFileSync(join(folder, name), 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
      throw error
    }
  }

/** npm puts everything below one folder, `package/` mostly. */
const inTarball = (path: string) => {
  const files = unpacked(path)
  const texts = new Map([...files].map(([name, bytes]) => [name.replace(/^[^/]+\//, ''), bytes]))
  return (name: string): string | undefined => {
    const bytes = texts.get(name)
    return bytes && new TextDecoder().decode(bytes)
  }
}

const unpacked = (path: string): ReadonlyMap<string, Uint8Array> => {
  try {
    return readTar(gunzipSync(readFileSync(path), { maxOutputLength: MOST_BYTES }))
  } catch (error) {
    throw new Error(`${path} cannot be read as a tarball: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** No package of ours is as large. */
const MOST_BYTES = 512 * 2 ** 20
