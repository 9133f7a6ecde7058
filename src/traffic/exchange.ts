import type { HeaderPairs } from '../runtime/wire/headers.js'

/** A request, byte for byte. */
export type Sent = {
  readonly method: string
  /** Absolute; contains the key if the documents put it there. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** A response as it arrived, or as it was recorded. */
export type ReceivedResponse = {
  readonly status: number
  readonly headers: HeaderPairs
  /** The decompressed body, if it can be decompressed. */
  readonly body: Uint8Array
  /** The value of a body in a codec that is not built in, such as CBOR. */
  readonly value?: { readonly value: unknown }
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
  readonly answer: ReceivedResponse | undefined
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
  /** The server sent the request, over a connection of both sides. */
  readonly isOfServer?: true
  /** Where it was recorded: `traffic/orders.har:12`. */
  readonly recorded?: string | undefined
}

/**
 * `unsent`: HTTP cannot carry the request, for example a header with a line end in it. `unreachable`: no connection was made.
 * `late`: the time was up. `too large`: the response has more than `MOST_BYTES`. `ended`: the run was ended. `broken`: the
 * connection closed before the whole response had arrived.
 */
export type FailureCause = 'unsent' | 'unreachable' | 'late' | 'too large' | 'ended' | 'broken'

/** The text of a request as servers read it: a byte order mark is a part of it. Invalid UTF-8 becomes U+FFFD. */
export const sentText = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : MARKED.decode(body)

const MARKED = new TextDecoder('utf-8', { ignoreBOM: true })

/** A body as text; invalid UTF-8 becomes U+FFFD. */
export const textOf = (body: string | Uint8Array | undefined): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body)

/** The Content-Type of a response; the first of several, because `header-repeated` reports them. */
export const contentTypeOf = ({ headers }: Pick<ReceivedResponse, 'headers'>): string | undefined =>
  headers.find(([name]) => /^content-type$/i.test(name))?.[1]
