import type { Fault } from '../validate.js'
import { pointerKeys } from './pointer.js'

/** One error of validation: an issue of Standard Schema (`message`, `path`) with its JSON pointer, keyword and params. */
export type Issue = Fault & { readonly path: readonly string[] }

export const issuesOf = (faults: readonly Fault[]): readonly Issue[] =>
  faults.map((fault) => ({ ...fault, path: pointerKeys(fault.pointer) }))
