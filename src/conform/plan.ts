import type { Api } from '../model/api.js'
import type { Checker } from '../model/check.js'
import type { Case } from './case.js'
import { boundaryCases } from './cases/boundaries.js'
import { exampleCases } from './cases/examples.js'
import { generatedCases } from './cases/generated.js'
import { httpCases } from './http/cases.js'
import type { Profile } from './profile.js'
import { rpcCases } from './rpc/cases.js'
import { stateCases } from './state/cases.js'
import { inferredCases } from './state/inferred.js'
import type { Target } from './target.js'
import { workflowsCases } from './workflows/cases.js'

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

/** All cases, in the order in which they are worth their time. */
export const planCases = (plan: Plan): readonly Case[] => [
  ...exampleCases(plan),
  ...rpcCases(plan),
  ...httpCases(plan),
  ...stateCases(plan),
  ...inferredCases(plan),
  ...workflowsCases(plan),
  ...boundaryCases(plan),
  ...generatedCases(plan),
]
