import type { Case, Complaint, Session } from '../case.js'
import type { Rule } from '../rule.js'
import type { Exchange, Sent } from '../wire/exchange.js'
import { postRpc } from '../wire/write-request.js'
import type { Expectation } from './expectation.js'
import { describeReply, lacksId, type Reply, readReply, wayOf } from './reply.js'
import { type Subject, subjectOf } from './subject.js'

/** A rule, and the requests that show whether it is kept. */
export type Row = Rule & { readonly attempts: readonly Attempt[] }

export type Attempt = {
  /** What is sent, as a complaint begins: `truncated JSON`. */
  readonly title: string
  /** The body of a POST; undefined where it cannot be made for these documents, and `cannot` says why. */
  readonly body?: (subject: Subject) => string | Uint8Array | undefined
  readonly cannot?: string
  /** Over those of a POST of JSON; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** POST where it is left out. */
  readonly method?: string
  readonly expected: Expectation | ((subject: Subject) => Expectation)
  /** A clause leaves it to the server, or a dialect is known to differ: reported once for a run. */
  readonly choice?: string
  /** The way that it went; the answer's own words where it is left out. */
  readonly way?: (reply: Reply, exchange: Exchange) => string | undefined
  readonly cost?: number
  /** What is sent breaks those who read it with less care than a server must. */
  readonly isRaw?: true
  /** How often it is sent: a choice that is made by chance shows. */
  readonly times?: number
}

export const rulesOf = (rows: readonly Row[]): readonly Rule[] =>
  rows.map(({ attempts: _, ...rule }) => rule)

export const casesOf = (rows: readonly Row[]): readonly Case[] =>
  rows.flatMap((row) =>
    row.attempts.map((one) => ({
      name: `JSON-RPC, ${one.title}`,
      cost: (one.cost ?? 1) * (one.times ?? 1),
      weight: 'protocol' as const,
      run: (session: Session) => runAttempt(row, one, session),
    })),
  )

const runAttempt = async (
  row: Row,
  one: Attempt,
  session: Session,
): Promise<readonly Complaint[]> => {
  const name = `JSON-RPC, ${one.title}`
  const { subject, why, isHopeless } = await subjectOf(session)
  const expected = typeof one.expected === 'function' ? one.expected(subject) : one.expected
  if (why !== undefined && (isHopeless || expected.needsResult)) {
    session.skip(name, why)
    return []
  }
  const body = one.body?.(subject)
  if (one.body && body === undefined) {
    session.skip(name, one.cannot ?? 'the documents have no method for it')
    return []
  }
  const most = session.api.rpc?.limits.batchSize ?? Number.POSITIVE_INFINITY
  if ((one.cost ?? 1) > most) {
    session.skip(name, `the documents allow no batch of more than ${most}`)
    return []
  }
  const complaints: Complaint[] = []
  for (let time = 0; time < (one.times ?? 1); time++) {
    const exchange = await session.probe(sentOf(session, one, body), {
      cost: one.cost ?? 1,
      isOdd: true,
    })
    complaints.push(...checkAttempt(row, one, expected, session, exchange))
  }
  return complaints
}

const checkAttempt = (
  { id, attempts }: Row,
  { title, choice, way, isRaw }: Attempt,
  expected: Expectation,
  session: Session,
  exchange: Exchange,
): readonly Complaint[] => {
  const reply = readReply(exchange)
  const isIdless = lacksId(reply)
  const fault = expected.fault(reply, exchange)
  // A method that fails over what no caller should send is reported by the rule of what was sent.
  const general = (isRaw && !isIdless ? [] : session.judge(exchange)).filter(({ rule }) =>
    isRaw ? rule === 'response-without-id' : rule !== 'method-fails',
  )
  if (choice !== undefined) {
    const went = way ? way(reply, exchange) : wayOf(reply)
    const isItsOwn = session.profile?.ways[choice]?.includes(went ?? '')
    if (went !== undefined && (fault === undefined || isItsOwn)) {
      session.observe(choice, went, exchange)
      return isItsOwn ? general.filter((one) => !isOfShape(one)) : general
    }
  }
  if (fault === undefined) return general
  const isWrongCode = expected.rejectsWrongly?.(reply) === true
  const aspect = isWrongCode || attempts.length > 1 ? { aspect: title } : {}
  const common = { expected: expected.words, exchange, ...aspect }
  const own = isWrongCode
    ? {
        ...common,
        rule: 'rejection-wrong-code',
        message: `${title} was rejected with the wrong code: ${describeReply(reply)} came`,
        // A server that answers whatever it cannot read in one way has one fault.
        cause: reply.kind === 'one' ? `${wayOf(reply)} for ${expected.words}` : wayOf(reply),
      }
    : { ...common, rule: id, message: `${title} ${fault}`, cause: '' }
  return withGeneral(general, [own])
}

/** What is always due of an answer and what was due of this one, unless the first has said it all. */
export const withGeneral = (
  general: readonly Complaint[],
  own: readonly Complaint[],
): readonly Complaint[] => (general.some(isOfShape) ? general : [...general, ...own])

/** Whether it is about what kind of answer came at all, and to whom: nothing more is to be said of that answer. */
const isOfShape = ({ rule }: Complaint): boolean => OF_SHAPE.has(rule)

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
