import { headerOf } from '../../runtime/wire/headers.js'
import type { Exchange } from '../../traffic/exchange.js'
import { quoted } from '../report/shown.js'
import type { ResponseObject } from '../responses/rpc-response.js'
import {
  describeObject,
  describeResponse,
  errorCodeOf,
  hasResult,
  isBreakdown,
  isIdOf,
  isRejection,
  type JsonRpcResponse,
} from './json-rpc-response.js'

/** The expected response to a request. */
export type Expectation = {
  /** Reports print it after `expected`. */
  readonly words: string
  /**
   * What is wrong with the response, as the words after the name of the request: `got a result`; undefined if it is right.
   */
  readonly fault: (response: JsonRpcResponse, exchange: Exchange) => string | undefined
  /** Whether a method that is known to succeed is required. */
  readonly needsResult: boolean
  /** Whether the response rejects the request, but with another code or status than expected. */
  readonly rejectsWrongly?: (response: JsonRpcResponse) => boolean
  /** Whether the response has the right status, 405, but no valid Allow. */
  readonly lacksAllow?: (response: JsonRpcResponse) => boolean
}

/** One error object, with one of these codes; the HTTP status is the server's choice. */
export const errorWith = (...codes: readonly number[]): Expectation => ({
  rejectsWrongly: isRejection,
  words: `one error object of code ${codes.join(' or ')}`,
  fault: otherwiseGot((response) => response.kind === 'one' && hasCode(response.object, codes)),
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
  fault: (response) => {
    if (!hasResult(response)) return `got ${describeResponse(response)}`
    return isIdOf(id, response.object)
      ? undefined
      : `got a response with ${idWords(response.object)}`
  },
  needsResult: true,
})

/** An empty body. */
export const silence: Expectation = {
  words: 'a response without a body, HTTP 200, 202 or 204',
  fault: otherwiseGot(
    (response) => response.kind === 'empty' && [200, 202, 204].includes(response.status),
  ),
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
  fault: otherwiseGot((response) => !isBreakdown(response)),
  needsResult: false,
}

/** One of these; `words` lists all. */
export const anyOfExpectations = (...expectations: readonly Expectation[]): Expectation => ({
  words: expectations.map(({ words }) => words).join(', or '),
  fault: (response, exchange) => {
    const faults = expectations.map(({ fault }) => fault(response, exchange))
    return faults.includes(undefined) ? undefined : faults[0]
  },
  needsResult: expectations.some(({ needsResult }) => needsResult),
  rejectsWrongly: (response) =>
    expectations.every(({ rejectsWrongly }) => rejectsWrongly?.(response) === true),
})

/** One of these HTTP statuses, with any body. */
export const status = (...statuses: readonly number[]): Expectation => ({
  words: `HTTP ${statuses.join(' or ')}`,
  rejectsWrongly: (response) => statuses.every((one) => one >= 400) && isRejection(response),
  fault: otherwiseGot((response) => response.kind !== 'none' && statuses.includes(response.status)),
  needsResult: false,
})

/** Rejected by HTTP because of its method, with the list of the allowed methods. */
export const notAllowed: Expectation = {
  rejectsWrongly: (response) => isRejection(response) && !isNotAllowed(response),
  lacksAllow: isNotAllowed,
  words: 'HTTP 405 with a header Allow: POST, or 501',
  fault: (response, { answer }) => {
    if (response.kind === 'none' || (response.status !== 405 && response.status !== 501))
      return `got ${response.kind === 'none' ? describeResponse(response) : `HTTP ${response.status}`}`
    const allow = answer && headerOf(answer.headers, 'allow')
    if (response.status === 501 || /\bPOST\b/i.test(allow ?? '')) return undefined
    return allow === undefined ? 'got 405 without Allow' : `got 405 with Allow: ${allow}`
  },
  needsResult: false,
}

function isNotAllowed(response: JsonRpcResponse): boolean {
  return response.kind !== 'none' && response.status === 405
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
  fault: (response) => {
    if (response.kind !== 'many') return `got ${describeResponse(response)}`
    const left = [...response.objects]
    for (const member of members) {
      const index = left.findIndex((answer) => fits(member, answer))
      if (index >= 0) left.splice(index, 1)
      else return missing(member, response.objects)
    }
    const [extra] = left
    return extra && `got one response too many: ${describeObject(extra)} with ${idWords(extra)}`
  },
  needsResult: members.some(({ codes }) => codes === undefined),
  rejectsWrongly: (response) =>
    members.every(({ codes }) => codes !== undefined) &&
    (isRejection(response) ||
      (response.kind === 'many' &&
        response.objects.length === members.length &&
        response.objects.every(isError))),
})

const isError = (object: ResponseObject): boolean => errorCodeOf(object) !== undefined

const missing = (member: MemberExpectation, received: readonly ResponseObject[]): string => {
  const [same, other] = received.filter((one) => isIdOf(member.id, one))
  const what = member.codes ? `an error ${member.codes.join(' or ')}` : 'a result'
  if (same && !other && fits(member, same))
    return `got one response with the id ${quoted(member.id)} instead of two`
  if (same && !other)
    return `got ${describeObject(same)} for the id ${quoted(member.id)}, not ${what}`
  return `got ${received.length} responses, but not ${what} with the id ${quoted(member.id)}`
}

const fits = ({ id, codes }: MemberExpectation, answer: ResponseObject): boolean =>
  isIdOf(id, answer) && (codes ? hasCode(answer, codes) : answer.outcome.kind === 'result')

const summary = (members: readonly MemberExpectation[]): string => {
  const shown = members.slice(0, 5).map(({ id, codes }) => {
    return `${codes ? `error ${codes.join(' or ')}` : 'a result'} for ${quoted(id)}`
  })
  return [...shown, ...(members.length > 5 ? ['…'] : [])].join(', ')
}

const hasCode = (object: ResponseObject, codes: readonly number[]): boolean =>
  codes.some((code) => code === errorCodeOf(object))

const idWords = ({ id }: ResponseObject): string =>
  id === undefined ? 'no id' : `"id":${quoted(id)}`

/** A `fault` function that only describes the response. */
function otherwiseGot(isRight: (response: JsonRpcResponse) => boolean): Expectation['fault'] {
  return (response) => (isRight(response) ? undefined : `got ${describeResponse(response)}`)
}
