import { createHash } from 'node:crypto'
import type { HttpOperation } from '../../model/api.js'
import { httpOperations } from '../../model/operations.js'
import { authorize } from '../../runtime/http/security.js'
import type { SecurityScheme } from '../../runtime/operation.js'
import { headerOf } from '../../runtime/wire/headers.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import type { Case, Plan, Session } from '../case.js'
import { shownValues } from '../cases/input.js'
import type { Outcome } from '../outcome.js'
import type { Rule } from '../rule.js'
import { unsupportedReason } from '../target.js'
import { collectShown } from '../values/shown-values.js'
import { writeHttp } from '../wire/write-request.js'
import { describeExchange, sendMalformed } from './send-malformed.js'

/** Rules for the credentials of a security scheme. */
export const CREDENTIAL_RULES: readonly Rule[] = [
  {
    id: 'missing-credentials-accepted',
    level: 'error',
    purpose: 'An operation with a security scheme rejects requests without credentials.',
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
    purpose: 'A 401 response names the required authentication scheme in WWW-Authenticate.',
    clause: 'RFC 9110, 15.5.2',
  },
  {
    id: 'challenge-for-api-key-missing',
    level: 'warning',
    purpose:
      'A 401 response has WWW-Authenticate even for API keys, for which no authentication scheme is registered.',
    clause: 'RFC 9110, 15.5.2',
  },
]

/**
 * Requests without credentials and with invalid ones, for operations that require some (OpenAPI, Security Requirement Object).
 * Everything else is sent as in the examples, so that a server that accepts them writes no more than it did for those.
 */
export const credentialCases = (plan: Plan): readonly Case[] => {
  const making = collectShown(plan.api, plan.checker)
  return httpOperations(plan.api).flatMap((operation): readonly Case[] => {
    const { security } = operation
    // An empty alternative makes the operation public (OpenAPI, Security Requirement Object).
    if (security.length === 0 || security.some((names) => names.length === 0)) return []
    const name = `${operation.id}, without credentials and with wrong ones`
    const skip = (why: string) => {
      plan.skip(name, why)
      return []
    }
    if (security.some((names) => !names.some((one) => isInRequest(operation, one))))
      return skip('its credentials are not sent in a request')
    const why = unsupportedReason(plan.target, operation)
    if (why !== undefined) return skip(why)
    const open = withoutCredentials(operation)
    const values = shownValues(open, making)
    if (operation.body?.required === true && values.body === undefined)
      return skip('the documents have no example of its request body')
    const sent = writeHttp(open, values, plan.target)
    if (!sent) return skip('it needs a key in its path, and none was given')
    // A mock does not check credentials.
    const run = (session: Session) => tryBoth(session, operation, name, sent)
    return [{ name, operation, cost: 4, needsState: true, run }]
  })
}

const tryBoth = async (
  session: Session,
  operation: HttpOperation,
  name: string,
  written: Sent,
): Promise<void> => {
  const sent = stripped(written, Object.values(operation.schemes))
  const outcome = await tryCaller(session, operation, sent, {
    name,
    title: 'a request without credentials',
    rule: 'missing-credentials-accepted',
  })
  // A server that accepts requests without credentials was already reported.
  const wrong = outcome.kind === 'rejected' && wrongCredentials(operation, sent, session.seed)
  if (!wrong) return
  await tryCaller(session, operation, wrong, {
    name: `${name}: wrong ones`,
    title: 'a request with wrong credentials',
    rule: 'wrong-credentials-accepted',
  })
}

/** Removes the Authorization header that a gateway may need, because a scheme of the document may use the same header. */
const stripped = (sent: Sent, schemes: readonly SecurityScheme[]): Sent => {
  if (schemes.every(({ kind }) => kind === 'key')) return sent
  const headers = Object.entries(sent.headers).filter(([name]) => !/^authorization$/i.test(name))
  return { ...sent, headers: Object.fromEntries(headers) }
}

const tryCaller = async (
  session: Session,
  operation: HttpOperation,
  sent: Sent,
  { name, title, rule }: { readonly name: string; readonly title: string; readonly rule: string },
): Promise<Outcome> => {
  const { exchange, outcome } = await sendMalformed(session, operation, title, sent, {
    // The security scheme implies that a caller may be rejected, even if no response of the operation declares it.
    isExpected: ({ rule, exchange }) =>
      rule === 'status-is-undeclared' && [401, 403, 404].includes(exchange.answer?.status ?? 0),
  })
  const status = exchange.answer?.status
  if (outcome.kind === 'accepted')
    session.report(rule, exchange, {
      message: `${title} ${describeExchange(exchange)}, as if the caller were authenticated`,
      expected: '401 with WWW-Authenticate, or 403',
    })
  else if (outcome.kind !== 'rejected') session.skip(name, `it ${describeExchange(exchange)}`)
  else if (status === 401) reportChallenge(session, operation, exchange)
  else if (status !== 403)
    // The server may have checked the resource or the body before the credentials.
    session.skip(name, `it ${describeExchange(exchange)}, which is not about the credentials`)
  return outcome
}

const reportChallenge = (session: Session, operation: HttpOperation, exchange: Exchange): void => {
  if (exchange.answer && headerOf(exchange.answer.headers, 'www-authenticate') !== undefined) return
  const isKey = Object.values(operation.schemes).every(({ kind }) => kind === 'key')
  session.report(isKey ? 'challenge-for-api-key-missing' : 'challenge-missing', exchange, {
    message: 'the 401 response has no WWW-Authenticate',
    expected: 'WWW-Authenticate with a challenge',
  })
}

/** The same operation without its security requirement, and without parameters that declare the same keys. */
const withoutCredentials = (operation: HttpOperation): HttpOperation => {
  const keys = Object.values(operation.schemes).flatMap((one) => (one.kind === 'key' ? one : []))
  const isKey = (place: string, name: string) =>
    keys.some(({ in: at, parameter }) => at === place && isSame(at, parameter, name))
  const parameters = operation.parameters.filter((one) => !isKey(one.in, one.name))
  return { ...operation, security: [], schemes: {}, parameters }
}

/** Whether a scheme of this name is declared, and its credentials are sent in a request. */
const isInRequest = ({ schemes }: HttpOperation, name: string): boolean =>
  Object.hasOwn(schemes, name) && schemes[name]?.kind !== 'outside'

const isSame = (place: string, one: string, other: string): boolean =>
  place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other

/** The request with invalid credentials in all places of the first alternative; undefined if one of them cannot be filled. */
const wrongCredentials = (operation: HttpOperation, sent: Sent, seed: number): Sent | undefined => {
  const { schemes } = operation
  const nobody = createHash('sha256').update(`credentials that nobody has ${seed}`).digest('hex')
  const wrong = Object.entries(schemes).map(
    ([name, { kind }]) =>
      [name, kind === 'basic' ? { username: 'nobody', password: nobody } : nobody] as const,
  )
  const security = operation.security.filter((names) =>
    names.every((name) => isInRequest(operation, name)),
  )
  if (security.length === 0) return undefined
  const credentials = authorize({ security, schemes }, Object.fromEntries(wrong))
  if (credentials.faults.length > 0) return undefined
  const cookies = [sent.headers.cookie ?? [], credentials.cookies].flat()
  return {
    ...sent,
    url: [sent.url, ...credentials.query].reduce(
      (url, one) => `${url}${/\?/.test(url) ? '&' : '?'}${one}`,
    ),
    headers: {
      ...sent.headers,
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...credentials.headers,
    },
  }
}
