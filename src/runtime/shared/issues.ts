import type { Fault } from '../validate.js'
import { segmentsOf } from './pointer.js'

/** One error of validation: an issue of Standard Schema (`message`, `path`) with its JSON pointer, keyword and params. */
export type Issue = Fault & { readonly path: readonly string[] }

/** A response that differs from the document and is returned nevertheless (`validate.response: 'tolerant'`). */
export type Warning = {
  /** The operation's id (HTTP) or the method's wire name (JSON-RPC). */
  readonly operation: string
  readonly message: string
  readonly issues: readonly Issue[]
}

export const issuesOf = (faults: readonly Fault[]): readonly Issue[] =>
  faults.map((fault) => ({ ...fault, path: segmentsOf(fault.pointer) }))
