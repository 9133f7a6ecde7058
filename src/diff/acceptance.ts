import type { Day } from '../model/day.js'
import type { Finding, Location } from '../model/finding.js'
import { isAtPlace, placeIn, readAcceptedList, withMethod } from '../read/accepted-list.js'
import type { Document } from '../read/document.js'
import { nearest } from '../text/nearest.js'
import { change } from './change.js'

/**
 * Reads the list `accepted` of a document. Throws DocumentError with the line of each entry that
 * lacks the rule, the place, the reason or the last day.
 */
export function readAcceptances(
  document: Document,
  rules: readonly string[],
): readonly Acceptance[] {
  const entries = readAcceptedList(document, {
    one: 'change',
    keys: {
      rule: 'the name that the finding ends with',
      where: 'a JSON pointer, or an operation as the findings call it',
    },
    reason: 'why the change is accepted',
    check: (key, text) => {
      if (key !== 'rule' || rules.includes(text)) return undefined
      const near = nearest(text, rules)
      const hint = near === undefined ? 'diff --list-rules lists them' : `did you mean ${near}?`
      return `there is no rule ${text}: ${hint}`
    },
  })
  return entries
}

type Acceptance = {
  readonly rule: string
  /** An operation (`GET /orders`), or a JSON pointer, which includes all below it; `openrpc.yaml#/servers` applies to one file. */
  readonly where: string
  readonly reason: string
  /** The last day of the acceptance. */
  readonly until: Day
  readonly location: Location
}

/**
 * Returns the findings with accepted ones as notes, and findings about the list itself. `names` maps
 * an operationId to the operations of either version that have it, because an entry may use it.
 */
export function accept(
  findings: readonly Finding[],
  entries: readonly Acceptance[],
  today: Date,
  names: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly Finding[] {
  const acceptances = entries.map((one) => ({ ...one, where: withMethod(one.where) }))
  const isCovering = (one: Acceptance, finding: Finding) =>
    [one.where, ...(names.get(one.where) ?? [])].some((where) => isAtPlace(where, finding))
  // A finding of several operations is accepted by its pointer, or by an entry for each of them.
  const isCovered = (finding: Finding, valid: readonly Acceptance[]) =>
    valid.some(isPointer) ||
    (finding.operations ?? []).every((name) =>
      valid.some(({ where }) => where === name || names.get(where)?.includes(name)),
    )
  const day = today.toISOString().slice(0, 10)
  const used = new Set<Acceptance>()
  const kept = findings.map((finding) => {
    const hint = acceptances.filter((one) => one.rule === finding.rule && isCovering(one, finding))
    for (const one of hint) used.add(one)
    const valid = hint.filter(({ until }) => day <= until)
    const [first] = valid
    const [expired] = hint.filter(({ until }) => until < day)
    if (!first || !isCovered(finding, valid)) {
      if (!expired) return finding
      const message = `${finding.message} (accepted until ${expired.until}, which is over)`
      return { ...finding, message }
    }
    const message = `${finding.message} (accepted until ${first.until}: ${first.reason})`
    return { ...finding, level: 'note' as const, message }
  })
  const remarks = acceptances.flatMap((one) => {
    const places = { before: undefined, after: one.location }
    const what = `${one.rule} at ${one.where}`
    if (!used.has(one)) {
      return change(
        'acceptance-is-unused',
        places,
        `${what} is accepted, but there is no such change${nearTo(one, findings)}`,
      )
    }
    if (day <= one.until) return []
    return change('acceptance-expired', places, `${what} was accepted until ${one.until}`)
  })
  return [...kept, ...remarks]
}

/** A hint at the change of the same rule that the entry probably means. */
const nearTo = (one: Acceptance, findings: readonly Finding[]): string => {
  const places = findings
    .filter(({ rule }) => rule === one.rule)
    .flatMap(({ location, operations = [] }) => {
      const place = placeIn(one.where)
      if (!place) return operations
      return place.file === undefined ? location.pointer : `${location.file}#${location.pointer}`
    })
  const near = places.length === 1 ? places[0] : nearest(one.where, places)
  return near === undefined ? '' : `: there is one at ${near}`
}

const isPointer = ({ where }: Acceptance) => placeIn(where) !== undefined
