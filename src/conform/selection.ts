import type { Api, Operation } from '../model/api.js'
import { nameOf } from '../model/operation-name.js'
import { SAFE_METHODS } from '../model/path-item.js'
import { isObject } from '../runtime/validate/json-value.js'
import { tryParseJson } from '../text/json-text.js'
import { nearest } from '../text/nearest.js'
import { type Sent, textOf } from '../traffic/exchange.js'
import { type Case, type ExchangeFinding, NotTested, type Plan } from './case.js'
import { isRead } from './operations.js'
import { readExchange } from './responses/read.js'
import { CONFORM_RULES } from './rules.js'
import { type Target, TargetError } from './target.js'

/** What the options of a run exclude; all of it is reported as not tested. */
export type Skipping = {
  readonly disruptive?: boolean | undefined
  /** The server, for example a mock, keeps no state and computes nothing from a request. */
  readonly stateless?: boolean | undefined
  /** Only sends requests that cannot write. */
  readonly readOnly?: boolean | undefined
}

export const isTried = (
  { name, isDisruptive, needsState, operation }: Case,
  { disruptive, stateless, readOnly }: Skipping,
  skip: Plan['skip'],
): boolean => {
  if (isDisruptive && !disruptive) skip(name, 'it disturbs other callers: --disruptive tests it')
  else if (readOnly && operation && !isRead(operation)) skip(name, READ_ONLY)
  else if (needsState && stateless) skip(name, STATELESS)
  else return true
  return false
}

/** Whether a finding counts: a stateless server does not break rules that need state. */
export const isCounted = (
  { rule, operation, aspect }: ExchangeFinding,
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

/** Reports a protocol without a selected case once. */
export const reportSkipped = (
  planned: readonly Case[],
  wanted: readonly Case[],
  skip: Plan['skip'],
): void => {
  for (const [kind, name] of PROTOCOLS) {
    const isOf = (one: Case) => one.operation?.kind === kind || one.name.startsWith(`${name}, `)
    if (planned.some(isOf) && !wanted.some(isOf)) skip(name, '--only excludes it')
  }
}

const STATELESS = 'the server keeps no state and computes no values (--stateless)'

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
 * Whether a request could write: any HTTP method that is not safe (RFC 9110, 9.2.1), or a text that names a documented JSON-RPC
 * method without `x-idempotent`. The text around the name may be broken.
 */
export const couldWrite = (api: Api, target: Target, sent: Sent): boolean => {
  const reading = readExchange(api, target, { sent })
  if (reading.kind !== 'rpc') return !SAFE_METHODS.has(sent.method)
  const text = textOf(sent.body)
  const named = [tryParseJson(text)?.value].flat().map((one) => (isObject(one) ? one.method : ''))
  return api.operations.some(
    (one) =>
      one.kind === 'rpc' &&
      !isRead(one) &&
      (named.includes(one.method) || text.includes(JSON.stringify(one.method))),
  )
}

const READ_ONLY = 'it may write, and --read-only is set'

/** The operations that neither these names nor the cases that they select name. */
export const excludedOperations = (
  cases: readonly Case[],
  only: readonly string[],
  { operations }: Pick<Api, 'operations'>,
): readonly Operation[] => {
  const known = new Set(operations.flatMap(namesOf))
  const wanted = new Set(namesIn(only, (name) => known.has(name)))
  const ofCases = new Set(cases.flatMap(({ operation }) => operation ?? []))
  return operations.filter(
    (one) => !ofCases.has(one) && !namesOf(one).some((name) => wanted.has(name)),
  )
}

/**
 * The cases that these names select. A name is the id, method, path or tag of operations, or the name of a case, or its
 * beginning up to a comma. Each text has one name or several, separated by commas. Throws TargetError, with a suggestion, for a
 * name that selects nothing.
 */
export const casesNamed = (
  cases: readonly Case[],
  only: readonly string[],
  { operations }: Pick<Api, 'operations'>,
): readonly Case[] => {
  const known = new Set(operations.flatMap(namesOf))
  const named = new Set(cases.flatMap(({ name }) => startsOf(name)))
  const wanted = new Set(namesIn(only, (name) => known.has(name) || named.has(name)))
  const names = [...known, ...named]
  for (const name of wanted) if (!known.has(name) && !named.has(name)) throw unknown(name, names)
  return cases.filter(
    ({ name, operation }) =>
      startsOf(name).some((start) => wanted.has(start)) ||
      (operation !== undefined && namesOf(operation).some((one) => wanted.has(one))),
  )
}

/** The operations that these names select, for runs that send nothing. Throws TargetError like `casesNamed`. */
export const operationsNamed = (
  { operations }: Pick<Api, 'operations'>,
  only: readonly string[],
): readonly Operation[] => {
  const names = operations.flatMap(namesOf)
  const wanted = namesIn(only, (name) => names.includes(name))
  for (const name of wanted) if (!names.includes(name)) throw unknown(name, names)
  return operations.filter((one) => namesOf(one).some((name) => wanted.includes(name)))
}

const namesOf = (operation: Operation): readonly string[] => [
  operation.id,
  ...operation.tags,
  ...(operation.kind === 'rpc'
    ? [operation.method]
    : [operation.path, `${operation.method} ${operation.path}`]),
]

/** `a, b, c` -> `a`, `a, b`, `a, b, c`. */
const startsOf = (name: string): readonly string[] => {
  const parts = name.split(COMMA)
  return parts.map((_, index) => parts.slice(0, index + 1).join(COMMA))
}

const COMMA = ', '

const namesIn = (texts: readonly string[], isKnown: (name: string) => boolean): readonly string[] =>
  texts.flatMap((text) => split(text, isKnown))

/** Splits a text at commas. Names may contain commas: the longest known name counts as one. */
const split = (text: string, isKnown: (name: string) => boolean): readonly string[] => {
  const parts = text.split(',')
  const names: string[] = []
  for (let from = 0; from < parts.length; ) {
    const ends = parts.map((_, index) => index + 1).filter((end) => end > from)
    const upTo = (end: number) => parts.slice(from, end).join(',').trim()
    const to = ends.findLast((end) => isKnown(upTo(end))) ?? from + 1
    names.push(upTo(to))
    from = to
  }
  return names.filter((name) => name !== '' || parts.length === 1)
}

const unknown = (name: string, names: readonly string[]): TargetError => {
  if (CONFORM_RULES.some(({ id }) => id === name))
    return new TargetError(
      `${name} is a rule, which applies to many responses: name the operation or the case that reported it`,
    )
  const suggestion = nearest(name, names)
  const hint =
    suggestion === undefined
      ? 'give an id, a method, a path, a tag or the name of a case'
      : `did you mean ${suggestion}?`
  return new TargetError(`no operation and no case is called ${name}: ${hint}`)
}
