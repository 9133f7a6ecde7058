import { type Exchange, headerOf } from '../../traffic/exchange.js'
import { quoted } from '../report/shown.js'
import {
  describeAnswer,
  describeReply,
  hasResult,
  isBreakdown,
  isIdOf,
  isRejection,
  type Reply,
  type ReplyMember,
} from './reply.js'

/** The expected response to a request. */
export type Expectation = {
  /** Reports print it after `expected`. */
  readonly words: string
  /**
   * What is wrong with the response, as the words after the name of the request: `got a result`; undefined if it is right.
   */
  readonly fault: (reply: Reply, exchange: Exchange) => string | undefined
  /** Whether a method that is known to succeed is required. */
  readonly needsResult: boolean
  /** Whether the response rejects the request, but with another code or status than expected. */
  readonly rejectsWrongly?: (reply: Reply) => boolean
  /** Whether the response has the right status, 405, but no valid Allow. */
  readonly lacksAllow?: (reply: Reply) => boolean
}

/** One error object, with one of these codes; the HTTP status is the server's choice. */
export const errorWith = (...codes: readonly number[]): Expectation => ({
  rejectsWrongly: isRejection,
  words: `one error object of code ${codes.join(' or ')}`,
  fault: otherwiseGot(
    ({ kind, ...reply }) => kind === 'one' && 'answer' in reply && hasCode(reply.answer, codes),
  ),
  needsResult: false,
})

/** Any rejection: an error object, or HTTP 4xx. */
export const rejected: Expectation = {
  words: 'an error object, or HTTP 4xx',
  fault: otherwiseGot(isRejection),
  needsResult: false,
}

/** The result of the call with this id. */
export const answered = (id = '1'): Expectation => ({
  words: `a result with ${`"id":${quoted(id)}`}`,
  fault: (reply) => {
    if (!hasResult(reply)) return `got ${describeReply(reply)}`
    return isIdOf(id, reply.answer) ? undefined : `got a response with ${idWords(reply.answer)}`
  },
  needsResult: true,
})

/** An empty body. */
export const silence: Expectation = {
  words: 'a response without a body, HTTP 200, 202 or 204',
  fault: otherwiseGot((reply) => reply.kind === 'empty' && [200, 202, 204].includes(reply.status)),
  needsResult: true,
}

/** The same, with any HTTP status. */
export const noBody: Expectation = {
  words: 'a response without a body',
  fault: otherwiseGot(({ kind }) => kind === 'empty'),
  needsResult: true,
}

/** Any response of a server that has not broken down. */
export const alive: Expectation = {
  words: 'a response; HTTP 5xx only with an error object',
  fault: otherwiseGot((reply) => !isBreakdown(reply)),
  needsResult: false,
}

/** One of these; `words` lists all. */
export const oneOf = (...expectations: readonly Expectation[]): Expectation => ({
  words: expectations.map(({ words }) => words).join(', or '),
  fault: (reply, exchange) => {
    const faults = expectations.map(({ fault }) => fault(reply, exchange))
    return faults.includes(undefined) ? undefined : faults[0]
  },
  needsResult: expectations.some(({ needsResult }) => needsResult),
  rejectsWrongly: (reply) =>
    expectations.every(({ rejectsWrongly }) => rejectsWrongly?.(reply) === true),
})

/** One of these HTTP statuses, with any body. */
export const status = (...statuses: readonly number[]): Expectation => ({
  words: `HTTP ${statuses.join(' or ')}`,
  rejectsWrongly: (reply) => statuses.every((one) => one >= 400) && isRejection(reply),
  fault: otherwiseGot((reply) => reply.kind !== 'none' && statuses.includes(reply.status)),
  needsResult: false,
})

/** Rejected by HTTP because of its method, with the list of the allowed methods. */
export const notAllowed: Expectation = {
  rejectsWrongly: (reply) => isRejection(reply) && !isNotAllowed(reply),
  lacksAllow: isNotAllowed,
  words: 'HTTP 405 with a header Allow: POST, or 501',
  fault: (reply, { answer }) => {
    if (reply.kind === 'none' || (reply.status !== 405 && reply.status !== 501))
      return `got ${reply.kind === 'none' ? describeReply(reply) : `HTTP ${reply.status}`}`
    const allow = answer && headerOf(answer, 'allow')
    if (reply.status === 501 || /\bPOST\b/i.test(allow ?? '')) return undefined
    return allow === undefined ? 'got 405 without Allow' : `got 405 with Allow: ${allow}`
  },
  needsResult: false,
}

function isNotAllowed(reply: Reply): boolean {
  return reply.kind !== 'none' && reply.status === 405
}

/** What is expected of one member of a batch. */
export type MemberExpectation = {
  /** JSON text of the expected id. */
  readonly id: string
  /** The error codes that are allowed; undefined if a result is expected. */
  readonly codes?: readonly number[]
}

/** An array with exactly these responses, in any order (JSON-RPC 2.0, 6). */
export const answers = (...members: readonly MemberExpectation[]): Expectation => ({
  words: `an array of ${members.length}, in any order: ${summary(members)}`,
  fault: (reply) => {
    if (reply.kind !== 'many') return `got ${describeReply(reply)}`
    const left = [...reply.answers]
    for (const member of members) {
      const index = left.findIndex((answer) => fits(member, answer))
      if (index >= 0) left.splice(index, 1)
      else return missing(member, reply.answers)
    }
    const [extra] = left
    return extra && `got one response too many: ${describeAnswer(extra)} with ${idWords(extra)}`
  },
  needsResult: members.some(({ codes }) => codes === undefined),
  rejectsWrongly: (reply) =>
    members.every(({ codes }) => codes !== undefined) &&
    (isRejection(reply) ||
      (reply.kind === 'many' &&
        reply.answers.length === members.length &&
        reply.answers.every(isError))),
})

const isError = ({ code, result }: ReplyMember): boolean =>
  Number.isInteger(code) && result === undefined

const missing = (member: MemberExpectation, received: readonly ReplyMember[]): string => {
  const [same, other] = received.filter((one) => isIdOf(member.id, one))
  const what = member.codes ? `an error ${member.codes.join(' or ')}` : 'a result'
  if (same && !other && fits(member, same))
    return `got one response with the id ${quoted(member.id)} instead of two`
  if (same && !other)
    return `got ${describeAnswer(same)} for the id ${quoted(member.id)}, not ${what}`
  return `got ${received.length} responses, but not ${what} with the id ${quoted(member.id)}`
}

const fits = ({ id, codes }: MemberExpectation, answer: ReplyMember): boolean =>
  isIdOf(id, answer) &&
  (codes ? hasCode(answer, codes) : answer.result !== undefined && answer.code === undefined)

const summary = (members: readonly MemberExpectation[]): string => {
  const shown = members.slice(0, 5).map(({ id, codes }) => {
    return `${codes ? `error ${codes.join(' or ')}` : 'a result'} for ${quoted(id)}`
  })
  return [...shown, ...(members.length > 5 ? ['…'] : [])].join(', ')
}

const hasCode = ({ code }: ReplyMember, codes: readonly number[]): boolean =>
  code !== undefined && codes.includes(code)

const idWords = ({ id }: ReplyMember): string => (id === undefined ? 'no id' : `"id":${quoted(id)}`)

/** A `fault` function that only describes the response. */
function otherwiseGot(isRight: (reply: Reply) => boolean): Expectation['fault'] {
  return (reply) => (isRight(reply) ? undefined : `got ${describeReply(reply)}`)
}
