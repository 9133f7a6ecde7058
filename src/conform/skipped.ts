import type { Api } from '../model/api.js'
import { SAFE_METHODS } from '../model/path-item.js'
import { isObject } from '../runtime/validate/json-value.js'
import { type Case, type Finding, NotTested, type Plan } from './case.js'
import { isRead, nameOf } from './operations.js'
import { parseJson, readExchange } from './responses/read.js'
import { CONFORM_RULES } from './rules.js'
import type { Target } from './target.js'
import { type Sent, textOf } from './wire/exchange.js'

/** What the options of a run leave out; all of it is reported as not tested. */
export type Skipping = {
  readonly disruptive?: boolean | undefined
  /** The server is said to remember nothing and to work nothing out of a request, as a mock. */
  readonly stateless?: boolean | undefined
  /** Nothing is sent that an operation could write by. */
  readonly readOnly?: boolean | undefined
}

export const isTried = (
  { name, isDisruptive, needsState, operation }: Case,
  { disruptive, stateless, readOnly }: Skipping,
  skip: Plan['skip'],
): boolean => {
  if (isDisruptive && !disruptive) skip(name, 'it troubles other callers: --disruptive tries it')
  else if (readOnly && operation && !isRead(operation)) skip(name, READ_ONLY)
  else if (needsState && stateless) skip(name, STATELESS)
  else return true
  return false
}

/** Whether a finding counts: a stateless server does not break rules that need state. */
export const isHeld = (
  { rule, operation, aspect }: Finding,
  { stateless }: Skipping,
  skip: Plan['skip'],
): boolean => {
  if (!stateless || !OF_THE_REQUEST.has(rule)) return true
  skip(
    [rule, operation && nameOf(operation), aspect].filter((part) => part !== undefined).join(' '),
    STATELESS,
  )
  return false
}

/** A protocol of which no case was selected is reported once. */
export const reportSkipped = (
  planned: readonly Case[],
  wanted: readonly Case[],
  skip: Plan['skip'],
): void => {
  for (const [kind, name] of PROTOCOLS) {
    const isOf = (one: Case) => one.operation?.kind === kind || one.name.startsWith(`${name}, `)
    if (planned.some(isOf) && !wanted.some(isOf)) skip(name, '--only names nothing of it')
  }
}

const STATELESS =
  'the server is said to remember nothing, and to work nothing out of a request (--stateless)'

const OF_THE_REQUEST: ReadonlySet<string> = new Set(
  CONFORM_RULES.flatMap(({ id, needsState }) => (needsState === true ? [id] : [])),
)

const PROTOCOLS = [
  ['http', 'HTTP'],
  ['rpc', 'JSON-RPC'],
] as const

/** Throws NotTested for a request that could write. */
export const assertReads =
  (api: Api, target: Target) =>
  (sent: Sent): void => {
    if (couldWrite(api, target, sent)) throw new NotTested(READ_ONLY)
  }

/**
 * Whether a request could write: any method of HTTP but those that are safe (RFC 9110, 9.2.1), and a text with a
 * documented method of JSON-RPC that no `x-idempotent` lets anybody send again, however broken the text is around its name.
 */
export const couldWrite = (api: Api, target: Target, sent: Sent): boolean => {
  const reading = readExchange(api, target, { sent, answer: undefined, failure: undefined })
  if (reading.kind !== 'rpc') return !SAFE_METHODS.has(sent.method)
  const text = textOf(sent.body)
  const named = [parseJson(text)?.value].flat().map((one) => (isObject(one) ? one.method : ''))
  return api.operations.some(
    (one) =>
      one.kind === 'rpc' &&
      !isRead(one) &&
      (named.includes(one.method) || text.includes(JSON.stringify(one.method))),
  )
}

const READ_ONLY = 'it may write, which --read-only leaves out'
