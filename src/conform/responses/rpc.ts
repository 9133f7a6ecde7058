import { isJsonRpc } from '../../runtime/shared/media-type.js'
import type { CheckContext, Finding } from '../case.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { type Answer, type Exchange, headerOf, textOf } from '../wire/exchange.js'
import { isStatusOfNoOffer } from './not-offered.js'
import { isTooLarge, parseJson, type RpcMember, type RpcRequest, readBody } from './read.js'
import { checkUnmatchedIds, haveDuplicateIds, matchAnswers, mustAnswer } from './rpc-match.js'
import { checkMember } from './rpc-member.js'
import { type RpcResponse, readAnswers } from './rpc-response.js'

/** The body of a response to a JSON-RPC request. */
export const RPC_BODY_RULES: readonly Rule[] = [
  {
    id: 'result-has-an-error-status',
    level: 'error',
    purpose: 'A JSON-RPC result does not come with an HTTP status of 4xx or 5xx.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['J90'],
  },
  {
    id: 'parse-error-has-an-id',
    level: 'error',
    purpose:
      'A parse error has the id null; a server that could read the id has parsed the request, and another code is due.',
    clause: 'JSON-RPC 2.0, 5 and 5.1',
    checks: ['J42'],
  },
  {
    id: 'call-answered-by-array',
    level: 'error',
    purpose: 'A call that is sent alone is answered by one object.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J80'],
  },
  {
    id: 'batch-answered-by-object',
    level: 'error',
    purpose: 'Only a batch that is none, or too large, is rejected as a whole.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J77', 'J87'],
  },
  {
    id: 'batch-not-answered',
    level: 'error',
    purpose: 'No batch is answered by an empty array.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J75', 'J78'],
  },
  {
    id: 'response-media-type-not-json',
    level: 'error',
    purpose: 'The Content-Type of an answer is application/json.',
    clause: 'JSON-RPC over HTTP (draft), the response; RFC 9110, 8.3',
    checks: ['J90'],
  },
]

/** What is due of every answer to a JSON-RPC request. */
export const checkRpc = (
  context: CheckContext,
  exchange: Exchange,
  request: RpcRequest,
): readonly Finding[] => {
  const { answer } = exchange
  if (!answer) return []
  const operation = request.kind === 'single' ? request.member.operation : undefined
  const finding = (rule: string, message: string, expected: string): Finding[] => [
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
      return checkStatus(answer, finding)
    context.notOffered(operation)
    return []
  }
  if (body.kind === 'bytes') return finding('response-not-json', `the body ${body.why}`, 'UTF-8')

  const members = membersOf(request)
  const owed = members.filter(mustAnswer)
  const isSilent = members.length > 0 && members.every(({ isNotification }) => isNotification)
  if (body.text.trim() === '') {
    if (
      owed.length === 0 &&
      (request.kind !== 'broken' || textOf(exchange.sent.body).trim() === '')
    )
      return []
    return finding('call-not-answered', 'the body is empty', 'a Response object')
  }
  if (isSilent && isAccepted(answer) && !isRefusable(context, exchange, members)) {
    const message = `${members.length === 1 ? 'a notification is' : 'notifications alone are'} answered by ${quoted(body.text)}`
    return finding('notification-answered', message, 'an empty body')
  }
  if (!isJson)
    return finding('response-not-json', `the body is ${quoted(body.text)}`, 'a JSON text')
  const type = headerOf(answer, 'content-type')
  const typed =
    type !== undefined && isJsonRpc(type)
      ? []
      : finding(
          'response-media-type-not-json',
          `its Content-Type is ${type ?? 'absent'}`,
          'application/json',
        )
  return [
    ...typed,
    ...checkResultStatus(answer, answers, finding),
    ...answers.flatMap(({ faults }) => faults.map((fault) => ({ ...fault, exchange, operation }))),
    ...checkResponses(context, exchange, request, answers, body.text.trimStart().startsWith('[')),
  ]
}

type MakeFinding = (rule: string, message: string, expected: string) => Finding[]

const checkResponses = (
  context: CheckContext,
  exchange: Exchange,
  request: RpcRequest,
  answers: readonly RpcResponse[],
  isArray: boolean,
): readonly Finding[] => {
  const operation = request.kind === 'single' ? request.member.operation : undefined
  const finding: MakeFinding = (rule, message, expected) => [
    { rule, message, expected, exchange, operation },
  ]
  const parseErrors = answers.flatMap(({ id, outcome }) =>
    outcome.kind === 'error' && outcome.code === -32700 && id !== undefined && id !== 'null'
      ? finding(
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
    return [...parseErrors, ...finding('call-answered-by-array', message, 'an object')]
  }
  const members = membersOf(request)
  const isRefused = isRefusable(context, exchange, members)
  if (request.kind === 'batch') {
    if (answers.length === 0) {
      const message = 'a batch is answered by an empty array'
      return finding('batch-not-answered', message, 'answers, or an empty body')
    }
    if (isRefused) return parseErrors
    if (!isArray) {
      const isValid = isWholeRefusal(exchange, members, answers)
      const message = 'a batch is answered by one object'
      return isValid ? parseErrors : finding('batch-answered-by-object', message, 'an array')
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
const checkStatus = (answer: Answer, finding: MakeFinding): Finding[] => {
  const { status } = answer
  if (status >= 500) {
    const message = `the server fails: HTTP ${status} without a JSON-RPC error`
    return finding('server-fails', message, 'an answer, or a JSON-RPC error')
  }
  if (status >= 400) return []
  return finding(
    'response-not-json',
    `it is HTTP ${status}, which answers no call`,
    'a Response object',
  )
}

/** A client that looks at the status first takes a result for a failure. */
const checkResultStatus = (
  { status }: Answer,
  answers: readonly RpcResponse[],
  finding: MakeFinding,
): Finding[] => {
  if (status < 400 || !answers.some(({ outcome }) => outcome.kind === 'result')) return []
  const message = `HTTP ${status}, an error, came with a JSON-RPC result`
  return finding('result-has-an-error-status', message, 'HTTP 200 with the result')
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
