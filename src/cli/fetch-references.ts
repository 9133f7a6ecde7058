import { join } from 'node:path'
import { DocumentError, type Location } from '../model/finding.js'
import { disk } from '../read/file-tree.js'
import { isAddress } from '../read/live-document.js'
import {
  COPIES_FOLDER,
  createCopies,
  LOCK_FILE,
  type Lock,
  readLock,
  sha256Of,
} from '../read/reference-copies.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { download, FetchError, isLoopbackHost } from './download.js'
import { type Io, writeLine, writeWhole } from './io.js'

/**
 * Stores copies of remote documents in `references/` next to the document that refers to them, and records the SHA-256 of each
 * in `references/lock.json`. Links that lead out of the document's folder are rejected. A URI in the lock file
 * is fetched only if its copy is missing, and must have the recorded SHA-256.
 * Resolves with true if copies were made. Rejects with DocumentError, which lists every URI that cannot be fetched, at the place
 * of a reference to it. `permission` is the value of the flag.
 */
export const createReferenceFetcher = (io: Io, permission: Permission): FetchReferences => {
  const deadline = io.now() + MOST_MILLISECONDS
  let bytesLeft = MOST_BYTES
  let countLeft = MOST_DOCUMENTS
  return async (uris, folder) => {
    const lock: Record<string, Lock[string]> = { ...readLock(folder, disk) }
    const copies = createCopies(folder, disk)
    const isLocalAllowed = (file: string): boolean => {
      if (isAddress(file)) return isLoopbackHost(new URL(file))
      const source = copies.uriOf(file)
      return permission === true && (source === undefined || isLoopbackHost(new URL(source)))
    }
    const errors: DocumentError[] = []
    let isChanged = false
    for (const [uri, place] of uris) {
      try {
        if (countLeft-- <= 0)
          throw new FetchError(`documents refer to more than ${MOST_DOCUMENTS} others`)
        const { bytes, mediaType } = await download(uri, {
          mostBytes: Math.min(bytesLeft, MOST_BYTES_OF_ONE),
          milliseconds: Math.min(MOST_MILLISECONDS_OF_ONE, deadline - io.now()),
          isLocalAllowed: isLocalAllowed(place().file),
        })
        bytesLeft -= bytes.length
        const sha256 = sha256Of(bytes)
        const locked = lock[uri]
        if (locked !== undefined && locked.sha256 !== sha256)
          throw new FetchError(
            `its content has changed: its SHA-256 is ${sha256}, but ${LOCK_FILE} has ${locked.sha256}; to accept the change, remove its entry from ${join(folder, COPIES_FOLDER, LOCK_FILE)} and run again`,
          )
        const file = locked?.file ?? freeFile(uri, bytes, mediaType, lock)
        writeWhole(join(folder, COPIES_FOLDER, file), bytes, folder)
        lock[uri] = { file, sha256 }
        isChanged = true
        writeLine(io.stderr, `fetched ${uri} to ${join(folder, COPIES_FOLDER, file)}`)
      } catch (error) {
        if (!(error instanceof FetchError)) throw error
        errors.push(cannotFetch(uri, place(), error))
      }
    }
    if (isChanged) writeLock(folder, lock)
    const [first] = errors
    if (first) {
      const all = errors.flatMap(({ findings }) => findings)
      throw new DocumentError(first.finding, { cause: first.cause, all })
    }
    return isChanged
  }
}

export type FetchReferences = (
  uris: ReadonlyMap<string, () => Location>,
  folder: string,
) => Promise<boolean>

/** `configured` if only the configuration has it, which may come with a checkout of somebody else. */
export type Permission = true | 'configured'

/** Limits for one run, so that a document cannot fill a disk or block a build. */
const MOST_DOCUMENTS = 200
const MOST_BYTES = 64 * 2 ** 20
const MOST_BYTES_OF_ONE = 16 * 2 ** 20
const MOST_MILLISECONDS = 120_000
const MOST_MILLISECONDS_OF_ONE = 30_000

const cannotFetch = (uri: string, location: Location, cause: FetchError): DocumentError =>
  new DocumentError(
    {
      rule: 'reference-cannot-be-fetched',
      level: 'error',
      location,
      message: `${uri} cannot be fetched: ${messageOf(cause)}`,
    },
    { cause },
  )

const writeLock = (folder: string, lock: Lock): void => {
  const sorted = Object.entries(lock).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify(Object.fromEntries(sorted), null, 2)
  writeWhole(join(folder, COPIES_FOLDER, LOCK_FILE), `${text}\n`, folder)
}

/** A file name that no other copy has, even if the file system ignores case. */
const freeFile = (uri: string, bytes: Uint8Array, mediaType: string, lock: Lock): string => {
  const used = new Set(Object.values(lock).map(({ file }) => file.toLowerCase()))
  const { host, pathname, search } = new URL(uri)
  const segments = [host, ...pathname.split('/')]
    .map((segment) => segment.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '_'))
    .filter((segment) => segment !== '')
  const path = segments.join('/').slice(0, LONGEST_NAME)
  const [, stem = path, written = ''] = /^(.*[^/])(\.(?:ya?ml|json))$/i.exec(path) ?? []
  const extension = written || extensionOf(bytes, mediaType)
  const plain = `${stem}${extension}`
  if (search === '' && !used.has(plain.toLowerCase())) return plain
  return `${stem}-${sha256Of(Buffer.from(uri)).slice(0, 12)}${extension}`
}

const LONGEST_NAME = 180

const extensionOf = (bytes: Uint8Array, mediaType: string): string => {
  if (/yaml/i.test(mediaType)) return '.yaml'
  if (/json/i.test(mediaType)) return '.json'
  return /^\s*[{[]/.test(Buffer.from(bytes.subarray(0, 100)).toString('utf8')) ? '.json' : '.yaml'
}
