import type { Day } from '../../model/day.js'
import type { Finding } from '../../model/finding.js'
import { type Accepted, readAcceptedList } from '../../read/accepted-list.js'
import type { Document } from '../../read/document.js'
import { jsonText } from '../../text/escape.js'
import { nearest } from '../../text/nearest.js'
import type { Rule } from '../rule.js'
import { CONFORM_RULES } from '../rules.js'
import type { ConformFinding } from './findings.js'

/**
 * Reads the list `accepted` of a document; each entry identifies a finding by `rule` and `where`. Throws DocumentError with the
 * line of each entry that lacks a rule, a place, a reason or a date.
 */
export const readBaseline = (document: Document): readonly AcceptedFinding[] =>
  readAcceptedList(document, {
    one: 'finding',
    keys: {
      rule: 'the id of the rule',
      where: 'the operation, and what follows it in the identity of the finding',
    },
    reason: 'why the response is accepted',
    check: (key, text) => {
      if (key !== 'rule') return undefined
      const ids = CONFORM_RULES.map(({ id }) => id)
      if (ids.includes(text)) return undefined
      const near = nearest(text, ids)
      const suggestion =
        near === undefined ? 'conform --list-rules lists them' : `did you mean ${near}?`
      return `there is no rule ${text}: ${suggestion}`
    },
  })

/** `where`: `eth_call`, `GET /orders 404`; `server` for a finding without an operation. */
export type AcceptedFinding = Accepted<'rule' | 'where'>

/**
 * Splits an identity into rule and place: `id-is-not-echoed eth_call` has the rule `id-is-not-echoed` and the place `eth_call`.
 */
const partsOf = (identity: string): { readonly rule: string; readonly where: string } => {
  const [rule = '', ...where] = identity.trim().split(' ')
  return { rule, where: where.join(' ') || SERVER }
}

/** The place of a finding without an operation. */
const SERVER = 'server'

const identityOf = ({ rule, where }: Pick<AcceptedFinding, 'rule' | 'where'>): string =>
  where === SERVER ? rule : `${rule} ${where}`

/**
 * The findings, with accepted ones as notes, and findings about the list itself: expired entries, and entries without a finding
 * unless only a part was tested.
 */
export const applyBaseline = (
  findings: readonly ConformFinding[],
  entries: readonly AcceptedFinding[],
  { today, isPartial }: { readonly today: Day; readonly isPartial: boolean },
): BaselineResult => {
  const evaluated = findings.map((finding) => {
    const matching = entries.filter((one) => identityOf(one) === finding.identity)
    const valid = matching.find(({ until }) => today <= until)
    const message = (words: string) => `${finding.message} (${words})`
    if (valid) {
      const words = `accepted until ${valid.until}: ${valid.reason}`
      return { ...finding, level: 'note' as const, message: message(words) }
    }
    const [expired] = matching
    if (!expired) return finding
    return {
      ...finding,
      message: message(`no longer accepted: the acceptance ended on ${expired.until}`),
    }
  })
  const found = new Set(findings.map(({ identity }) => identity))
  const identities = [...found]
  const remarks = entries.flatMap((entry): readonly Finding[] => {
    const { until, location } = entry
    const finding = identityOf(entry)
    if (found.has(finding)) {
      if (today <= until) return []
      const message = `${finding} was accepted until ${until}, and still occurs`
      return [{ rule: 'acceptance-expired', level: 'note', location, message }]
    }
    if (isPartial) return []
    const near = nearest(finding, identities)
    const suggestion = near === undefined ? '' : `; ${near} was`
    const message = `${finding} is accepted, but was not found${suggestion}: remove the entry if it is fixed`
    return [{ rule: 'acceptance-is-unused', level: 'note', location, message }]
  })
  return { findings: evaluated, remarks }
}

export type BaselineResult = {
  readonly findings: readonly ConformFinding[]
  /** Findings about the baseline itself, with its lines. */
  readonly remarks: readonly Finding[]
}

/** Rules for the baseline. */
export const BASELINE_RULES: readonly Rule[] = [
  {
    id: 'acceptance-expired',
    level: 'note',
    purpose: 'A finding counts again when the day until which it was accepted is over.',
    clause: '--baseline',
  },
  {
    id: 'acceptance-is-unused',
    level: 'note',
    purpose: 'An accepted finding that no longer occurs should be removed from the list.',
    clause: '--baseline',
  },
]

/** The baseline entry that accepts a finding for a year; its reason is empty, to be filled in. */
export const acceptanceLine = (identity: string, today: Day): string => {
  const { rule, where } = partsOf(identity)
  const until = `${Number(today.slice(0, 4)) + 1}${today.slice(4).replace('-02-29', '-02-28')}`
  return `- { rule: ${rule}, where: ${jsonText(where)}, reason: "", until: ${until} }`
}
