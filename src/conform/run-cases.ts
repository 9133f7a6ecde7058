import { messageOf } from '../runtime/shared/message-of.js'
import type { Case, Complaint, Session } from './case.js'
import { operationOf, readExchange } from './responses/read.js'
import type { Seen } from './session.js'
import { NotSent } from './skipped.js'
import { TargetError } from './target.js'
import type { Exchange } from './wire/exchange.js'
import { TimeUp } from './wire/pace.js'
import { GivenUp, ServerGone } from './wire/watch.js'

/**
 * Tries one case after the other until the run is ended or its time is up, and tells what was left out. A case that throws is
 * told as not tested, and those after it are tried all the same. Rejects with TargetError where each that asked anything
 * has thrown and nothing was found: then nothing is known of the server.
 */
export const runCases = async (
  cases: readonly Case[],
  session: Session & { readonly seen: Seen },
  { onProgress }: RunOptions = {},
): Promise<Tried> => {
  const { signal, deadline, now, skip, seen } = session
  const ended = new Promise<undefined>((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  )
  const complaints: Complaint[] = []
  const broken: string[] = []
  let gone: ServerGone | undefined
  let cut: CutShort | undefined
  let whole = 0
  let tried = 0
  let done = 0
  const leave = (left: readonly Case[], by: CutShort['by'], why = LEFT_BY[by]): CutShort => {
    for (const { name } of left) skip(name, why)
    return { by, cases: left.length }
  }
  const sum = cases.reduce((total, { cost }) => total + cost, 0)
  for (const [index, one] of cases.entries()) {
    const isLate = deadline !== undefined && now() >= deadline
    if (signal.aborted || isLate) {
      cut = leave(cases.slice(index), signal.aborted ? 'ended' : 'time')
      break
    }
    const progress = { done: index, cases: cases.length, part: sum === 0 ? 0 : done / sum }
    done += one.cost
    onProgress?.({ ...progress, name: one.name })
    const before = seen.count.requests
    // Once the run has ended nobody waits for a case any more, nor for what it throws.
    const waiting = telling(() => {
      const name = `waiting for ${seen.count.waitsFor}: ${one.name}`
      if (seen.count.waitsFor !== undefined) onProgress?.({ ...progress, name })
    })
    const came = await Promise.race([runOne(one, session), ended]).finally(waiting.end)
    if (seen.count.requests > before) tried += 1
    if (signal.aborted) cut = leave([one], 'ended')
    if (came === undefined || (signal.aborted && !('complaints' in came))) continue
    if ('gone' in came) {
      gone = came.gone
      cut = leave(cases.slice(index), 'server', gone.message)
      break
    }
    if ('left' in came) {
      const { message, exchange } = came.left
      skip(one.name, message)
      if (exchange) complaints.push(...session.judge(exchange))
      continue
    }
    if ('late' in came) {
      cut = leave(cases.slice(index), 'time')
      break
    }
    if ('unsent' in came) {
      skip(one.name, came.unsent)
      continue
    }
    if ('why' in came) {
      broken.push(came.why)
      skip(one.name, came.why)
      continue
    }
    if (seen.count.requests > before) whole += 1
    complaints.push(...came.complaints)
  }
  const [why] = broken
  if (why !== undefined && whole + complaints.length + seen.complaints.length === 0)
    throw new TargetError(`nothing could be tried, for each case that asked broke off: ${why}`)
  if (gone === undefined) return { complaints: [...seen.complaints, ...complaints], tried, cut }
  // What else shows that the server is gone says nothing new.
  const { exchange } = gone
  const others = [...seen.complaints, ...complaints].filter((one) => !isAfter(one, exchange))
  return { complaints: [...others, complaintOf(gone, session)], tried, cut }
}

/** Whether a complaint is about a response that did not come because the server was gone. */
const isAfter = (complaint: Complaint, { order: last = 0 }: Exchange): boolean => {
  const { answer, order = 0 } = complaint.exchange
  return answer === undefined && order >= last
}

/** `complaints`: all of the run. `tried`: the cases that sent anything. */
export type Tried = {
  readonly complaints: readonly Complaint[]
  readonly tried: number
  readonly cut: CutShort | undefined
}

/** Why a run stopped before its last case (the time was up, the user ended it, the server was gone), and how many cases it left out. */
export type CutShort = { readonly by: 'time' | 'ended' | 'server'; readonly cases: number }

const LEFT_BY: Readonly<Record<CutShort['by'], string>> = {
  time: 'the time was up',
  ended: 'the run was ended before',
  server: 'the server was gone',
}

export type RunOptions = {
  readonly onProgress?: (progress: Progress) => void
}

export type Progress = {
  readonly done: number
  readonly cases: number
  /** Of all requests, about what part was sent: 0 to 1. */
  readonly part: number
  readonly name: string
}

/** Again and again while something lasts. */
const telling = (tell: () => void): { readonly end: () => void } => {
  const timer = setInterval(tell, 1_000)
  return { end: () => clearInterval(timer) }
}

type Came =
  | { readonly complaints: readonly Complaint[] }
  | { readonly why: string }
  | { readonly left: GivenUp }
  | { readonly gone: ServerGone }
  | { readonly late: true }
  | { readonly unsent: string }

const complaintOf = (
  { rule, exchange }: ServerGone,
  { api, target }: Pick<Session, 'api' | 'target'>,
): Complaint => {
  const { answer, failure } = exchange
  const end =
    rule === 'server-unreachable'
      ? 'the server accepted no connection any more'
      : 'the server answered nothing any more, not even a request that it had answered before'
  const first = answer === undefined ? `this request failed first (${failure}), and after it` : ''
  return {
    rule,
    message: `${first === '' ? 'after this request' : first} ${end}, so the run was ended`,
    due: 'a server that goes on, whatever is sent to it',
    exchange,
    operation: operationOf(readExchange(api, target, exchange)),
  }
}

/** Whatever a case throws is a mistake of ours: it says nothing of the server, and others need not suffer from it. */
const runOne = async (one: Case, session: Session): Promise<Came> => {
  try {
    return { complaints: await one.run(session) }
  } catch (error) {
    if (error instanceof TargetError) throw error
    if (error instanceof ServerGone) return { gone: error }
    if (error instanceof GivenUp) return { left: error }
    if (error instanceof TimeUp) return { late: true }
    if (error instanceof NotSent) return { unsent: error.message }
    const [sentence = ''] = messageOf(error).split('\n')
    return { why: `an error that nobody expected: ${sentence}` }
  }
}
