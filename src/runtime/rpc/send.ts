import type { Posting } from '../link/http.js'
import { rejectionBy } from '../link/http-exchange.js'
import type { IncomingResponse } from '../link/transport.js'
import type { Limits } from '../operation.js'
import {
  type Deadline,
  endDeadline,
  onEnd,
  remaining,
  signalOf,
  startDeadline,
} from '../shared/deadline.js'
import { issuesOf } from '../shared/issues.js'
import { hasLongNumber, type parseJson } from '../shared/json.js'
import { pointerStep } from '../shared/pointer.js'
import { keepText } from '../shared/redact.js'
import { waitBefore } from '../shared/retry.js'
import { type PendingCall, type RpcCallContext, settle, settleResult } from './call.js'
import {
  type CallSettlement,
  callError,
  isCall,
  type Packaging,
  type Received,
  readResponses,
} from './match.js'

/** Sends calls, batched as the limits allow, and settles them. `single` is the packaging of a group of one. */
export const sendCalls = (
  context: RpcCallContext,
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
 * Sends calls as one text and settles them. Calls with a temporary failure that are `x-idempotent` are sent again in a
 * new batch. A failed batch does not show whether its other members were processed. Never rejects.
 */
const sendGroup = async (
  context: RpcCallContext,
  calls: readonly PendingCall[],
  single: Packaging,
): Promise<void> => {
  const { retry, clock } = context.settings
  const deadline = deadlineOf(calls)
  let waiting = calls
  try {
    for (let attempt = 1; waiting.length > 0; attempt += 1) {
      const packaging = waiting.length > 1 ? 'batch' : single
      const posting = { calls: waiting, attempt, deadline }
      const { outcomes, received } = await exchange(context, packaging, posting)
      const { redact, rejection } = received
      const mayRetry = (call: PendingCall, index: number): boolean => {
        const outcome = outcomes[index]
        const { idempotent } = call.method.operation
        return outcome?.kind === 'failed' && outcome.isPassing && idempotent === true
      }
      const wait = waiting.some(mayRetry)
        ? await waitBefore(attempt + 1, rejection?.retryAfter ?? null, retry, clock)
        : undefined
      const again: PendingCall[] = []
      waiting.forEach((call, index) => {
        const outcome = outcomes[index]
        if (outcome === undefined) return
        if (outcome.kind === 'result') settleResult(context, call, outcome, redact)
        else if (mayRetry(call, index) && wait !== undefined && wait < remaining(call.deadline))
          again.push(call)
        else settle(call, 'reject', outcome.error)
      })
      if (!again.some(isWaiting)) return
      await clock.sleep(wait ?? 0, signalOf(deadline))
      waiting = again.filter(isWaiting)
    }
  } catch (cause) {
    // A clock or a validator threw: settles the calls, so that no caller waits forever.
    const error = cause instanceof Error ? cause : new Error(String(cause))
    for (const call of waiting) settle(call, 'reject', error)
  }
}

const isWaiting = ({ isOver }: PendingCall): boolean => !isOver

/** The deadline of a text: the shared deadline of its calls, or one that ends when all of them have ended. */
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

/** Sends one call separately and once, and resolves it with the unmodified response of HTTP. */
export const sendAlone = async (context: RpcCallContext, call: PendingCall): Promise<void> => {
  // The caller's signals also abort the reading of the body by the caller.
  const { deadline, signals } = call
  const posting = { calls: [call], attempt: 1, deadline, signals }
  const { outcomes, received } = await exchange(context, 'single', posting)
  if (received.response) return settle(call, 'resolve', received.response.response())
  const [outcome] = outcomes
  if (outcome?.kind === 'failed') settle(call, 'reject', outcome.error)
}

type Arrived = Received & { readonly response?: IncomingResponse | undefined }

/** Sends one text and reads the outcome of each call. Never rejects: an error of the link is a rejection. */
const exchange = async (
  context: RpcCallContext,
  packaging: Packaging,
  posting: Omit<Posting, 'calls'> & { readonly calls: readonly PendingCall[] },
): Promise<{ readonly outcomes: readonly CallSettlement[]; readonly received: Arrived }> => {
  const { findLink, settings } = context
  const { calls, deadline } = posting
  const sent = calls.map(({ text }) => text).join()
  let received: Arrived
  let redact: Arrived['redact'] = () => keepText
  try {
    const link = await findLink()
    const posted = await link.exchange(packaging === 'single' ? sent : `[${sent}]`, posting)
    const { texts, messages, rejection, response } = posted
    redact = posted.redact
    const isOne = Array.isArray(texts) && texts.length === 1
    const text: string = (isOne ? texts[0] : rejection?.text) ?? ''
    const parsed = isOne && messages ? { value: messages[0] } : undefined
    received = { text, parsed, packaging, rejection, redact, response }
    // Notifications have no responses to join.
    if (texts && !isOne && calls.some(({ id }) => id !== undefined)) {
      const { joinTexts } = await import('./join-texts.js')
      const terms = { link, deadline, context, isCall }
      const joined = await joinTexts(texts, calls, packaging, messages, terms)
      received = { ...received, ...joined }
    }
  } catch (cause) {
    received = { text: '', packaging, rejection: rejectionBy(cause), redact }
  }
  const read = (parse?: typeof parseJson) => readResponses(calls, received, parse)
  const outcomes = read()
  const { text } = received
  if (!(hasLongNumber(text) || calls.some(({ method }) => method.operation.bigints)))
    return { outcomes, received }
  const { readExactResults } = await import('./exact-results.js')
  const terms = { calls, outcomes, read, settings, step: pointerStep, issuesOf }
  return { outcomes: await readExactResults(text, terms), received }
}
