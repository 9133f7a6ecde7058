import type { Case } from './case.js'
import { boundaryCases } from './cases/boundaries.js'
import { exampleCases } from './cases/examples.js'
import { generatedCases } from './cases/generated.js'
import type { Plan } from './cases/plan.js'
import { httpCases } from './http/cases.js'
import { rpcCases } from './rpc/cases.js'
import { stateCases } from './state/cases.js'
import { inferredCases } from './state/inferred.js'
import { workflowsCases } from './workflows/cases.js'

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
