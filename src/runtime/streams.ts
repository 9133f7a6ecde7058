import { CallError } from './errors.js'
import { createItemCheck, type OpenStream, type StreamTerms } from './http/item-stream.js'
import { codecOf } from './shared/codecs.js'
import { parseJson } from './shared/json.js'
import { messageOf } from './shared/message-of.js'
import { waitBefore } from './shared/retry.js'
import { createSplitter, itemOf, type Piece } from './streams/pieces.js'

export type { ItemStream } from './http/item-stream.js'

/**
 * Reads a response item by item. A stream without its declared end (`x-stream-end`) is an error. A GET whose events have ids is
 * resumed instead, with `Last-Event-ID`.
 */
export const openStream: OpenStream = (response, terms) => {
  const { content, how } = terms
  const check = createItemCheck(terms)
  const end = content.end ?? (content.data === 'json' ? USUAL_END : undefined)
  const bodies = readBodies(response, terms)
  let pieces: readonly Piece[] = []
  let at = 0
  let place = 0
  let isOver = false
  /** A call of `next` that has not settled. */
  let turn: Promise<unknown> | undefined

  const close = async (): Promise<void> => {
    isOver = true
    pieces = []
    at = 0
    await bodies.cancel()
  }

  const crash = async (thrown: unknown): Promise<never> => {
    await close()
    const error = terms.signal?.aborted ? aborted(terms) : thrown
    await terms.onError(error)
    throw error
  }

  /** The next received item; undefined if there is none. */
  const take = ():
    | { readonly item: unknown; readonly checked: Promise<unknown> | undefined }
    | undefined => {
    const piece = pieces[at]
    if (piece === undefined) return undefined
    at += 1
    if (piece.data === end) {
      isOver = true
      return undefined
    }
    place += 1
    const item = readItem(piece, place, terms)
    return { item, checked: check(item, place, piece.data) }
  }

  const advance = async (): Promise<IteratorResult<unknown, undefined>> => {
    try {
      for (;;) {
        if (isOver) {
          await close()
          return DONE
        }
        if (terms.signal?.aborted) throw aborted(terms)
        const entry = take()
        if (entry !== undefined) {
          const { item, checked } = entry
          return { value: checked === undefined ? item : await checked, done: false }
        }
        if (isOver) continue
        const read = await bodies.read()
        if (isOver) continue
        at = 0
        pieces = read.pieces
        if (!read.isLast || pieces.length > 0) continue
        isOver = true
        if (content.end !== undefined && read.pending !== content.end)
          throw how.fail.call(
            'network',
            `the stream ended without ${content.end}, which marks its end`,
          )
      }
    } catch (thrown) {
      return await crash(thrown)
    }
  }

  const next = (): Promise<IteratorResult<unknown, undefined>> => {
    if (turn === undefined && !isOver && at < pieces.length && !terms.signal?.aborted) {
      try {
        const entry = take()
        const checked = entry?.checked
        if (entry !== undefined && checked === undefined)
          return Promise.resolve({ value: entry.item, done: false })
        if (checked !== undefined)
          return queue(() => checked.then((value) => ({ value, done: false }) as const, crash))
      } catch (thrown) {
        return queue(() => crash(thrown))
      }
    }
    return queue(advance)
  }

  const queue = <T>(step: () => Promise<T>): Promise<T> => {
    const mine: Promise<T> = turn === undefined ? step() : turn.then(step, step)
    const settled = (): void => {
      if (turn === mine) turn = undefined
    }
    turn = mine
    mine.then(settled, settled)
    return mine
  }

  const iterator: AsyncIterator<unknown, undefined, undefined> = {
    next,
    return: async () => {
      await close()
      return DONE
    },
  }
  return { response, cancel: close, [Symbol.asyncIterator]: () => iterator }
}

const DONE = { value: undefined, done: true } as const

/** The maximum length of an item in characters; an endless item would use all memory. */
const LONGEST_ITEM = 64 * 1_048_576

/** The text with which many services end a stream of JSON. It is not JSON. */
const USUAL_END = '[DONE]'

const aborted = ({ how: { fail }, signal }: StreamTerms): CallError =>
  fail.call('aborted', 'aborted by the caller', { cause: signal?.reason })

const readItem = (piece: Piece, place: number, { content, how }: StreamTerms): unknown => {
  try {
    return itemOf(piece, content)
  } catch {
    // The platform's error quotes the text, which may contain a secret.
    const parsed = parseJson(piece.data, how.fail.clean)
    const text = `item ${place} of the stream is ${piece.isCutOff ? 'truncated' : 'not JSON'}`
    throw how.fail.call('malformed-answer', text, 'cause' in parsed ? parsed : {})
  }
}

/** A header with the bytes of a text: WHATWG HTML, 9.2.3. */
const inUtf8 = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')

type Bodies = {
  /** The items of one chunk. `isLast`: nothing follows. `pending`: the data of an event that is incomplete at the end. */
  readonly read: () => Promise<{
    readonly pieces: readonly Piece[]
    readonly isLast: boolean
    readonly pending: string | undefined
  }>
  readonly cancel: () => Promise<void>
}

/**
 * Reads the body of a response. If its connection breaks and may be reopened, continues with the bodies of the next responses.
 */
const readBodies = (first: Response, terms: StreamTerms): Bodies => {
  const { format, content, clock, retry, resend } = terms
  const { fail } = terms.how
  const isRepeated = format === 'events' && resend !== undefined
  let splitter = createSplitter(format, '')
  let decoder = new TextDecoder()
  let reader = first.body?.getReader()
  let attempt = 1
  let isCancelled = false
  const cancelled = new AbortController()

  /** Whether there is another body to read; `ended` if the server reports that there is none. */
  const reopen = async (): Promise<boolean | 'ended'> => {
    const id = splitter.lastEventId()
    if (!isRepeated || id === '' || terms.signal?.aborted || isCancelled) return false
    attempt += 1
    const delay = splitter.retry()
    const patience = delay === undefined ? retry : { ...retry, delay: delay }
    const wait = await waitBefore(attempt, null, patience, clock)
    if (wait === undefined) return false
    await clock.sleep(
      wait,
      AbortSignal.any([cancelled.signal, ...(terms.signal ? [terms.signal] : [])]),
    )
    if (isCancelled) return 'ended'
    const response = await resend({ 'last-event-id': inUtf8(id) })
    // WHATWG HTML, 9.2.3: the server has no more events.
    if (response.status === 204 || isCancelled) {
      await response.body?.cancel()
      return 'ended'
    }
    const type = response.headers.get('content-type') ?? ''
    if (codecOf(type) !== format) {
      await response.body?.cancel()
      throw fail.call('malformed-answer', `returned ${type} for a request that continues a stream`)
    }
    splitter = createSplitter(format, id)
    decoder = new TextDecoder()
    reader = response.body?.getReader()
    return true
  }

  const ENDED = { pieces: [], isLast: true, pending: content.end }
  const read: Bodies['read'] = async () => {
    let failure: unknown
    try {
      const step = await reader?.read()
      if (step?.value !== undefined) {
        const pieces = splitter.push(decoder.decode(step.value, { stream: true }))
        if (splitter.waiting() > LONGEST_ITEM)
          throw fail.call('malformed-answer', `an item exceeds ${LONGEST_ITEM} characters`)
        if (pieces.length > 0) attempt = 1
        return { pieces, isLast: false, pending: undefined }
      }
      const pieces = [...splitter.push(decoder.decode()), ...splitter.end()]
      const pending = splitter.pending()
      const isWhole = content.end === undefined || pending === content.end || isCancelled
      if (isWhole || pieces.length > 0 || !isRepeated) return { pieces, isLast: true, pending }
    } catch (cause) {
      // A server that sends an item without an end would send it again.
      if (cause instanceof CallError && cause.reason === 'malformed-answer') throw cause
      failure = cause
    }
    for (;;) {
      try {
        const outcome = await reopen()
        if (outcome === 'ended') return ENDED
        if (outcome) return { pieces: [], isLast: false, pending: undefined }
        break
      } catch (error) {
        const isNetwork = error instanceof CallError && error.reason === 'network'
        if (!isNetwork) throw error
        failure = error
      }
    }
    if (failure === undefined || isCancelled) return { ...ENDED, pending: undefined }
    if (failure instanceof CallError) throw failure
    throw fail.call('network', `the stream was interrupted: ${messageOf(failure)}`, {
      cause: failure,
    })
  }

  return {
    read,
    cancel: async () => {
      isCancelled = true
      cancelled.abort()
      await reader?.cancel().catch(() => undefined)
    },
  }
}
