import type { Api } from '../model/api.js'
import type { Checker } from '../schema/check.js'
import type { Exchange, Sent } from '../traffic/exchange.js'
import { type AskOptions, CaseStopped, TIME_UP } from './case.js'
import { originOf } from './duplex/address.js'
import { isRead, ownName } from './operations.js'
import { keyHider } from './report/shown.js'
import { operationCalled, withValue } from './responses/read.js'
import { couldWrite } from './selection.js'
import { createFixtures, NO_FIXTURES } from './state/fixtures.js'
import type { Target } from './target.js'
import { isBroken, isLate, type Wire } from './wire/exchange.js'
import type { Pace } from './wire/pace.js'
import { pauseAfter, watchRateLimits } from './wire/rate-limits.js'
import { watchLateness, watchServer, watchSilence } from './wire/watch.js'

export type SenderParts = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  readonly wire: Wire
  readonly pace: Pick<Pace, 'take'>
  /** How long one response may take. */
  readonly milliseconds: number
  readonly now: () => number
  readonly deadline?: number | undefined
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly signal: AbortSignal
  readonly note?: ((exchange: Exchange, options: AskOptions) => void) | undefined
  readonly assertSendable?: ((sent: Sent) => void) | undefined
  /** The server keeps no state, so that nothing can be created or deleted. */
  readonly isStateless?: boolean | undefined
  /** A connection broke, although the repeated request got a response. */
  readonly onPassing: (broken: Exchange) => void
}

/**
 * Creates what sends the requests of a run: at its pace, again after a broken connection or a rate limit, and to resources that
 * exist. It stops cases when the server is gone, late or limits an operation.
 */
export const createSender = (parts: SenderParts) => {
  const { api, target, checker, pace, now, sleep, signal, deadline } = parts
  const { note, assertSendable, onPassing } = parts
  const silence = watchSilence(originsOf(target), {
    nameOf: (exchange) => subjectOf(api, target, exchange),
    hide: keyHider(target.secrets),
  })
  let order = 0
  const wire: Wire = async (sent, options) => {
    assertSendable?.(sent)
    order += 1
    const place = order
    const exchange: Exchange = {
      ...withValue(api, target, await parts.wire(fixtures.redirected(sent), options)),
      order: place,
    }
    watch.note(exchange)
    fixtures.note(exchange)
    await silence.note(exchange)
    return exchange
  }
  const count = { requests: 0, waits: 0, waitsFor: undefined as string | undefined }

  const take = async (cost: number): Promise<void> => {
    count.waitsFor = 'its turn under the rate limit'
    await pace.take(cost)
    count.waitsFor = undefined
    signal.throwIfAborted()
    if (deadline !== undefined && now() >= deadline) throw new CaseStopped(TIME_UP)
    count.requests += cost
  }
  const lateness = watchLateness(api, target)
  const limits = watchRateLimits({
    operationOf: (sent) => {
      const operation = operationCalled(api, target, { sent })
      return operation && ownName(operation)
    },
    now,
  })
  const controls = new Map<string, Map<string, Sent>>()
  const noteControl = (exchange: Exchange) => {
    const origin = originOf(exchange.sent.url)
    const known = controls.get(origin) ?? new Map<string, Sent>()
    const name = subjectOf(api, target, exchange)
    if (!exchange.answer || known.has(name) || known.size >= MOST_CONTROLS) return
    if (isRepeatable(api, target, exchange)) controls.set(origin, known.set(name, exchange.sent))
  }
  const watch = watchServer({
    sleep,
    controls: ({ url }) =>
      [...(controls.get(originOf(url))?.values() ?? [])].map((sent) => async () => {
        await take(1)
        const exchange = await wire(sent, { milliseconds: parts.milliseconds, signal })
        signal.throwIfAborted()
        return exchange
      }),
  })
  /** Requests in succession whose pauses did not help. */
  let limited = 0
  const sendOnce = async (sent: Sent, { cost = 1, ...options }: AskOptions): Promise<Exchange> => {
    assertSendable?.(sent)
    if (!options.isOdd) lateness.assertPatient(sent)
    const paused = limits.stopBefore(sent)
    if (paused) throw paused
    const milliseconds = options.milliseconds ?? parts.milliseconds
    let isRepeated = false
    let broken: Exchange | undefined
    for (let attempt = 0; ; attempt++) {
      const exchange = await watch.watched(async () => {
        await take(cost)
        count.waitsFor = 'a response'
        const received = await wire(sent, { milliseconds, signal })
        count.waitsFor = undefined
        // A request that the run itself aborted is no failure of the server.
        signal.throwIfAborted()
        return received
      })
      // A connection that breaks only occasionally proves nothing about the request.
      if (!isRepeated && isBroken(exchange) && !couldWrite(api, target, sent)) {
        isRepeated = true
        broken = exchange
        continue
      }
      if (broken !== undefined && exchange.answer !== undefined) onPassing(broken)
      const isSilent = isLate(exchange) || (isBroken(exchange) && !options.isOdd)
      if (isSilent && !options.isBusy) await watch.assertResponds(exchange)
      broken = undefined
      // Others may be using the same server, so a rate limit is no response to this request.
      const { answer } = exchange
      const pause = answer?.status === 429 ? pauseAfter(answer) : undefined
      if (pause === undefined) limited = 0
      else if (attempt === MOST_PAUSES) limited += 1
      if (answer && pause === undefined) limits.noteResponse(exchange, attempt > 0)
      const stop =
        answer && pause !== undefined && limited < MOST_LIMITED
          ? limits.stopAfter(exchange, answer, attempt < MOST_PAUSES)
          : undefined
      if (stop) {
        note?.(exchange, options)
        throw stop
      }
      if (pause === undefined || attempt >= MOST_PAUSES || limited >= MOST_LIMITED) {
        if (!options.isOdd) {
          lateness.note(exchange)
          noteControl(exchange)
        }
        note?.(exchange, options)
        return exchange
      }
      count.waits += 1
      count.waitsFor = 'the end of the minute, as the server requests'
      await sleep(Math.max(0, Math.min(pause, (deadline ?? Number.POSITIVE_INFINITY) - now())))
      count.waitsFor = undefined
      if (deadline !== undefined && now() >= deadline) throw new CaseStopped(TIME_UP)
    }
  }
  const fixtures = parts.isStateless
    ? NO_FIXTURES
    : createFixtures({ ...{ api, target, checker }, send: (sent) => sendOnce(sent, {}) })
  /** Sends a request to an existing resource. `before` is the response that showed that the documented one does not. */
  const send = async (sent: Sent, options: AskOptions): Promise<Sending> => {
    if (options.isFinal) return { exchange: await sendOnce(sent, options) }
    if (fixtures.isGone(sent)) await fixtures.recreate(sent)
    const exchange = await sendOnce(sent, options)
    const again = fixtures.isOfState(exchange) ? await fixtures.recreate(sent, exchange) : undefined
    if (again === undefined) return { exchange }
    const last = await sendOnce(again, options)
    fixtures.noteRecreated(sent, last)
    return { exchange: last, before: exchange }
  }
  /** Sends a plain GET, to find out whether the server is reachable. */
  const reach = async (url: string): Promise<Exchange> => {
    const sent = { method: 'GET', url, headers: { accept: '*/*' } }
    const exchange = await wire(sent, { milliseconds: parts.milliseconds, signal })
    noteControl(exchange)
    return exchange
  }
  return {
    ...{ wire, take, send, reach, fixtures, count },
    assertResponded: silence.assertResponded,
    startLastPass: limits.startLastPass,
  }
}

type Sending = { readonly exchange: Exchange; readonly before?: Exchange }

/** The hosts of the two documents. Operations with their own servers are reported individually. */
const originsOf = ({ http, rpc }: Target): ReadonlySet<string> =>
  new Set([http, rpc].flatMap((url) => (url === undefined ? [] : [originOf(url)])))

/** The operation of a request, or its method and URL, to distinguish requests. */
const subjectOf = (api: Api, target: Target, exchange: Exchange): string => {
  const operation = operationCalled(api, target, exchange)
  const { method, url } = exchange.sent
  return operation === undefined ? `${method} ${url}` : ownName(operation)
}

/** The number of requests of different operations that are kept per host, to be repeated if it stops responding. */
const MOST_CONTROLS = 4

/** Whether a request only reads, so that it may be repeated at any time. */
const isRepeatable = (api: Api, target: Target, exchange: Exchange): boolean => {
  const operation = operationCalled(api, target, exchange)
  return operation === undefined ? exchange.sent.method === 'GET' : isRead(operation)
}

/** How often one request waits, and after how many such requests none waits: the server rejects every request. */
const MOST_PAUSES = 2
const MOST_LIMITED = 3
