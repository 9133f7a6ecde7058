import { isBusy, LIMIT_EXCEEDED } from '../../runtime/shared/retry.js'
import { membersOf, textsOf, tryParseJson } from '../../text/json-text.js'
import { type Exchange, textOf } from '../../traffic/exchange.js'
import { quoted } from '../report/shown.js'
import {
  isSameId,
  type ResponseObject,
  readAnswers,
  readResponseObject,
} from '../responses/rpc-response.js'

/** A response, as far as the cases of the protocol distinguish it. */
export type JsonRpcResponse =
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'empty'; readonly status: number }
  /** A body that is neither an object nor an array of JSON. */
  | { readonly kind: 'text'; readonly status: number; readonly text: string }
  | { readonly kind: 'one'; readonly status: number; readonly object: ResponseObject }
  | { readonly kind: 'many'; readonly status: number; readonly objects: readonly ResponseObject[] }

export const readJsonRpcResponse = ({
  answer,
  failure,
}: Pick<Exchange, 'answer' | 'failure'>): JsonRpcResponse => {
  if (!answer) return { kind: 'none', why: failure ?? 'the reason is unknown' }
  const { status } = answer
  const text = textOf(answer.body)
  if (text.trim() === '') return { kind: 'empty', status }
  const value = tryParseJson(text)?.value
  if (typeof value !== 'object' || value === null) return { kind: 'text', status, text }
  return Array.isArray(value)
    ? { kind: 'many', status, objects: readAnswers(text) }
    : { kind: 'one', status, object: readResponseObject(value, text) }
}

/** The words for it in messages, after `got`. */
export const describeResponse = (response: JsonRpcResponse): string => {
  if (response.kind === 'none') return `no response: ${response.why}`
  const under = response.status === 200 ? '' : ` under HTTP ${response.status}`
  if (response.kind === 'empty') return `HTTP ${response.status} without a body`
  if (response.kind === 'text')
    return `HTTP ${response.status} and a body that is not a JSON-RPC response: ${quoted(response.text)}`
  if (response.kind === 'one') return `${describeObject(response.object)}${under}`
  const { length } = response.objects
  const [first] = response.objects
  if (!first) return `an empty array${under}`
  if (length === 1) return `an array of one: ${describeObject(first)}${under}`
  return `an array of ${length} responses${under}`
}

export const describeObject = ({ outcome }: ResponseObject): string => {
  if (outcome.kind === 'error') return `error ${outcome.code}`
  if (outcome.kind === 'invalid error') return 'an error without a code'
  return outcome.kind === 'result' ? 'a result' : 'neither a result nor an error'
}

/** The choice of a server, in one or two words that are the same in every run. */
export const wayOf = (response: JsonRpcResponse): string => {
  if (response.kind === 'none') return 'no answer'
  if (response.kind === 'empty') return 'nothing'
  if (response.kind === 'text')
    return response.text.trim() === 'null' ? 'null' : `HTTP ${response.status}`
  if (response.kind === 'many')
    return response.objects.length === 1 ? 'an array of one' : 'an array'
  const { outcome } = response.object
  if (outcome.kind === 'error') return `error ${outcome.code}`
  if (outcome.kind === 'invalid error') return 'error without a code'
  return outcome.kind === 'result' ? 'answered' : 'neither'
}

/** Whether it is a result without an error: only then was the call accepted. */
export const hasResult = (response: JsonRpcResponse): response is ResultResponse =>
  response.kind === 'one' && response.object.outcome.kind === 'result'

type ResultResponse = Extract<JsonRpcResponse, { kind: 'one' }> & {
  readonly object: { readonly outcome: { readonly kind: 'result' } }
}

/** The code of an error; undefined for other responses, and for an error without an integer code. */
export const errorCodeOf = ({ outcome }: ResponseObject): number | undefined =>
  outcome.kind === 'error' ? outcome.code : undefined

/** Whether a response has the id of a call. */
export const isIdOf = (sent: string, { id }: ResponseObject): boolean =>
  id !== undefined && isSameId(sent, id)

/**
 * Whether it is a result without an id, which cannot be matched to a call. `response-without-id` reports it. A server that
 * returns an id of a wrong type as it came has accepted it, which is one fault and not two.
 */
export const lacksId = (response: JsonRpcResponse): boolean =>
  hasResult(response) && textsOf(membersOf(response.object.text), 'id').length === 0

/** Whether the server says that the same request may succeed later, for which clients repeat it: it says nothing about the request. */
export const isBusyResponse = (response: JsonRpcResponse): boolean =>
  response.kind !== 'none' &&
  (isBusy(response.status) ||
    (response.kind === 'one' && errorCodeOf(response.object) === LIMIT_EXCEEDED))

/** Whether a server broke down over a request. A response in JSON-RPC may have any status. */
export const isBreakdown = (response: JsonRpcResponse): boolean =>
  response.kind === 'none' ||
  (response.status >= 500 && response.kind !== 'one' && response.kind !== 'many')

/** Whether a server rejected a request, with any code: one error object, or HTTP 4xx without a result. */
export const isRejection = (response: JsonRpcResponse): boolean => {
  if (response.kind === 'none' || hasResult(response)) return false
  if (response.kind === 'one' && response.object.outcome.kind === 'error') return true
  return response.status >= 400 && response.status < 500
}

/** The HTTP status of a response with this JSON-RPC error; undefined for other responses. */
export const statusWay =
  (code: number) =>
  (response: JsonRpcResponse): string | undefined =>
    response.kind === 'one' && errorCodeOf(response.object) === code
      ? `HTTP ${response.status}`
      : undefined
