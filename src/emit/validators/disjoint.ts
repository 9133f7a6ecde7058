import { findDiscriminator, type Literal } from '../../runtime/validate/literals.js'
import { isNever, referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import type { Known } from './known.js'
import { readHexPattern } from './patterns.js'

/**
 * Whether no value can match both in the strict reading; false if unknown. It is decided by type, by literals, by the
 * length of hexadecimal text, or by a property that one requires and the other rejects.
 */
export function areDisjoint(one: Schema, other: Schema, known: Known, nesting = 0): boolean {
  const shared = [...known.types(one)].filter((type) => known.types(other).has(type))
  if (shared.length === 0) return true
  if (nesting > DEEPEST) return false
  for (const [split, whole] of [
    [one, other],
    [other, one],
  ] as const) {
    const branches = branchesOf(split, known)
    if (branches?.every((branch) => areDisjoint(branch, whole, known, nesting + 1))) return true
    const literals = literalsOf(split, known)
    if (literals && [...literals].every((value) => !known.accepts(whole, value))) return true
  }
  return shared.every((type) => {
    if (type === 'string') return areOfOtherLength(one, other, known)
    return type === 'object' && haveDistinctProperties(one, other, known)
  })
}

const DEEPEST = 5

/** The only values that a schema accepts, if they are few and primitive. */
function literalsOf(schema: Schema, known: Known): ReadonlySet<unknown> | undefined {
  for (const member of membersOf(schema, known)) {
    const values = 'const' in member ? [member.const] : member.enum
    if (values?.every((value) => typeof value !== 'object' || value === null)) {
      return new Set(values)
    }
    const word = member.type === 'string' ? /^\^(\w+)\$$/.exec(member.pattern ?? '') : null
    if (word) return new Set([word[1]])
    if (member.type === 'null') return new Set([null])
  }
  return undefined
}

/** The discriminator of a union, by the rule of the checker at run time. */
export const literalDiscriminator = (branches: readonly Schema[], known: Known) =>
  findDiscriminator(branches.map((branch) => requiredLiterals(branch, known)))

const requiredLiterals = (schema: Schema, known: Known): ReadonlyMap<string, Literal> =>
  new Map(
    [...requiredOf(schema, known)].flatMap((key) => {
      const values = propertyLiterals(schema, key, known)
      return values ? [[key, { values, required: true }] as const] : []
    }),
  )

export const requiredOf = (schema: Schema, known: Known): ReadonlySet<string> =>
  new Set(membersOf(schema, known).flatMap(({ required = [] }) => required))

/** Whether no object with the property matches; `openly` ignores rejections by closed objects. */
export const rejectsProperty = (
  schema: Schema,
  key: string,
  known: Known,
  openly: boolean,
): boolean =>
  membersOf(schema, known).some((member) => {
    const { properties = {}, patternProperties, additionalProperties } = member
    if (Object.hasOwn(properties, key)) return leadsToNever(properties[key] ?? true, known)
    return !openly && additionalProperties === false && patternProperties === undefined
  })

/** `isNever` of what references lead to. Its `not` may be a reference too. */
export function leadsToNever(schema: Schema, known: Known): boolean {
  const plain = known.resolve(schema)
  return typeof plain === 'boolean' || plain.not === undefined
    ? isNever(plain)
    : isNever({ not: known.resolve(plain.not) })
}

/** The schema that references lead to and the parts of its `allOf`, which all apply to one value. */
function membersOf(schema: Schema, known: Known, nesting = 0): readonly SchemaObject[] {
  const plain = known.resolve(schema)
  if (typeof plain === 'boolean' || nesting > 20 || referredName(plain) !== undefined) return []
  const parts = plain.allOf ?? []
  return [plain, ...parts.flatMap((part) => membersOf(part, known, nesting + 1))]
}

const branchesOf = (schema: Schema, known: Known): readonly Schema[] | undefined => {
  const plain = known.resolve(schema)
  return typeof plain === 'boolean' ? undefined : (plain.oneOf ?? plain.anyOf)
}

const propertyLiterals = (schema: Schema, key: string, known: Known) => {
  for (const { properties = {} } of membersOf(schema, known)) {
    if (!Object.hasOwn(properties, key)) continue
    const literals = literalsOf(properties[key] ?? true, known)
    if (literals) return literals
  }
  return undefined
}

function areOfOtherLength(one: Schema, other: Schema, known: Known): boolean {
  const [left, right] = [hexOf(one, known), hexOf(other, known)]
  return !!left && !!right && (left.most < right.least || right.most < left.least)
}

const hexOf = (schema: Schema, known: Known) =>
  membersOf(schema, known).flatMap(({ pattern }) =>
    pattern === undefined ? [] : (readHexPattern(pattern) ?? []),
  )[0]

function haveDistinctProperties(one: Schema, other: Schema, known: Known): boolean {
  const [left, right] = [requiredOf(one, known), requiredOf(other, known)]
  const rejectsAny = (schema: Schema, keys: ReadonlySet<string>) =>
    [...keys].some((key) => rejectsProperty(schema, key, known, false))
  return (
    rejectsAny(other, left) || rejectsAny(one, right) || !!literalDiscriminator([one, other], known)
  )
}
