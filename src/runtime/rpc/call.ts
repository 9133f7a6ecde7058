import type { Why } from '../shared/load-explanations.js'
import { messageOf } from '../shared/message-of.js'
import { keepText, type Redact } from '../shared/redact.js'
import { redactCause } from '../shared/redact-value.js'
import { type Clock, type Retry, waitBefore } from '../shared/retry.js'
import type { Transport } from '../transport/web-transport.js'
import type { Address } from './address.js'
import { packagingOf, splitCalls } from './batch.js'
import type { Explanation } from './explain.js'
import type { Packaging } from './match.js'
import type { RpcMethod, RpcService } from './method.js'
import { writeParams } from './params.js'
import {
  createPendingCall,
  isAbandoned,
  isWaiting,
  type PendingCall,
  remaining,
  settle,
} from './pending-call.js'
import { callError, failed, type Outcome, readResponses } from './response.js'

/** What the calls of one client share. */
export type RpcContext = {
  readonly service: RpcService
  readonly address: () => Address | Promise<Address>
  readonly transport: Transport
  readonly retry: Retry
  readonly clock: Clock
  readonly why: Why | undefined
  lastId: number
}

/** What one call is given by its own caller. */
export type RpcCallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, waiting and retries included; Infinity for no end. */
  readonly timeout?: number | undefined
}

export type CallTerms = {
  readonly timeout: number
  /** Each of them ends the call. */
  readonly signals: readonly AbortSignal[]
  /** Sends the call, alone or together with others. */
  readonly enqueue: (call: PendingCall) => void
  /** The calls that an explicit batch has collected so far; those with one timeout share a timer. */
  readonly collected?: (() => readonly PendingCall[]) | undefined
}

/**
 * Validates the params, gives the call its id and its deadline and hands it to `enqueue`, all before it returns: calls of
 * one turn can be collected. A call that must not be sent is never enqueued.
 */
export const startCall = (
  context: RpcContext,
  { timeout, signals, enqueue, collected }: CallTerms,
  method: RpcMethod,
  given: unknown,
  isNotification = false,
): Promise<unknown> => {
  const params = writeParams(method, given)
  const id = isNotification ? undefined : ++context.lastId
  const text = `{"jsonrpc":"2.0"${id ? `,"id":${id}` : ''}${method.prefix}${params}}`
  const call = createPendingCall({ id, method, text, timeout, signals }, collected?.().at(-1))
  if (params === undefined) rejectParams(context, call, given)
  else enqueue(call)
  return call.promise
}

/** Sends calls, together where the limits allow it, and settles them. `single` is how a group of one is sent. */
export const sendCalls = (
  context: RpcContext,
  calls: readonly PendingCall[],
  single: Packaging,
): void => {
  const { groups, tooLarge } = splitCalls(calls.filter(isWaiting), context.service.limits)
  for (const { call, bytes, most } of tooLarge) {
    const message = ` was not sent: its ${bytes} bytes exceed the limit of ${most}`
    settle(call, 'reject', callError(call, 'invalid-input', message))
  }
  for (const group of groups) void sendGroup(context, group, single)
}

/**
 * Sends calls in one HTTP request and settles them. Those that failed, may pass later and are `x-idempotent` are sent again,
 * in a new batch: a batch that failed says nothing about how far its other members came. Never rejects.
 */
const sendGroup = async (
  context: RpcContext,
  calls: readonly PendingCall[],
  single: Packaging,
): Promise<void> => {
  const { service, retry, clock } = context
  const controller = new AbortController()
  const onGiveUp = () => {
    if (isAbandoned(calls)) controller.abort()
  }
  for (const call of calls) call.onGiveUp = onGiveUp
  let waiting = calls
  try {
    for (let attempt = 1; waiting.length > 0; attempt += 1) {
      const packaging = packagingOf(waiting, single, service.limits)
      const exchange = await post(context, waiting, packaging, controller.signal)
      const failures = waiting.flatMap((call, index) => {
        const outcome = exchange.outcomes[index]
        if (outcome?.kind === 'failed') return [{ call, ...outcome }]
        settleResult(context, call, outcome?.value, exchange.redact)
        return []
      })
      if (failures.length === 0) return
      const retryAfter = exchange.response?.headers.get('retry-after') ?? null
      const wait = waitBefore(attempt + 1, retryAfter, retry, clock)
      const isRetried = ({ call, isPassing }: Failure): boolean =>
        isPassing &&
        call.method.operation.idempotent === true &&
        wait !== undefined &&
        wait < remaining(call)
      for (const failure of failures) {
        if (!isRetried(failure)) settle(failure.call, 'reject', failure.error)
      }
      waiting = failures.map(({ call }) => call).filter(isWaiting)
      if (waiting.length === 0) return
      await clock.sleep(wait ?? 0, controller.signal)
      waiting = waiting.filter(isWaiting)
    }
  } catch (cause) {
    // A clock or a validator throws: no caller is left waiting.
    const error = cause instanceof Error ? cause : new Error(String(cause))
    for (const call of waiting.filter(isWaiting)) settle(call, 'reject', error)
  }
}

type Failure = Extract<Outcome, { kind: 'failed' }> & { readonly call: PendingCall }

/** Sends one HTTP request. Never rejects. */
const post = async (
  { address: find, transport }: RpcContext,
  calls: readonly PendingCall[],
  packaging: Packaging,
  signal: AbortSignal,
): Promise<Exchange> => {
  let address: Address
  try {
    const found = find()
    address = found instanceof Promise ? await found : found
  } catch (cause) {
    return unsent(calls, cause)
  }
  const { url, headers, redact } = address
  const texts = calls.map(({ text }) => text).join()
  const body = packaging === 'single' ? texts : `[${texts}]`
  let response: Response
  let text: string
  try {
    signal.throwIfAborted()
    response = await transport(url, { method: 'POST', headers, body, signal })
    text = await response.text()
  } catch (error) {
    const cause = redactCause(error, redact())
    const message = ` got no answer: ${messageOf(cause)}`
    return {
      outcomes: calls.map((call) => failed(callError(call, 'network', message, { cause }), true)),
      redact,
    }
  }
  return { outcomes: readResponses(calls, packaging, { response, text, redact }), response, redact }
}

type Exchange = {
  readonly outcomes: readonly Outcome[]
  readonly response?: Response
  readonly redact: () => Redact
}

const unsent = (calls: readonly PendingCall[], cause: unknown): Exchange => {
  const message = ` was not sent: ${messageOf(cause)}`
  return {
    outcomes: calls.map((call) =>
      failed(callError(call, 'invalid-input', message, { cause }), false),
    ),
    redact: () => keepText,
  }
}

/** Results are read as open: a service may add properties. */
const settleResult = (
  context: RpcContext,
  call: PendingCall,
  value: unknown,
  redact: () => Redact,
): void => {
  const { result } = call.method
  const check = result?.open ?? result?.check
  if (call.id === undefined || check === undefined || check(value)) settle(call, 'resolve', value)
  else {
    explain(call, 'invalid-answer', ': ', 'the result does not fit the document', (explanations) =>
      explanations.explainResult(call.method, value, redact(), context.why),
    )
  }
}

const rejectParams = ({ why }: RpcContext, call: PendingCall, given: unknown): void =>
  explain(call, 'invalid-input', ' was not sent: ', 'its params are invalid', (explanations) =>
    explanations.explainParams(call.method, given, why),
  )

/** Rejects a call whose value is invalid. What explains it is loaded now, since most clients never need it. */
const explain = (
  call: PendingCall,
  reason: 'invalid-input' | 'invalid-answer',
  prefix: string,
  unexplained: string,
  work: (explanations: typeof import('./explain.js')) => Promise<Explanation>,
): void => {
  const reject = ({ message, ...options }: Explanation & ErrorOptions) =>
    settle(call, 'reject', callError(call, reason, prefix + message, options))
  import('./explain.js').then(
    (explanations) => work(explanations).then(reject, (error) => settle(call, 'reject', error)),
    (cause) => {
      const message = `${unexplained}; what says why could not be loaded`
      reject({ message, issues: [], cause })
    },
  )
}
