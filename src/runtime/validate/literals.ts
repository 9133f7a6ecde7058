import { isOfType, isPrimitive } from './json-value.js'
import type { SchemaKeywords, ValidatorSchema } from './validator.js'
import { isValidator, resolvedKeywords, validatorSource } from './validator.js'

/**
 * The properties that allow only certain primitive values; they distinguish the branches of a union: `{ kind: {
 * values: Set('message'), required: true } }`. References and `allOf` are followed.
 */
export const literalsOf = (schema: ValidatorSchema): ReadonlyMap<string, Literal> => {
  const members = membersOf(schema, 0)
  const required = new Set(members.flatMap((member) => member.required ?? []))
  const found = new Map<string, Literal>()
  for (const member of members) {
    for (const [key, property] of Object.entries(member.properties ?? {})) {
      const values = literalValues(property)
      if (values && !found.has(key)) found.set(key, { values, required: required.has(key) })
    }
  }
  return found
}

export type Literal = { readonly values: ReadonlySet<unknown>; readonly required: boolean }

/** The only values that a schema accepts, if it lists them and all are primitive. */
const literalValues = (schema: ValidatorSchema): ReadonlySet<unknown> | undefined => {
  const keywords = resolvedKeywords(schema)
  if (keywords === undefined) return undefined
  if (keywords.const !== undefined) return primitives([keywords.const])
  if (keywords.enum !== undefined) return primitives(keywords.enum)
  const word = keywords.type === 'string' ? /^\^(\w+)\$$/.exec(keywords.pattern ?? '') : null
  return word ? new Set([word[1]]) : undefined
}

/** A property that identifies every branch of a union, by their literals, and the branch of each of its values. */
export const findDiscriminator = (
  branches: readonly ReadonlyMap<string, Literal>[],
): { readonly key: string; readonly branchOf: ReadonlyMap<unknown, number> } | undefined => {
  const [first, ...others] = branches
  if (first === undefined || others.length === 0) return undefined
  for (const key of first.keys()) {
    const branchOf = new Map<unknown, number>()
    const disjoint = [first, ...others].every((literals, branch) => {
      const literal = literals.get(key)
      if (!literal?.required) return false
      for (const value of literal.values) {
        if (branchOf.has(value)) return false
        branchOf.set(value, branch)
      }
      return true
    })
    if (disjoint) return { key, branchOf }
  }
  return undefined
}

/** Whether a value has a type that a branch accepts. */
export const mayBeOfType = (schema: ValidatorSchema): ((value: unknown) => boolean) => {
  const isLiteral = literalValues(schema) !== undefined
  const asked = membersOf(schema, 0).flatMap(({ type }) =>
    type === undefined ? [] : [typeof type === 'string' ? [type] : type],
  )
  return (value) => {
    if (isLiteral && !isPrimitive(value)) return false
    const like = typeof value === 'bigint' ? 0 : value
    return asked.every((types) => types.some((type) => isOfType(like, type)))
  }
}

const primitives = (values: readonly unknown[]): ReadonlySet<unknown> | undefined =>
  values.every(isPrimitive) ? new Set(values) : undefined

const membersOf = (schema: ValidatorSchema, hops: number): readonly SchemaKeywords[] => {
  if (typeof schema === 'boolean' || hops > 20) return []
  if (isValidator(schema)) {
    const source = validatorSource(schema)
    return source ? membersOf(source.schema(), hops + 1) : []
  }
  const parts = schema.allOf ?? []
  return [schema, ...parts.flatMap((part) => membersOf(part, hops + 1))]
}
