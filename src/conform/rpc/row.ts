import type { Exchange, Sent } from '../../traffic/exchange.js'
import { type Case, type ExchangeFinding, NotTested, type Session } from '../case.js'
import { whyUnsendable } from '../duplex/unsendable.js'
import type { Rule } from '../rule.js'
import { postRpc } from '../wire/write-request.js'
import type { Expectation } from './expectation.js'
import {
  describeResponse,
  isBusyResponse,
  type JsonRpcResponse,
  lacksId,
  readJsonRpcResponse,
  wayOf,
} from './json-rpc-response.js'
import { type RpcSubject, subjectOf } from './subject.js'

/** A rule, and the requests that test it. */
export type Row = Rule & { readonly attempts: readonly Attempt[] }

export type Attempt = {
  /** The name of the request, as a finding begins: `truncated JSON`. */
  readonly title: string
  /** The body of a POST; undefined if it cannot be made for these documents, for the reason in `cannot`. */
  readonly body?: (subject: RpcSubject) => string | Uint8Array | undefined
  readonly cannot?: string
  /** Replace the headers of a POST of JSON by name; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** POST by default. */
  readonly method?: string
  readonly expected: Expectation
  /** Set if a clause leaves the response to the server, or a dialect is known to differ: reported once in a run. */
  readonly choice?: string
  /** The choice of the server; `wayOf` the response by default. */
  readonly way?: (response: JsonRpcResponse, exchange: Exchange) => string | undefined
  readonly cost?: number
  /** Servers may misread such a request, so of the checks of every response only a missing id is reported. */
  readonly isRaw?: true
  /** How often it is sent, to find servers that respond differently each time. */
  readonly times?: number
}

export const rulesOf = (rows: readonly Row[]): readonly Rule[] =>
  rows.map(({ attempts: _, ...rule }) => rule)

export const casesOf = (rows: readonly Row[]): readonly Case[] =>
  rows.flatMap((row) =>
    row.attempts.map((one) => ({
      name: `JSON-RPC, ${one.title}`,
      cost: (one.cost ?? 1) * (one.times ?? 1),
      run: (session: Session) => runAttempt(row, one, session),
    })),
  )

const runAttempt = async (row: Row, one: Attempt, session: Session): Promise<void> => {
  const { subject, why, isHopeless } = await subjectOf(session)
  if (why !== undefined && (isHopeless || one.expected.needsResult)) throw new NotTested(why)
  const body = one.body?.(subject)
  if (one.body && body === undefined)
    throw new NotTested(one.cannot ?? 'the documents have no method for it')
  const unsendable = whyUnsendable(session.target, body)
  if (unsendable !== undefined) throw new NotTested(unsendable)
  const most = session.api.rpc?.limits.batchSize ?? Number.POSITIVE_INFINITY
  const { cost = 1, times = 1 } = one
  if (cost > most) throw new NotTested(`the documents allow no batch of more than ${most}`)
  for (let time = 0; time < times; time++) {
    const sent = sentOf(session, one, body)
    checkAttempt(row, one, session, await session.probe(sent, { cost, isOdd: true }))
  }
}

const checkAttempt = (
  { id, attempts }: Row,
  { title, choice, way, isRaw, expected }: Attempt,
  session: Session,
  exchange: Exchange,
): void => {
  const response = readJsonRpcResponse(exchange)
  if (isBusyResponse(response)) throw new NotTested(`${title} got ${describeResponse(response)}`)
  const fault = expected.fault(response, exchange)
  // If a method fails because of a malformed request, the rule of that request reports it.
  const general = (isRaw && !lacksId(response) ? [] : session.check(exchange)).filter(({ rule }) =>
    isRaw ? rule === 'response-without-id' : rule !== 'method-fails',
  )
  if (choice !== undefined) {
    const went = way ? way(response, exchange) : wayOf(response)
    const isItsOwn = session.profile?.ways[choice]?.includes(went ?? '')
    if (went !== undefined && (fault === undefined || isItsOwn)) {
      session.observe(choice, went, exchange)
      session.reportAll(isItsOwn ? general.filter((one) => !isOfShape(one)) : general)
      return
    }
  }
  if (!reportGeneral(session, general) || fault === undefined) return
  const isWrongCode = expected.rejectsWrongly?.(response) === true
  const aspect = isWrongCode || attempts.length > 1 ? { aspect: title } : {}
  const common = { expected: expected.words, ...aspect }
  if (isWrongCode)
    session.report('rejection-wrong-code', exchange, {
      ...common,
      message: `${title} was rejected in another way than expected: ${describeResponse(response)}`,
      // A server that responds to all unreadable requests in the same way has one defect.
      cause: response.kind === 'one' ? `${wayOf(response)} for ${expected.words}` : wayOf(response),
    })
  else {
    const rule = expected.lacksAllow?.(response) === true ? 'allow-header-missing' : id
    session.report(rule, exchange, { ...common, message: `${title} ${fault}`, cause: '' })
  }
}

/**
 * Reports the general findings of a response. Returns false if they cover the whole response, so that no other finding is
 * reported.
 */
export const reportGeneral = (session: Session, general: readonly ExchangeFinding[]): boolean => {
  session.reportAll(general)
  return !general.some(isOfShape)
}

/** Whether a finding is about the kind or the recipient of a response, so that nothing else is reported for it. */
const isOfShape = ({ rule }: ExchangeFinding): boolean => OF_SHAPE.has(rule)

const OF_SHAPE: ReadonlySet<string> = new Set([
  'response-truncated',
  'response-late',
  'response-too-large',
  'server-fails',
  'response-not-json',
  'response-without-id',
  'id-is-not-echoed',
  'long-id-is-not-echoed',
  'call-not-answered',
  'response-id-unknown',
  'notification-answered',
  'call-answered-by-array',
  'batch-answered-by-object',
  'batch-not-answered',
])

const sentOf = (
  { target }: Session,
  { method = 'POST', headers = {} }: Attempt,
  body: string | Uint8Array | undefined,
): Sent => {
  const usual = postRpc(target, body ?? '')
  const all = Object.entries({ ...usual.headers, ...headers })
  const kept = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  const { url } = usual
  return body === undefined
    ? { method, url, headers: Object.fromEntries(kept.filter(([name]) => name !== 'content-type')) }
    : { method, url, headers: Object.fromEntries(kept), body }
}
