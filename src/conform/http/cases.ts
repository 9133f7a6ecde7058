import type { Case } from '../case.js'
import type { Plan } from '../cases/plan.js'
import { conditionalCases } from './conditional.js'
import { credentialCases } from './credentials.js'
import { disruptiveCases } from './disruptive.js'
import { identifierCases } from './identifiers.js'
import { keyCases } from './keys.js'
import { malformedBodyCases } from './malformed-bodies.js'
import { mediaTypeCases } from './media-types.js'
import { payloadCases } from './payload.js'
import { policyCases } from './policies.js'
import { subjectsOf } from './subject.js'
import { verbCases } from './verbs.js'

/** What HTTP itself asks of each operation of the OpenAPI document; what troubles others comes last. */
export const httpCases = (plan: Plan): readonly Case[] => {
  const subjects = subjectsOf(plan)
  return [
    ...malformedBodyCases(plan, subjects),
    ...mediaTypeCases(plan, subjects),
    ...verbCases(plan, subjects),
    ...keyCases(plan, subjects),
    ...credentialCases(plan),
    ...identifierCases(plan, subjects),
    ...conditionalCases(subjects),
    ...policyCases(plan, subjects),
    ...payloadCases(plan, subjects),
    ...disruptiveCases(plan, subjects),
  ]
}
