import { createHash } from 'node:crypto'
import type { HttpOperation } from '../../model/api.js'
import { authorize } from '../../runtime/http/security.js'
import type { SecurityScheme } from '../../runtime/operation.js'
import type { Case, Complaint, Plan, Session } from '../case.js'
import { completed, shownRequests } from '../cases/input.js'
import { complaintsOf, ruleRows } from '../rule.js'
import { unsupportedReason } from '../target.js'
import { collectShown } from '../values/shown-values.js'
import { headerOf, type Sent } from '../wire/exchange.js'
import { writeHttp } from '../wire/write-request.js'
import { type AttemptResult, describeExchange, sendMalformed } from './outcome.js'
import { httpOperations } from './subject.js'

/** Credentials of a security scheme. */
export const CREDENTIAL_RULES = ruleRows([
  {
    id: 'missing-credentials-accepted',
    level: 'error',
    purpose: 'An operation with a security scheme rejects a caller without credentials.',
    clause: 'OpenAPI, Security Requirement Object; RFC 9110, 15.5.2',
  },
  {
    id: 'wrong-credentials-accepted',
    level: 'error',
    purpose: 'Wrong credentials are rejected.',
    clause: 'OpenAPI, Security Requirement Object; RFC 9110, 15.5.2',
  },
  {
    id: 'challenge-missing',
    level: 'error',
    purpose: 'A response with 401 says in WWW-Authenticate which credentials it wants.',
    clause: 'RFC 9110, 15.5.2',
  },
  {
    id: 'challenge-for-api-key-missing',
    level: 'warning',
    purpose:
      'An answer of 401 has WWW-Authenticate even where a key is wanted, for which no challenge is registered.',
    clause: 'RFC 9110, 15.5.2',
  },
])

const complain = complaintsOf(CREDENTIAL_RULES)

/**
 * Callers who show no credentials, and credentials that nobody has, where an operation wants some (OpenAPI, Security Requirement
 * Object). What is sent besides is what the examples send, so that a server which lets them in writes no more than it did for those.
 */
export const credentialCases = (plan: Plan): readonly Case[] => {
  const making = collectShown(plan.api, plan.checker)
  return httpOperations(plan.api).flatMap((operation): readonly Case[] => {
    const { security, schemes } = operation
    // An empty alternative opens it to everybody (OpenAPI, Security Requirement Object).
    if (security.length === 0 || security.some((names) => names.length === 0)) return []
    const name = `${operation.id}, without credentials and with wrong ones`
    const skip = (why: string) => {
      plan.skip(name, why)
      return []
    }
    const wanted = security.map((names) => names.flatMap((one) => schemes[one] ?? []))
    if (wanted.some((all) => all.every(({ kind }) => kind === 'outside')))
      return skip('what it wants of a caller is carried by no request')
    const why = unsupportedReason(plan.target, operation)
    if (why !== undefined) return skip(why)
    const open = withoutCredentials(operation)
    const [first] = shownRequests(open)
    const parameters = completed(first ?? { parameters: {} }, open, making)
    const body = first?.body
    if (operation.body?.required === true && body === undefined)
      return skip('the documents show no body that it takes')
    const sent = writeHttp(open, body ? { parameters, body } : { parameters }, plan.target)
    if (!sent) return skip('it needs a key in its path, and none was given')
    return [
      {
        name,
        operation,
        cost: 4,
        weight: 'protocol',
        // A mock knows no callers.
        needsState: true,
        run: (session) => run(session, operation, name, sent),
      },
    ]
  })
}

const run = async (
  session: Session,
  operation: HttpOperation,
  name: string,
  written: Sent,
): Promise<readonly Complaint[]> => {
  const all = Object.values(operation.schemes)
  const sent = stripped(written, all)
  const without = await tryCaller(session, operation, 'a request without credentials', sent)
  const reported = judge(session, operation, name, without, {
    rule: 'missing-credentials-accepted',
    message: `a request without credentials ${describeExchange(without.exchange)}: it is let in`,
  })
  // A server that accepts everybody was already reported.
  if (without.outcome !== 'refused') return reported
  const wrong = wrongCredentials(operation, sent, session.seed)
  if (!wrong) return reported
  const tried = await tryCaller(session, operation, 'a request with wrong credentials', wrong)
  return [
    ...reported,
    ...judge(session, operation, `${name}: wrong ones`, tried, {
      rule: 'wrong-credentials-accepted',
      message: `a request with credentials that nobody has ${describeExchange(tried.exchange)}: it is let in`,
    }),
  ]
}

/** A gateway reads Authorization as well, and a scheme of the document has its own place there. */
const stripped = (sent: Sent, schemes: readonly SecurityScheme[]): Sent => {
  if (schemes.every(({ kind }) => kind === 'key')) return sent
  const headers = Object.entries(sent.headers).filter(([name]) => !/^authorization$/i.test(name))
  return { ...sent, headers: Object.fromEntries(headers) }
}

const tryCaller = async (
  session: Session,
  operation: HttpOperation,
  title: string,
  sent: Sent,
): Promise<AttemptResult> => {
  const tried = await sendMalformed(session, operation, title, sent)
  // That a caller may be refused is said by the scheme, though no response of the operation says so too.
  const isSaid = (one: Complaint) =>
    one.rule === 'status-is-undeclared' && REFUSALS.includes(one.exchange.answer?.status ?? 0)
  return { ...tried, complaints: tried.complaints.filter((one) => !isSaid(one)) }
}

const REFUSALS = [401, 403, 404]

const judge = (
  session: Session,
  operation: HttpOperation,
  name: string,
  { exchange, outcome, complaints }: AttemptResult,
  words: {
    readonly rule: 'missing-credentials-accepted' | 'wrong-credentials-accepted'
    readonly message: string
  },
): readonly Complaint[] => {
  const { answer } = exchange
  if (outcome === 'taken')
    return [
      ...complaints,
      complain(words.rule, operation, exchange, {
        message: words.message,
        expected: '401 with WWW-Authenticate, or 403',
      }),
    ]
  if (outcome !== 'refused' || !answer) {
    session.skip(name, `it ${describeExchange(exchange)}`)
    return complaints
  }
  const { status } = answer
  if (status === 401) return [...complaints, ...judgeChallenge(operation, exchange)]
  if (status === 403) return complaints
  // It may have looked for the thing, or at the body, before it looked at the caller.
  session.skip(name, `it ${describeExchange(exchange)}, which says nothing of the caller`)
  return complaints
}

const judgeChallenge = (
  operation: HttpOperation,
  exchange: AttemptResult['exchange'],
): readonly Complaint[] => {
  const { answer } = exchange
  if (!answer || headerOf(answer, 'www-authenticate') !== undefined) return []
  const isKey = Object.values(operation.schemes).every(({ kind }) => kind === 'key')
  return [
    complain(isKey ? 'challenge-for-api-key-missing' : 'challenge-missing', operation, exchange, {
      message: '401 came without WWW-Authenticate',
      expected: 'WWW-Authenticate with a challenge',
    }),
  ]
}

/** The same operation without what it wants of a caller, be it declared as a parameter as well. */
const withoutCredentials = (operation: HttpOperation): HttpOperation => {
  const keys = Object.values(operation.schemes).flatMap((one) => (one.kind === 'key' ? one : []))
  const isKey = (place: string, name: string) =>
    keys.some(({ in: at, parameter }) => at === place && isSame(at, parameter, name))
  const parameters = operation.parameters.filter((one) => !isKey(one.in, one.name))
  return { ...operation, security: [], schemes: {}, parameters }
}

const isSame = (place: string, one: string, other: string): boolean =>
  place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other

/** A request with credentials that nobody has in all places of the first alternative; undefined where one of them cannot be filled. */
const wrongCredentials = (operation: HttpOperation, sent: Sent, seed: number): Sent | undefined => {
  const { schemes } = operation
  const nobody = createHash('sha256').update(`credentials that nobody has ${seed}`).digest('hex')
  const wrong = Object.entries(schemes).map(
    ([name, { kind }]) =>
      [name, kind === 'basic' ? { username: 'nobody', password: nobody } : nobody] as const,
  )
  const security = operation.security.filter((names) =>
    names.every((name) => schemes[name] !== undefined && schemes[name].kind !== 'outside'),
  )
  if (security.length === 0) return undefined
  const given = authorize({ security, schemes }, Object.fromEntries(wrong))
  if ('faults' in given) return undefined
  const cookies = [sent.headers.cookie ?? [], given.cookies].flat()
  return {
    ...sent,
    url: [sent.url, ...given.query].reduce(
      (url, one) => `${url}${/\?/.test(url) ? '&' : '?'}${one}`,
    ),
    headers: {
      ...sent.headers,
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...given.headers,
    },
  }
}
