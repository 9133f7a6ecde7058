import type { Case, Plan } from '../case.js'
import { CONDITION_RULES, conditionCases } from './conditions.js'
import { CREDENTIAL_RULES, credentialCases } from './credentials.js'
import { DISRUPTIVE_RULES, disruptiveCases } from './disruptive.js'
import { FORM_RULES, formCases } from './forms.js'
import { IDENTIFIER_RULES, identifierCases } from './identifiers.js'
import { KEY_RULES, keyCases } from './keys.js'
import { MALFORMED_BODY_RULES, malformedBodyCases } from './malformed-bodies.js'
import { MEDIA_TYPE_RULES, mediaTypeCases } from './media-types.js'
import { oddAddressCases } from './odd-addresses.js'
import { httpPayloadCases, PAYLOAD_RULES } from './payload.js'
import { policyCases } from './policies.js'
import { RANGE_RULES, rangeCases } from './ranges.js'
import { MALFORMED_REQUEST_RULES } from './send-malformed.js'
import { STREAM_CASE_RULES, streamCases } from './streams.js'
import { subjectsOf } from './subject.js'
import { headCases, METHOD_RULES, verbCases } from './verbs.js'

/** The HTTP rules for servers of an OpenAPI document; each rule is in the file of its cases. */
export const HTTP_RULES = [
  ...MALFORMED_REQUEST_RULES,
  ...MALFORMED_BODY_RULES,
  ...MEDIA_TYPE_RULES,
  ...FORM_RULES,
  ...PAYLOAD_RULES,
  ...METHOD_RULES,
  ...CONDITION_RULES,
  ...KEY_RULES,
  ...CREDENTIAL_RULES,
  ...IDENTIFIER_RULES,
  ...RANGE_RULES,
  ...STREAM_CASE_RULES,
  ...DISRUPTIVE_RULES,
]

/** The HTTP cases of each operation of the OpenAPI document. Cases that affect other callers come last. */
export const httpCases = (plan: Plan): readonly Case[] => {
  const subjects = subjectsOf(plan)
  return [
    ...malformedBodyCases(plan, subjects),
    ...mediaTypeCases(subjects),
    ...formCases(plan),
    ...verbCases(plan, subjects),
    ...keyCases(plan, subjects),
    ...credentialCases(plan),
    ...identifierCases(plan, subjects),
    ...headCases(subjects),
    ...conditionCases(subjects),
    ...oddAddressCases(plan, subjects),
    ...policyCases(plan, subjects),
    ...httpPayloadCases(plan, subjects),
    ...rangeCases(subjects),
    ...streamCases(subjects),
    ...disruptiveCases(plan, subjects),
  ]
}
