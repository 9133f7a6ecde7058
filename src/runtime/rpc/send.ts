import type { Limits } from '../operation.js'
import { type Address, redactorOf } from '../shared/address.js'
import {
  type Deadline,
  endDeadline,
  onEnd,
  remaining,
  signalOf,
  startDeadline,
} from '../shared/deadline.js'
import { hasLongNumber, type parseJson } from '../shared/json.js'
import { messageOf } from '../shared/message-of.js'
import { pointerStep } from '../shared/pointer.js'
import { keepText, type Redact, redactor } from '../shared/redact.js'
import { redactCause } from '../shared/redact-value.js'
import { waitBefore } from '../shared/retry.js'
import { exchange, ResponseTooLarge, reportDeprecation } from '../transport/exchange.js'
import type { IncomingResponse, OutgoingRequest, Send } from '../transport/transport.js'
import { type PendingCall, type RpcContext, settle, settleResult } from './call.js'
import { callError, failed, type Outcome, type Packaging, readResponses } from './match.js'

/** Sends calls, batched as the limits allow, and settles them. `single` is the packaging of a group of one. */
export const sendCalls = (
  context: RpcContext,
  calls: readonly PendingCall[],
  single: Packaging,
): void => {
  const { limits } = context
  const sendable = calls.filter(isWaiting).filter((call) => {
    const most = bytesIn(limits, call.method.operation.limits)
    if (call.bytes <= most) return true
    const message = ` was not sent: its ${call.bytes} bytes exceed the limit of ${most}`
    settle(call, 'reject', callError(call, 'invalid-input', message))
    return false
  })
  for (const group of planBatches(sendable, limits)) {
    const [first] = group
    // A batch of one is sent without brackets if they would exceed the limit.
    const isFull = first !== undefined && BRACKETS + first.bytes > bytesIn(limits)
    void sendGroup(context, group, isFull ? 'single' : single)
  }
}

/** Groups items within the limits, in their order. An item larger than `payloadBytes` has its own group. */
export const planBatches = <Item extends { readonly bytes: number }>(
  items: readonly Item[],
  limits: Limits = {},
): readonly (readonly Item[])[] => {
  const { batchSize = ANY } = limits
  const most = bytesIn(limits)
  const groups: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const group = groups.at(-1)
    const joined = bytes + COMMA + item.bytes
    if (group === undefined || group.length >= batchSize || joined > most) {
      groups.push([item])
      bytes = BRACKETS + item.bytes
    } else {
      group.push(item)
      bytes = joined
    }
  }
  return groups
}

const bytesIn = (own: Limits | undefined, more?: Limits | undefined): number =>
  Math.min(own?.payloadBytes ?? ANY, more?.payloadBytes ?? ANY)

const ANY = Number.POSITIVE_INFINITY

const BRACKETS = 2
const COMMA = 1

/**
 * Sends calls in one HTTP request and settles them. Calls with a temporary failure that are `x-idempotent` are sent again in a
 * new batch. A failed batch does not show whether its other members were processed. Never rejects.
 */
const sendGroup = async (
  context: RpcContext,
  calls: readonly PendingCall[],
  single: Packaging,
): Promise<void> => {
  const { retry, clock } = context.settings
  const deadline = deadlineOf(calls)
  let waiting = calls
  try {
    for (let attempt = 1; waiting.length > 0; attempt += 1) {
      const packaging = waiting.length > 1 ? 'batch' : single
      const sent = await send(context, waiting, packaging, { deadline, attempt })
      const { outcomes, retryAfter } = await readOutcomes(context, waiting, packaging, sent)
      const hasFailed = outcomes.some(({ kind }) => kind === 'failed')
      const wait = hasFailed ? waitBefore(attempt + 1, retryAfter(), retry, clock) : undefined
      const again: PendingCall[] = []
      waiting.forEach((call, index) => {
        const outcome = outcomes[index]
        if (outcome === undefined) return
        if (outcome.kind === 'result') settleResult(context, call, outcome, sent.redact)
        else if (
          outcome.isPassing &&
          call.method.operation.idempotent === true &&
          wait !== undefined &&
          wait < remaining(call.deadline)
        )
          again.push(call)
        else settle(call, 'reject', outcome.error)
      })
      if (again.every(({ isOver }) => isOver)) return
      await clock.sleep(wait ?? 0, signalOf(deadline))
      waiting = again.filter(isWaiting)
    }
  } catch (cause) {
    // A clock or a validator threw: settles the calls, so that no caller waits forever.
    const error = cause instanceof Error ? cause : new Error(String(cause))
    for (const call of waiting.filter(isWaiting)) settle(call, 'reject', error)
  }
}

const isWaiting = ({ isOver }: PendingCall): boolean => !isOver

/** The deadline of a request: the shared deadline of its calls, or one that ends when all of them have ended. */
const deadlineOf = (calls: readonly PendingCall[]): Deadline => {
  const [first] = calls
  if (first !== undefined && calls.every(({ deadline }) => deadline === first.deadline))
    return first.deadline
  const shared = startDeadline([])
  for (const { deadline } of calls)
    onEnd(deadline, () => {
      if (!calls.some(isWaiting)) endDeadline(shared, 'aborted', deadline.reason)
    })
  return shared
}

/** Sends one call separately and once, and resolves it with the unmodified response. */
export const sendRaw = async (context: RpcContext, call: PendingCall): Promise<void> => {
  const { deadline, signals } = call
  // The caller's signals also abort the reading of the body by the caller.
  const signal = AbortSignal.any([signalOf(deadline), ...signals])
  const how = { deadline, attempt: 1, signal, transport: context.settings.rawTransport }
  const sent = await send(context, [call], 'single', how)
  if ('response' in sent) settle(call, 'resolve', sent.response.response())
  else settle(call, 'reject', sent.errorOf(call))
}

type Sent = { readonly redact: () => Redact } & ({ readonly response: IncomingResponse } | Unsent)

/** Why a request has no response; `isPassing` if the same request may succeed later. */
type Unsent = {
  readonly errorOf: (call: PendingCall) => unknown
  readonly isPassing: boolean
}

type Sending = Pick<OutgoingRequest, 'deadline' | 'attempt' | 'signal'> & {
  readonly transport?: Send
}

/** Sends one HTTP request. Never rejects. */
const send = async (
  { findAddress, headers, settings }: RpcContext,
  calls: readonly PendingCall[],
  packaging: Packaging,
  { deadline, attempt, signal, transport = settings.transport }: Sending,
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
  const texts = calls.map(({ text }) => text).join()
  const sendTo = ({ url, secrets }: Address) =>
    exchange(transport, settings.options, {
      operations: () => calls.map(({ method }) => method.operation.method),
      attempt,
      url,
      shown: () => redactor(secrets())(url),
      method: 'POST',
      headers,
      body: packaging === 'single' ? texts : `[${texts}]`,
      deadline,
      signal,
      maxResponseBytes: settings.maxResponseBytes,
      redirect: 'manual',
      protocol: 'rpc',
    })
  let exchanged = await sendTo(address)
  if ('response' in exchanged && exchanged.response.status === UNAUTHORIZED) {
    const { response } = exchanged
    const renewed = await renew(findAddress, address)
    if (renewed !== undefined) {
      response.discard()
      address = renewed
      exchanged = await sendTo(renewed)
    }
  }
  const redact = () => redactorOf(address)
  const rejected = (error: unknown): Sent => {
    const cause = redactCause(error, redact())
    return { errorOf: () => cause, isPassing: false, redact }
  }
  if ('error' in exchanged)
    return exchanged.by === 'network'
      ? { ...noResponse(exchanged.error, redact), redact }
      : rejected(exchanged.error)
  const { response } = exchanged
  const operations = () => calls.map(({ method }) => method.operation)
  try {
    const reporting = reportDeprecation(settings, response, operations, (text) => redact()(text))
    if (reporting) await reporting
  } catch (error) {
    response.discard()
    return rejected(error)
  }
  return { response, redact }
}

/** The address with other secrets than the rejected ones; undefined if the functions of `auth` return no others. */
const renew = async (
  findAddress: RpcContext['findAddress'],
  { credentials }: Address,
): Promise<Address | undefined> => {
  try {
    const renewed = await findAddress(credentials)
    return JSON.stringify(renewed.credentials) === JSON.stringify(credentials) ? undefined : renewed
  } catch {
    // The calls fail with the 401, which explains the need for a new secret.
    return undefined
  }
}

const UNAUTHORIZED = 401

const noResponse = (error: unknown, redact: () => Redact): Unsent => {
  const cause = redactCause(error, redact())
  const isLarge = error instanceof ResponseTooLarge
  const message = isLarge ? `: ${error.message}` : ` got no response: ${messageOf(cause)}`
  const reason = isLarge ? 'response-too-large' : 'network'
  return { errorOf: (call) => callError(call, reason, message, { cause }), isPassing: !isLarge }
}

/** The outcome of each call of a request. */
const readOutcomes = async (
  { settings }: RpcContext,
  calls: readonly PendingCall[],
  packaging: Packaging,
  sent: Sent,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly retryAfter: () => string | null }> => {
  const { redact } = sent
  const allFailed = ({ errorOf, isPassing }: Unsent) => ({
    outcomes: calls.map((call) => failed(errorOf(call), isPassing)),
    retryAfter: () => null,
  })
  if (!('response' in sent)) return allFailed(sent)
  const { response } = sent
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    return allFailed(noResponse(error, redact))
  }
  const read = (parse?: typeof parseJson) =>
    readResponses(calls, packaging, { response, text, redact }, parse)
  const retryAfter = () => response.header('retry-after')
  const outcomes = read()
  if (!(hasLongNumber(text) || calls.some(({ method }) => method.operation.bigints)))
    return { outcomes, retryAfter }
  const { readExactResults } = await import('./exact-results.js')
  const operations = calls.map(({ method }) => method.operation)
  const exact = readExactResults(outcomes, operations, read, settings, pointerStep)
  return { outcomes: exact, retryAfter }
}
