import type { Clock } from '../shared/deadline.js'
import { hasLongNumber } from '../shared/json.js'
import type { Retry } from '../shared/retry.js'
import { fits, readIntegers, type StreamItems, validate } from './response.js'

/**
 * The items of a response as they arrive: `for await (const item of stream)`. It can be read once; nothing is read before an
 * item is requested. Leaving the loop closes the connection.
 */
export type ItemStream<Item> = AsyncIterable<Item> & {
  /** The response that opened the stream, for its status and headers. Only the stream reads its body. */
  readonly response: Response
  /** Closes the connection of a stream that is not read to its end. */
  readonly cancel: () => Promise<void>
}

/** Reads a response as a stream: `openStream` of `runtime/streams`, for clients with streaming operations. */
export type OpenStream = (response: Response, terms: StreamTerms) => ItemStream<unknown>

export type StreamTerms = StreamItems & {
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined
  /** Reports the differences that tolerant validation accepted in an item. */
  readonly report: () => Promise<void>
  /** Sends the request again with an additional header; undefined if it must not be repeated. */
  readonly resend: ((header: Readonly<Record<string, string>>) => Promise<Response>) | undefined
  readonly retry: Retry
  readonly clock: Clock
  /** Calls the hooks of the caller with an error that the stream throws. */
  readonly onError: (error: unknown) => Promise<void>
}

/**
 * Validates an item. `place` counts from 1; `text` is its data as text. Undefined for a valid item that is returned unchanged;
 * else a promise of the item to return, which rejects for an invalid one.
 */
export type CheckItem = (item: unknown, place: number, text: string) => Promise<unknown> | undefined

/** Validates the items of a stream, which may arrive long after the call has returned. */
export const createItemCheck = ({
  content: { item: kind, data },
  validators,
  pick,
  bigints,
  how,
  report,
}: StreamTerms): CheckItem => {
  const check = how.reading === 'off' ? undefined : pick(validators)
  const read = async (item: unknown, place: number, text: string): Promise<unknown> => {
    const { faults, repair } = await validate(validators, item, pick, how)
    if (faults.length > 0)
      throw how.fail.call(
        'invalid-answer',
        `item ${place} of the stream does not match its schema`,
        { faults },
      )
    if (kind === 'data')
      return isText(item) ? item : repair(await readIntegers(text, item, how, bigints))
    const event = item as { readonly data: unknown }
    if (isText(event.data)) return repair(item)
    // Bigints of an event are only in its data.
    const places = bigints.places?.properties?.data
    const data = await readIntegers(text, event.data, how, { ...bigints, places })
    return repair({ ...event, data })
  }
  /** Whether the data of an item was not read as JSON. */
  const isText = (value: unknown): boolean => data !== 'json' && typeof value === 'string'
  const isPlain = (item: unknown, text: string): boolean =>
    (check === undefined || fits(check, item, how)) &&
    bigints.places === undefined &&
    !hasLongNumber(text)
  return (item, place, text) =>
    isPlain(item, text)
      ? undefined
      : read(item, place, text).then(async (finished) => {
          await report()
          return finished
        })
}
