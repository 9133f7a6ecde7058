import type { ClientSettings } from '../client-options.js'
import type { Limits, RpcOperation, Server } from '../operation.js'
import { type FindAddress, redactorOf } from '../shared/address.js'
import { type Deadline, startDeadline } from '../shared/deadline.js'
import type { Rejection } from '../shared/explain.js'
import { runHooks } from '../shared/hooks.js'
import { isObject, jsonCopy } from '../shared/json.js'
import { describeFaults, explain } from '../shared/load-explanations.js'
import { redactCause } from '../shared/redact-value.js'
import type { Checks, Fault } from '../validate.js'
import { listedParams } from './listed-params.js'
import { callError } from './match.js'

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
  /** What the calls of a batch with the same terms share, while they are collected. */
  readonly shared?: (() => SharedDeadline | undefined) | undefined
}

/** One timer for several calls, which would cost more than the rest of a batch; it ends with the last of them. */
export type SharedDeadline = { deadline: Deadline | undefined; open: number }

/** A method with its validators, which may be absent where nothing is validated. */
export type RpcMethod = {
  readonly operation: RpcOperation
  readonly checks: Partial<RpcChecks>
  /** Of a call by name: its params as the list that `checks` read. */
  readonly listed?: (named: unknown) => readonly unknown[]
}

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
  terms: CallTerms,
  method: RpcMethod,
  given: unknown,
  isNotification = method.operation.isNotification === true,
): Promise<unknown> => {
  const id = isNotification ? undefined : ++context.lastId
  const params = writeParams(context.settings, method, given)
  const name = JSON.stringify(method.operation.method)
  const head = `{"jsonrpc":"2.0"${id === undefined ? '' : `,"id":${id}`},"method":${name},"params":`
  const text = 'text' in params ? `${head}${params.text}}` : ''
  const call = createPendingCall({ id, method, text, signals: terms.signals }, terms)
  if ('text' in params) {
    if (!call.isOver) terms.enqueue(call)
  } else if ('thrown' in params) call.settle('reject', params.thrown)
  else void rejectParams(context, call, params)
  return context.settings.options.onError === undefined
    ? call.promise
    : withErrorHooks(context, call)
}

const createPendingCall = (
  given: Pick<PendingCall, 'id' | 'method' | 'text' | 'signals'>,
  { timeout, signals, shared }: CallTerms,
): PendingCall => {
  const group: SharedDeadline = shared?.() ?? { deadline: undefined, open: 0 }
  if (group.deadline === undefined || group.open === 0)
    group.deadline = startDeadline(signals, timeout, () => performance.now())
  group.open += 1
  const { deadline } = group
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = new Promise((yes, no) => {
    resolve = yes
    reject = no
  })
  const call: PendingCall = {
    id: given.id,
    method: given.method,
    text: given.text,
    signals: given.signals,
    deadline,
    promise,
    settle: (how, what) => {
      if (!call.isOver && --group.open === 0) deadline.end()
      call.isOver = true
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

/** Params as they are sent. */
const writeParams = (
  { validate }: ClientSettings,
  { operation, checks, listed }: RpcMethod,
  given: unknown,
): Written => {
  const isNamed = operation.paramStructure === 'by-name'
  const params = given === undefined ? (isNamed ? {} : []) : given
  if (isNamed ? !isObject(params) : !Array.isArray(params)) {
    const names = operation.params.map(({ name }) => name).join(', ')
    const shape = isNamed ? `object: { ${names} }` : `array: [${names}]`
    return { faults: [{ pointer: '', keyword: 'type', message: `must be an ${shape}` }] }
  }
  try {
    const sent = Array.isArray(params) ? listedParams(operation.params, params) : params
    const { value, faults } = jsonCopy(sent)
    if (faults.length > 0) return { faults }
    const check = validate.request === 'off' ? undefined : checks.params
    const shown = check && listed ? listed(value) : value
    return check?.check(shown) === false
      ? { check, value: shown, shown, reading: 'strict', pick: (all) => all.params }
      : { text: JSON.stringify(value) }
  } catch (thrown) {
    return { thrown }
  }
}

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
