import { isNumberToken, sameDecimal } from '../../runtime/shared/exact-number.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { itemsOf, jsonOf, membersOf, textsOf } from '../../text/json-text.js'
import type { ExchangeFinding } from '../case.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { type RpcOutcome, rpcOutcome } from './rpc-outcome.js'

/** Rules for the members of every Response object. */
export const RPC_RESPONSE_RULES: readonly Rule[] = [
  {
    id: 'response-not-object',
    level: 'error',
    purpose: 'A response is a JSON object.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J60'],
  },
  {
    id: 'response-without-version',
    level: 'error',
    purpose: 'Every response has jsonrpc with exactly the value "2.0".',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J60'],
  },
  {
    id: 'response-not-result-or-error',
    level: 'error',
    purpose:
      'A response has either result or error; a member with the value null counts as present.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J61'],
  },
  {
    id: 'error-not-object',
    level: 'error',
    purpose: 'An error is an object with a code and a message.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J62'],
  },
  {
    id: 'error-code-not-integer',
    level: 'error',
    purpose: 'The code of an error is an integer.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J62'],
  },
  {
    id: 'error-message-not-string',
    level: 'error',
    purpose: 'The message of an error is a string.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J62'],
  },
  {
    id: 'response-member-undeclared',
    level: 'warning',
    purpose: 'A response has no members other than jsonrpc, id, and result or error.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J63'],
  },
  {
    id: 'response-without-id',
    level: 'error',
    purpose:
      'Every response has an id: a string, a number, or null where the id could not be read.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J40', 'J42'],
  },
]

/** One Response object as received (JSON-RPC 2.0, 5). */
export type ResponseObject = {
  readonly text: string
  /** The text of its id; undefined if it has no valid one. */
  readonly id: string | undefined
  readonly outcome: RpcOutcome
  /** The errors that do not depend on the request. */
  readonly faults: readonly ShapeFault[]
}

type ShapeFault = Pick<ExchangeFinding, 'rule' | 'message' | 'expected' | 'aspect'>

/** The responses in a JSON body: one, or those of a batch. Of very many, the first are read. */
export const readAnswers = (text: string): readonly ResponseObject[] => {
  const body: unknown = JSON.parse(text)
  if (!Array.isArray(body)) return [readResponseObject(body, text)]
  const texts = itemsOf(text, MOST_RESPONSES)
  return texts.map((one, index) => readResponseObject(body[index], one))
}

export const readResponseObject = (value: unknown, text: string): ResponseObject => {
  if (!isObject(value)) {
    const message = `${quoted(text.trim())} is not an object`
    const fault = { rule: 'response-not-object', message, expected: 'a Response object' }
    return { text, id: undefined, outcome: { kind: 'neither' }, faults: [fault] }
  }
  const [id] = textsOf(membersOf(text), 'id').slice(-1)
  return {
    text,
    id: id !== undefined && isId(id) ? id : undefined,
    outcome: rpcOutcome(value),
    faults: [...envelopeFaults(value, id), ...errorFaults(value)],
  }
}

type Json = Readonly<Record<string, unknown>>

function* envelopeFaults(answer: Json, id: string | undefined): Generator<ShapeFault> {
  if (answer.jsonrpc !== '2.0') {
    const version = answer.jsonrpc === undefined ? 'absent' : quoted(jsonOf(answer.jsonrpc))
    const message = `jsonrpc is ${version}`
    yield { rule: 'response-without-version', message, expected: '"jsonrpc":"2.0"' }
  }
  const has = (name: string) => Object.hasOwn(answer, name)
  if (has('result') === has('error')) {
    const message = has('result')
      ? `the response has a result and an error${answer.error === null ? ', which is null' : ''}`
      : 'the response has neither a result nor an error'
    const aspect = has('result') ? 'both' : 'neither'
    yield {
      rule: 'response-not-result-or-error',
      message,
      expected: 'either a result or an error',
      aspect,
    }
  }
  if (id === undefined) {
    const expected = 'the id of the call, or null where it cannot be read'
    yield { rule: 'response-without-id', message: 'the response has no id', expected }
  } else if (!isId(id)) {
    const message = `the id of the response is ${quoted(id)}`
    yield {
      rule: 'response-without-id',
      message,
      expected: 'a string, a number or null',
      aspect: 'type',
    }
  }
  const others = Object.keys(answer).filter((name) => !MEMBERS.has(name))
  if (others.length > 0) {
    const shown = others.slice(0, MOST_SHOWN).map((name) => quoted(JSON.stringify(name)))
    const more = others.length - shown.length
    const message = `the response has ${shown.join(', ')}${more > 0 ? ` and ${more} more members` : ''}, which JSON-RPC does not define`
    const expected = 'jsonrpc, id, and result or error'
    const aspect = others.toSorted().slice(0, MOST_SHOWN).join(' ')
    yield { rule: 'response-member-undeclared', message, expected, aspect }
  }
}

/** More than the calls of any batch. */
export const MOST_RESPONSES = 10_000

/** Names of members in one message. */
const MOST_SHOWN = 10

const MEMBERS = new Set(['jsonrpc', 'id', 'result', 'error'])

function* errorFaults(answer: Json): Generator<ShapeFault> {
  const { error } = answer
  // An error of null next to a result is reported as both members being present.
  if (!Object.hasOwn(answer, 'error') || (error === null && Object.hasOwn(answer, 'result'))) return
  if (!isObject(error)) {
    const message = `the error is ${quoted(jsonOf(error))}`
    yield { rule: 'error-not-object', message, expected: '{"code":…,"message":"…"}' }
    return
  }
  const { code, message: text } = error
  if (!Number.isInteger(code)) {
    const message = `the code of the error is ${quoted(jsonOf(code))}`
    yield { rule: 'error-code-not-integer', message, expected: 'an integer' }
  }
  if (typeof text !== 'string') {
    const message = `the message of the error is ${quoted(jsonOf(text))}`
    yield { rule: 'error-message-not-string', message, expected: 'a string' }
  }
}

/**
 * Whether two JSON texts are the same id (JSON-RPC 2.0, 5). Escapes in strings and notations of numbers are ignored, but all
 * digits count, and `1` is not `"1"`.
 */
export const isSameId = (sent: string, received: string): boolean => {
  if (sent === received) return true
  if (sent.startsWith('"') && received.startsWith('"'))
    return JSON.parse(sent) === JSON.parse(received)
  return isNumberToken(sent) && isNumberToken(received) && sameDecimal(sent, received)
}

/** Whether a JSON text is a string, a number or null (JSON-RPC 2.0, 4 and 5). */
export const isId = (text: string): boolean =>
  text === 'null' || text.startsWith('"') || isNumberToken(text)
