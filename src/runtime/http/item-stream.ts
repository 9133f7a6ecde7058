import type { StreamContent } from '../operation.js'
import type { StreamFormat } from '../shared/media-type.js'
import type { Clock, Retry } from '../shared/retry.js'
import type { Failures } from './failure.js'

/**
 * The items of a response as they arrive: `for await (const item of stream)`. It is read once, and nothing is read before an
 * item is asked for. Leaving the loop closes the connection.
 */
export type ItemStream<Item> = AsyncIterable<Item> & {
  /** The response that opened the stream, for its status and headers. Its body belongs to the stream. */
  readonly response: Response
  /** Closes the connection of a stream that is not read to its end. */
  readonly cancel: () => Promise<void>
}

/** Reads a response as a stream: `openStream` of `runtime/streams`, for clients that have an operation that streams. */
export type OpenStream = (response: Response, terms: StreamTerms) => ItemStream<unknown>

/**
 * Validates an item, of which the first is 1, and whose data has the given text. Undefined where it is valid as it is; else a
 * promise of the item to return, which rejects where it is invalid.
 */
export type CheckItem = (item: unknown, place: number, text: string) => Promise<unknown> | undefined

export type StreamTerms = {
  readonly format: StreamFormat
  readonly content: StreamContent
  /** Of the caller. */
  readonly signal: AbortSignal | undefined
  readonly check: CheckItem
  /** Sends the request again with one more header; undefined where it must not be repeated. */
  readonly resend: ((header: Readonly<Record<string, string>>) => Promise<Response>) | undefined
  readonly retry: Retry
  readonly clock: Clock
  readonly fail: Failures
  /** Calls the hooks of the caller with an error that the stream throws. */
  readonly onError: (error: unknown) => Promise<void>
}
