import type { RpcOperation } from '../../model/api.js'
import { isJsonRpc } from '../../runtime/shared/media-type.js'
import type { CheckContext, Complaint } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import { type Answer, type Exchange, headerOf, textOf } from '../wire/exchange.js'
import { isNotOffered, isStatusOfNoOffer, type RpcError } from './not-offered.js'
import { isTooLarge, parseJson, type RpcMember, type RpcRequest, readBody } from './read.js'
import { checkUnmatchedIds, haveDuplicateIds, matchAnswers, mustAnswer } from './rpc-match.js'
import { type RpcResponse, readAnswers } from './rpc-response.js'
import { checkValue } from './value.js'

/** What is due of every answer to a JSON-RPC request. */
export const checkRpc = (
  context: CheckContext,
  exchange: Exchange,
  request: RpcRequest,
): readonly Complaint[] => {
  const { answer } = exchange
  if (!answer) return []
  const operation = request.kind === 'single' ? request.member.operation : undefined
  const complain = (rule: string, message: string, expected: string): Complaint[] => [
    {
      rule,
      message,
      expected,
      exchange,
      operation,
      aspect: isAccepted(answer) ? undefined : String(answer.status),
    },
  ]
  const body = readBody(answer)
  const isJson = body.kind === 'text' && parseJson(body.text) !== undefined
  const answers = body.kind === 'text' && isJson ? readAnswers(body.text) : []
  if (!isAccepted(answer) && !answers.some(isResponse)) {
    if (operation === undefined || !isStatusOfNoOffer(answer.status))
      return checkStatus(answer, complain)
    context.notOffered(operation)
    return []
  }
  if (body.kind === 'bytes') return complain('response-not-json', `the body ${body.why}`, 'UTF-8')

  const members = membersOf(request)
  const owed = members.filter(mustAnswer)
  const isSilent = members.length > 0 && members.every(({ isNotification }) => isNotification)
  if (body.text.trim() === '') {
    if (
      owed.length === 0 &&
      (request.kind !== 'broken' || textOf(exchange.sent.body).trim() === '')
    )
      return []
    return complain('call-not-answered', 'the body is empty', 'a Response object')
  }
  if (isSilent && isAccepted(answer) && !isRefusable(context, exchange, members)) {
    const message = `${members.length === 1 ? 'a notification is' : 'notifications alone are'} answered by ${quoted(body.text)}`
    return complain('notification-answered', message, 'an empty body')
  }
  if (!isJson)
    return complain('response-not-json', `the body is ${quoted(body.text)}`, 'a JSON text')
  const type = headerOf(answer, 'content-type')
  const typed =
    type !== undefined && isJsonRpc(type)
      ? []
      : complain(
          'response-media-type-not-json',
          `its Content-Type is ${type ?? 'absent'}`,
          'application/json',
        )
  return [
    ...typed,
    ...checkResultStatus(answer, answers, complain),
    ...answers.flatMap(({ faults }) => faults.map((fault) => ({ ...fault, exchange, operation }))),
    ...checkResponses(context, exchange, request, answers, body.text.trimStart().startsWith('[')),
  ]
}

type Complain = (rule: string, message: string, expected: string) => Complaint[]

const checkResponses = (
  context: CheckContext,
  exchange: Exchange,
  request: RpcRequest,
  answers: readonly RpcResponse[],
  isArray: boolean,
): readonly Complaint[] => {
  const operation = request.kind === 'single' ? request.member.operation : undefined
  const complain: Complain = (rule, message, expected) => [
    { rule, message, expected, exchange, operation },
  ]
  const parseErrors = answers.flatMap(({ id, outcome }) =>
    outcome.kind === 'error' && outcome.code === -32700 && id !== undefined && id !== 'null'
      ? complain(
          'parse-error-has-an-id',
          `a parse error has the id ${quoted(id)}`,
          '"id":null, or another code than -32700',
        )
      : [],
  )
  // What we cannot read may have been read otherwise: as text with a mark before it, or with a comma too many.
  if (request.kind === 'broken') return parseErrors
  if (request.kind === 'single' && isArray) {
    const message = 'a call that was sent alone is answered by an array'
    return [...parseErrors, ...complain('call-answered-by-array', message, 'an object')]
  }
  const members = membersOf(request)
  const isRefused = isRefusable(context, exchange, members)
  if (request.kind === 'batch') {
    if (answers.length === 0) {
      const message = 'a batch is answered by an empty array'
      return complain('batch-not-answered', message, 'answers, or an empty body')
    }
    if (isRefused) return parseErrors
    if (!isArray) {
      const isValid = isWholeRefusal(exchange, members, answers)
      const message = 'a batch is answered by one object'
      return isValid ? parseErrors : complain('batch-answered-by-object', message, 'an array')
    }
  }
  const mayLackId = (answer: RpcResponse) => isRefused || isEarly(exchange, answer)
  const match = matchAnswers(members, answers, mayLackId)
  return [
    ...parseErrors,
    ...match.pairs.flatMap((pair) => checkMember(context, exchange, pair)),
    ...checkUnmatchedIds(
      exchange,
      match,
      members.some(({ isNotification }) => isNotification),
    ),
  ]
}

/** A gateway or a proxy in front of JSON-RPC answers as it likes; but a server that fails must say so. */
const checkStatus = (answer: Answer, complain: Complain): Complaint[] => {
  const { status } = answer
  if (status >= 500) {
    const message = `the server fails: HTTP ${status} without a JSON-RPC error`
    return complain('server-fails', message, 'an answer, or a JSON-RPC error')
  }
  if (status >= 400) return []
  return complain(
    'response-not-json',
    `it is HTTP ${status}, which answers no call`,
    'a Response object',
  )
}

/** A client that looks at the status first takes a result for a failure. */
const checkResultStatus = (
  { status }: Answer,
  answers: readonly RpcResponse[],
  complain: Complain,
): Complaint[] => {
  if (status < 400 || !answers.some(({ outcome }) => outcome.kind === 'result')) return []
  const message = `HTTP ${status}, an error, came with a JSON-RPC result`
  return complain('result-has-an-error-status', message, 'HTTP 200 with the result')
}

const membersOf = (request: RpcRequest): readonly RpcMember[] => {
  if (request.kind === 'broken') return []
  return request.kind === 'single' ? [request.member] : request.members
}

const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300

/** A JSON body of a refusal need not be JSON-RPC: a gateway has its own. */
const isResponse = ({ text, outcome }: RpcResponse): boolean =>
  outcome.kind !== 'neither' || /"jsonrpc"/.test(text)

/** The rejection of a request that could not be read (5.1), or of a caller by the server's own code: too much, too often. */
const isEarly = ({ answer }: Exchange, { outcome }: RpcResponse): boolean =>
  (answer !== undefined && !isAccepted(answer)) ||
  (outcome.kind === 'error' && (isServerCode(outcome.code) || UNREAD.has(outcome.code)))

const UNREAD = new Set([-32700, -32600])
const isServerCode = (code: number): boolean => code >= -32099 && code <= -32000

/** No batch, or a request that is larger than the document allows. */
const isRefusable = (
  { api }: CheckContext,
  { sent }: Exchange,
  members: readonly RpcMember[],
): boolean =>
  members.length === 0 ||
  members.length > (api.rpc?.limits.batchSize ?? Number.POSITIVE_INFINITY) ||
  isTooLarge(sent, api.rpc?.limits)

const isWholeRefusal = (
  exchange: Exchange,
  members: readonly RpcMember[],
  [answer]: readonly RpcResponse[],
): boolean => {
  if (answer?.outcome.kind !== 'error') return false
  const isRefusedByStatus = exchange.answer !== undefined && !isAccepted(exchange.answer)
  return isRefusedByStatus || isServerCode(answer.outcome.code) || haveDuplicateIds(members)
}

/** What a documented method owes to a call of it: its result, or an error that it declares. */
const checkMember = (
  context: CheckContext,
  exchange: Exchange,
  { member, answer }: { readonly member: RpcMember; readonly answer: RpcResponse },
): readonly Complaint[] => {
  const { operation } = member
  if (!operation) return []
  const { outcome, faults } = answer
  const isSuccess = (exchange.answer?.status ?? 0) < 400
  if (outcome.kind === 'result') {
    const { schema, source } = operation.result
    const complaints = checkValue(context, exchange, {
      ...{ value: outcome.value, schema, operation, source },
      ...{ root: '/result', rule: 'result-invalid' as const },
    })
    const isValid = [...complaints, ...faults].every(({ rule }) => HARMLESS.has(rule))
    if (isValid && isSuccess) context.cover('operation', ownName(operation))
    return complaints
  }
  if (outcome.kind === 'neither') return []
  const { code } = outcome
  const declared = [...new Set(operation.errors.map((error) => error.code))].sort((a, b) => a - b)
  const isDeclared = declared.includes(code)
  if (isDeclared) context.cover('error code', `${ownName(operation)} ${code}`)
  if (isNotOffered(operation, outcome)) context.notOffered(operation)
  else if (!isDeclared) return checkErrorCode(exchange, operation, outcome, declared)
  return []
}

/** An error that the method does not declare. */
const checkErrorCode = (
  exchange: Exchange,
  operation: RpcOperation,
  { code, message }: RpcError,
  declared: readonly number[],
): readonly Complaint[] => {
  const common = { exchange, operation, aspect: String(code) }
  // The method cannot do its work, as with 500 in HTTP.
  if (code === INTERNAL_ERROR) {
    const words = message === '' ? '' : `, ${quoted(message)}`
    return [
      {
        ...common,
        rule: 'method-fails',
        message: `the method fails: error ${code}${words}, which it does not declare`,
        expected: 'a result, or an error that the method declares',
      },
    ]
  }
  if (code >= -32768 && code <= -32000) return []
  return [
    {
      ...common,
      rule: 'error-code-is-undeclared',
      message: `it responds with the error ${code}, which it does not declare`,
      expected: `${declared.length === 0 ? '' : `${declared.join(', ')}, or `}a code that JSON-RPC reserves`,
    },
  ]
}

/** JSON-RPC 2.0, 5.1. */
const INTERNAL_ERROR = -32603

const HARMLESS = new Set([
  'response-property-undeclared',
  'response-member-undeclared',
  'format-invalid',
])
