import { LIMIT_EXCEEDED } from '../../runtime/shared/retry.js'
import type { Exchange } from '../../traffic/exchange.js'
import { type Case, CaseStopped, NotTested, type Session, TIME_UP } from '../case.js'
import type { Rule } from '../rule.js'
import { retryAfter } from '../wire/exchange.js'
import { postRpc } from '../wire/write-request.js'
import { describeResponse, errorCodeOf, readJsonRpcResponse } from './json-rpc-response.js'
import { caseWith, type RpcSubject } from './subject.js'

/** Rules for the rate limit. This test blocks all other callers for a minute or two. */
export const RATE_RULES: readonly Rule[] = [
  {
    id: 'rate-not-limited',
    level: 'error',
    purpose: 'Requests above the documented limit per minute are rejected.',
    clause: 'x-limits, requestsPerMinute; RFC 6585, 4',
    checks: ['J104'],
  },
  {
    id: 'rate-limit-without-retry-after',
    level: 'warning',
    purpose: 'A response that rejects a request because of a rate limit states when to retry.',
    clause: 'RFC 6585, 4; RFC 9110, 10.2.3',
    checks: ['J104'],
  },
  {
    id: 'rate-limit-does-not-recover',
    level: 'error',
    purpose: 'Calls are accepted again a minute after the last request.',
    clause: 'x-limits, requestsPerMinute; RFC 9110, 10.2.3',
    checks: ['J104'],
  },
]

export const rateCases = (perMinute: number, batchSize: number | undefined): readonly Case[] => [
  {
    ...caseWith('more calls than a minute allows', 2 * perMinute, (session, subject) =>
      tryRate(session, subject, perMinute, batchSize),
    ),
    isDisruptive: true,
    needsState: true,
  },
]

const WINDOW = 61_000
const AT_ONCE = 8

const tryRate = async (
  session: Session,
  subject: RpcSubject,
  perMinute: number,
  batchSize: number | undefined,
): Promise<void> => {
  const began = session.now()
  const single = () => once(session, subject.call())
  const isTooSlow = () => session.now() - began > WINDOW
  // A token bucket that refills while it is emptied allows more calls than its size.
  const { exchange, last } = await flood(single, 2 * perMinute + 1, isTooSlow)
  if (!exchange) {
    const took = session.now() - began
    if (isTooSlow()) throw new NotTested('the server is too slow to reach the limit')
    return session.report('rate-not-limited', last, {
      message: `${2 * perMinute + 1} calls in ${Math.ceil(took / 1_000)} seconds all got a response`,
      expected: `HTTP 429, or error ${LIMIT_EXCEEDED}, after ${perMinute} calls in a minute`,
    })
  }
  const { text, seconds } = retryAfter(exchange.answer ?? { headers: [] })
  if (seconds === undefined)
    session.report('rate-limit-without-retry-after', exchange, {
      message: `a call above the limit was rejected ${text === undefined ? 'without Retry-After' : `with Retry-After: ${text}`}`,
      expected: 'Retry-After: seconds, or a date',
    })
  await session.sleep(WINDOW)
  const after = await single()
  if (isTooMany(after))
    return session.report('rate-limit-does-not-recover', after, {
      message: `a minute after ${describeResponse(readJsonRpcResponse(exchange))}, a call got the same response`,
      expected: 'a result',
    })
  if (batchSize !== undefined && batchSize > 1)
    await countBatches(session, subject, perMinute, batchSize)
}

/** Sends as many calls as before, in far fewer requests. */
const countBatches = async (
  session: Session,
  subject: RpcSubject,
  perMinute: number,
  batchSize: number,
): Promise<void> => {
  await session.sleep(WINDOW)
  const requests = Math.ceil((2 * perMinute + 1) / batchSize)
  if (requests >= perMinute) return
  const ids = Array.from({ length: batchSize }, (_, index) => String(index))
  const text = `[${ids.map((id) => subject.call(id)).join(',')}]`
  const { exchange, last } = await flood(() => once(session, text), requests)
  const way = exchange ? 'each call' : 'one request'
  session.observe('a batch counts as', way, exchange ?? last)
  await session.sleep(WINDOW)
}

/** Sends a few requests at a time until one is rejected, or `isOver`; returns the first rejected one. */
const flood = async (send: () => Promise<Exchange>, most: number, isOver = () => false) => {
  for (let sent = 0; ; sent += AT_ONCE) {
    const size = Math.min(AT_ONCE, most - sent)
    const exchanges = await Promise.all(Array.from({ length: size }, send))
    const exchange = exchanges.find(isTooMany)
    const last = exchanges.at(-1) as Exchange
    if (exchange || sent + size >= most || isOver()) return { exchange, last }
  }
}

const once = async (session: Session, text: string): Promise<Exchange> => {
  const { target, wire, signal, deadline = Number.POSITIVE_INFINITY } = session
  signal.throwIfAborted()
  if (session.now() >= deadline) throw new CaseStopped(TIME_UP)
  return wire(postRpc(target, text), { milliseconds: 10_000, signal })
}

/** Whether HTTP, or an error of JSON-RPC in any response of a batch, reports the rate limit. */
const isTooMany = (exchange: Exchange): boolean => {
  const response = readJsonRpcResponse(exchange)
  if (response.kind === 'none') return false
  if (response.status === 429) return true
  const answers =
    response.kind === 'many' ? response.objects : response.kind === 'one' ? [response.object] : []
  return answers.some((one) => errorCodeOf(one) === LIMIT_EXCEEDED)
}
