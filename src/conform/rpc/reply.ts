import { itemsOf, membersOf, textsOf, tryParseJson } from '../../text/json-text.js'
import { type Exchange, textOf } from '../../traffic/exchange.js'
import { quoted } from '../report/shown.js'
import { isSameId, MOST_RESPONSES } from '../responses/rpc-response.js'

/** A response, as far as the cases of the protocol distinguish it. */
export type Reply =
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'empty'; readonly status: number }
  /** A body that is neither an object nor an array of JSON. */
  | { readonly kind: 'text'; readonly status: number; readonly text: string }
  | { readonly kind: 'one'; readonly status: number; readonly answer: ReplyMember }
  | { readonly kind: 'many'; readonly status: number; readonly answers: readonly ReplyMember[] }

export type ReplyMember = {
  /** The JSON text of the id, with its digits unchanged; undefined if there is none. */
  readonly id: string | undefined
  /** The code of an error that is not null; NaN if it has no integer code. */
  readonly code: number | undefined
  readonly result: { readonly value: unknown } | undefined
}

export const readReply = ({ answer, failure }: Pick<Exchange, 'answer' | 'failure'>): Reply => {
  if (!answer) return { kind: 'none', why: failure ?? 'the reason is unknown' }
  const { status } = answer
  const text = textOf(answer.body)
  if (text.trim() === '') return { kind: 'empty', status }
  const value = tryParseJson(text)?.value
  if (typeof value !== 'object' || value === null) return { kind: 'text', status, text }
  if (!Array.isArray(value)) return { kind: 'one', status, answer: readResponse(value, text) }
  const texts = itemsOf(text, MOST_RESPONSES)
  const answers = texts.map((one, index) => readResponse(value[index], one))
  return { kind: 'many', status, answers }
}

/** The words for it in messages, after `got`. */
export const describeReply = (reply: Reply): string => {
  if (reply.kind === 'none') return `no response: ${reply.why}`
  const under = reply.status === 200 ? '' : ` under HTTP ${reply.status}`
  if (reply.kind === 'empty') return `HTTP ${reply.status} without a body`
  if (reply.kind === 'text')
    return `HTTP ${reply.status} and a body that is not a JSON-RPC response: ${quoted(reply.text)}`
  if (reply.kind === 'one') return `${describeAnswer(reply.answer)}${under}`
  const { length } = reply.answers
  const [first] = reply.answers
  if (!first) return `an empty array${under}`
  if (length === 1) return `an array of one: ${describeAnswer(first)}${under}`
  return `an array of ${length} responses${under}`
}

export const describeAnswer = ({ code, result }: ReplyMember): string => {
  if (code !== undefined) return Number.isNaN(code) ? 'an error without a code' : `error ${code}`
  return result ? 'a result' : 'neither a result nor an error'
}

/** The choice of a server, in one or two words that are the same in every run. */
export const wayOf = (reply: Reply): string => {
  if (reply.kind === 'none') return 'no answer'
  if (reply.kind === 'empty') return 'nothing'
  if (reply.kind === 'text') return reply.text.trim() === 'null' ? 'null' : `HTTP ${reply.status}`
  if (reply.kind === 'many') return reply.answers.length === 1 ? 'an array of one' : 'an array'
  const { code, result } = reply.answer
  return code === undefined ? (result ? 'answered' : 'neither') : `error ${code}`
}

/** Whether it is a result without an error: only then was the call accepted. */
export const hasResult = (reply: Reply): reply is ResultReply =>
  reply.kind === 'one' && reply.answer.result !== undefined && reply.answer.code === undefined

type ResultReply = Extract<Reply, { kind: 'one' }> & {
  readonly answer: { readonly result: { readonly value: unknown } }
}

/** Whether a response has the id of a call. */
export const isIdOf = (sent: string, { id }: ReplyMember): boolean =>
  id !== undefined && isSameId(sent, id)

/** Whether it is a result without an id, which cannot be matched to a call. `response-without-id` reports it. */
export const lacksId = (reply: Reply): boolean => hasResult(reply) && reply.answer.id === undefined

/** Whether a server broke down over a request. A response in JSON-RPC may have any status. */
export const isBreakdown = (reply: Reply): boolean =>
  reply.kind === 'none' || (reply.status >= 500 && reply.kind !== 'one' && reply.kind !== 'many')

/** Whether a server rejected a request, with any code: one error object, or HTTP 4xx without a result. */
export const isRejection = (reply: Reply): boolean => {
  if (reply.kind === 'none' || hasResult(reply)) return false
  if (reply.kind === 'one' && Number.isInteger(reply.answer.code)) return true
  return reply.status >= 400 && reply.status < 500
}

/** The HTTP status of a response with this JSON-RPC error; undefined for other responses. */
export const statusWay =
  (code: number) =>
  (reply: Reply): string | undefined =>
    reply.kind === 'one' && reply.answer.code === code ? `HTTP ${reply.status}` : undefined

const readResponse = (value: unknown, text: string): ReplyMember => {
  if (typeof value !== 'object' || value === null)
    return { id: undefined, code: undefined, result: undefined }
  const { error, result } = value as Readonly<Record<string, unknown>>
  return {
    id: textsOf(membersOf(text), 'id').at(-1),
    code: error === undefined || error === null ? undefined : codeOf(error),
    result: Object.hasOwn(value, 'result') ? { value: result } : undefined,
  }
}

const codeOf = (error: unknown): number => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : NaN
  return Number.isInteger(code) ? Number(code) : NaN
}
