import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { messageOf } from '../../runtime/shared/message-of.js'
import { readHttpDate } from '../../runtime/shared/read-deprecation.js'
import { codingsOf, headerOf } from '../../runtime/wire/headers.js'
import type { Exchange, ReceivedResponse, Sent } from '../../traffic/exchange.js'

/** The maximum size of a response, and of its decoded body. */
export const MOST_BYTES = 64 * 1024 * 1024

/** The message for a response that is too large. */
export const LARGE_WORDS = `the response has more than ${MOST_BYTES / 1024 / 1024} MiB, and the rest was not read`

/** Sends one request unchanged and resolves with its exchange; never rejects. */
export type Wire = (sent: Sent, options: WireOptions) => Promise<Exchange>

type WireOptions = {
  /** A response that is incomplete by then counts as none. */
  readonly milliseconds: number
  readonly signal?: AbortSignal | undefined
}

/** Whether HTTP cannot carry the request, so that the server never received it. */
export const isUnsent = ({ cause }: Pick<Exchange, 'cause'>): boolean => cause === 'unsent'

/** Whether there is no response because the time was up. */
export const isLate = ({ cause }: Pick<Exchange, 'cause'>): boolean => cause === 'late'

/** Whether no connection was made. */
export const isUnreachable = ({ cause }: Pick<Exchange, 'cause'>): boolean =>
  cause === 'unreachable'

/** Whether the connection closed before the whole response had arrived. */
export const isBroken = ({
  answer,
  cause = 'broken',
}: Pick<Exchange, 'answer' | 'cause'>): boolean => answer === undefined && cause === 'broken'

export const lateWords = (milliseconds: number): string =>
  `no complete response arrived in ${milliseconds / 1000} seconds`

/**
 * Retry-After as text, and in seconds from now; seconds are undefined if it is neither a number nor a date (RFC 9110, 10.2.3).
 */
export const retryAfter = (
  answer: Pick<ReceivedResponse, 'headers'>,
): { readonly text: string | undefined; readonly seconds: number | undefined } => {
  const text = headerOf(answer.headers, 'retry-after')
  if (text !== undefined && /^\d+$/.test(text)) return { text, seconds: Number(text) }
  const date = readHttpDate(text ?? null)
  return { text, seconds: date && Math.max(0, (date.getTime() - Date.now()) / 1_000) }
}

/**
 * A response with its decompressed body; a server may compress unasked (RFC 9110, 12.5.3). A body that cannot be decoded is
 * unchanged, and `decodedBytes` returns why.
 */
export const decode = (answer: ReceivedResponse): ReceivedResponse => {
  if (
    answer.isDecoded ||
    answer.body.length === 0 ||
    codingsOf(headerOf(answer.headers, 'content-encoding')).length === 0
  )
    return answer
  const read = decodedBytes(answer)
  return 'bytes' in read ? { ...answer, body: read.bytes, isDecoded: true } : answer
}

type Decoded = { readonly bytes: Uint8Array } | { readonly why: string }

/** The decoded bytes of a body, or why it cannot be decoded, as the words after `the body`. */
export const decodedBytes = (answer: ReceivedResponse): Decoded => {
  if (answer.isDecoded || answer.body.length === 0) return { bytes: answer.body }
  let bytes = answer.body
  // The last coding in the list was applied last (RFC 9110, 8.4).
  for (const coding of codingsOf(headerOf(answer.headers, 'content-encoding')).toReversed()) {
    const undo = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined
    if (!undo) return { why: `is encoded as ${coding}, which the request did not accept` }
    try {
      bytes = undo(bytes)
    } catch (error) {
      return { why: `is not valid ${coding}: ${messageOf(error)}` }
    }
  }
  return { bytes }
}

/** Limits the decoded size, because a few bytes may inflate to very many. */
const LIMIT = { maxOutputLength: MOST_BYTES }

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMIT),
  deflate: (bytes) => inflateSync(bytes, LIMIT),
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
}
