import type { Api } from '../../model/api.js'
import type { Checker } from '../../schema/check.js'
import type { Profile } from '../profile.js'
import type { Target } from '../target.js'

/** What cases are made from. */
export type Plan = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  readonly profile: Profile | undefined
  readonly seed: number
  /** How many values are generated for each operation. */
  readonly maxExamples: number
  /** Tells what cannot be tried, and why. */
  readonly skip: (what: string, why: string) => void
}
