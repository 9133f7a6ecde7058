import type { ClientSettings } from '../client-options.js'
import type { Limits, RpcOperation, Server } from '../operation.js'
import type { Address, FindAddress } from '../shared/address.js'
import { type Deadline, startDeadline } from '../shared/deadline.js'
import { exchange } from '../shared/exchange.js'
import { runHooks } from '../shared/hooks.js'
import { issuesOf } from '../shared/issues.js'
import { jsonCopy } from '../shared/json-copy.js'
import { describeFaults, explain, type Rejection } from '../shared/load-explanations.js'
import { messageOf } from '../shared/message-of.js'
import { keepText, type Redact, redactor } from '../shared/redact.js'
import { redactCause, redactValue } from '../shared/redact-value.js'
import { waitBefore } from '../shared/retry.js'
import { isObject } from '../validate/json-value.js'
import type { Checks, Fault } from '../validate.js'
import { packagingOf, splitCalls } from './batch.js'
import type { Packaging } from './match.js'
import { callError, failed, type Outcome, readResponses } from './response.js'

/** What generated `operations.ts` exports as `rpcService`. */
export type RpcService = {
  readonly servers: readonly Server[]
  readonly limits?: Limits
  /** The path of the server URLs, as a server mounts it: `/zgt/{apiKey}`. */
  readonly path: string
  readonly operations: Readonly<Record<string, RpcOperation>>
}

/** What the calls of one client share. */
export type RpcContext = {
  readonly limits: Limits | undefined
  readonly findAddress: FindAddress
  readonly settings: ClientSettings
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
}

/** A method with its validators, which may be absent where nothing is validated. */
export type RpcMethod = { readonly operation: RpcOperation; readonly checks: Partial<RpcChecks> }

export type RpcChecks = { readonly params: Checks; readonly result: Checks }

/** A call that its caller waits for, until `isOver`. */
export type PendingCall = {
  /** Undefined for a notification. */
  readonly id: number | undefined
  readonly method: RpcMethod
  /** The request object as JSON. */
  readonly text: string
  readonly deadline: Deadline
  readonly signals: readonly AbortSignal[]
  readonly promise: Promise<unknown>
  /** Ends the call. The first outcome counts. */
  readonly settle: (how: 'resolve' | 'reject', what: unknown) => void
  isOver: boolean
}

/**
 * Validates the params, gives the call its id and its deadline and hands it to `enqueue`, all before it returns: calls of
 * one turn can be collected. A call that must not be sent is never enqueued.
 */
export const startCall = (
  context: RpcContext,
  { timeout, signals, enqueue }: CallTerms,
  method: RpcMethod,
  given: unknown,
  isNotification = method.operation.isNotification === true,
): Promise<unknown> => {
  const id = isNotification ? undefined : ++context.lastId
  const params = writeParams(context.settings, method, given)
  const name = JSON.stringify(method.operation.method)
  const head = `{"jsonrpc":"2.0"${id === undefined ? '' : `,"id":${id}`},"method":${name},"params":`
  const text = 'text' in params ? `${head}${params.text}}` : ''
  const call = createPendingCall({ id, method, text, signals }, timeout)
  if ('text' in params) {
    if (!call.isOver) enqueue(call)
  } else if ('thrown' in params) call.settle('reject', params.thrown)
  else void rejectParams(context, call, params)
  return context.settings.options.onError === undefined
    ? call.promise
    : withErrorHooks(context, call)
}

const createPendingCall = (
  given: Pick<PendingCall, 'id' | 'method' | 'text' | 'signals'>,
  timeout: number,
): PendingCall => {
  const deadline = startDeadline(given.signals, timeout, () => performance.now())
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = new Promise((yes, no) => {
    resolve = yes
    reject = no
  })
  const call: PendingCall = {
    ...given,
    deadline,
    promise,
    settle: (how, what) => {
      call.isOver = true
      deadline.end()
      if (how === 'resolve') resolve(what)
      else reject(what)
    },
    isOver: false,
  }
  deadline.onEnd(() => {
    const reason = deadline.ended() ?? 'aborted'
    const message =
      reason === 'timeout' ? `: no answer within ${timeout} ms` : ': aborted by its caller'
    call.settle('reject', callError(call, reason, message, { cause: deadline.reason() }))
  })
  return call
}

type Written =
  | { readonly text: string }
  | { readonly faults: readonly Fault[] }
  | Rejection<RpcChecks>
  /** What reading the params threw. */
  | { readonly thrown: unknown }

/** Params as they are sent: trailing `undefined` is trimmed (an optional param left out). */
const writeParams = (
  { validate }: ClientSettings,
  { operation, checks }: RpcMethod,
  given: unknown,
): Written => {
  const isNamed = operation.paramStructure === 'by-name'
  const params = given === undefined ? (isNamed ? {} : []) : given
  if (isNamed ? !isObject(params) : !Array.isArray(params)) {
    const names = operation.params.map(({ name }) => name).join(', ')
    const message = isNamed ? `must be an object: { ${names} }` : `must be an array: [${names}]`
    return { faults: [{ pointer: '', keyword: 'type', message }] }
  }
  try {
    const { value, faults } = jsonCopy(Array.isArray(params) ? trim(params) : params)
    if (faults.length > 0) return { faults }
    const check = validate.request === 'off' ? undefined : checks.params
    return check?.check(value) === false
      ? { check, value, shown: value, reading: 'strict', pick: (all) => all.params }
      : { text: JSON.stringify(value) }
  } catch (thrown) {
    return { thrown }
  }
}

const trim = (params: readonly unknown[]): readonly unknown[] =>
  params.slice(0, params.findLastIndex((param) => param !== undefined) + 1)

/** Rejects a call whose params are invalid, or cannot be written as JSON. */
const rejectParams = async (
  { settings }: RpcContext,
  call: PendingCall,
  problem: { readonly faults: readonly Fault[] } | Rejection<RpcChecks>,
): Promise<void> => {
  const { id, params, paramStructure } = call.method.operation
  const { faults } =
    'faults' in problem ? problem : await explain(id, problem, settings.options.explanations)
  // `address (/0) must match …`
  const place = (whole: string): string => {
    const pointer = whole.length > 100 ? `${whole.slice(0, 99)}…` : whole
    const name = paramStructure !== 'by-name' && params[Number(/^\/(\d+)/.exec(pointer)?.[1])]?.name
    return name ? `${name} (${pointer})` : pointer || 'the params'
  }
  const message = ` was not sent: ${describeFaults(faults, place)}`
  call.settle('reject', callError(call, 'invalid-input', message, { issues: faults }))
}

/** Sends calls, together where the limits allow it, and settles them. `single` is how a group of one is sent. */
export const sendCalls = (
  context: RpcContext,
  calls: readonly PendingCall[],
  single: Packaging,
): void => {
  const { groups, tooLarge } = splitCalls(calls.filter(isWaiting), context.limits)
  for (const { call, bytes, most } of tooLarge) {
    const message = ` was not sent: its ${bytes} bytes exceed the limit of ${most}`
    call.settle('reject', callError(call, 'invalid-input', message))
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
  const { retry, clock } = context.settings
  const controller = new AbortController()
  const abandon = () => {
    if (!calls.some(isWaiting)) controller.abort()
  }
  for (const call of calls) call.deadline.onEnd(abandon)
  let waiting = calls
  try {
    for (let attempt = 1; waiting.length > 0; attempt += 1) {
      const packaging = packagingOf(waiting, single, context.limits)
      const sent = await send(context, waiting, packaging, controller.signal, attempt)
      const { outcomes, retryAfter } = await readOutcomes(waiting, packaging, sent)
      const wait = waitBefore(attempt + 1, retryAfter, retry, clock)
      const again: PendingCall[] = []
      for (const [index, call] of waiting.entries()) {
        const outcome = outcomes[index]
        if (outcome?.kind !== 'failed') settleResult(context, call, outcome?.value, sent.redact)
        else if (
          outcome.isPassing &&
          call.method.operation.idempotent === true &&
          wait !== undefined &&
          wait < call.deadline.remaining()
        )
          again.push(call)
        else call.settle('reject', outcome.error)
      }
      if (again.every(({ isOver }) => isOver)) return
      await clock.sleep(wait ?? 0, controller.signal)
      waiting = again.filter(isWaiting)
    }
  } catch (cause) {
    // A clock or a validator throws: no caller is left waiting.
    const error = cause instanceof Error ? cause : new Error(String(cause))
    for (const call of waiting.filter(isWaiting)) call.settle('reject', error)
  }
}

const isWaiting = ({ isOver }: PendingCall): boolean => !isOver

/** Sends one call by itself, once, and resolves it with the response as it is. */
export const sendRaw = async (context: RpcContext, call: PendingCall): Promise<void> => {
  const controller = new AbortController()
  call.deadline.onEnd(() => controller.abort())
  // The signals of a caller who reads the body end that, too.
  const signal = AbortSignal.any([controller.signal, ...call.signals])
  const { rawTransport } = context.settings
  const sent = await send(context, [call], 'single', signal, 1, rawTransport)
  if ('response' in sent) call.settle('resolve', sent.response)
  else call.settle('reject', sent.errorOf(call))
}

type Sent = { readonly redact: () => Redact } & ({ readonly response: Response } | Unsent)

/** Why a request has no response; `isPassing` where the same may succeed later. */
type Unsent = {
  readonly errorOf: (call: PendingCall) => unknown
  readonly isPassing: boolean
}

/** Sends one HTTP request. Never rejects. */
const send = async (
  { findAddress, settings }: RpcContext,
  calls: readonly PendingCall[],
  packaging: Packaging,
  signal: AbortSignal,
  attempt: number,
  transport = settings.transport,
): Promise<Sent> => {
  let address: Address
  try {
    const found = findAddress()
    address = found instanceof Promise ? await found : found
  } catch (cause) {
    const message = ` was not sent: ${messageOf(cause)}`
    const errorOf = (call: PendingCall) => callError(call, 'invalid-input', message, { cause })
    return { errorOf, isPassing: false, redact: () => keepText }
  }
  const { url } = address
  const redact = () => redactorOf(address)
  const texts = calls.map(({ text }) => text).join()
  const exchanged = await exchange(transport, settings.options, {
    operations: calls.map(({ method }) => method.operation.method),
    attempt,
    url,
    shown: () => redactor(address.secrets())(url),
    method: 'POST',
    headers: { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...settings.headers },
    body: packaging === 'single' ? texts : `[${texts}]`,
    signal,
    secretHeaders: [],
    redirects: 'repeat',
  })
  if ('response' in exchanged) return { ...exchanged, redact }
  const cause = redactCause(exchanged.error, redact())
  return exchanged.by === 'hook'
    ? { errorOf: () => cause, isPassing: false, redact }
    : { ...noResponse(cause), redact }
}

const JSON_TYPE = 'application/json'

const redactorOf = ({ secrets, hidden }: Address): Redact => redactor([...secrets(), ...hidden()])

const noResponse = (cause: unknown): Unsent => ({
  errorOf: (call) => callError(call, 'network', ` got no answer: ${messageOf(cause)}`, { cause }),
  isPassing: true,
})

/** What each call of a request came to. */
const readOutcomes = async (
  calls: readonly PendingCall[],
  packaging: Packaging,
  sent: Sent,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly retryAfter: string | null }> => {
  const { redact } = sent
  const allFailed = ({ errorOf, isPassing }: Unsent) => ({
    outcomes: calls.map((call) => failed(errorOf(call), isPassing)),
    retryAfter: null,
  })
  if (!('response' in sent)) return allFailed(sent)
  const { response } = sent
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    return allFailed(noResponse(redactCause(error, redact())))
  }
  const outcomes = readResponses(calls, packaging, { response, text, redact })
  return { outcomes, retryAfter: response.headers.get('retry-after') }
}

const withErrorHooks = async ({ settings, findAddress }: RpcContext, call: PendingCall) => {
  try {
    return await call.promise
  } catch (error) {
    try {
      await runHooks(settings.options.onError, 'out', error, call.method.operation.method)
    } catch (thrown) {
      const known = await Promise.resolve(findAddress()).catch(() => undefined)
      throw known === undefined ? thrown : redactCause(thrown, redactorOf(known))
    }
    throw error
  }
}

/** Resolves a call whose result is valid, or is accepted by the tolerant reading, which reports it. */
const settleResult = async (
  { settings: { validate, options } }: RpcContext,
  call: PendingCall,
  value: unknown,
  redactNow: () => Redact,
): Promise<void> => {
  const { operation, checks } = call.method
  const check = validate.response === 'off' || call.id === undefined ? undefined : checks.result
  const reading = validate.response === 'strict' ? 'strict' : 'tolerant'
  try {
    if (check === undefined || ((reading === 'tolerant' && check.open) || check.check)(value))
      return call.settle('resolve', value)
    const redact = redactNow()
    const shown = redactValue(value, redact)
    const pick = (all: RpcChecks) => all.result
    const rejection = { check, value, shown, reading, pick } as const
    const found = await explain(operation.id, rejection, options.explanations)
    const issues = redactValue(found.faults, redact)
    const message = `the result does not fit the document: ${describeFaults(issues)}`
    if (!found.isTolerated) throw callError(call, 'invalid-answer', `: ${message}`, { issues })
    const { method } = operation
    await options.onWarning?.({ operation: method, message, issues: issuesOf(issues) })
    call.settle('resolve', value)
  } catch (error) {
    call.settle('reject', redactCause(error, redactNow()))
  }
}
