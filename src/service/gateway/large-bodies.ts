import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as afterIo, setTimeout as pause } from 'node:timers/promises'
import type { ServerRequest } from 'twinspec/runtime/server'
import { LARGE } from '../thread/in-thread.js'
import { type Caller, createTurns } from '../turns.js'

/**
 * Large bodies are parsed one after the other, with a pause between them. A body of 1 MB takes up to 50 ms, and several that
 * arrive together would hold every other request for the sum of their times. None is rejected: callers take turns, with a
 * key before those without one.
 */
export const createBodyTurns = (): BodyTurns => {
  const turns = createTurns({
    atOnce: 1,
    waiting: Number.POSITIVE_INFINITY,
    share: Number.POSITIVE_INFINITY,
    milliseconds: LONGEST_WAIT,
  })
  return (body, headers, caller) => {
    if (!isStream(body) || mostBytes(headers) < LARGE) return body
    const { collect } = body
    if (collect === undefined) return body
    return {
      [Symbol.asyncIterator]: () => body[Symbol.asyncIterator](),
      collect: async (limit) => {
        const read = await collect.call(body, limit)
        if (read.refusal || read.value.byteLength < LARGE) return read
        const { byteLength } = read.value
        const from = caller()
        return new Promise((resolve) => {
          const parse = async (): Promise<void> => {
            resolve(read)
            // Parsing begins before anything else; then sockets are read, and what they brought is worked on.
            await afterIo()
            await pause(from.isKeyed ? PAUSE : PAUSE + byteLength / SLOWEST)
          }
          turns(parse, { caller: from }).catch(() => resolve(read))
        })
      },
    }
  }
}

/** The body, or one in its place that waits for its turn after it was read. Asks for the caller only then. */
export type BodyTurns = (
  body: ServerRequest['body'],
  headers: IncomingHttpHeaders,
  caller: () => Caller,
) => ServerRequest['body']

type Stream = Exclude<ServerRequest['body'], Uint8Array | string | undefined>

const isStream = (body: ServerRequest['body']): body is Stream =>
  typeof body === 'object' && !(body instanceof Uint8Array)

/** Infinity where only the end of the body shows how long it is. */
const mostBytes = (headers: IncomingHttpHeaders): number =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : Number.POSITIVE_INFINITY

/** Milliseconds, in which a small request is served to its end. */
const PAUSE = 10

/**
 * Bytes per millisecond at which bodies of callers without a key begin to be parsed: parsing, checking and encoding them takes
 * up to half of that time, and the rest is for other callers.
 */
const SLOWEST = 10_000

/** Milliseconds, after which a body is parsed in any case. */
const LONGEST_WAIT = 30_000
