import { compile } from './compile.js'
import { has, isObject } from './json-value.js'
import type { Check } from './keyword-checks.js'
import { findDiscriminator, type Literal, literalsOf, mayBeOfType } from './literals.js'
import {
  add,
  type Complaint,
  complain,
  explore,
  inside,
  type Report,
  reportWrong,
} from './report.js'
import { type Reading, resolvedKeywords, type ValidatorSchema } from './validator.js'
import { describe, list, property, quote, spell } from './wording.js'

/** `anyOf` or `oneOf`. If a property distinguishes the branches, only the selected one is checked. */
export const checkUnion = (
  keyword: Keyword,
  schemas: readonly ValidatorSchema[],
  reading: Reading,
): Check => {
  const checks = schemas.map((schema) => compile(schema, reading))
  const discriminator = findDiscriminator(schemas.map(literalsOf))
  const holds = (value: unknown): boolean => {
    if (discriminator !== undefined && isObject(value)) {
      const { key, branchOf } = discriminator
      const at = has(value, key) ? branchOf.get(value[key]) : undefined
      return at !== undefined && (checks[at]?.(value) ?? false)
    }
    if (keyword === 'anyOf') {
      for (const check of checks) if (check(value)) return true
      return false
    }
    const matching = matchingOf(checks, value)
    return reading === 'strict'
      ? matching.length === 1
      : matching.length > 0 && strictMatches(schemas, matching, value).length <= 1
  }
  let union: Union | undefined
  return (value, report) => {
    if (holds(value)) return true
    if (report === undefined) return false
    union ??= { keyword, discriminator, branches: schemas.map((one) => branchOf(one, reading)) }
    return explainUnion(union, value, report)
  }
}

type Keyword = 'anyOf' | 'oneOf'

/** The data of a union for explanations. */
type Union = {
  readonly keyword: Keyword
  /** The property that distinguishes the branches, and the branch of each of its values. */
  readonly discriminator: ReturnType<typeof findDiscriminator>
  readonly branches: readonly Branch[]
}

type Branch = {
  readonly schema: ValidatorSchema
  /** Its title, or `alternative 2`. */
  readonly title: string | undefined
  readonly check: Check
  readonly literals: ReadonlyMap<string, Literal>
  /** Whether the type of a value is one that the branch accepts. */
  readonly mayBe: (value: unknown) => boolean
}

const branchOf = (schema: ValidatorSchema, reading: Reading): Branch => ({
  schema,
  title: resolvedKeywords(schema)?.title,
  check: compile(schema, reading),
  literals: literalsOf(schema),
  mayBe: mayBeOfType(schema),
})

const nameOf = ({ branches }: Union, branch: Branch): string =>
  branch.title === undefined ? `alternative ${branches.indexOf(branch) + 1}` : quote(branch.title)

const matchingOf = (checks: readonly Check[], value: unknown): readonly number[] => {
  const matching: number[] = []
  for (let at = 0; at < checks.length; at++) if (checks[at]?.(value)) matching.push(at)
  return matching
}

/** The positions of the strictly matching branches, if more than one matches. */
const strictMatches = (
  schemas: readonly ValidatorSchema[],
  matching: readonly number[],
  value: unknown,
): readonly number[] =>
  matching.length < 2
    ? matching
    : matching.filter((at) => compile(schemas[at] ?? false, 'strict')(value))

/**
 * Explains a value that a union rejects by its most likely branch: the only one of the value's type, else by its literal
 * properties, else the one with the fewest faults. If every branch rejects the value as a whole, one fault lists the allowed
 * values.
 */
const explainUnion = (union: Union, value: unknown, report: Report): false => {
  const { keyword, branches, discriminator } = union
  if (discriminator !== undefined && isObject(value)) {
    const { key, branchOf } = discriminator
    if (has(value, key) && !branchOf.has(value[key])) {
      const need = `be one of ${list([...branchOf.keys()].map(spell), 'or')}`
      return complain(inside(report, value, key), { keyword, need, shown: quote(value[key]) })
    }
  } else if (keyword === 'oneOf') {
    const matching = matchingOf(
      branches.map(({ check }) => check),
      value,
    )
    if (matching.length > 1) {
      const schemas = branches.map(({ schema }) => schema)
      const named = strictMatches(schemas, matching, value).flatMap((at) => branches[at] ?? [])
      const actual = `matches ${list(
        named.map((one) => nameOf(union, one)),
        'and',
      )}`
      return complain(report, {
        keyword,
        need: 'match only one alternative',
        actual,
        isAmbiguous: true,
      })
    }
  }
  const likely = branches.filter(({ mayBe }) => mayBe(value))
  const [only] = likely
  if (only !== undefined && likely.length === 1) return reportWrong(only.check, value, report)
  for (const one of explainCandidates(union, likely, value, report)) add(report.sink, one)
  return false
}

/** A branch that the value may be meant for, with a comparison of its literals. */
type Candidate = {
  readonly branch: Branch
  /** Its literal properties that the value has. */
  readonly agreeing: readonly string[]
  /** Whether the value has another literal. */
  readonly contrary: boolean
  /** The number of matching literals minus that of differing ones. */
  readonly score: number
}

type Explored = {
  readonly candidate: Candidate
  readonly complaints: readonly Complaint[]
  /** Whether the branch requires another type. */
  readonly isOfOtherType: boolean
}

const MOST_PER_BRANCH = 20

/** Explaining every branch of nested unions takes exponential time: beyond this depth, literals decide. */
const DEEPEST_UNION = 2

/**
 * The complaints about a value that several branches may be meant for. Branches are explained only as far as needed to choose
 * one: first for two complaints, and only the best for all of them.
 */
const explainCandidates = (
  union: Union,
  likely: readonly Branch[],
  value: unknown,
  report: Report,
): readonly Complaint[] => {
  const compared = (likely.length > 0 ? likely : union.branches).map((branch) =>
    compareLiterals(branch, value),
  )
  const candidates =
    report.unions < DEEPEST_UNION ? compared : [...compared].sort(byScore).slice(0, 1)
  const best = Math.max(...candidates.map(({ score }) => score))
  const within = { ...report, unions: report.unions + 1 }
  const exploreCandidate = (candidate: Candidate, most: number): Explored => {
    const complaints = explore(candidate.branch.check, value, within, most)
    const [first] = complaints
    const isOfOtherType = first?.keyword === 'type' && isAt(first, report)
    return { candidate, complaints, isOfOtherType }
  }
  // A property with another literal is a fault inside the value, so the branches have no common reason.
  const mayJoin = likely.length === 0 || candidates.every(({ contrary }) => !contrary)
  const nearest = mayJoin ? candidates : candidates.filter(({ score }) => score === best)
  const [single] = nearest
  if (single !== undefined && nearest.length === 1)
    return describeNearest(union, exploreCandidate(single, MOST_PER_BRANCH), candidates, report)
  const explored = nearest.map((candidate) => exploreCandidate(candidate, 2))
  const joined = mayJoin ? joinComplaints(union.keyword, explored, value, report) : undefined
  if (joined) return [joined]
  const bestOnes = explored.filter(({ candidate }) => candidate.score === best)
  const found = findNearest(bestOnes, exploreCandidate)
  return found === undefined ? [] : describeNearest(union, found, candidates, report)
}

const compareLiterals = (branch: Branch, value: unknown): Candidate => {
  const present = isObject(value) ? [...branch.literals].filter(([key]) => has(value, key)) : []
  const agreeing = present
    .filter(([key, { values }]) => isObject(value) && values.has(value[key]))
    .map(([key]) => key)
  const against = present.length - agreeing.length
  return { branch, agreeing, contrary: against > 0, score: agreeing.length - against }
}

const byScore = (a: Candidate, b: Candidate): number => b.score - a.score

/** The branch with the fewest complaints, then with the deepest ones; a branch of another type only if all are. */
const findNearest = (
  explored: readonly Explored[],
  exploreCandidate: (candidate: Candidate, most: number) => Explored,
): Explored | undefined => {
  const ofType = explored.filter(({ isOfOtherType }) => !isOfOtherType)
  const asked = ofType.length > 0 ? ofType : explored
  const single = asked.filter(({ complaints }) => complaints.length === 1)
  if (single.length > 0) return single.reduce((best, one) => (isBetter(one, best) ? one : best))
  let best: Explored | undefined
  for (const { candidate } of asked) {
    const most = best === undefined ? MOST_PER_BRANCH : best.complaints.length + 1
    const whole = exploreCandidate(candidate, Math.min(most, MOST_PER_BRANCH))
    if (best === undefined || isBetter(whole, best)) best = whole
  }
  return best
}

const isBetter = (one: Explored, other: Explored): boolean =>
  one.complaints.length === other.complaints.length
    ? depthOf(one) > depthOf(other)
    : one.complaints.length < other.complaints.length

const depthOf = ({ complaints }: Explored): number =>
  Math.max(0, ...complaints.map(({ place }) => place.depth))

/** The complaints of the likely branch, after one with its name. */
const describeNearest = (
  union: Union,
  { candidate, complaints }: Explored,
  candidates: readonly Candidate[],
  place: Report,
): readonly Complaint[] => {
  const { keyword, branches } = union
  const name = nameOf(union, candidate.branch)
  // The property that matches only this branch.
  const key = candidate.contrary
    ? undefined
    : candidate.agreeing.find((one) =>
        candidates.every((other) => other === candidate || !other.agreeing.includes(one)),
      )
  const actual = key === undefined ? `is closest to ${name}` : `is ${name} by its ${property(key)}`
  const need = `match one of ${branches.length} alternatives`
  return [{ place, keyword, need, actual }, ...complaints]
}

const isAt = ({ place }: Complaint, { depth }: Report): boolean =>
  place.depth === depth && place.rest === ''

/** `must be a string or null`: if every branch rejects the value as a whole, for one reason. */
const joinComplaints = (
  keyword: Keyword,
  explored: readonly Explored[],
  value: unknown,
  place: Report,
): Complaint | undefined => {
  if (explored.length < 2) return undefined
  const isStructured = typeof value === 'object' && value !== null
  const needs = new Set<string>()
  for (const { complaints } of explored) {
    const [first] = complaints
    if (first === undefined || complaints.length > 1 || !isAt(first, place)) return undefined
    if (isStructured && !ABOUT_ALL.has(first.keyword)) return undefined
    needs.add(first.need)
  }
  const isByType = explored.every(({ isOfOtherType }) => isOfOtherType)
  const shown = isByType ? describe(value) : quote(value)
  return { place, keyword, need: joinNeeds([...needs]), shown }
}

/** Keywords that reject an object or array as a whole. */
const ABOUT_ALL = new Set(['type', 'const', 'enum', 'anyOf', 'oneOf'])

const joinNeeds = (needs: readonly string[]): string => {
  const kinds = needs.filter((need) => need.startsWith('be '))
  const others = needs.filter((need) => !need.startsWith('be '))
  const kind = kinds.map((need) => need.slice('be '.length))
  return [...(kind.length > 0 ? [`be ${list(kind, 'or')}`] : []), ...others].join(', or ')
}
