import { messageOf } from '../shared/message-of.js'
import { redactCause } from '../shared/redact-value.js'
import { type Clock, systemClock, waitBefore } from '../shared/retry.js'
import { addressRedactor, findAddress } from './address.js'
import type { PendingCall } from './call.js'
import type { Line } from './client-context.js'
import { loaded } from './loaded.js'
import type { Sent } from './match.js'
import { parseResponses, type Verdict } from './parse-response.js'
import { choosePackaging, groupCalls } from './plan.js'
import type { Outcome } from './post.js'

/**
 * Sends calls whose address has to be found, or which the limits part; `lone` is how a group of one is sent. What is too
 * large by itself is refused. Never rejects.
 */
export const send = async (
  calls: readonly PendingCall[],
  lone: Sent,
  line: Line,
): Promise<void> => {
  await Promise.all(
    groupCalls(calls, lone, line).map(({ group, sent }) => sendGroup(group, sent, line)),
  )
}

const sendGroup = async (calls: readonly PendingCall[], sent: Sent, line: Line): Promise<void> => {
  try {
    loaded.exchange(calls, sent, line, line.address ?? (await findAddress(line)))
  } catch (error) {
    await mend(calls, sent, { error }, line)
  }
}

/**
 * Settles calls that were sent and of which not all is well: each is sent again where it may be, and told what it came
 * to. Never rejects.
 */
export const mend = async (
  calls: readonly PendingCall[],
  sent: Sent,
  outcome: Outcome,
  line: Line,
): Promise<void> => {
  const { retry = {} } = line.options
  const clock = { ...systemClock, ...retry.clock, ...line.options.clock }
  let waiting = calls
  try {
    const verdicts = await judge(calls, sent, outcome, line)
    const tried = calls.map((call, index) => ({
      call,
      verdict: verdicts[index] ?? unmatched(call),
    }))
    const attempt = attempts.get(calls) ?? 2
    const wait = waitBefore(attempt, retryAfter(verdicts), retry, clock)
    const mayRepeat = (one: Tried) => wait !== undefined && isRepeatable(one, wait)
    for (const { call, verdict } of tried.filter((one) => !mayRepeat(one))) settle(call, verdict)
    waiting = tried.filter(mayRepeat).map(({ call }) => call)
    if (waiting.length === 0) return
    await sleepFor(waiting, wait ?? 0, clock)
    waiting = waiting.filter((call) => !call.isOver)
    attempts.set(waiting, attempt + 1)
    await sendGroup(waiting, choosePackaging(waiting, sent, line.service.limits), line)
  } catch (cause) {
    // A broken clock or validator, or a stack too small for an answer: nobody is left waiting.
    const error = cause instanceof Error ? cause : new Error(String(cause))
    for (const call of waiting) loaded.settle(call, 'reject', error)
  }
}

/** Calls that are sent again -> which attempt comes after that. */
const attempts = new WeakMap<readonly PendingCall[], number>()

const judge = async (
  calls: readonly PendingCall[],
  sent: Sent,
  { address, text = '', head, error }: Outcome,
  line: Line,
): Promise<readonly Verdict[]> => {
  if (address === undefined)
    return fail(calls, 'invalid-input', `was not sent: ${messageOf(error)}`, error)
  const redact = addressRedactor(line, address)
  if (head !== undefined) {
    const { status, headers } = head
    return parseResponses(calls, sent, { reply: { status, headers, text }, redact, why: line.why })
  }
  const cause = redactCause(error, redact)
  return fail(calls, 'network', `got no answer: ${messageOf(cause)}`, cause)
}

const fail = (
  calls: readonly PendingCall[],
  reason: 'invalid-input' | 'network',
  message: string,
  cause: unknown,
): readonly Verdict[] =>
  calls.map(({ method: { operation } }) => {
    const { method } = operation
    const details = { reason, operation: method, message: `${method} ${message}` }
    return {
      kind: 'failed',
      error: new loaded.CallError(details, { cause }),
      passing: reason === 'network',
    }
  })

const settle = (call: PendingCall, verdict: Verdict): void => {
  if (verdict.kind === 'answered') loaded.settle(call, 'resolve', verdict.value)
  else loaded.settle(call, 'reject', verdict.error)
}

/**
 * Only what the document calls idempotent is sent again, alone or as a member of a new batch: a
 * refused or broken batch says nothing about how far its other members came.
 */
const isRepeatable = ({ call, verdict }: Tried, wait: number): boolean =>
  verdict.kind === 'failed' &&
  verdict.passing &&
  call.method.operation.idempotent === true &&
  !call.isOver &&
  wait < leftOf(call)

/** Milliseconds. */
const leftOf = ({ deadline: { startedAt, timeout } }: PendingCall): number =>
  startedAt + timeout - performance.now()

/** Ends early where nobody waits any longer: one aborted call leaves its neighbours alone. */
const sleepFor = async (
  calls: readonly PendingCall[],
  wait: number,
  clock: Clock,
): Promise<void> => {
  const controller = new AbortController()
  const leave = () => {
    if (calls.every(({ isOver }) => isOver)) controller.abort()
  }
  for (const call of calls) call.left = leave
  await clock.sleep(wait, controller.signal)
}

const unmatched = ({ method: { operation } }: PendingCall): Verdict => {
  const { method } = operation
  const message = `${method}: nothing that came back belongs to this call`
  const error = new loaded.CallError({ reason: 'unmatched-answer', operation: method, message })
  return { kind: 'failed', error, passing: false }
}

type Tried = { readonly call: PendingCall; readonly verdict: Verdict }

/** All verdicts of one exchange carry the same header. */
const retryAfter = (verdicts: readonly Verdict[]): string | null =>
  verdicts.flatMap((one) => (one.kind === 'failed' ? (one.retryAfter ?? []) : []))[0] ?? null
