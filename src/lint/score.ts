import type { Finding, Level, RuleRow } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'

/** A document in one number, with what each rule costs, the most expensive first. */
export type Score = {
  /** 0 to 100; 100 without a finding. */
  readonly points: number
  readonly costs: readonly {
    readonly rule: string
    readonly points: number
    readonly count: number
  }[]
}

/**
 * The score of a document: 100, less what each rule costs. A rule costs the weight of its level (error 20, warning 6, note 2), times
 * the share of the operations that have a finding of it; an error costs at least 5.
 *
 * ```ts
 * scoreOf(lint(api), api.operations.length).points // 83
 * ```
 */
export const scoreOf = (findings: readonly Finding[], operations: number): Score => {
  const costs = [...grouped(findings, ({ rule }) => rule)]
    .map(([rule, { length: count, 0: first }]) => {
      const level = first?.level ?? 'note'
      const share = Math.min(1, count / Math.max(1, operations))
      return { rule, count, points: Math.max(LEAST[level], WEIGHTS[level] * share) }
    })
    .sort((a, b) => b.points - a.points)
  const lost = costs.reduce((sum, { points }) => sum + points, 0)
  return { points: Math.max(0, Math.round(100 - lost)), costs }
}

const WEIGHTS: Readonly<Record<Level, number>> = { error: 20, warning: 6, note: 2 }

const LEAST: Readonly<Record<Level, number>> = { error: 5, warning: 0, note: 0 }

/** A line for each rule that costs at least a tenth of a point: `6.0 operation-has-no-description, 34 times: Callers …`. */
export const scoreLines = ({ costs }: Score, rules: readonly RuleRow[]): readonly string[] => {
  const purposes = new Map(rules.map(({ id, purpose }) => [id, purpose]))
  return costs
    .filter(({ points }) => points >= 0.1)
    .map(({ rule, points, count }) => {
      const times = count === 1 ? 'once' : `${count} times`
      const purpose = purposes.get(rule)
      const why = purpose === undefined ? '' : `: ${purpose}`
      return `-${points.toFixed(1)} ${rule}, ${times}${why}`
    })
}
