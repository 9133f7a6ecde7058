import type { Around } from './clean-server.js'

/** One thing that a server does wrongly, and what should find it. */
export type Defect = {
  /** A sentence in kebab case. */
  readonly name: string
  readonly around: Around
  /** The rules that find it: one of them does. */
  readonly by: readonly string[]
  /** Where it shows besides: no rule but these and those cries. */
  readonly also?: readonly string[]
  /** The cases that meet it, for the quick run: operations, or how names of cases begin. */
  readonly only: readonly string[]
}

export const defects = (rows: readonly Defect[]): readonly Defect[] => rows
