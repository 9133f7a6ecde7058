import type { Api } from '../model/api.js'
import type { Day } from '../model/day.js'
import type { Finding, RuleRow } from '../model/finding.js'
import { BODY_RULES } from './bodies.js'
import { COMPONENT_RULES, TWICE_RULES } from './components.js'
import { DESCRIPTION_RULES } from './descriptions.js'
import { ERROR_RULES } from './errors.js'
import { LINT_EXAMPLE_RULES } from './examples.js'
import { EXTENSION_PLACE_RULES } from './extension-places.js'
import { EXTENSION_RULES } from './extensions.js'
import { LIFE_RULES } from './life.js'
import { PATH_RULES } from './paths.js'
import { PATTERN_RULES } from './patterns.js'
import { READING_RULES } from './reading.js'
import { LINT_SCHEMA_RULES } from './schemas.js'
import { SERVER_STATUS_RULES } from './server-statuses.js'
import { STREAM_RULES } from './streams.js'
import { SUBSCRIPTION_RULES } from './subscriptions.js'
import { type LintRule, survey } from './survey.js'
import { UNION_RULES } from './unions.js'
import { UNKNOWN_RULES } from './unknowns.js'
import { VARIANT_RULES } from './variants.js'

/** Validates the documents of an Api. Returns findings by place, with those that were reported when the documents were read. */
export function lint(api: Api, { only, today }: LintOptions = {}): readonly Finding[] {
  const isAsked = ({ id }: { readonly id: string }) => only === undefined || only.includes(id)
  const surveyed = survey(api, today)
  const found = api.findings.filter(({ rule }) => isAsked({ id: rule }))
  const own = RULES.filter(isAsked).flatMap(({ id, level, find }) =>
    [...find(surveyed)].map((found): Finding => ({ rule: id, level, ...found })),
  )
  return inOrder(distinct([...found, ...own]))
}

type LintOptions = {
  /** The ids of the rules to check; all by default. */
  readonly only?: readonly string[] | undefined
  /** The day for rules about dates; the current one by default. */
  readonly today?: Day | undefined
}

const RULES: readonly LintRule[] = [
  ...PATH_RULES,
  ...LINT_EXAMPLE_RULES,
  ...ERROR_RULES,
  ...SERVER_STATUS_RULES,
  ...LINT_SCHEMA_RULES,
  ...PATTERN_RULES,
  ...BODY_RULES,
  ...TWICE_RULES,
  ...COMPONENT_RULES,
  ...VARIANT_RULES,
  ...STREAM_RULES,
  ...EXTENSION_RULES,
  ...EXTENSION_PLACE_RULES,
  ...SUBSCRIPTION_RULES,
  ...UNION_RULES,
  ...UNKNOWN_RULES,
  ...DESCRIPTION_RULES,
  ...LIFE_RULES,
]

/** All rules of the findings that `lint` can return, by id. */
export const LINT_RULES: readonly RuleRow[] = [
  ...READING_RULES,
  ...RULES.map(({ id, level, purpose }) => ({ id, level, purpose })),
].sort((a, b) => (a.id < b.id ? -1 : 1))

/** A schema or response of several operations is checked for each of them; its findings are reported once. */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  // Without the pointer, which may be so long that the engine does not hash it.
  const seen = new Map<string, Set<string>>()
  return findings.filter(({ rule, message, location: { file, pointer, line, column } }) => {
    const key = JSON.stringify([rule, file, line, column, message])
    const pointers = seen.get(key) ?? new Set()
    seen.set(key, pointers)
    const isNew = !pointers.has(pointer)
    pointers.add(pointer)
    return isNew
  })
}

/** Findings by their position. */
export const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort(byPlace)

const byPlace = ({ location: a, rule: one }: Finding, { location: b, rule: other }: Finding) =>
  compared(a.file, b.file) || a.line - b.line || a.column - b.column || compared(one, other)

const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
