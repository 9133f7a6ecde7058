import type { Case, Complaint } from './case.js'
import type { Plan } from './cases/plan.js'
import { READ_ONLY } from './read-only.js'
import { nameOf } from './report/findings.js'
import { CONFORM_RULES } from './rules.js'
import { isRead } from './state/follow.js'

/** What a run leaves out at its caller's word; all of it is told as not tested. */
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

/** Whether a complaint counts: what only a server with a mind of its own can keep is not held against one that has none. */
export const isHeld = (
  { rule, operation, aspect }: Complaint,
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

/** A protocol of which nothing was asked for is told once. */
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

export const STATELESS =
  'the server is said to remember nothing, and to work nothing out of a request (--stateless)'

const OF_THE_REQUEST: ReadonlySet<string> = new Set(
  CONFORM_RULES.flatMap(({ id, needsState }) => (needsState === true ? [id] : [])),
)

const PROTOCOLS = [
  ['http', 'HTTP'],
  ['rpc', 'JSON-RPC'],
] as const
