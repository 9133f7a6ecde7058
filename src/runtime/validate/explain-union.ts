import type { Reading, ValidatorSchema } from '../validate.js'
import { strictMatches } from './check-unions.js'
import {
  type Complaint,
  type Complaints,
  type Explain,
  holds,
  inside,
  type Place,
  takeDistinct,
} from './complaint.js'
import { has, isObject } from './json-value.js'
import { findDiscriminator, literalsOf, mayBeOfType } from './literals.js'
import { keywordsOf } from './schema-source.js'
import { describe, list, property, quote, spell } from './wording.js'

/**
 * Says which branch of a union was meant, and what is wrong with it. A branch is known by being the
 * only one of the value's type, which goes without saying; then by its literal properties, then by how
 * little is wrong with it. Where every branch refuses the value as a whole, one complaint names all
 * that it may be.
 */
export function* explainUnion(
  keyword: 'anyOf' | 'oneOf',
  branches: readonly ValidatorSchema[],
  reading: Reading,
  value: unknown,
  place: Place,
  explain: Explain,
): Complaints {
  const nameOf = (at: number): string => {
    const title = keywordsOf(branches[at] ?? false)?.title
    return title === undefined ? `alternative ${at + 1}` : quote(title)
  }
  const matching = [...branches.keys()].filter((at) => holds(branches[at] ?? false, reading, value))
  if (matching.length > 0) {
    const strict = strictMatches(branches, matching, value)
    const names = list((strict.length > 1 ? strict : matching).map(nameOf), 'and')
    yield { place, keyword, need: 'match only one alternative', actual: `matches ${names}` }
    return
  }
  const unknown = explainDiscriminator(keyword, branches, value, place)
  if (unknown) {
    yield unknown
    return
  }
  const likely = branches.filter((branch) => mayBeOfType(branch, value))
  if (likely.length === 1) {
    yield* explain(likely[0] ?? false, reading, value, place)
    return
  }
  const within = { ...place, unions: place.unions + 1 }
  const candidates = chooseCandidates(branches, value, place).map((candidate): Explained => {
    const branch = branches[candidate.at] ?? false
    const complaints = takeDistinct(explain(branch, reading, value, within), mostPerBranch)
    const [first] = complaints
    const ofOtherType = first?.keyword === 'type' && first.place.pointer === place.pointer
    return { ...candidate, complaints, ofOtherType }
  })
  const joined = joinComplaints(keyword, candidates, value, place)
  if (joined) {
    yield joined
    return
  }
  const [meant] = [...candidates].sort(compareExplained)
  if (meant === undefined) return
  const key = tellingKey(meant, candidates)
  yield {
    place,
    keyword,
    need: `match one of ${branches.length} alternatives`,
    actual: `is ${key ? '' : 'closest to '}${nameOf(meant.at)}${key ? ` by its ${property(key)}` : ''}`,
  }
  yield* meant.complaints
}

/** A branch that the value may have been meant for, and the literal properties that speak for and against it. */
type Candidate = {
  readonly at: number
  readonly agreeing: readonly string[]
  readonly contrary: readonly string[]
}

type Explained = Candidate & {
  readonly complaints: readonly Complaint[]
  readonly ofOtherType: boolean
}

const mostPerBranch = 20

/** Explaining every branch of unions within unions takes exponential time: past this, literals decide. */
const deepestUnion = 2

const chooseCandidates = (
  branches: readonly ValidatorSchema[],
  value: unknown,
  place: Place,
): readonly Candidate[] => {
  const candidates = branches.map((branch, at): Candidate => {
    const agreeing: string[] = []
    const contrary: string[] = []
    if (isObject(value)) {
      for (const [key, { values }] of literalsOf(branch)) {
        if (has(value, key)) (values.has(value[key]) ? agreeing : contrary).push(key)
      }
    }
    return { at, agreeing, contrary }
  })
  const likely = candidates.filter(({ at }) => mayBeOfType(branches[at] ?? false, value))
  const asked = likely.length > 0 ? likely : candidates
  return place.unions < deepestUnion ? asked : [...asked].sort(compareLiterals).slice(0, 1)
}

const compareLiterals = (a: Candidate, b: Candidate): number =>
  b.agreeing.length - b.contrary.length - (a.agreeing.length - a.contrary.length)

const compareExplained = (a: Explained, b: Explained): number =>
  compareLiterals(a, b) ||
  Number(a.ofOtherType) - Number(b.ofOtherType) ||
  a.complaints.length - b.complaints.length ||
  depthOf(b) - depthOf(a)

const depthOf = ({ complaints }: Explained): number =>
  Math.max(0, ...complaints.map(({ place }) => place.path.length))

/** The property that speaks for this branch and for no other. */
const tellingKey = (meant: Candidate, candidates: readonly Candidate[]): string | undefined =>
  meant.contrary.length > 0
    ? undefined
    : meant.agreeing.find((key) =>
        candidates.every((other) => other === meant || !other.agreeing.includes(key)),
      )

/** A value of the telling property that belongs to no branch is all that need be said. */
const explainDiscriminator = (
  keyword: string,
  branches: readonly ValidatorSchema[],
  value: unknown,
  place: Place,
): Complaint | undefined => {
  const discriminator = findDiscriminator(branches)
  if (discriminator === undefined || !isObject(value)) return undefined
  const { key, branchOf } = discriminator
  if (!has(value, key) || branchOf.has(value[key])) return undefined
  const at = inside(place, key, Object.keys(value).indexOf(key))
  const need = `be one of ${list([...branchOf.keys()].map(spell), 'or')}`
  return { place: at, keyword, need, actual: `is ${quote(value[key])}` }
}

/** `must be a string or null`: where every branch refuses the value as a whole, for one reason. */
const joinComplaints = (
  keyword: string,
  candidates: readonly Explained[],
  value: unknown,
  place: Place,
): Complaint | undefined => {
  const ofKind = new Set(['type', 'const', 'enum', 'anyOf', 'oneOf'])
  const structured = typeof value === 'object' && value !== null
  const needs = candidates.map(({ complaints: [first, ...others] }) => {
    if (first === undefined || others.length > 0) return undefined
    if (first.place.pointer !== place.pointer) return undefined
    return structured && !ofKind.has(first.keyword) ? undefined : first.need
  })
  if (needs.length < 2 || needs.includes(undefined)) return undefined
  const byType = candidates.every(({ ofOtherType }) => ofOtherType)
  const actual = `is ${byType ? describe(value) : quote(value)}`
  return { place, keyword, need: joinNeeds(needs as string[]), actual }
}

const joinNeeds = (needs: readonly string[]): string => {
  const distinct = [...new Set(needs)]
  const kinds = distinct.filter((need) => need.startsWith('be '))
  const others = distinct.filter((need) => !need.startsWith('be '))
  const kind = kinds.map((need) => need.slice('be '.length))
  return [...(kind.length > 0 ? [`be ${list(kind, 'or')}`] : []), ...others].join(', or ')
}
