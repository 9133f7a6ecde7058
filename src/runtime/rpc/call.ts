import type { ClientSettings } from '../client-options.js'
import type { HttpLink } from '../link/http.js'
import type {
  CancelMessage,
  Limits,
  MethodVariants,
  ProgressMessage,
  RpcOperation,
  RpcParam,
  Server,
} from '../operation.js'
import { closeDeadline, type Deadline, onEnd, startDeadline } from '../shared/deadline.js'
import type { Rejection } from '../shared/explain.js'
import { runHooks } from '../shared/hooks.js'
import { issuesOf } from '../shared/issues.js'
import { isObject, jsonCopy, writeJson } from '../shared/json.js'
import { describeFaults, explainRejection } from '../shared/load-explanations.js'
import { keepText, type Redact } from '../shared/redact.js'
import { redactCause, redactValue } from '../shared/redact-value.js'
import { variantOf } from '../shared/sent-params.js'
import type { ValueRepair } from '../validate/validator.js'
import type { Checks, Fault } from '../validate.js'
import type { Incoming } from './duplex.js'
import { callError, type ReportFaults, type Result } from './match.js'

/** The export `rpcService` of generated `operations.ts`. */
export type RpcService = {
  readonly servers: readonly Server[]
  readonly limits?: Limits
  /** The path of the server URLs, as a server mounts it: `/zgt/{apiKey}`. */
  readonly path: string
  readonly operations: Readonly<Record<string, RpcOperation>>
  /** What the server sends, by id. */
  readonly sent?: Readonly<Record<string, RpcOperation>>
  readonly cancel?: CancelMessage
  readonly progress?: ProgressMessage
}

/** The data that the calls of one client share. */
export type RpcCallContext = {
  readonly limits: Limits | undefined
  /** The link of HTTP, or one of the caller behind the same functions. */
  readonly findLink: () => HttpLink | Promise<HttpLink>
  readonly settings: ClientSettings
  /** Processes what the server sends before its response. */
  readonly incoming: Pick<Incoming, 'serve'> | undefined
  /** The last id; clients of one connection may share it. */
  readonly ids: { last: number }
}

/** The options of one call. */
export type RpcCallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, waiting and retries included; Infinity for no timeout. */
  readonly timeout?: number | undefined
}

export type CallTerms = {
  readonly timeout: number
  /** Each of them aborts the call. */
  readonly signals: readonly AbortSignal[]
  readonly onProgress?: ((value: never) => unknown) | undefined
  /** Sends the call, alone or together with others. */
  readonly enqueue: (call: PendingCall) => void
  /** The deadline that the calls of a batch with the same terms share, while they are collected. */
  readonly shared?: (() => SharedDeadline | undefined) | undefined
}

/** One timer for several calls: separate timers would cost more than the rest of a batch. It ends with the last call. */
export type SharedDeadline = { deadline: Deadline | undefined; open: number }

/** A method with its validators, which may be absent if validation is off. */
export type RpcMethod = {
  readonly operation: RpcOperation
  readonly checks: Partial<RpcChecks>
  /** The name of the variant of a call. */
  readonly variant?: string
  /** Converts the params of a call by name to the list that `checks` validate. */
  readonly listed?: (named: unknown) => readonly unknown[]
}

export type RpcChecks = {
  readonly params: Checks
  readonly result: Checks
  readonly variants?: MethodVariants<Checks>
}

/** A call that its caller waits for, until `isOver`. */
export type PendingCall = {
  /** Undefined for a notification. */
  readonly id: number | undefined
  readonly method: RpcMethod
  /** The request object as JSON. */
  readonly text: string
  /** The length of `text` in UTF-8. */
  readonly bytes: number
  readonly deadline: Deadline
  readonly signals: readonly AbortSignal[]
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly group: SharedDeadline
  isOver: boolean
}

/** Ends a call. The first outcome counts. */
export const settle = (call: PendingCall, how: 'resolve' | 'reject', what: unknown): void => {
  if (call.isOver) return
  call.isOver = true
  call.group.open -= 1
  if (call.group.open === 0) closeDeadline(call.deadline)
  call[how](what)
}

/**
 * Validates the params, assigns the call its id and its deadline, and passes it to `enqueue`. It does so synchronously, so that
 * the calls of one microtask can be collected. A call that must not be sent is never enqueued.
 */
export const startCall = (
  context: RpcCallContext,
  terms: CallTerms,
  method: RpcMethod,
  passed: unknown,
  isNotification = method.operation.isNotification === true,
): Promise<unknown> => {
  const id = isNotification ? undefined : ++context.ids.last
  const params = writeParams(context.settings, method, passed)
  const name = JSON.stringify(method.operation.method)
  const head = `{"jsonrpc":"2.0"${id === undefined ? '' : `,"id":${id}`},"method":${name},"params":`
  const text = 'text' in params ? `${head}${params.text}}` : ''
  const variant = 'text' in params ? params.variant : undefined
  const call = createPendingCall(
    id,
    variant === undefined ? method : { ...method, variant },
    text,
    terms,
  )
  if ('text' in params) {
    if (!call.isOver) terms.enqueue(call)
  } else if ('thrown' in params) settle(call, 'reject', params.thrown)
  else void rejectParams(context, call, params)
  return context.settings.options.onError === undefined
    ? call.promise
    : withErrorHooks(context, call)
}

const createPendingCall = (
  id: number | undefined,
  method: RpcMethod,
  text: string,
  { timeout, signals, shared }: CallTerms,
): PendingCall => {
  const group = shared?.() ?? { deadline: undefined, open: 0 }
  if (group.open === 0) group.deadline = startDeadline(signals, timeout, monotonic)
  group.open += 1
  const deadline = group.deadline as Deadline
  let resolve!: PendingCall['resolve']
  let reject!: PendingCall['reject']
  const promise = new Promise((yes, no) => {
    resolve = yes
    reject = no
  })
  const call: PendingCall = {
    id,
    method,
    text,
    bytes: bytesOf(text),
    deadline,
    signals,
    promise,
    resolve,
    reject,
    group,
    isOver: false,
  }
  onEnd(deadline, () => {
    const reason = deadline.ended ?? 'aborted'
    const message =
      reason === 'timeout' ? `: no response within ${timeout} ms` : ': aborted by its caller'
    settle(call, 'reject', callError(call, reason, message, { cause: deadline.reason }))
  })
  return call
}

const monotonic = (): number => performance.now()

const bytesOf = (text: string): number =>
  NOT_ASCII.test(text) ? UTF8.encode(text).length : text.length

const NOT_ASCII = /[^\x20-\x7e]/
const UTF8 = new TextEncoder()

type Written =
  | { readonly text: string; readonly variant: string | undefined }
  | { readonly faults: readonly Fault[] }
  | Rejection<RpcChecks>
  | { readonly thrown: unknown }

const writeParams = (
  { validate, options }: ClientSettings,
  method: RpcMethod,
  passed: unknown,
): Written => {
  const { operation, checks, listed } = method
  const isNamed = operation.paramStructure === 'by-name'
  const params = passed === undefined ? (isNamed ? {} : []) : passed
  if (isNamed ? !isObject(params) : !Array.isArray(params)) {
    const names = operation.params.map(({ name }) => name).join(', ')
    const shape = isNamed ? `object: { ${names} }` : `array: [${names}]`
    return { faults: [{ pointer: '', keyword: 'type', message: `must be an ${shape}` }] }
  }
  try {
    const sent = Array.isArray(params) ? listedParams(operation.params, params) : params
    const { value, exact, faults } = jsonCopy(sent, operation.bigints ? 'bigint' : options.integers)
    if (faults.length > 0) return { faults }
    const check = validate.request === 'off' ? undefined : checks.params
    const shown = listed && (check || checks.variants) ? listed(value) : value
    return check?.check(shown) === false
      ? { check, value: shown, shown, reading: 'strict', pick: (all) => all.params }
      : { text: writeJson(exact), variant: variantOf(checks.variants, shown) }
  } catch (thrown) {
    return { thrown }
  }
}

/** Params by position as they are sent: `null` for an omitted optional one, and nothing for omitted ones at the end. */
export const listedParams = (
  params: readonly RpcParam[],
  passed: readonly unknown[],
): readonly unknown[] => {
  const listed = passed.slice(0, passed.findLastIndex((one) => one !== undefined) + 1)
  for (let at = 0; at < listed.length; at += 1)
    if (listed[at] === undefined && !params[at]?.required) listed[at] = null
  return listed
}

/** Rejects a call whose params are invalid, or cannot be written as JSON. */
const rejectParams = async (
  { settings }: RpcCallContext,
  call: PendingCall,
  problem: { readonly faults: readonly Fault[] } | Rejection<RpcChecks>,
): Promise<void> => {
  const { id, params, paramStructure } = call.method.operation
  const { faults } =
    'faults' in problem
      ? problem
      : await explainRejection(id, problem, settings.options.explanations)
  // `address (/0) must match …`
  const place = (pointer: string): string => {
    const name = paramStructure !== 'by-name' && params[Number(/^\/(\d+)/.exec(pointer)?.[1])]?.name
    return name ? `${name} (${pointer})` : pointer || 'the params'
  }
  const message = ` was not sent: ${describeFaults(faults, place)}`
  settle(call, 'reject', callError(call, 'invalid-input', message, { issues: faults }))
}

const withErrorHooks = async ({ settings, findLink }: RpcCallContext, call: PendingCall) => {
  try {
    return await call.promise
  } catch (error) {
    try {
      await runHooks(settings.options.onError, 'out', error, call.method.operation.method)
    } catch (thrown) {
      const link = await findLink()
      throw redactCause(thrown, await link.redactor().catch(() => keepText))
    }
    throw error
  }
}

/** Resolves a call if its result is valid or tolerated; tolerated differences are reported. */
export const settleResult = (
  { settings }: RpcCallContext,
  call: PendingCall,
  result: Result,
  redactNow: () => Redact,
): void => {
  const { value, finish } = result
  const { response } = settings.validate
  const check =
    response === 'off' || call.id === undefined ? undefined : checksOf(call.method).result
  const reading: Reading = response === 'strict' ? 'strict' : 'tolerant'
  const reject = (error: unknown) => settle(call, 'reject', redactCause(error, redactNow()))
  try {
    const isValid = check === undefined || accepts(check, reading, value)
    // Avoids another promise for most results.
    if (isValid && finish === undefined) settle(call, 'resolve', value)
    else {
      const rejected = isValid ? undefined : { check, reading }
      finishResult(settings, call, result, rejected, redactNow, 'result').then(
        (finished) => settle(call, 'resolve', finished),
        reject,
      )
    }
  } catch (error) {
    reject(error)
  }
}

const accepts = (check: Checks, reading: Reading, value: unknown): boolean =>
  ((reading === 'tolerant' && check.open) || check.check)(value)

type Reading = Rejection<RpcChecks>['reading']

/**
 * The params of a message of the server, validated as results are. A promise only for those that a check rejects: of the
 * tolerated ones, or a rejection with a CallError.
 */
export const readSentParams = (
  settings: ClientSettings,
  method: RpcMethod,
  value: unknown,
  redactNow: () => Redact,
): { readonly value: unknown } | Promise<unknown> => {
  return readSent(settings, method, value, redactNow, 'params')
}

/** The same for an item of a subscription of a variant (`method.variant`). */
export const readSentItem = (
  settings: ClientSettings,
  method: RpcMethod,
  value: unknown,
  redactNow: () => Redact,
): { readonly value: unknown } | Promise<unknown> =>
  readSent(settings, method, value, redactNow, 'item')

const readSent = (
  settings: ClientSettings,
  method: RpcMethod,
  value: unknown,
  redactNow: () => Redact,
  part: Part,
): { readonly value: unknown } | Promise<unknown> => {
  const { response } = settings.validate
  const check = response === 'off' ? undefined : checksOf(method)[part]
  const reading = response === 'strict' ? 'strict' : 'tolerant'
  if (check === undefined || accepts(check, reading, value)) return { value }
  const result: Result = { kind: 'result', value }
  return finishResult(settings, { method }, result, { check, reading }, redactNow, part)
}

type Part = 'params' | 'result' | 'item'

type PartChecks = Readonly<Partial<Record<Part, Checks>>>

/** The checks of a method, or of its variant. */
const checksOf = ({ checks, variant }: Pick<RpcMethod, 'checks' | 'variant'>): PartChecks =>
  (variant === undefined ? undefined : checks.variants?.[variant]) ?? checks

/** The final value of a result or of params that a check rejected, or that need conversion. */
const finishResult = async (
  { options }: ClientSettings,
  call: Pick<PendingCall, 'method'>,
  { value, finish }: Result,
  rejected: Pick<Rejection<RpcChecks>, 'check' | 'reading'> | undefined,
  redactNow: () => Redact,
  part: Part,
): Promise<unknown> => {
  const redact = redactNow()
  const { variant } = call.method
  const { id, method } = call.method.operation
  const report: ReportFaults = async (faults, isTolerated, say) => {
    const issues = redactValue(faults, redact)
    const noun = part === 'params' ? 'message' : part
    const message = `the ${noun} ${say(issues)}`
    if (!isTolerated) throw callError(call, 'invalid-answer', `: ${message}`, { issues })
    await options.onWarning?.({
      kind: 'response',
      operation: method,
      message,
      issues: issuesOf(issues),
    })
  }
  let repair: ValueRepair = (repaired) => repaired
  if (rejected) {
    const shown = redactValue(value, redact)
    const rejection = {
      ...rejected,
      value,
      shown,
      pick: (all: RpcChecks) => checksOf({ checks: all, ...(variant && { variant }) })[part],
    }
    const explained = await explainRejection(id, rejection, options.explanations)
    const { faults, isTolerated } = explained
    repair = explained.repair ?? repair
    await report(
      faults,
      isTolerated,
      (issues) => `does not match its schema: ${describeFaults(issues)}`,
    )
  }
  return repair(finish ? await finish(report) : value)
}
