import type { Reading, SchemaKeywords, ValidatorSchema } from '../validate.js'
import { type BranchErrors, countBranchErrors } from './branch-errors.js'
import { strictMatches } from './check-unions.js'
import {
  type Complaint,
  type Complaints,
  complain,
  complainOf,
  type Explain,
  inside,
  type Place,
} from './complaint.js'
import { type Explainer, explainerOf, explainWrong } from './explain-value.js'
import { type Holds, holdsOf } from './holds.js'
import { has, isObject, type JsonObject } from './json-value.js'
import { findDiscriminator, type Literal, literalsOf, mayBeOfType } from './literals.js'
import { keywordsOf } from './schema-source.js'
import { explainCandidates } from './union-candidates.js'
import { list, quote, spell } from './wording.js'

/**
 * Says which branch of a union was meant, and what is wrong with it. A branch is known by being the
 * only one of the value's type, which goes without saying; then by its literal properties, then by how
 * little is wrong with it. Where every branch refuses the value as a whole, one complaint names all
 * that it may be.
 */
export const explainUnion = (
  keyword: 'anyOf' | 'oneOf',
  schema: SchemaKeywords,
  reading: Reading,
): readonly Explain[] => {
  const schemas = schema[keyword]
  if (schemas === undefined) return []
  // Such a schema is entered only where it has refused, so that of `anyOf` nothing matches, and of `oneOf` not one alone.
  const isAlone = Object.keys(schema).length === 1
  let made: Union | undefined
  return [
    (value, place, out) => {
      made ??= readUnion(keyword, schemas, reading)
      const union = made
      const isNamed = isObject(value)
      const branchErrors = isNamed ? union.branchErrorsOf?.(value) : undefined
      if (!isAlone || isLeftOpen(union, value, branchErrors)) {
        const matching = matchingOf(union, value)
        if (matching.length > 0) {
          explainMatching(union, matching, value, place, out)
          return
        }
      }
      const unknown = union.discriminator && explainDiscriminator(union, value, place)
      if (unknown) {
        complain(out, unknown)
        return
      }
      const likely = isNamed ? union.ofObjects : likelyFor(union.branches, value)
      const only = likely[0]
      if (only !== undefined && likely.length === 1) explainWrong(only.part, value, place, out)
      else
        complainOf(out, explainCandidates(union, likely, value, branchErrors, place, out.options))
    },
  ]
}

export type Union = {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly reading: Reading
  readonly schemas: readonly ValidatorSchema[]
  /** What a value must that has to be one of them. */
  readonly need: string
  readonly branches: readonly Branch[]
  /** Those which may be meant by an object. */
  readonly ofObjects: readonly Branch[]
  /** Whether any is known by a literal property. */
  readonly hasLiterals: boolean
  /** The property by which the branches are known, and which of them each of its values means. */
  readonly discriminator: ReturnType<typeof findDiscriminator>
  /** How much is wrong at least by each branch, where names tell anything of that. */
  readonly branchErrorsOf: ((object: JsonObject) => BranchErrors) | undefined
}

/** What is known of a branch before any value is. */
export type Branch = {
  readonly at: number
  /** How a complaint speaks of it. */
  readonly name: string
  /** What is said where it is the closest one. */
  readonly closest: string
  readonly isClosest: string
  readonly holds: Holds
  readonly part: Explainer
  readonly literals: readonly (readonly [key: string, literal: Literal])[]
  /** Whether the type of a value leaves it open that the branch was meant. */
  readonly mayBe: (value: unknown) => boolean
}

const readUnion = (
  keyword: 'anyOf' | 'oneOf',
  schemas: readonly ValidatorSchema[],
  reading: Reading,
): Union => {
  const branches = schemas.map((schema, at): Branch => {
    const title = keywordsOf(schema)?.title
    const name = title === undefined ? `alternative ${at + 1}` : quote(title)
    return {
      at,
      name,
      closest: `is closest to ${name}`,
      isClosest: `must match one of ${schemas.length} alternatives, is closest to ${name}`,
      holds: holdsOf(schema, reading),
      part: explainerOf(schema, reading),
      literals: [...literalsOf(schema)],
      mayBe: mayBeOfType(schema),
    }
  })
  const ofObjects = likelyFor(branches, {})
  return {
    keyword,
    reading,
    schemas,
    need: `match one of ${branches.length} alternatives`,
    branches,
    hasLiterals: branches.some(({ literals }) => literals.length > 0),
    ofObjects,
    discriminator: findDiscriminator(schemas),
    branchErrorsOf: countBranchErrors(
      schemas,
      reading,
      ofObjects.map(({ at }) => at),
    ),
  }
}

const likelyFor = (branches: readonly Branch[], value: unknown): readonly Branch[] =>
  branches.filter(({ mayBe }) => mayBe(value))

/** Whether branches may match together, of which the union has refused the value. */
const isLeftOpen = (
  { keyword, branches, discriminator }: Union,
  value: unknown,
  branchErrors: BranchErrors | undefined,
): boolean => {
  if (keyword === 'anyOf' || (discriminator !== undefined && isObject(value))) return false
  return (branchErrors?.fitting ?? branches.length) > 1
}

/** The branches that a value fits. A telling property says which one it may be, and of `anyOf` one is enough. */
const matchingOf = (union: Union, value: unknown): readonly number[] => {
  const { keyword, branches, discriminator } = union
  if (discriminator !== undefined && isObject(value)) {
    const { key, branchOf } = discriminator
    const meant = has(value, key) ? branches[branchOf.get(value[key]) ?? -1] : undefined
    return meant?.holds(value) ? [meant.at] : []
  }
  const matching: number[] = []
  for (const { at, holds } of branches) {
    if (!holds(value)) continue
    matching.push(at)
    if (keyword === 'anyOf') break
  }
  return matching
}

const explainMatching = (
  union: Union,
  matching: readonly number[],
  value: unknown,
  place: Place,
  out: Complaints,
): void => {
  const names = namesOfTooMany(union, matching, value)
  if (names === undefined) return
  const { keyword } = union
  const actual = `matches ${names}`
  complain(out, { place, keyword, need: 'match only one alternative', actual, isAmbiguous: true })
}

/** The branches that match together where one alone may; undefined where the value is right. */
const namesOfTooMany = (
  { keyword, reading, schemas, branches }: Union,
  matching: readonly number[],
  value: unknown,
): string | undefined => {
  if (keyword === 'anyOf' || matching.length === 1) return undefined
  const strict = strictMatches(schemas, matching, value)
  if (reading === 'open' && strict.length < 2) return undefined
  const named = strict.length > 1 ? strict : matching
  return list(
    named.map((at) => branches[at]?.name ?? ''),
    'and',
  )
}

/** A value of the telling property that belongs to no branch is all that need be said. */
const explainDiscriminator = (
  { keyword, discriminator }: Union,
  value: unknown,
  place: Place,
): Complaint | undefined => {
  if (discriminator === undefined || !isObject(value)) return undefined
  const { key, branchOf } = discriminator
  if (!has(value, key) || branchOf.has(value[key])) return undefined
  const need = `be one of ${list([...branchOf.keys()].map(spell), 'or')}`
  return { place: inside(place, value, key), keyword, need, shown: value[key], show: quote }
}
