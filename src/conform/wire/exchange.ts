import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { messageOf } from '../../runtime/shared/message-of.js'

/** What is sent, to the byte. */
export type Sent = {
  readonly method: string
  /** Absolute; holds the key where the documents put it there. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export type Answer = {
  readonly status: number
  /** In their order and spelling, those that come twice twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** As it was before the server compressed it, where that can be undone. */
  readonly body: Uint8Array
  /** A stream that went on when it was left: the body is what had come. */
  readonly isOpen?: true
  /** Nothing is left of what Content-Encoding names. */
  readonly isDecoded?: true
  /** From the first byte sent to the last byte read. */
  readonly milliseconds: number
}

/** One request and what came of it. */
export type Exchange = {
  readonly sent: Sent
  /** Undefined where none came, or not all of it. */
  readonly answer: Answer | undefined
  /** Why there is no answer, for people: `the connection was closed`. */
  readonly failure: string | undefined
  /** What kind of failure it is. Undefined with a failure means that the connection broke. */
  readonly cause?: FailureCause | undefined
  /** The status and headers of a response came, but not its whole body. */
  readonly isBegun?: true
  /** Its place among the requests of a run: 1 for the first. */
  readonly order?: number
  /** What else was sent at the same time, without which the request may show nothing: `beside 16 slow callers`. */
  readonly beside?: string
  /** Where it was recorded: `traffic/orders.har:12`. */
  readonly recorded?: string | undefined
}

/**
 * `unsent`: HTTP cannot carry the request, for example a header with a line end in it. `unreachable`: no connection was made.
 * `late`: the time was up. `too large`: it has more than `MOST_BYTES`. `ended`: the run was ended. `broken`: the connection closed
 * before the whole response had come.
 */
export type FailureCause = 'unsent' | 'unreachable' | 'late' | 'too large' | 'ended' | 'broken'

/** The bytes of a response that are read, and what its body may become when it is decoded. */
export const MOST_BYTES = 64 * 1024 * 1024

/** Why a larger response is not read to its end. */
export const LARGE_WORDS = `the response has more than ${MOST_BYTES / 1024 / 1024} MiB, and the rest was not read`

/** Sends one request as it is given and resolves with what came of it; never rejects. */
export type Wire = (sent: Sent, options: WireOptions) => Promise<Exchange>

type WireOptions = {
  /** An answer that is not complete by then is none. */
  readonly milliseconds: number
  readonly signal?: AbortSignal | undefined
}

/** Whether HTTP cannot carry the request, so that the server never saw it. */
export const isUnsent = ({ cause }: Pick<Exchange, 'cause'>): boolean => cause === 'unsent'

/** Whether there is no answer because it took too long. */
export const isLate = ({ cause }: Pick<Exchange, 'cause'>): boolean => cause === 'late'

/** Whether no connection was made: what a run must know before anything else. */
export const isUnreachable = ({ cause }: Pick<Exchange, 'cause'>): boolean =>
  cause === 'unreachable'

/** Whether the connection closed before the whole response had come. */
export const isBroken = ({
  answer,
  cause = 'broken',
}: Pick<Exchange, 'answer' | 'cause'>): boolean => answer === undefined && cause === 'broken'

export const lateWords = (milliseconds: number): string =>
  `no whole response came in ${milliseconds / 1000} seconds`

/** The value of a header, the first of several. */
export const headerOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]

/** Retry-After as it came, and in seconds from now; no seconds where it is neither a number nor a date (RFC 9110, 10.2.3). */
export const retryAfter = (
  answer: Pick<Answer, 'headers'>,
): { readonly text: string | undefined; readonly seconds: number | undefined } => {
  const text = headerOf(answer, 'retry-after')
  const date = Date.parse(text ?? '')
  if (text !== undefined && /^\d+$/.test(text)) return { text, seconds: Number(text) }
  const seconds = Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1_000)
  return { text, seconds }
}

/** A body as text; bytes that are no UTF-8 become U+FFFD. */
export const textOf = (body: string | Uint8Array | undefined): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body)

/**
 * An answer with its body as it was before the server compressed it, which it may do unasked (RFC 9110, 12.5.3). What cannot be
 * decoded stays as it came, and `decodedBytes` says why.
 */
export const decode = (answer: Answer): Answer => {
  if (answer.isDecoded || answer.body.length === 0 || codingsOf(answer).length === 0) return answer
  const read = decodedBytes(answer)
  return 'bytes' in read ? { ...answer, body: read.bytes, isDecoded: true } : answer
}

type Decoded = { readonly bytes: Uint8Array } | { readonly why: string }

/** The bytes of a body behind all of its codings, or why there are none, after `the body`. */
export const decodedBytes = (answer: Answer): Decoded => {
  if (answer.isDecoded || answer.body.length === 0) return { bytes: answer.body }
  let bytes = answer.body
  // The last coding that is named was applied last (RFC 9110, 8.4).
  for (const coding of codingsOf(answer).toReversed()) {
    const undo = DECODERS[coding]
    if (!undo) return { why: `is encoded as ${coding}, which nobody asked for` }
    try {
      bytes = undo(bytes)
    } catch (error) {
      return { why: `is no ${coding}: ${messageOf(error)}` }
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

/** Bytes: what a few of them may become has an end. */
const LIMIT = { maxOutputLength: MOST_BYTES }

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMIT),
  deflate: (bytes) => inflateSync(bytes, LIMIT),
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
}
