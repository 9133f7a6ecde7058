import { type HookRequest, type Hooks, runHooks } from '../shared/hooks.js'
import type { Warning } from '../shared/issues.js'
import type { Why } from '../shared/load-explanations.js'
import { messageOf } from '../shared/message-of.js'
import { keepText, type Redact } from '../shared/redact.js'
import { redactCause } from '../shared/redact-value.js'
import { type Clock, type Retry, waitBefore } from '../shared/retry.js'
import type { Transport } from '../transport/web-transport.js'
import type { Address } from './address.js'
import { packagingOf, splitCalls } from './batch.js'
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
import { rejectParams, rejectResult } from './reject.js'
import { callError, failed, type Outcome, readResponses } from './response.js'

/** What the calls of one client share. */
export type RpcContext = {
  readonly service: RpcService
  readonly address: () => Address | Promise<Address>
  readonly transport: Transport
  readonly retry: Retry
  readonly clock: Clock
  readonly why: Why | undefined
  readonly hooks: Hooks
  readonly reading: 'tolerant' | 'strict'
  readonly onWarning: ((warning: Warning) => unknown) | undefined
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
  if (params === undefined) void rejectParams(context, call, given)
  else enqueue(call)
  return context.hooks.onError === undefined ? call.promise : withErrorHooks(context, call)
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
      const sent = await send(context, waiting, packaging, controller.signal, attempt)
      const exchange = await readExchange(waiting, packaging, sent)
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

/** Sends one call by itself, once, and resolves it with the response as it is. */
export const sendRaw = async (context: RpcContext, call: PendingCall): Promise<void> => {
  const controller = new AbortController()
  call.onGiveUp = () => controller.abort()
  const sent = await send(context, [call], 'single', controller.signal, 1)
  if ('response' in sent) settle(call, 'resolve', sent.response)
  else settle(call, 'reject', sent.errorOf(call))
}

/** Sends one HTTP request. Never rejects. */
const send = async (
  { address: find, transport, hooks }: RpcContext,
  calls: readonly PendingCall[],
  packaging: Packaging,
  signal: AbortSignal,
  attempt: number,
): Promise<Sent> => {
  let address: Address
  try {
    const found = find()
    address = found instanceof Promise ? await found : found
  } catch (cause) {
    const message = ` was not sent: ${messageOf(cause)}`
    return {
      errorOf: (call) => callError(call, 'invalid-input', message, { cause }),
      isPassing: false,
      redact: () => keepText,
    }
  }
  const { url, redact } = address
  const texts = calls.map(({ text }) => text).join()
  const body = packaging === 'single' ? texts : `[${texts}]`
  let { headers }: { headers: HeadersInit } = address
  let isHook = true
  try {
    const request = hasHooks(hooks) && describeRequest(address, calls, attempt)
    if (request) {
      await runHooks(hooks.onRequest, 'in', request)
      headers = request.headers
    }
    isHook = false
    signal.throwIfAborted()
    const response = await transport(url, { method: 'POST', headers, body, signal })
    isHook = true
    if (request) await runHooks(hooks.onResponse, 'out', response, request)
    return { response, redact }
  } catch (error) {
    const cause = redactCause(error, redact())
    return isHook
      ? { errorOf: () => cause, isPassing: false, redact }
      : { ...noResponse(cause), redact }
  }
}

type Sent = { readonly redact: () => Redact } & ({ readonly response: Response } | Unsent)

/** Why a request has no response. */
type Unsent = {
  readonly errorOf: (call: PendingCall) => unknown
  readonly isPassing: boolean
}

const noResponse = (cause: unknown): Unsent => ({
  errorOf: (call) => callError(call, 'network', ` got no answer: ${messageOf(cause)}`, { cause }),
  isPassing: true,
})

const hasHooks = ({ onRequest, onResponse }: Hooks): boolean =>
  onRequest !== undefined || onResponse !== undefined

const describeRequest = (
  { shown, headers }: Address,
  calls: readonly PendingCall[],
  attempt: number,
): HookRequest => ({
  operations: calls.map(({ method }) => method.operation.method),
  attempt,
  method: 'POST',
  url: shown(),
  headers: new Headers(headers),
})

/** What each call of a request came to. */
const readExchange = async (
  calls: readonly PendingCall[],
  packaging: Packaging,
  sent: Sent,
): Promise<Exchange> => {
  const { redact } = sent
  const allFailed = ({ errorOf, isPassing }: Unsent): Exchange => ({
    outcomes: calls.map((call) => failed(errorOf(call), isPassing)),
    redact,
  })
  if (!('response' in sent)) return allFailed(sent)
  const { response } = sent
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    return allFailed(noResponse(redactCause(error, redact())))
  }
  return { outcomes: readResponses(calls, packaging, { response, text, redact }), response, redact }
}

type Exchange = {
  readonly outcomes: readonly Outcome[]
  readonly response?: Response
  readonly redact: () => Redact
}

const withErrorHooks = async ({ hooks, address }: RpcContext, call: PendingCall) => {
  try {
    return await call.promise
  } catch (error) {
    try {
      await runHooks(hooks.onError, 'out', error, call.method.operation.method)
    } catch (thrown) {
      const known = await Promise.resolve(address()).catch(() => undefined)
      throw redactCause(thrown, known?.redact() ?? keepText)
    }
    throw error
  }
}

const settleResult = (
  context: RpcContext,
  call: PendingCall,
  value: unknown,
  redact: () => Redact,
): void => {
  const { result } = call.method
  const check = (context.reading === 'tolerant' && result?.open) || result?.check
  if (call.id === undefined || check === undefined || check(value)) settle(call, 'resolve', value)
  else void rejectResult(context, call, value, redact())
}
