import { diff } from '../../src/diff/diff.js'
import type { Finding } from '../../src/model/finding.js'
import { loadApi } from '../../src/read/load.js'
import { applies } from './evidence.js'
import type { Fact, Other, Step } from './notes.js'
import { placeOf } from './place.js'

/** What `diff` finds between two versions, beside what the release notes say. */
export type Reckoning = {
  readonly step: Step
  /** What the documents call themselves. */
  readonly versions: readonly [before: string, after: string]
  readonly rows: readonly FactRow[]
  readonly others: readonly OtherRow[]
  readonly findings: readonly Finding[]
  /** What is wrong with the facts: a miss without an explanation, an explanation that no longer applies. */
  readonly problems: readonly string[]
}

/** A fact counts once for each method and place that it names. */
export type FactRow = {
  readonly fact: Fact
  readonly count: number
  readonly found: number
  readonly findings: readonly Finding[]
}

export type OtherRow = { readonly other: Other; readonly findings: readonly Finding[] }

/** Compares two OpenRPC documents and the facts of the release notes between them. The texts are those of the files. */
export async function reckon(
  step: Step,
  files: { readonly before: string; readonly after: string },
  texts: { readonly before: unknown; readonly after: unknown },
): Promise<Reckoning> {
  const [before, after] = [
    await loadApi({ openrpc: files.before }),
    await loadApi({ openrpc: files.after }),
  ]
  const findings = diff(before, after, { today: TODAY })
  const problems: string[] = []
  const places = new Map(
    findings.map((finding) => [finding, placeOf(finding, texts.before, texts.after)]),
  )
  const noted = new Set<Finding>()
  const rows = step.facts.map((fact) => {
    const rules = RULES[fact.change]
    const units = fact.methods.flatMap((method) =>
      (fact.at ?? ['']).map((at) => ({ method, at: fact.at === undefined ? undefined : at })),
    )
    const matched = units.map(({ method, at }) => {
      const found = findings.filter(
        (one) =>
          rules.includes(one.rule) &&
          one.operations?.includes(method) &&
          (at === undefined || places.get(one) === at),
      )
      for (const one of found) noted.add(one)
      const name = `${step.after}: ${method} ${at ?? ''} (${fact.says})`
      if (found.length === 0 && fact.missed === undefined)
        problems.push(`${name}: diff does not find it, and \`missed\` does not say why`)
      if (found.length > 0 && fact.missed !== undefined)
        problems.push(`${name}: diff finds it now: remove \`missed\``)
      if (fact.missed !== undefined && !applies(fact.missed, method, texts.before, texts.after))
        problems.push(`${name}: the documents are not as \`${fact.missed.because}\` says`)
      return found
    })
    return {
      fact,
      count: units.length,
      found: matched.filter((found) => found.length > 0).length,
      findings: [...new Set(matched.flat())],
    }
  })
  const rest = findings.filter((one) => !noted.has(one))
  const others = step.others.map((other) => ({
    other,
    findings: rest.filter((one) => covers(other, one)),
  }))
  for (const { other, findings: found } of others)
    if (found.length === 0)
      problems.push(
        `${step.after}: no finding is left for ${other.methods.join(', ')}: ${other.why}`,
      )
  for (const one of rest) {
    const count = others.filter(({ other }) => covers(other, one)).length
    if (count !== 1)
      problems.push(`${step.after}: ${one.message} [${one.rule}] has ${count} rows of \`others\``)
  }
  const versions = [before.rpc?.version ?? step.before, after.rpc?.version ?? step.after] as const
  return { step, versions, rows, others, findings, problems }
}

const covers = (other: Other, { rule, operations = [] }: Finding): boolean =>
  operations.length > 0 &&
  operations.every((name) => other.methods.includes(name)) &&
  (other.rules === undefined || other.rules.includes(rule))

/** No version has a day of sunset, so that any day gives the same findings. */
export const TODAY = new Date('2026-11-26')

/** The rules that report a change. What no schema can state is reported by none. */
const RULES: Readonly<Record<Fact['change'], readonly string[]>> = {
  'method-added': ['operation-added'],
  'param-added': ['parameter-added-optional', 'parameter-added-required'],
  'option-added': ['request-property-added'],
  'field-added': ['response-property-added'],
  'field-removed': ['response-property-removed'],
  'field-optional': ['response-property-became-optional'],
  'field-required': ['response-property-became-required'],
  'field-type': ['response-type-widened', 'response-type-narrowed'],
  'default-changed': ['parameter-default-changed'],
  behaviour: [],
}
