import { CallError } from '../errors.js'
import { type Deadline, startDeadline } from '../ground/deadline.js'
import { type Clock, type Retry, waitBefore } from '../ground/retry.js'
import type { Limits } from '../operation.js'
import { exchange, type Line } from './exchange.js'
import type { Sent } from './match.js'
import { planBatches } from './plan.js'
import type { Call, Verdict } from './verdict.js'

/**
 * A function that sends calls, split at the limits of the document, and settles each of them; the
 * groups go out at once. `lone` is how a group of one is sent.
 */
export const createDelivery =
  (line: Line, terms: DeliveryTerms): Deliver =>
  (calls, lone) => {
    for (const group of planBatches(calls.filter(isLive), terms.limits)) {
      void deliverGroup(group, lone, line, terms)
    }
  }

type Deliver = (calls: readonly PendingCall[], lone: Sent) => void

type DeliveryTerms = {
  readonly limits: Limits
  readonly retry: Retry
  readonly clock: Clock
}

/** A call that somebody waits for. */
export type PendingCall = Call & {
  /** The length of `text` in UTF-8. */
  readonly bytes: number
  readonly deadline: Deadline
  /** The first verdict counts. */
  readonly settle: (verdict: Verdict) => void
}

const deliverGroup = async (
  group: readonly PendingCall[],
  lone: Sent,
  line: Line,
  { limits, retry, clock }: DeliveryTerms,
): Promise<void> => {
  let waiting = group
  const everyone = watchEveryone(group, () => waiting)
  try {
    for (let attempt = 1; waiting.length > 0; attempt += 1) {
      const sent = choosePackaging(waiting, lone, limits)
      const verdicts = await exchange(waiting, sent, line, everyone.deadline)
      const tried = waiting.map((call, index) => ({
        call,
        verdict: verdicts[index] ?? unmatched(call),
      }))
      const wait = waitBefore(attempt + 1, retryAfter(verdicts), retry, clock)
      const [again, over] = partition(tried, (one) => wait !== undefined && mayRepeat(one, wait))
      for (const { call, verdict } of over) call.settle(verdict)
      waiting = again.map(({ call }) => call)
      if (waiting.length > 0) await clock.sleep(wait ?? 0, everyone.deadline.signal)
      waiting = waiting.filter(isLive)
    }
  } catch (cause) {
    // A broken clock or validator, or a stack too small for an answer: nobody is left waiting.
    const error = cause instanceof Error ? cause : new Error(String(cause))
    for (const call of waiting) call.settle({ kind: 'failed', error, passing: false })
  } finally {
    everyone.end()
  }
}

/** A batch of one stays a batch, unless its brackets were the two bytes too many. */
const choosePackaging = (
  calls: readonly PendingCall[],
  lone: Sent,
  { payloadBytes = Number.POSITIVE_INFINITY }: Limits,
): Sent => {
  const [first, second] = calls
  if (first === undefined || second !== undefined) return 'batch'
  return first.bytes + 2 > payloadBytes ? 'alone' : lone
}

/**
 * Only what the document calls idempotent is sent again, alone or as a member of a new batch: a
 * refused or broken batch says nothing about how far its other members came.
 */
const mayRepeat = ({ call, verdict }: Tried, wait: number): boolean =>
  verdict.kind === 'failed' &&
  verdict.passing &&
  call.operation.idempotent === true &&
  isLive(call) &&
  wait < call.deadline.remaining()

const unmatched = ({ operation: { method } }: PendingCall): Verdict => {
  const message = `${method}: nothing that came back belongs to this call`
  const error = new CallError({ reason: 'unmatched-answer', operation: method, message })
  return { kind: 'failed', error, passing: false }
}

type Tried = { readonly call: PendingCall; readonly verdict: Verdict }

/** All verdicts of one exchange carry the same header. */
const retryAfter = (verdicts: readonly Verdict[]): string | null =>
  verdicts.flatMap((one) => (one.kind === 'failed' ? (one.retryAfter ?? []) : []))[0] ?? null

const isLive = ({ deadline }: PendingCall): boolean => deadline.ended() === undefined

/** A deadline that ends when nobody waits any longer: one aborted call leaves its neighbours alone. */
const watchEveryone = (group: readonly PendingCall[], waiting: () => readonly PendingCall[]) => {
  const controller = new AbortController()
  const leave = () => {
    if (!waiting().some(isLive)) controller.abort()
  }
  for (const { deadline } of group) deadline.signal.addEventListener('abort', leave)
  const deadline = startDeadline({ signal: controller.signal })
  return {
    deadline,
    end: () => {
      deadline.end()
      for (const { deadline } of group) deadline.signal.removeEventListener('abort', leave)
    },
  }
}

const partition = <T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
]
