import type { Api, Operation } from '../model/api.js'
import { nameOf } from '../model/operation-name.js'
import { LIMIT_EXCEEDED } from '../runtime/shared/retry.js'
import { headerOf } from '../runtime/wire/headers.js'
import { grouped } from '../schema/grouped.js'
import { cutOffWords } from '../text/json-text.js'
import { textOf } from '../traffic/exchange.js'
import type { ExchangeFinding } from './case.js'
import { isOfMoment } from './outcome.js'
import {
  type Count,
  deniesAccess,
  type ResponseCount,
  type ResponseKind,
  responseKind,
  type Tally,
} from './report/coverage.js'
import { isEchoOfSilence } from './report/findings.js'
import { CONFORM_RULES } from './rules.js'
import type { RunState } from './session.js'
import type { Target } from './target.js'

/**
 * Why a run proves nothing about a server: no operation returned a documented success. Undefined if one did, or if there are
 * errors of the server itself. A gateway that gives every request the same response is not an error of the server.
 */
export const whyNotChecked = (run: Run): string | undefined => {
  const { tally, seen, isCut } = run
  const [time, sofar] = isCut ? ['the time limit was reached before ', ' so far'] : ['', '']
  if (seen.count.requests === 0)
    return isCut ? `${time}any request was sent` : `no request could be sent: ${mainReason(seen)}`
  const counts = [...tally.counts]
  if (counts.some(([, { isMet }]) => isMet)) return undefined
  const barrier = barrierOf(run)
  if (barrier === undefined && run.findings.some(isError)) return undefined
  const called = counts.filter(([, { received }]) => received.size > 0)
  // A rejection may be the right response to requests outside of operations.
  if (called.length === 0 && barrier === undefined)
    return isCut ? `${time}any operation was called` : undefined
  const all = totals(tally)
  const [most = NOTHING_RECEIVED] = all
  const subject = called.length === 0 ? '' : ` to ${count(called.length, 'operation')}`
  if (all.length === 1 || barrier !== undefined) {
    const every = all.length === 1 ? 'every' : 'nearly every'
    return `${time === '' ? '' : `${time}an operation succeeded: `}${every} request${subject}${sofar} got ${most.words}${adviceOn(most, run)}`
  }
  const parts = all
    .slice(0, 4)
    .map(({ words, times }) => `${words} ${times === 1 ? 'once' : `${times} times`}`)
  return `${time === '' ? '' : `${time}an operation succeeded: `}no request${subject}${sofar} got a declared success response: the responses were ${parts.join(', ')}`
}

type Run = {
  readonly api: Api
  readonly target: Target
  readonly tally: Tally
  readonly seen: RunState
  readonly findings: readonly ExchangeFinding[]
  readonly isCut: boolean
}

/** The operations that only returned rejections of the caller, grouped by these responses. */
export const rejectedParts = ({
  tally,
  target,
}: Pick<Run, 'tally' | 'target'>): readonly RejectedPart[] => {
  const rejected = [...tally.counts].filter(
    ([, { isMet, received }]) =>
      !isMet && received.size > 0 && [...received.values()].every(deniesAccess),
  )
  const parts = grouped(rejected, ([, { received }]) => [...received.keys()].sort().join(' and '))
  return [...parts].map(([responses, counts]) => ({
    what: counts.map(([operation]) => nameOf(operation)),
    why: `every request got ${responses}${adviceOfKey(target)}`,
    isPart: true,
  }))
}

/** `isPart`: more than a detail was not tested. */
export type RejectedPart = {
  readonly what: readonly string[]
  readonly why: string
  readonly isPart: true
}

/** The outcomes of all requests to operations, the most frequent first. */
const totals = ({ counts, others }: Tally): readonly ResponseCount[] => {
  const all = new Map<string, ResponseCount>()
  const lists = [...counts.values()].map(({ received }) => received)
  for (const received of lists.some(({ size }) => size > 0) ? lists : [others])
    for (const [words, one] of received)
      all.set(words, { ...one, times: (all.get(words)?.times ?? 0) + one.times })
  return [...all.values()].sort((a, b) => b.times - a.times)
}

const NOTHING_RECEIVED: ResponseCount = { kind: 'nothing', words: '', times: 0 }

/** The response to nearly all requests, for example of a gateway; undefined if other errors are unrelated to it. */
const barrierOf = (run: Run): ResponseKind | undefined => {
  const all = totals(run.tally)
  const sum = all.reduce((total, { times }) => total + times, 0)
  const [most = NOTHING_RECEIVED] = all
  if (sum === 0 || most.times / sum < NEARLY_ALL || !isBarrier(most, run)) return undefined
  const isExplained = ({ rule, exchange }: ExchangeFinding) =>
    !rule.includes('key') && responseKind(exchange, true).words === most.words
  return run.findings.filter(isError).every(isExplained) ? most : undefined
}

const NEARLY_ALL = 0.9

const isBarrier = (received: ResponseKind, run: Run): boolean =>
  deniesAccess(received) ||
  (isNotThere(received) && [...run.tally.counts.keys()].every(({ kind }) => kind === 'rpc')) ||
  isRedirect(received) ||
  isStatus(received, 429) ||
  received.kind === 'page' ||
  received.kind === 'invalid JSON'

const isStatus = ({ kind, code }: ResponseKind, ...statuses: readonly number[]): boolean =>
  kind === 'status' && statuses.some((status) => status === code)

/** The URL does not depend on the JSON-RPC method: a server that responds so does not know the address. */
const isNotThere = (received: ResponseKind): boolean => isStatus(received, 404, 405, 410)

const isRedirect = ({ kind, code }: ResponseKind): boolean =>
  kind === 'status' && Number(code) >= 300 && Number(code) < 400

const isError = ({ rule }: ExchangeFinding): boolean =>
  CONFORM_RULES.some(({ id, level }) => id === rule && level === 'error')

const adviceOn = (received: ResponseKind, run: Run): string => {
  if (deniesAccess(received)) return adviceOfKey(run.target)
  if (isNotThere(received)) return ': is this the URL of the API?'
  if (isRedirect(received)) return `${leadsTo(run)}: give the URL of the server itself`
  if (received.kind === 'page') return ', not JSON: is this the URL of the API?'
  if (received.kind === 'invalid JSON') return firstEnd(received, run)
  return ''
}

const firstEnd = (received: ResponseKind, { findings }: Run): string => {
  const first = findings.find(
    ({ exchange }) => responseKind(exchange, true).words === received.words,
  )
  const body = first?.exchange.answer?.body
  return body === undefined ? '' : cutOffWords(textOf(body))
}

const adviceOfKey = ({ key }: Target): string =>
  key === undefined ? ': give a key with --api-key' : ': check the key that --api-key gives'

const leadsTo = ({ findings }: Run): string => {
  const answer = findings.find(({ exchange }) => exchange.answer)?.exchange.answer
  const location = answer && headerOf(answer.headers, 'location')
  return location === undefined ? '' : `, which leads to ${location}`
}

const mainReason = ({ skipped }: RunState): string => {
  const [[why, what] = ['', new Set()]] = [...skipped].sort(([, a], [, b]) => b.size - a.size)
  return why === ''
    ? 'the documents have no operation to call'
    : `${why} (${[...what][0] ?? ''}${what.size > 1 ? ` and ${what.size - 1} more` : ''})`
}

const count = (number: number, name: string): string =>
  `${number} ${name}${number === 1 ? '' : 's'}`

/**
 * A finding for each operation that gave no documented response to any of its requests, including its examples. If an error
 * about its first example already covers this, nothing is added.
 */
export const neverResponded = (
  { counts }: Tally,
  findings: readonly ExchangeFinding[],
  absent: ReadonlySet<Operation>,
): readonly ExchangeFinding[] => {
  const explained = new Set(findings.filter(isError).map(({ exchange }) => exchange))
  return [...counts].flatMap(([operation, count]): readonly ExchangeFinding[] => {
    const { example, isDocumented, received } = count
    if (isDocumented || example === undefined || absent.has(operation)) return []
    if (explained.has(example) || !isTried(count)) return []
    // An example of a caller whom this server does not know, such as a login with its password.
    if (deniesAccess(responseKind(example, operation.kind === 'rpc'))) return []
    const requests = [...received.values()].reduce((sum, { times }) => sum + times, 0)
    const subject =
      requests === 1
        ? 'its only request, an example of the document, did not get a documented response'
        : `none of its ${requests} requests, the examples of the document included, got a documented response`
    return [
      {
        rule: 'operation-never-answered',
        message: `${subject}, but ${listed(received)}`,
        expected: 'a response that the document declares, at least for its own example',
        exchange: example,
        operation,
        cause: listed(received),
      },
    ]
  })
}

/** The findings without those that only repeat that an operation never responds. */
export const withoutSilence = (
  { counts }: Tally,
  findings: readonly ExchangeFinding[],
): readonly ExchangeFinding[] =>
  findings.filter(({ rule, exchange, operation }) => {
    if (exchange.answer !== undefined || operation === undefined || !isEchoOfSilence(rule))
      return true
    const received = [...(counts.get(operation)?.received.values() ?? [])]
    return received.some(({ kind }) => kind !== 'nothing')
  })

/** Whether its responses prove anything: not all of them reject the caller or report a limit. */
const isTried = ({ received }: Count): boolean =>
  ![...received.values()].every((one) => deniesAccess(one) || isLimit(one))

/** The rate limit is exhausted, or the upstream is unavailable. */
const isLimit = ({ kind, code }: ResponseKind): boolean =>
  kind === 'error' ? code === LIMIT_EXCEEDED : kind === 'status' && isOfMoment(Number(code))

const listed = (received: Count['received']): string => {
  const all = [...received.keys()].sort()
  const rest = all.length > FEW ? [`${all.length - FEW} others`] : []
  return `${[...all.slice(0, FEW), ...rest].join(', ')}`
}

const FEW = 3
