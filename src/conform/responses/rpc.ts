import type { RpcOperation } from '../../model/api.js'
import { variantOfParams } from '../../model/params.js'
import { REQUEST_CANCELLED } from '../../runtime/rpc/running-calls.js'
import { isJsonRpc } from '../../runtime/shared/media-type.js'
import { tryParseJson } from '../../text/json-text.js'
import {
  contentTypeOf,
  type Exchange,
  type ReceivedResponse,
  textOf,
} from '../../traffic/exchange.js'
import type { ResponseCheck } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { isNotOffered, isStatusOfNoOffer } from './not-offered.js'
import {
  callsIn,
  isTooLarge,
  notJsonWords,
  type RpcErrorBody,
  type RpcMember,
  type RpcRequest,
  readReceivedBody,
} from './read.js'
import { checkUnmatchedIds, haveDuplicateIds, matchAnswers, mustAnswer } from './rpc-match.js'
import { type ResponseObject, readAnswers } from './rpc-response.js'
import { checkValue } from './value.js'

/** Rules for results and errors of a documented method, and for the body of a response. */
export const RPC_BODY_RULES: readonly Rule[] = [
  {
    id: 'error-code-is-undeclared',
    level: 'warning',
    purpose: 'A method returns only error codes that it declares or that JSON-RPC reserves.',
    clause: 'OpenRPC, Method Object, errors',
    checks: ['J62', 'J65'],
  },
  {
    id: 'method-fails',
    level: 'error',
    purpose:
      'No documented call makes a method fail with -32603, unless the method declares that code.',
    clause: 'JSON-RPC 2.0, 5.1; OpenRPC, Method Object, errors',
    checks: ['J14', 'J65'],
  },
  {
    id: 'result-invalid',
    level: 'error',
    purpose:
      'A result matches the schema that the document declares for it; additional properties are reported separately.',
    clause: 'OpenRPC, Method Object, result',
    checks: ['J64'],
  },
  {
    id: 'result-has-an-error-status',
    level: 'error',
    purpose: 'A JSON-RPC result is not sent with an HTTP status of 4xx or 5xx.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['J90'],
  },
  {
    id: 'parse-error-has-an-id',
    level: 'warning',
    purpose:
      'A parse error has the id null: a server that could read the id has parsed the request, so another code is expected.',
    clause: 'JSON-RPC 2.0, 5 and 5.1',
    checks: ['J42'],
  },
  {
    id: 'call-answered-by-array',
    level: 'error',
    purpose: 'A single call gets a single object as its response.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J80'],
  },
  {
    id: 'batch-answered-by-object',
    level: 'error',
    purpose: 'Only an empty, malformed or oversized batch is rejected as a whole.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J77', 'J87'],
  },
  {
    id: 'batch-not-answered',
    level: 'error',
    purpose: 'A batch never gets an empty array as its response.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J75', 'J78'],
  },
  {
    id: 'response-media-type-not-json',
    level: 'error',
    purpose: 'The Content-Type of a response is application/json.',
    clause: 'JSON-RPC over HTTP (draft), the response; RFC 9110, 8.3',
    checks: ['J90'],
  },
]

/** Checks a response to a JSON-RPC request. */
export const checkRpc = (check: ResponseCheck, request: RpcRequest): void => {
  const { answer, sent } = check.exchange
  if (!answer) return
  const { status } = answer
  const operation = request.kind === 'single' ? request.member.operation : undefined
  const report: ResponseCheck['report'] = (rule, message, expected) =>
    check.report(rule, message, expected, {
      aspect: isAccepted(answer) ? undefined : String(status),
    })
  const body = readReceivedBody(answer)
  const isJson = body.kind === 'text' && tryParseJson(body.text) !== undefined
  const answers = isJson ? readAnswers(body.text) : []
  if (!isAccepted(answer) && !answers.some(isResponse)) {
    if (operation !== undefined && isStatusOfNoOffer(status)) check.notOffered(operation)
    // A gateway or proxy may respond without JSON-RPC, but a failing server must send a JSON-RPC error.
    else if (status >= 500)
      report(
        'server-fails',
        `the server fails: HTTP ${status} without a JSON-RPC error`,
        'a response, or a JSON-RPC error',
      )
    else if (status < 400)
      report(
        'response-not-json',
        `it is HTTP ${status} without a JSON-RPC response`,
        'a Response object',
      )
    return
  }
  const members = callsIn(request)
  const isSilent = members.length > 0 && members.every(({ isNotification }) => isNotification)
  if (body.kind === 'bytes') report('response-not-json', `the body ${body.why}`, 'UTF-8')
  else if (body.text.trim() === '') {
    const isNothing = request.kind !== 'broken' || textOf(sent.body).trim() === ''
    if (!answer.isPartial && (members.some(mustAnswer) || !isNothing))
      report('call-not-answered', 'the body is empty', 'a Response object')
  } else if (isSilent && isAccepted(answer) && !isRejectable(check, members)) {
    const subject = members.length === 1 ? 'a notification' : 'a batch of notifications'
    const message = `${subject} got the response ${quoted(body.text)}`
    report('notification-answered', message, 'an empty body')
  } else if (!isJson) report('response-not-json', notJsonWords(body.text), 'a JSON text')
  else {
    const type = contentTypeOf(answer)
    if (type === undefined || !isJsonRpc(type)) {
      const message = `its Content-Type is ${type ?? 'absent'}`
      report('response-media-type-not-json', message, 'application/json')
    }
    // A client that checks the status first treats the result as a failure.
    if (status >= 400 && answers.some(({ outcome }) => outcome.kind === 'result')) {
      const message = `a JSON-RPC result was sent with the error status ${status}`
      report('result-has-an-error-status', message, 'HTTP 200 with the result')
    }
    for (const { rule, message, expected, ...more } of answers.flatMap(({ faults }) => faults))
      check.report(rule, message, expected, more)
    checkResponses(check, request, answers, body.text.trimStart().startsWith('['))
  }
}

const checkResponses = (
  check: ResponseCheck,
  request: RpcRequest,
  answers: readonly ResponseObject[],
  isArray: boolean,
): void => {
  const { report } = check
  for (const { id, outcome } of answers)
    if (outcome.kind === 'error' && outcome.code === -32700 && id !== undefined && id !== 'null')
      report(
        'parse-error-has-an-id',
        `a parse error has the id ${quoted(id)}`,
        '"id":null, or another code than -32700',
      )
  // The server may have parsed a request that is invalid here, such as one with a byte order mark or an extra comma.
  if (request.kind === 'broken') return
  const members = callsIn(request)
  const isBatch = request.kind === 'batch'
  const isRejected = isRejectable(check, members)
  if (!isBatch && isArray) {
    const message = 'a single call got an array'
    report('call-answered-by-array', message, 'an object')
  } else if (isBatch && answers.length === 0)
    report('batch-not-answered', 'a batch got an empty array', 'responses, or an empty body')
  else if (isBatch && (isRejected || !isArray)) {
    if (!isRejected && !isWholeRejection(check.exchange, members, answers))
      report('batch-answered-by-object', 'a batch got one object', 'an array')
  } else {
    const mayLackId = (answer: ResponseObject) => isRejected || isEarly(check.exchange, answer)
    const match = matchAnswers(members, answers, mayLackId)
    for (const pair of match.pairs) checkMember(check, pair)
    const hasNotifications = members.some(({ isNotification }) => isNotification)
    checkUnmatchedIds(check, match, hasNotifications)
  }
}

const isAccepted = ({ status }: ReceivedResponse): boolean => status >= 200 && status < 300

/** The JSON body of a rejection need not be JSON-RPC, because a gateway has its own format. */
const isResponse = ({ text, outcome }: ResponseObject): boolean =>
  outcome.kind === 'result' || outcome.kind === 'error' || /"jsonrpc"/.test(text)

/** Whether a request was rejected as unreadable (5.1), or the caller by a server-defined code, such as a rate limit. */
const isEarly = ({ answer }: Exchange, { outcome }: ResponseObject): boolean =>
  (answer !== undefined && !isAccepted(answer)) ||
  (outcome.kind === 'error' && (isServerCode(outcome.code) || UNREAD.has(outcome.code)))

const UNREAD = new Set([-32700, -32600])
const isServerCode = (code: number): boolean => code >= -32099 && code <= -32000

/** Whether a request may be rejected as a whole: it has no members, or exceeds a limit of the document. */
const isRejectable = ({ api, exchange }: ResponseCheck, members: readonly RpcMember[]): boolean =>
  members.length === 0 ||
  members.length > (api.rpc?.limits.batchSize ?? Number.POSITIVE_INFINITY) ||
  isTooLarge(exchange.sent, api.rpc?.limits)

const isWholeRejection = (
  exchange: Exchange,
  members: readonly RpcMember[],
  [answer]: readonly ResponseObject[],
): boolean => {
  if (answer?.outcome.kind !== 'error') return false
  const isRejectedByStatus = exchange.answer !== undefined && !isAccepted(exchange.answer)
  return isRejectedByStatus || isServerCode(answer.outcome.code) || haveDuplicateIds(members)
}

/** Checks the response to a call of a documented method: its result, or an error that it declares. */
const checkMember = (
  check: ResponseCheck,
  { member, answer }: { readonly member: RpcMember; readonly answer: ResponseObject },
): void => {
  const { operation } = member
  if (!operation) return
  const { outcome, faults } = answer
  if (outcome.kind === 'result') {
    const variant = variantOfParams(operation, Object(member.value).params, check.checker)
    const { source } = variant ?? operation.result
    const schema = variant?.result ?? operation.result.schema
    const before = check.found.length
    const about = { schema, operation, source, root: '/result', rule: 'result-invalid' } as const
    checkValue(check, { value: outcome.value, ...about })
    const all = [...check.found.slice(before), ...faults]
    if (all.every(({ rule }) => HARMLESS.has(rule)) && (check.exchange.answer?.status ?? 0) < 400)
      check.cover('operation', ownName(operation))
  }
  if (outcome.kind !== 'error') return
  const { code } = outcome
  const declared = [...new Set(operation.errors.map((error) => error.code))].sort((a, b) => a - b)
  if (declared.includes(code)) check.cover('error code', `${ownName(operation)} ${code}`)
  if (isNotOffered(operation, outcome)) check.notOffered(operation)
  else if (!declared.includes(code)) checkErrorCode(check, operation, outcome, declared)
}

const checkErrorCode = (
  { api, report }: ResponseCheck,
  operation: RpcOperation,
  { code, message }: RpcErrorBody,
  declared: readonly number[],
): void => {
  const about = { operation, aspect: String(code) }
  // The method failed internally, as with 500 in HTTP.
  if (code === INTERNAL_ERROR) {
    const words = message === '' ? '' : `, ${quoted(message)}`
    const what = `the method fails: error ${code}${words}, which it does not declare`
    report('method-fails', what, 'a result, or an error that the method declares', about)
  } else if (code === REQUEST_CANCELLED && api.rpc?.cancel !== undefined) return
  else if (code < -32768 || code > -32000) {
    const codes = declared.length === 0 ? '' : `${declared.join(', ')}, or `
    const what = `it responds with the error ${code}, which it does not declare`
    report('error-code-is-undeclared', what, `${codes}a code that JSON-RPC reserves`, about)
  }
}

/** JSON-RPC 2.0, 5.1. */
const INTERNAL_ERROR = -32603

const HARMLESS = new Set([
  'response-property-undeclared',
  'response-member-undeclared',
  'format-invalid',
])
