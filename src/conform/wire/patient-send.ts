import { type ClientRequest, request as plainly } from 'node:http'
import { request as securely } from 'node:https'
import { messageOf } from '../../runtime/shared/message-of.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import { NotTested, type Session } from '../case.js'
import { lateWords } from './exchange.js'
import { bodyFailure, failureOf } from './failure.js'
import { answerOf, onSwitch, requestPath, wholeBody } from './wire.js'

/**
 * Sends the head and the first bytes of a request, and the rest only if no response has arrived. An early response is then not
 * lost when the connection closes. Rejects with NotTested if no connection is made.
 */
export const sendPatiently = async (
  session: Session,
  sent: Sent,
  { framing, patience, milliseconds = 10_000 }: PatientOptions,
): Promise<PatientExchange> => {
  await session.take(1)
  const url = new URL(sent.url)
  const body = Buffer.from(sent.body ?? '')
  const framed =
    framing === 'length'
      ? { 'content-length': String(body.length) }
      : { 'transfer-encoding': 'chunked' }
  let request: ClientRequest
  try {
    request = (url.protocol === 'https:' ? securely : plainly)(url, {
      method: sent.method,
      agent: false,
      headers: { 'accept-encoding': 'identity', ...sent.headers, ...framed },
      path: requestPath(sent.url),
      signal: session.signal,
    })
  } catch (error) {
    const failure = `the request cannot be sent: ${messageOf(error)}`
    return { sent, answer: undefined, failure, cause: 'unsent', written: 0 }
  }
  let written = 0
  const outcome = answerTo(request)
  const early = async (): Promise<Partial<Exchange> | undefined> => {
    // The last byte is held back; otherwise a small body would be sent whole.
    const first = Math.min(FIRST, body.length - 1)
    request.write(body.subarray(0, first))
    written = first
    return within(patience, outcome)
  }
  const late = async (): Promise<Partial<Exchange>> => {
    const began = performance.now()
    const tooLate = { failure: lateWords(milliseconds), cause: 'late' } as const
    while (written < body.length && !request.destroyed && !request.closed) {
      const next = Math.min(written + STEP, body.length)
      // The bytes may still be in transit: the server gets time to reject them before the last ones are sent.
      if (next === body.length) {
        const soon = await within(patience, outcome)
        if (soon !== undefined) return soon
      }
      const isFree = request.write(body.subarray(written, next))
      written = next
      // A server may stop reading and still keep the connection open.
      const free = isFree ? turn() : drained(request)
      const soon = await within(milliseconds, Promise.race([outcome, free]))
      if (typeof soon === 'object') return soon
      if (soon === undefined || performance.now() - began > LONGEST) return tooLate
    }
    request.end()
    return (await within(milliseconds, outcome)) ?? tooLate
  }
  const received = (await early()) ?? (await late())
  request.destroy()
  const { answer, failure, cause } = received
  if (cause === 'unreachable') throw new NotTested(`no connection was made: ${failure}`)
  const headers = framing === 'chunked' ? { ...sent.headers, ...framed } : sent.headers
  return { sent: { ...sent, headers }, answer, failure, cause, written }
}

export type PatientOptions = {
  readonly framing: 'length' | 'chunked'
  /** How long to wait for a response before the rest is sent, in milliseconds. */
  readonly patience: number
  /** How long to wait for a response after that. */
  readonly milliseconds?: number
}

/** `written`: bytes of the body that had been sent when the response arrived. */
export type PatientExchange = Exchange & { readonly written: number }

/** The value of a promise, or undefined if it takes longer than the limit. */
const within = async <T>(limit: number, promise: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const time = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limit)
  })
  return Promise.race([promise, time]).finally(() => clearTimeout(timer))
}

/** Milliseconds for a whole body: a server may read it very slowly. */
const LONGEST = 60_000

const FIRST = 4_096
const STEP = 65_536

/** After a write error, waits briefly for a response that arrived before it. */
const answerTo = (request: ClientRequest): Promise<Partial<Exchange>> => {
  const began = performance.now()
  return new Promise((resolve) => {
    onSwitch(request, (message) => resolve({ answer: answerOf(message, Buffer.alloc(0), began) }))
    request.once('response', (message) => {
      wholeBody(message).then(
        (bytes) => resolve({ answer: answerOf(message, bytes, began) }),
        (error: unknown) => resolve(bodyFailure(error)),
      )
    })
    request.on('error', (error) => {
      setTimeout(() => resolve(failureOf(error)), 50)
    })
  })
}

const turn = (): Promise<'turn'> => new Promise((resolve) => setImmediate(() => resolve('turn')))

const drained = (request: ClientRequest): Promise<'turn'> =>
  new Promise((resolve) => request.once('drain', () => resolve('turn')))
