import type { Api, Operation } from '../model/api.js'
import type { Day } from '../model/day.js'
import type { Places } from './change.js'
import type { DiffContext } from './subject.js'

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
