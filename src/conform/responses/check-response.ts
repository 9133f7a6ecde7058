import type { Exchange } from '../../traffic/exchange.js'
import type { CheckContext, ExchangeFinding, ResponseCheck } from '../case.js'
import type { Rule } from '../rule.js'
import { isLate, isUnsent } from '../wire/exchange.js'
import { checkHeaderSyntax } from './header-syntax.js'
import { checkHttp } from './http.js'
import { checkLeaks } from './leaks.js'
import { isTooLarge, operationOf, type ParsedRequest, readExchange } from './read.js'
import { checkRpc } from './rpc.js'

/** The rules for every response, in both protocols. */
export const ANY_RULES: readonly Rule[] = [
  {
    id: 'server-unreachable',
    level: 'error',
    purpose: 'No request, valid or invalid, stops the server from accepting connections.',
    clause: 'RFC 9110, 15.6',
    checks: ['H35', 'J14'],
    showsFirst: true,
  },
  {
    id: 'server-stopped-responding',
    level: 'error',
    purpose: 'No request, valid or invalid, stops the server from responding to others.',
    clause: 'RFC 9110, 15.6',
    checks: ['H35', 'J14'],
    showsFirst: true,
  },
  {
    id: 'response-truncated',
    level: 'error',
    purpose: 'A response is complete: the connection does not close before its end.',
    clause: 'RFC 9112, 8',
    showsFirst: true,
  },
  {
    id: 'response-late',
    level: 'error',
    purpose: 'A request gets a complete response within the timeout of the run.',
    clause: 'RFC 9110, 3.4; JSON-RPC 2.0, 5: every call gets a response',
    showsFirst: true,
  },
  {
    id: 'response-too-large',
    level: 'warning',
    purpose: 'A response is small enough to be read whole: at most 64 MiB.',
    clause: 'RFC 9110, 8.6: no clause limits the size of a response',
    showsFirst: true,
  },
  {
    id: 'server-fails',
    level: 'error',
    purpose:
      'No request, valid or invalid, causes a 5xx response that the documents do not declare.',
    clause: 'RFC 9110, 15.6',
    checks: ['H35', 'J14'],
  },
  {
    id: 'operation-never-answered',
    level: 'error',
    purpose:
      'An operation returns a response that its document declares, at least for its own example.',
    clause: 'OpenAPI, Responses Object; OpenRPC, Method Object, result and errors',
    checks: ['H35', 'J64'],
  },
  {
    id: 'response-not-json',
    level: 'error',
    purpose: 'A JSON response body is one complete JSON text in UTF-8.',
    clause: 'RFC 8259, 2 and 8.1',
    checks: ['J90', 'H36'],
  },
  {
    id: 'response-not-cbor',
    level: 'error',
    purpose: 'A CBOR response body is one complete value of JSON in CBOR.',
    clause: 'RFC 8949, 3 and 6.1',
    checks: ['H36'],
  },
  {
    id: 'header-repeated',
    level: 'error',
    purpose: 'A header with a single value is sent only once.',
    clause: 'RFC 9110, 5.3',
    checks: ['H39', 'J90'],
  },
  {
    id: 'response-matches-several-branches',
    level: 'error',
    purpose:
      'A response matches exactly one branch of a oneOf, so that clients can tell which one it is.',
    clause: 'JSON Schema 2020-12, 10.2.1.3',
    checks: ['H37', 'J64'],
  },
  {
    id: 'format-invalid',
    level: 'warning',
    purpose:
      'A string in a response has the format that its schema declares: date, date-time, uuid, email, ipv4, ipv6 or uri.',
    clause: 'OpenAPI Format Registry; JSON Schema 2020-12 Validation, 7.3',
  },
  {
    id: 'response-property-forbidden',
    level: 'error',
    purpose: 'A response has no property that a closed schema does not allow.',
    clause: 'JSON Schema 2020-12, 10.3.2.3 and 11.3',
    checks: ['J64', 'H36'],
  },
  {
    id: 'response-property-undeclared',
    level: 'note',
    purpose: 'A new property does not break clients, but the document should declare it.',
    clause: 'OpenAPI and OpenRPC, responses may get new properties',
    checks: ['J64', 'H36'],
  },
  {
    id: 'write-only-value-returned',
    level: 'error',
    purpose: 'A property that is writeOnly is in no response.',
    clause: 'JSON Schema 2020-12 Validation, 9.4; OpenAPI 3.0.3, 4.7.24',
  },
  {
    id: 'api-key-leaked',
    level: 'error',
    purpose: 'No body and no header of a response contains the key, in any encoding.',
    clause: 'x-secret',
    checks: ['J102', 'J67', 'H43'],
  },
  {
    id: 'stack-trace-leaked',
    level: 'warning',
    purpose: 'An error message contains no stack trace.',
    clause: 'CWE-209',
    checks: ['J67', 'H43'],
  },
  {
    id: 'filesystem-path-leaked',
    level: 'warning',
    purpose: 'An error message contains no path of the server machine.',
    clause: 'CWE-209 and CWE-497',
    checks: ['J67', 'H43'],
  },
  {
    id: 'html-instead-of-json',
    level: 'warning',
    purpose: 'A client that accepts only JSON does not get an HTML page.',
    clause: 'RFC 9110, 12.5.1',
    checks: ['H40'],
  },
]

/** The checks of every response, live or recorded. */
export const checkExchange = (
  context: CheckContext,
  exchange: Exchange,
): readonly ExchangeFinding[] => {
  const reading = readExchange(context.api, context.target, exchange)
  const operation = operationOf(reading)
  const found: ExchangeFinding[] = []
  const check: ResponseCheck = {
    ...context,
    ...{ exchange, found },
    report: (rule, message, expected, more) =>
      void found.push({ rule, message, expected, exchange, operation, ...more }),
  }
  checkMissing(check, reading)
  checkLeaks(check, reading)
  checkRepeatedHeaders(check)
  checkHeaderSyntax(check)
  if (reading.kind === 'rpc') checkRpc(check, reading.request)
  if (reading.kind === 'http') checkHttp(check, reading)
  return found
}

const checkMissing = ({ api, exchange, report }: ResponseCheck, reading: ParsedRequest): void => {
  const { failure, cause, sent } = exchange
  // Requests that were aborted with the run, or never sent, need no response.
  if (failure === undefined || cause === 'ended' || isUnsent(exchange)) return
  const limits =
    reading.kind === 'rpc'
      ? api.rpc?.limits
      : { ...api.http?.limits, ...operationOf(reading)?.limits }
  // RFC 9112, 9.3: a server that rejects a body need not read all of it.
  if (!isLate(exchange) && isTooLarge(sent, limits)) return
  const rule = cause === 'too large' || cause === 'late' ? MISSING[cause] : 'response-truncated'
  report(rule, failure, 'a whole response')
}

const MISSING = { 'too large': 'response-too-large', late: 'response-late' }

/** Reports single-value headers that are sent twice, because clients disagree which value counts. */
const checkRepeatedHeaders = ({ exchange, report }: ResponseCheck): void => {
  const names = (exchange.answer?.headers ?? []).map(([name]) => name.toLowerCase())
  const twice = new Set(names.filter((name, at) => SINGLE.has(name) && names.indexOf(name) !== at))
  for (const name of twice) {
    const times = names.filter((one) => one === name).length
    report('header-repeated', `the header ${name} was sent ${times} times`, 'once', {
      aspect: name,
    })
  }
}

/** Headers that are no lists (RFC 9110, 5.5 and the section of each). */
const SINGLE = new Set([
  'content-type',
  'content-length',
  'content-location',
  'location',
  'date',
  'etag',
  'expires',
  'last-modified',
  'retry-after',
])
