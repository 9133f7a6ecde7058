import type { ClientSettings } from '../client-options.js'
import type { Limits } from '../operation.js'
import { type Address, redactorOf } from '../shared/address.js'
import { exchange } from '../shared/exchange.js'
import type { Rejection } from '../shared/explain.js'
import { issuesOf } from '../shared/issues.js'
import { hasLongNumber, type parseJson } from '../shared/json.js'
import { describeFaults, explain } from '../shared/load-explanations.js'
import { messageOf } from '../shared/message-of.js'
import { pointerStep } from '../shared/pointer.js'
import { keepText, type Redact, redactor } from '../shared/redact.js'
import { redactCause, redactValue } from '../shared/redact-value.js'
import { waitBefore } from '../shared/retry.js'
import type { PendingCall, RpcChecks, RpcContext } from './call.js'
import type { Packaging } from './match.js'
import { callError, failed, type Outcome, type Report, readResponses } from './match.js'

/** Sends calls, together where the limits allow it, and settles them. `single` is how a group of one is sent. */
export const sendCalls = (
  context: RpcContext,
  calls: readonly PendingCall[],
  single: Packaging,
): void => {
  const { limits } = context
  const sized = calls.filter(isWaiting).map((call) => {
    const most = Math.min(bytesIn(limits), bytesIn(call.method.operation.limits))
    return { call, bytes: bytesOf(call.text), most }
  })
  for (const { call, bytes, most } of sized.filter(({ bytes, most }) => bytes > most)) {
    const message = ` was not sent: its ${bytes} bytes exceed the limit of ${most}`
    call.settle('reject', callError(call, 'invalid-input', message))
  }
  const sendable = sized.filter(({ call }) => isWaiting(call))
  for (const group of planBatches(sendable, limits)) {
    const [first] = group
    // A batch of one loses its brackets where they would exceed the limit.
    const isFull = first !== undefined && BRACKETS + first.bytes > bytesIn(limits)
    const members = group.map(({ call }) => call)
    void sendGroup(context, members, isFull ? 'single' : single)
  }
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
      const packaging = waiting.length > 1 ? 'batch' : single
      const sent = await send(context, waiting, packaging, controller.signal, attempt)
      const { outcomes, retryAfter } = await readOutcomes(context, waiting, packaging, sent)
      const hasFailed = outcomes.some(({ kind }) => kind === 'failed')
      const wait = hasFailed ? waitBefore(attempt + 1, retryAfter, retry, clock) : undefined
      const again: PendingCall[] = []
      for (const [index, call] of waiting.entries()) {
        const outcome = outcomes[index]
        if (outcome === undefined) continue
        if (outcome.kind === 'result') settleResult(context, call, outcome, sent.redact)
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

const noResponse = (cause: unknown): Unsent => ({
  errorOf: (call) => callError(call, 'network', ` got no answer: ${messageOf(cause)}`, { cause }),
  isPassing: true,
})

/** What each call of a request came to. */
const readOutcomes = async (
  { settings }: RpcContext,
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
  const read = (parse?: typeof parseJson) =>
    readResponses(calls, packaging, { response, text, redact }, parse)
  const retryAfter = response.headers.get('retry-after')
  const outcomes = read()
  if (!hasLongNumber(text)) return { outcomes, retryAfter }
  const { readExactResults } = await import('./exact-results.js')
  return { outcomes: readExactResults(outcomes, read, settings, pointerStep), retryAfter }
}

type Result = Extract<Outcome, { kind: 'result' }>

/** Resolves a call whose result is valid, or is accepted by the tolerant reading, which reports it. */
const settleResult = (
  { settings }: RpcContext,
  call: PendingCall,
  result: Result,
  redactNow: () => Redact,
): void => {
  const { value, finish } = result
  const { response } = settings.validate
  const check = response === 'off' || call.id === undefined ? undefined : call.method.checks.result
  const reading = response === 'strict' ? 'strict' : 'tolerant'
  const reject = (error: unknown) => call.settle('reject', redactCause(error, redactNow()))
  try {
    const isValid =
      check === undefined || ((reading === 'tolerant' && check.open) || check.check)(value)
    // Most results are settled without another promise.
    if (isValid && finish === undefined) call.settle('resolve', value)
    else
      finishResult(
        settings,
        call,
        result,
        isValid ? undefined : { check, reading },
        redactNow,
      ).then((finished) => call.settle('resolve', finished), reject)
  } catch (error) {
    reject(error)
  }
}

/** What a call resolves with whose result was rejected by a check, or has to be finished. */
const finishResult = async (
  { options }: ClientSettings,
  call: PendingCall,
  { value, finish }: Result,
  rejected: Pick<Rejection<RpcChecks>, 'check' | 'reading'> | undefined,
  redactNow: () => Redact,
): Promise<unknown> => {
  const redact = redactNow()
  const { id, method } = call.method.operation
  const report: Report = async (faults, isTolerated, say) => {
    const issues = redactValue(faults, redact)
    const message = `the result ${say(issues)}`
    if (!isTolerated) throw callError(call, 'invalid-answer', `: ${message}`, { issues })
    await options.onWarning?.({ operation: method, message, issues: issuesOf(issues) })
  }
  if (rejected) {
    const shown = redactValue(value, redact)
    const rejection = { ...rejected, value, shown, pick: (all: RpcChecks) => all.result }
    const { faults, isTolerated } = await explain(id, rejection, options.explanations)
    await report(
      faults,
      isTolerated,
      (issues) => `does not fit the document: ${describeFaults(issues)}`,
    )
  }
  return finish ? finish(report) : value
}

/** Collects the calls of one turn and flushes them together. */
export const coalesce = <Call>(flush: (calls: readonly Call[]) => void) => {
  const waiting: Call[] = []
  return (call: Call): void => {
    if (waiting.push(call) === 1) queueMicrotask(() => flush(waiting.splice(0)))
  }
}

/** Items in groups within the limits, in the order given. One that is larger than `payloadBytes` has a group of its own. */
export const planBatches = <Item extends { readonly bytes: number }>(
  items: readonly Item[],
  limits: Limits = {},
): readonly (readonly Item[])[] => {
  const { batchSize = Number.POSITIVE_INFINITY } = limits
  const groups: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const group = groups.at(-1)
    const joined = bytes + COMMA + item.bytes
    if (group === undefined || group.length >= batchSize || joined > bytesIn(limits)) {
      groups.push([item])
      bytes = BRACKETS + item.bytes
    } else {
      group.push(item)
      bytes = joined
    }
  }
  return groups
}

const bytesIn = ({ payloadBytes = Number.POSITIVE_INFINITY }: Limits = {}): number => payloadBytes

const BRACKETS = 2
const COMMA = 1

/** The bytes of a text in UTF-8. */
const bytesOf = (text: string): number => UTF8.encode(text).length

const UTF8 = new TextEncoder()
