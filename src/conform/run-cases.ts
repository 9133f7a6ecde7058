import { setImmediate } from 'node:timers/promises'
import { messageOf } from '../runtime/shared/message-of.js'
import type { Exchange } from '../traffic/exchange.js'
import {
  type Case,
  CaseStopped,
  type ExchangeFinding,
  NotTested,
  type Session,
  type Stop,
} from './case.js'
import { operationCalled } from './responses/read.js'
import type { WholeSession } from './session.js'
import { TargetError } from './target.js'

/**
 * Runs the cases in order until the run is ended or its time is up, and reports what was not run. Resolves with all findings of
 * the run and the number of cases that sent requests. A case that a rate limit stops runs once more after all others. A case that
 * throws an unexpected error is reported as not tested. Rejects with TargetError if every case that sent a request threw one and
 * nothing was found.
 */
export const runCases = async (
  cases: readonly Case[],
  session: Session & Pick<WholeSession, 'seen' | 'startLastPass'>,
  { onProgress }: RunOptions = {},
) => {
  const { signal, deadline, now, skip, seen } = session
  const ended = new Promise<undefined>((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  )
  const failures: string[] = []
  let gone: ServerGone | undefined
  let cut: CutShort | undefined
  let finished = 0
  let tried = 0
  let done = 0
  const leave = (left: readonly Case[], by: CutShort['by'], why = LEFT_BY[by]): CutShort => {
    for (const { name } of left) skip(name, why)
    return { by, cases: left.length }
  }
  const sum = cases.reduce((total, { cost }) => total + cost, 0)
  const queue = [...cases]
  for (const [index, one] of queue.entries()) {
    if (index === cases.length) session.startLastPass()
    // A case may compute for long without waiting, and system signals are only received here.
    await setImmediate()
    const isLate = deadline !== undefined && now() >= deadline
    if (signal.aborted || isLate) {
      cut = leave(queue.slice(index), signal.aborted ? 'ended' : 'time')
      break
    }
    const part = sum === 0 ? 0 : Math.min(1, done / sum)
    const progress = { done: index, cases: queue.length, part }
    done += one.cost
    onProgress?.({ ...progress, name: one.name })
    const before = seen.count.requests
    const waiting = setInterval(() => {
      const name = `waiting for ${seen.count.waitsFor}: ${one.name}`
      if (seen.count.waitsFor !== undefined) onProgress?.({ ...progress, name })
    }, 1_000)
    // After the run has ended, the result or error of a case is ignored.
    const running = Promise.race([runOne(one, session), ended])
    const result = await running.finally(() => clearInterval(waiting))
    const hasSent = seen.count.requests > before
    if (hasSent) tried += 1
    if (signal.aborted) cut = leave([one], 'ended')
    if (result === undefined || (signal.aborted && result.kind !== 'finished')) continue
    if (result.kind === 'finished' || result.kind === 'not tested') {
      if (hasSent) finished += 1
      if (result.kind === 'not tested') skip(one.name, result.message)
    } else if (result.kind === 'server gone') {
      gone = result
      cut = leave(queue.slice(index), 'server', result.message)
      break
    } else if (result.kind === 'time up') {
      cut = leave(queue.slice(index), 'time')
      break
    } else {
      if (result.kind === 'operation limited' && index < cases.length) queue.push(one)
      else skip(one.name, result.message)
      if (result.kind === 'failed') failures.push(result.message)
      if ('exchange' in result && result.exchange) session.reportAll(session.check(result.exchange))
    }
  }
  const [why] = failures
  if (why !== undefined && finished + seen.findings.length === 0)
    throw new TargetError(`nothing could be tested, because every case failed: ${why}`)
  if (gone === undefined) return { findings: seen.findings, tried, cut }
  // Other findings that only show that the server is gone are redundant.
  const { exchange } = gone
  const others = seen.findings.filter((one) => !isAfter(one, exchange))
  return { findings: [...others, findingOf(gone, session)], tried, cut }
}

/** Whether a finding is about a missing response after the server was gone. */
const isAfter = (finding: ExchangeFinding, { order: last = 0 }: Exchange): boolean => {
  const { answer, order = 0 } = finding.exchange
  return answer === undefined && order >= last
}

/**
 * Why a run stopped before its last case, and how many cases remain: the time was up, the user ended it, or the server was gone.
 */
export type CutShort = { readonly by: 'time' | 'ended' | 'server'; readonly cases: number }

const LEFT_BY: Readonly<Record<CutShort['by'], string>> = {
  time: 'the time limit was reached',
  ended: 'the run was stopped before it',
  server: 'the server stopped responding',
}

export type RunOptions = {
  readonly onProgress?: (progress: RunProgress) => void
}

export type RunProgress = {
  readonly done: number
  readonly cases: number
  /** The approximate share of all requests that was sent: 0 to 1. */
  readonly part: number
  readonly name: string
}

/** How a case ended. `failed`: it threw an error that proves nothing about the server. */
type CaseResult =
  | { readonly kind: 'finished' }
  | { readonly kind: 'failed' | 'not tested'; readonly message: string }
  | Stop

type ServerGone = Extract<Stop, { kind: 'server gone' }>

const findingOf = (
  { rule, exchange }: ServerGone,
  { api, target }: Pick<Session, 'api' | 'target'>,
): ExchangeFinding => {
  const { answer, failure } = exchange
  const end =
    rule === 'server-unreachable'
      ? 'the server no longer accepted connections'
      : 'the server no longer responded, not even to a request that it had responded to before'
  const first = answer === undefined ? `this request failed first (${failure}), and after it` : ''
  return {
    rule,
    message: `${first === '' ? 'after this request' : first} ${end}, so the run was stopped`,
    expected: 'a server that keeps running, whatever is sent to it',
    exchange,
    operation: operationCalled(api, target, exchange),
  }
}

/** An unexpected error of a case is a bug of the toolkit: it proves nothing about the server, and the other cases still run. */
const runOne = async (one: Case, session: Session): Promise<CaseResult> => {
  try {
    await one.run({
      ...session,
      report: (rule, exchange, words) =>
        session.report(rule, exchange, { operation: one.operation, ...words }),
    })
    return { kind: 'finished' }
  } catch (error) {
    if (error instanceof TargetError) throw error
    if (error instanceof CaseStopped) return error.stop
    if (error instanceof NotTested) return { kind: 'not tested', message: error.message }
    const [sentence = ''] = messageOf(error).split('\n')
    return { kind: 'failed', message: `an unexpected error: ${sentence}` }
  }
}
