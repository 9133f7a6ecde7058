import { createReadStream, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { messageOf } from '../runtime/shared/message-of.js'
import { tryParseJson } from '../text/json-text.js'
import { createHarReader } from './har.js'
import { createNdjsonReader } from './ndjson.js'
import {
  type CreateReader,
  createLineReader,
  lazy,
  type Message,
  type Recording,
  RecordingError,
  rpcRecording,
} from './recording.js'

/**
 * Reads recorded traffic, one exchange after the other: a file, or all files of a folder, sorted by name. `.io` has round trips
 * of JSON-RPC, `.har` is an HTTP Archive, `.ndjson` and `.jsonl` have an exchange a line or spans of OpenTelemetry. Each may be
 * compressed (`.gz`). Only one exchange is in memory at a time. Rejects with RecordingError if a file cannot be read to its end,
 * or has an invalid line, unless `onFault` is given.
 */
export async function* readTraffic(
  path: string,
  { onFault, onSkip }: TrafficOptions = {},
): AsyncGenerator<Recording> {
  for (const file of filesIn(path)) {
    const isPacked = /\.gz$/i.test(file)
    const create = READERS[extname(isPacked ? file.slice(0, -3) : file).toLowerCase()]
    if (!create) {
      onSkip?.(file, 'it is not a .io, .har, .ndjson or .jsonl file')
      continue
    }
    const report = (error: RecordingError) => {
      if (!onFault) throw error
      onFault(error)
    }
    const reader = create(file, report)
    try {
      for await (const text of textsOf(file, isPacked)) yield* reader.push(text)
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error
      report(error)
      continue
    }
    yield* reader.end()
  }
}

type TrafficOptions = {
  /** Called for a line that cannot be read, and for a truncated file; reading continues after it. */
  readonly onFault?: (error: RecordingError) => void
  /** Called for each file of an unknown format. */
  readonly onSkip?: (file: string, why: string) => void
}

/** Round trips as text: `//` a comment, `>>` a request, `<<` the response to the request before it; one line each. */
const createIoReader: CreateReader = (file, report) => {
  let waiting: { readonly line: number; readonly request: string } | undefined
  const end = (response: string | undefined) => {
    if (!waiting) return []
    const place = { file, line: waiting.line, time: undefined }
    const request = ioMessage(waiting.request)
    waiting = undefined
    return [rpcRecording(place, request, response === undefined ? undefined : ioMessage(response))]
  }
  return createLineReader(
    file,
    ({ text, number }) => {
      const line = text.trim()
      if (line.startsWith('//')) return []
      const rest = line.slice(2).trim()
      if (line.startsWith('>>')) {
        const before = end(undefined)
        waiting = { line: number, request: rest }
        return before
      }
      if (!line.startsWith('<<')) {
        const kinds = '// (a comment), >> (a request) or << (its response)'
        const message = `a line must begin with ${kinds}: correct it or remove it`
        throw new RecordingError(file, number, message)
      }
      if (waiting) return end(rest)
      const message = 'this response has no request: write the line with >> before it'
      throw new RecordingError(file, number, message)
    },
    () => end(undefined),
    report,
  )
}

const ioMessage = (text: string): Message => ({
  text: () => text,
  value: lazy(() => tryParseJson(text)?.value),
})

const READERS: Readonly<Record<string, CreateReader>> = {
  '.io': createIoReader,
  '.har': createHarReader,
  '.ndjson': createNdjsonReader,
  '.jsonl': createNdjsonReader,
}

/** Sorted, so that a report is the same on every machine. */
const filesIn = (path: string): readonly string[] => {
  const read = <T>(list: () => T): T => {
    try {
      return list()
    } catch (cause) {
      const message = `it cannot be read (${messageOf(cause)}): name a folder or a file that exists`
      throw new RecordingError(path, 1, message, { cause })
    }
  }
  if (!read(() => statSync(path)).isDirectory()) return [path]
  return read(() => readdirSync(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Rejects text that is not UTF-8, because it could hide a key. */
async function* textsOf(file: string, isPacked: boolean): AsyncGenerator<string> {
  const bytes = createReadStream(file, { highWaterMark: PIECE })
  const source: AsyncIterable<Uint8Array> = isPacked
    ? // Errors of either stream reach the loop below.
      pipeline(bytes, createGunzip({ chunkSize: PIECE }), () => undefined)
    : bytes
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of source) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    const isCut = cause instanceof Error && 'code' in cause && cause.code === 'Z_BUF_ERROR'
    const what = isPacked ? 'cannot be unpacked and read' : 'cannot be read'
    const message = isCut
      ? 'it is truncated, and only its complete part is read: compress or copy it again'
      : `it ${what} as UTF-8 (${messageOf(cause)}): save it as text`
    throw new RecordingError(file, 1, message, { cause })
  } finally {
    bytes.destroy()
  }
}

const PIECE = 256 * 1024
