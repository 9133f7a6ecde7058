import type { Case, Plan } from '../case.js'
import { isDuplexUrl } from '../duplex/address.js'
import { MOST_RESPONSES } from '../responses/rpc-response.js'
import type { Rule } from '../rule.js'
import { ACCESS_RULES, accessCases } from './access.js'
import { BATCH_RULES, BATCHES, batchSizeCases, swappedCase } from './batches.js'
import { NOTIFICATIONS, PARAMS, UNKNOWN_METHOD_RULES } from './calls.js'
import { CONNECTION_RULES, CONNECTIONS } from './connections.js'
import { DISCOVERY_RULES, discoveryCases } from './discovery.js'
import { ENVELOPE } from './envelope.js'
import { HTTP_BINDING } from './http-binding.js'
import { IDS } from './ids.js'
import { encodingCases, LARGEST, LIMIT_RULES, rpcPayloadCases } from './limits.js'
import { PARSING } from './parsing.js'
import { RATE_RULES, rateCases } from './rate.js'
import { casesOf, type Row, rulesOf } from './row.js'

/** What the protocol requires of a server, independent of its methods. */
export const rpcCases = ({ api, target, skip }: Plan): readonly Case[] => {
  if (api.rpc === undefined) return []
  if (target.rpc === undefined) {
    skip('JSON-RPC', 'no server was given for its document')
    return []
  }
  const { batchSize, payloadBytes, requestsPerMinute } = api.rpc.limits
  const limited = (
    limit: number | undefined,
    cases: (limit: number) => readonly Case[],
    what: string,
    most = Number.POSITIVE_INFINITY,
  ) => {
    if (limit !== undefined && limit <= most) return cases(limit)
    const why =
      limit === undefined
        ? 'the documents declare no limit for it'
        : `a limit of ${limit} is not tried`
    skip(`JSON-RPC, ${what}`, why)
    return []
  }
  if (isDuplexUrl(target.rpc)) {
    const what = target.stdio ? 'speaks over standard input and output' : 'is a WebSocket'
    skip('JSON-RPC, its binding to HTTP', `the server ${what}`)
    return [
      ...casesOf(overLink([...PARSING, ...ENVELOPE, ...IDS, ...UNKNOWN_METHOD_RULES, ...PARAMS])),
      ...casesOf(overLink([...NOTIFICATIONS, ...BATCHES])),
      swappedCase(batchSize ?? 8),
      ...limited(batchSize, batchSizeCases, 'the size of a batch', MOST_RESPONSES - 1),
      ...discoveryCases(api),
    ]
  }
  return [
    ...casesOf([...PARSING, ...ENVELOPE, ...IDS, ...UNKNOWN_METHOD_RULES, ...PARAMS]),
    ...casesOf([...NOTIFICATIONS, ...BATCHES]),
    swappedCase(batchSize ?? 8),
    ...limited(batchSize, batchSizeCases, 'the size of a batch', MOST_RESPONSES - 1),
    ...casesOf(HTTP_BINDING),
    ...encodingCases,
    ...limited(payloadBytes, rpcPayloadCases, 'the size of a body', LARGEST),
    ...CONNECTIONS,
    ...accessCases(api),
    ...discoveryCases(api),
    ...limited(requestsPerMinute, (rate) => rateCases(rate, batchSize), 'the rate of calls'),
  ]
}

/** The attempts that are no matter of HTTP. A response may be sent over a connection, where nothing responds to it. */
const overLink = (rows: readonly Row[]): readonly Row[] =>
  rows
    .filter(({ id }) => id !== 'response-accepted-as-request')
    .map((row) => ({
      ...row,
      attempts: row.attempts.filter(({ headers, method }) => headers === undefined && !method),
    }))

/** The rules for JSON-RPC servers, each in the file of its subject. */
export const RPC_RULES: readonly Rule[] = [
  {
    id: 'rejection-wrong-code',
    level: 'warning',
    purpose:
      'A request that must be rejected is rejected with the code or status that the clause specifies.',
    clause: 'JSON-RPC 2.0, 5.1; RFC 9110, 15.5',
    checks: ['J01', 'J49', 'J91', 'J93', 'H24'],
  },
  ...rulesOf([...PARSING, ...ENVELOPE, ...IDS, ...UNKNOWN_METHOD_RULES, ...PARAMS]),
  ...rulesOf([...NOTIFICATIONS, ...BATCHES]),
  ...BATCH_RULES,
  ...rulesOf(HTTP_BINDING),
  ...LIMIT_RULES,
  ...CONNECTION_RULES,
  ...ACCESS_RULES,
  ...RATE_RULES,
  ...DISCOVERY_RULES,
]
