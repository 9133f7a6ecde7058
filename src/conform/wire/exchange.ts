import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { messageOf } from '../../runtime/shared/message-of.js'
import { readHttpDate } from '../../runtime/shared/read-deprecation.js'

/** A request, byte for byte. */
export type Sent = {
  readonly method: string
  /** Absolute; contains the key if the documents put it there. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export type Answer = {
  readonly status: number
  /** In their order and spelling; repeated headers are repeated. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The decompressed body, if it can be decompressed. */
  readonly body: Uint8Array
  /** A stream that had not ended: the body is the part received so far. */
  readonly isOpen?: true
  /** A recorded response without its headers or its body: what is missing may have been sent. */
  readonly isPartial?: true
  /** The recording lacks headers, so that an absent one may have been received. */
  readonly lacksHeaders?: true
  /** All codings of Content-Encoding have been removed. */
  readonly isDecoded?: true
  /** From the first byte sent to the last byte read. */
  readonly milliseconds: number
}

/** One request and its response. */
export type Exchange = {
  readonly sent: Sent
  /** Undefined if no response arrived, or an incomplete one. */
  readonly answer: Answer | undefined
  /** Why there is no response, for messages: `the connection was closed`. */
  readonly failure: string | undefined
  /** What kind of failure it is. Undefined with a failure means that the connection broke. */
  readonly cause?: FailureCause | undefined
  /** The status and headers of a response arrived, but not its whole body. */
  readonly isBegun?: true
  /** Its place among the requests of a run: 1 for the first. */
  readonly order?: number
  /** What was sent at the same time and is needed to reproduce the result: `beside 16 slow callers`. */
  readonly beside?: string
  /** Where it was recorded: `traffic/orders.har:12`. */
  readonly recorded?: string | undefined
}

/**
 * `unsent`: HTTP cannot carry the request, for example a header with a line end in it. `unreachable`: no connection was made.
 * `late`: the time was up. `too large`: the response has more than `MOST_BYTES`. `ended`: the run was ended. `broken`: the
 * connection closed before the whole response had arrived.
 */
export type FailureCause = 'unsent' | 'unreachable' | 'late' | 'too large' | 'ended' | 'broken'

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

/** The value of a header, the first of several. */
export const headerOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]

/**
 * Retry-After as text, and in seconds from now; seconds are undefined if it is neither a number nor a date (RFC 9110, 10.2.3).
 */
export const retryAfter = (
  answer: Pick<Answer, 'headers'>,
): { readonly text: string | undefined; readonly seconds: number | undefined } => {
  const text = headerOf(answer, 'retry-after')
  if (text !== undefined && /^\d+$/.test(text)) return { text, seconds: Number(text) }
  const date = readHttpDate(text ?? null)
  return { text, seconds: date && Math.max(0, (date.getTime() - Date.now()) / 1_000) }
}

/** A body as text; invalid UTF-8 becomes U+FFFD. */
export const textOf = (body: string | Uint8Array | undefined): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body)

/**
 * A response with its decompressed body; a server may compress unasked (RFC 9110, 12.5.3). A body that cannot be decoded is
 * unchanged, and `decodedBytes` returns why.
 */
export const decode = (answer: Answer): Answer => {
  if (answer.isDecoded || answer.body.length === 0 || codingsOf(answer).length === 0) return answer
  const read = decodedBytes(answer)
  return 'bytes' in read ? { ...answer, body: read.bytes, isDecoded: true } : answer
}

type Decoded = { readonly bytes: Uint8Array } | { readonly why: string }

/** The decoded bytes of a body, or why it cannot be decoded, as the words after `the body`. */
export const decodedBytes = (answer: Answer): Decoded => {
  if (answer.isDecoded || answer.body.length === 0) return { bytes: answer.body }
  let bytes = answer.body
  // The last coding in the list was applied last (RFC 9110, 8.4).
  for (const coding of codingsOf(answer).toReversed()) {
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

const codingsOf = ({ headers }: Answer): readonly string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '' && one !== 'identity')

/** Limits the decoded size, because a few bytes may inflate to very many. */
const LIMIT = { maxOutputLength: MOST_BYTES }

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMIT),
  deflate: (bytes) => inflateSync(bytes, LIMIT),
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
}
