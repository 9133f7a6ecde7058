import type { Api } from '../../model/api.js'
import type { Finding, Location } from '../../model/finding.js'
import { nameOf } from '../../model/operation-name.js'
import { grouped } from '../../schema/grouped.js'
import type { Exchange } from '../../traffic/exchange.js'
import type { ExchangeFinding } from '../case.js'
import type { Profile } from '../profile-list.js'
import type { RunRecord } from '../record.js'
import { CONFORM_RULES } from '../rules.js'
import type { Target } from '../target.js'
import { keyHider, shown } from './shown.js'

/** A finding about a live server; `location` is the line of the document that it violates, and a baseline names its identity. */
export type ConformFinding = Finding &
  Required<Pick<Finding, 'identity' | 'clause' | 'cause' | 'exchange'>>

export const findingsOf = (
  api: Api,
  target: Target,
  profile: Profile | undefined,
  findings: readonly ExchangeFinding[],
  { ways }: Pick<RunRecord, 'ways'>,
): readonly ConformFinding[] => {
  const all = [...withoutEchoes(findings), ...choiceFindings(profile, ways)]
  return [...grouped(all, identityOf)].map(([identity, group]) =>
    reported(api, target, identity, group),
  )
}

/** `id-is-not-echoed eth_getBalance`, or with the aspect: `… GET /orders 404`. */
const identityOf = ({ rule, operation, aspect }: ExchangeFinding): string =>
  [rule, operation && nameOf(operation), aspect].filter((part) => part !== undefined).join(' ')

const reported = (
  api: Api,
  target: Target,
  identity: string,
  group: readonly ExchangeFinding[],
): ConformFinding => {
  const row = CONFORM_RULES.find(({ id }) => id === group[0]?.rule)
  if (!row) throw new Error(`there is no rule ${group[0]?.rule}`)
  const measure = row.showsFirst ? orderOf : weightOf
  const [shownOne] = group.toSorted((a, b) => measure(a.exchange) - measure(b.exchange))
  const { rule, message, expected, exchange, operation, source, aspect, cause } =
    shownOne as ExchangeFinding
  const name = operation && nameOf(operation)
  const hidden = keyHider(target.secrets)
  return {
    rule,
    level: row.level,
    location: (source ?? operation?.source)?.locate() ?? placeOf(api, exchange, target),
    message: hidden(name === undefined ? message : `${name}: ${message}`),
    ...(name === undefined ? {} : { operations: [name] }),
    identity: hidden(identity),
    clause: row.clause,
    cause: hidden([rule, cause ?? aspect].filter(Boolean).join(' ')),
    exchange: {
      ...shown(exchange, target),
      expected: hidden(expected),
      count: new Set(group.map((one) => one.exchange)).size,
    },
  }
}

/** Removes findings about a value if a finding about its whole response has the same cause. */
export const withoutEchoes = (findings: readonly ExchangeFinding[]): readonly ExchangeFinding[] => {
  const rules = new Map<Exchange, Set<string>>()
  for (const { rule, exchange } of findings)
    rules.set(exchange, (rules.get(exchange) ?? new Set()).add(rule))
  return findings.filter(({ rule, exchange }) => {
    const reported = rules.get(exchange)
    return !ECHOES[rule]?.some((one) => reported?.has(one))
  })
}

/** The rules for any request without a complete response. */
const NO_RESPONSE: readonly string[] = [
  'response-truncated',
  'response-late',
  'response-too-large',
  'server-stopped-responding',
]
const FAILURES = [...NO_RESPONSE, 'server-fails', 'method-fails', 'result-has-an-error-status']

/** Rule -> the rules for every response that report the same cause in one exchange. */
const ECHOES: Readonly<Record<string, readonly string[]>> = {
  'valid-value-not-answered': NO_RESPONSE,
  'valid-value-server-error': FAILURES,
  'invalid-params-wrong-error': FAILURES,
  'extra-params-accepted': FAILURES,
  'invalid-request-server-error': FAILURES,
  'malformed-request-server-error': FAILURES,
  'example-rejected-undeclared-code': [
    'operation-never-answered',
    'method-fails',
    'response-not-result-or-error',
  ],
  'example-rejected-other-code': ['operation-never-answered'],
  'example-values-rejected': ['operation-never-answered'],
}

/** Whether a rule about a value only repeats that no response arrived. */
export const isEchoOfSilence = (rule: string): boolean =>
  ECHOES[rule]?.some((one) => NO_RESPONSE.includes(one)) === true

const orderOf = ({ order = Number.POSITIVE_INFINITY }: Exchange): number => order

const weightOf = ({ sent, answer }: Exchange): number =>
  (sent.body?.length ?? 0) + sent.url.length + (answer?.body.length ?? 0) / 1_000

/** The document of the protocol that was used. */
const placeOf = (api: Api, { sent }: Exchange, { rpc }: Target): Location => {
  const document = rpc !== undefined && sent.url.startsWith(rpc) ? api.rpc : api.http
  const source = (document ?? api.rpc ?? api.http)?.source
  return source?.locate() ?? { file: '', line: 1, column: 1, pointer: '' }
}

function* choiceFindings(
  profile: Profile | undefined,
  ways: RunRecord['ways'],
): Generator<ExchangeFinding> {
  for (const [choice, seen] of ways) {
    const [first] = seen
    if (!first) continue
    const other = seen.find(({ way }) => way !== first.way)
    if (other) {
      yield {
        rule: 'choice-inconsistent',
        message: `${choice} is ${first.way} once and ${other.way} another time`,
        expected: `${first.way} each time`,
        exchange: other.exchange,
        aspect: choice,
      }
    }
    const allowed = profile?.ways[choice]
    const foreign = allowed && seen.find(({ way }) => !allowed.includes(way))
    if (!foreign) continue
    yield {
      rule: 'choice-not-of-profile',
      message: `${choice} is ${foreign.way}, but the profile ${profile?.name} allows ${allowed?.join(' or ')}`,
      expected: allowed?.join(' or ') ?? '',
      exchange: foreign.exchange,
      aspect: choice,
    }
  }
}
