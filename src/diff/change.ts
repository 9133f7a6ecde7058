import type { Api, Operation } from '../model/api.js'
import type { Day } from '../model/day.js'
import type { Finding, Location } from '../model/finding.js'
import { type DiffRuleId, ruleOf } from './rules.js'
import type { DiffContext } from './subject.js'

/** What one rule says of one place in two versions; at least one of them has it. */
export function change(rule: DiffRuleId, places: Places, message: string): Finding {
  const { level, advice } = ruleOf(rule)
  const { before, after } = places
  const location = after ?? before
  if (!location) throw new Error(`${rule} has no place`)
  return {
    rule,
    level,
    location,
    message,
    ...(after && before && { before }),
    ...(advice !== undefined && { advice }),
  }
}

/** What is gone is located where it would be now, and what is new where it would have been. */
export type Places = { readonly before: Location | undefined; readonly after: Location | undefined }

/** One operation in two versions, with what every rule needs beside it. */
export type Comparison<O extends Operation = Operation> = {
  readonly context: DiffContext
  readonly before: O
  readonly after: O
  /** What people call it: `GET /orders`, `eth_getBalance`. */
  readonly name: string
  readonly today: Day
}

export const nameOf = (operation: Operation): string =>
  operation.kind === 'http' ? `${operation.method} ${operation.path}` : operation.method

/** The same member of an operation, or of whatever else has a source, in both versions. */
export const both = (
  { before, after }: Sourced,
  ...members: readonly (string | number)[]
): Places => ({
  before: before.source.locate(...members),
  after: after.source.locate(...members),
})

export type Sourced = {
  readonly before: Pick<Operation, 'source'>
  readonly after: Pick<Operation, 'source'>
}

/** The document of an operation. */
export const documentOf = (api: Api, { kind }: Operation) => (kind === 'http' ? api.http : api.rpc)

/** What is experimental may change, and is reported; what is nearly stable warns. */
export function weighed<F extends Finding>(
  finding: F,
  { stability }: Pick<Operation, 'stability'>,
): F {
  const level = stability === undefined || stability === 'stable' ? 'error' : HIGHEST[stability]
  if (RANK[finding.level] <= RANK[level]) return finding
  return {
    ...finding,
    level,
    message: `${finding.message} (its stability is ${stability}, so it may change)`,
  }
}

const HIGHEST = { draft: 'note', alpha: 'note', beta: 'warning' } as const

export const RANK = { note: 0, warning: 1, error: 2 } as const
