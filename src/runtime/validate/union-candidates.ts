import type { ExplainOptions } from '../validate.js'
import type { BranchErrors } from './branch-errors.js'
import { type Complaint, inUnion, type Place } from './complaint.js'
import type { Branch, Union } from './explain-union.js'
import { toldOf } from './explain-value.js'
import { has, isObject } from './json-value.js'
import { describe, list, property, quote } from './wording.js'

/**
 * What to say of a value that no branch of a union lets through, of several that may have been meant. Branches are entered
 * no further than it takes to choose between them: first for two complaints, and for all of them only the best.
 */
export const explainCandidates = (
  union: Union,
  likely: readonly Branch[],
  value: unknown,
  branchErrors: BranchErrors | undefined,
  place: Place,
  options: ExplainOptions,
): readonly Complaint[] => {
  const asked = likely.length > 0 ? likely : union.branches
  const within = inUnion(place)
  const only =
    branchErrors && !union.hasLiterals ? onlyFitting(union, likely, branchErrors) : undefined
  if (only !== undefined && place.unions < deepestUnion) {
    const { found } = toldOf(only.part, value, within, 2, options)
    const first = found[0]
    if (first !== undefined && found.length === 1 && !isOfOtherType(found, place))
      return [closest(union, only, place), first]
  }
  const branchErrorsOf = ({ branch }: Candidate): number => branchErrors?.counts[branch.at] ?? 0
  const all = asked.map((branch) => compareLiterals(branch, value))
  const candidates = place.unions < deepestUnion ? all : [...all].sort(byLiterals).slice(0, 1)
  const enter = (candidate: Candidate, most: number): Entered => {
    const { found } = toldOf(candidate.branch.part, value, within, most, options)
    return { candidate, complaints: found, ofOtherType: isOfOtherType(found, place) }
  }
  let best = -Infinity
  for (const { score } of candidates) if (score > best) best = score
  // A property with another literal is wrong inside the value, so that the branches refuse it for no common reason.
  const mayJoin = likely.length === 0 || candidates.every(({ contrary }) => !contrary)
  const meant = mayJoin ? candidates : candidates.filter(({ score }) => score === best)
  if (meant.length === 1 && meant[0]) {
    return tell(union, enter(meant[0], mostPerBranch), candidates, place)
  }
  const entered = meant.map((candidate) =>
    branchErrorsOf(candidate) < 2 ? enter(candidate, 2) : notEntered(candidate),
  )
  const joined = mayJoin ? joinComplaints(union.keyword, entered, value, place) : undefined
  if (joined) return [joined]
  const bestOnes = entered.filter(({ candidate }) => candidate.score === best)
  const found = findMeant(bestOnes, branchErrorsOf, enter)
  return found === undefined ? [] : tell(union, found, candidates, place)
}

/** The one branch that may have a single complaint about the object, where no literal tells branches apart. */
const onlyFitting = (
  { branches }: Union,
  likely: readonly Branch[],
  { only, counts }: BranchErrors,
): Branch | undefined => {
  if (likely.length > 0) return only === undefined ? undefined : branches[only]
  const few = branches.filter(({ at }) => (counts[at] ?? 0) < 2)
  return few.length === 1 ? few[0] : undefined
}

const isOfOtherType = (complaints: readonly Complaint[], place: Place): boolean => {
  const first = complaints[0]
  return first?.keyword === 'type' && isAt(first, place)
}

/** A branch that the value may have been meant for, and how its literal properties speak of that. */
type Candidate = {
  readonly branch: Branch
  readonly agreeing: readonly string[]
  /** Whether one speaks against it. */
  readonly contrary: boolean
  /** Those for it less those against it. */
  readonly score: number
}

type Entered = {
  readonly candidate: Candidate
  readonly complaints: readonly Complaint[]
  readonly ofOtherType: boolean
}

/** What is known to have more than one complaint about an object, all of which are reported only where no other has less. */
const notEntered = (candidate: Candidate): Entered => ({
  candidate,
  complaints: [],
  ofOtherType: false,
})

const mostPerBranch = 20

/** Explaining every branch of unions within unions takes exponential time: past this, literals decide. */
const deepestUnion = 2

const compareLiterals = (branch: Branch, value: unknown): Candidate => {
  const { literals } = branch
  if (literals.length === 0 || !isObject(value)) {
    return { branch, agreeing: NONE, contrary: false, score: 0 }
  }
  let agreeing = NONE
  let against = 0
  for (const [key, { values }] of literals) {
    if (!has(value, key)) continue
    if (values.has(value[key])) agreeing = [...agreeing, key]
    else against++
  }
  return { branch, agreeing, contrary: against > 0, score: agreeing.length - against }
}

const NONE: readonly string[] = []

const byLiterals = (a: Candidate, b: Candidate): number => b.score - a.score

/** The one with the least wrong with it, deepest inside; one that takes another type only where all do. */
const findMeant = (
  entered: readonly Entered[],
  branchErrorsOf: (candidate: Candidate) => number,
  enter: (candidate: Candidate, most: number) => Entered,
): Entered | undefined => {
  const ofType = entered.filter(({ ofOtherType }) => !ofOtherType)
  const asked = ofType.length > 0 ? ofType : entered
  const single = asked.filter(({ complaints }) => complaints.length === 1)
  if (single.length > 0) return single.reduce((best, one) => (isBetter(one, best) ? one : best))
  let best: Entered | undefined
  for (const { candidate } of asked) {
    const least = best?.complaints.length ?? mostPerBranch
    if (least < mostPerBranch && branchErrorsOf(candidate) > least) continue
    const most = best === undefined ? mostPerBranch : best.complaints.length + 1
    const whole = enter(candidate, Math.min(most, mostPerBranch))
    if (best === undefined || isBetter(whole, best)) best = whole
  }
  return best
}

const isBetter = (one: Entered, other: Entered): boolean =>
  one.complaints.length === other.complaints.length
    ? depthOf(one) > depthOf(other)
    : one.complaints.length < other.complaints.length

const depthOf = ({ complaints }: Entered): number =>
  complaints.reduce((deepest, { place }) => Math.max(deepest, place.depth), 0)

const tell = (
  union: Union,
  { candidate, complaints }: Entered,
  candidates: readonly Candidate[],
  place: Place,
): readonly Complaint[] => {
  const key = tellingKey(candidate, candidates)
  if (key === undefined) return [closest(union, candidate.branch, place), ...complaints]
  const actual = `is ${candidate.branch.name} by its ${property(key)}`
  return [{ place, keyword: union.keyword, need: union.need, actual }, ...complaints]
}

const closest = (union: Union, { closest, isClosest }: Branch, place: Place): Complaint => ({
  place,
  keyword: union.keyword,
  need: union.need,
  actual: closest,
  said: isClosest,
})

/** The property that speaks for this branch and for no other. */
const tellingKey = (meant: Candidate, candidates: readonly Candidate[]): string | undefined =>
  meant.contrary
    ? undefined
    : meant.agreeing.find((key) =>
        candidates.every((other) => other === meant || !other.agreeing.includes(key)),
      )

const isAt = (complaint: Complaint, place: Place): boolean =>
  complaint.place.depth === place.depth && complaint.place.rest === ''

/** `must be a string or null`: where every branch refuses the value as a whole, for one reason. */
const joinComplaints = (
  keyword: string,
  candidates: readonly Entered[],
  value: unknown,
  place: Place,
): Complaint | undefined => {
  if (candidates.length < 2) return undefined
  const structured = typeof value === 'object' && value !== null
  const needs: string[] = []
  for (const { complaints } of candidates) {
    const [first] = complaints
    if (first === undefined || complaints.length > 1 || !isAt(first, place)) return undefined
    if (structured && !ofKind.has(first.keyword)) return undefined
    needs.push(first.need)
  }
  const byType = candidates.every(({ ofOtherType }) => ofOtherType)
  const show = byType ? describe : quote
  return { place, keyword, need: joinNeeds(needs), shown: value, show }
}

const ofKind = new Set(['type', 'const', 'enum', 'anyOf', 'oneOf'])

const joinNeeds = (needs: readonly string[]): string => {
  const distinct = [...new Set(needs)]
  const kinds = distinct.filter((need) => need.startsWith('be '))
  const others = distinct.filter((need) => !need.startsWith('be '))
  const kind = kinds.map((need) => need.slice('be '.length))
  return [...(kind.length > 0 ? [`be ${list(kind, 'or')}`] : []), ...others].join(', or ')
}
