import type { Api, Source } from '../../model/api.js'
import type { Finding } from '../../model/finding.js'
import type { Schema } from '../../model/schema.js'

/** What two versions of one schema mean for callers or readers. */
export function* schemaFindings(
  _context: DiffContext,
  _subject: Subject,
  _before: Schema,
  _after: Schema,
): Generator<Finding> {}

export type DiffContext = { readonly before: Api; readonly after: Api }

export const createDiffContext = (before: Api, after: Api): DiffContext => ({ before, after })

export type Subject = {
  readonly direction: 'request' | 'response'
  /** `the param address of eth_getBalance`, `the body of POST /orders`. */
  readonly what: string
  readonly before: Source
  readonly after: Source
}
