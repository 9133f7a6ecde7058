import { cached } from '../shared/cached.js'
import { findDiscriminator, literalsOf } from './literals.js'
import { mapSubschemas } from './subschemas.js'
import {
  isValidator,
  type SchemaKeywords,
  type TypeName,
  type Validator,
  type ValidatorSchema,
  validatorSource,
} from './validator.js'

/**
 * Creates the validator of the tolerant reading of responses. Besides unknown properties, it accepts unknown values of enums
 * and discriminators, and the absence of required properties that may be null. `findRepair` gives such a value its type.
 */
export const relaxed = (v: Validator, create: CreateValidator): Validator =>
  cached(made, v, () => {
    const source = validatorSource(v)
    const relax: Relax = (schema) => {
      if (typeof schema === 'boolean') return schema
      return isValidator(schema) ? relaxed(schema, create) : relaxKeywords(schema, relax)
    }
    return source === undefined ? v : create(() => relax(source.schema()))
  })

/** `validator` of `validate.ts`. */
type CreateValidator = (schema: () => ValidatorSchema) => Validator

type Relax = (schema: ValidatorSchema) => ValidatorSchema

const made = new WeakMap<Validator, Validator>()

const relaxKeywords = (schema: SchemaKeywords, relax: Relax): SchemaKeywords => {
  // These are unchanged: accepting more in them could reject more elsewhere.
  const { not, if: condition, contains, propertyNames, ...relaxable } = schema
  const kept = Object.entries({ not, if: condition, contains, propertyNames })
  const { enum: values, const: value, required, anyOf, oneOf, allOf = [], ...rest } = relaxable
  const literals = value === undefined ? values : [value]
  const unions = [anyOf, oneOf].flatMap((branches) =>
    branches === undefined ? [] : [{ anyOf: relaxBranches(branches, relax) }],
  )
  return {
    ...Object.fromEntries(kept.filter(([, one]) => one !== undefined)),
    ...mapSubschemas(rest, relax),
    ...(literals !== undefined && relaxLiterals(literals, schema)),
    ...(required !== undefined && {
      required: required.filter((name) => !acceptsNull(schema.properties?.[name])),
    }),
    ...((allOf.length > 0 || unions.length > 0) && {
      allOf: [...allOf.map(relax), ...unions],
    }),
  }
}

/** Any value of the types of the documented ones; objects and arrays are unchanged. */
const relaxLiterals = (literals: readonly unknown[], { type }: SchemaKeywords): SchemaKeywords => {
  const types = typesOf(literals)
  if (types === undefined) return { enum: literals }
  return { type: type ?? types }
}

const typesOf = (literals: readonly unknown[]): readonly TypeName[] | undefined => {
  const types = literals.map((literal) => (literal === null ? 'null' : typeof literal))
  return types.includes('object') ? undefined : ([...new Set(types)] as TypeName[])
}

/**
 * Whether a schema accepts null, by its keywords. Compiling the schema would compile everything that it references, for every
 * property.
 */
export const acceptsNull = (schema: ValidatorSchema | undefined): boolean => {
  if (schema === undefined || typeof schema === 'boolean') return schema ?? false
  if (isValidator(schema)) return schema.check(null)
  const { type, enum: values, const: value, allOf = [], anyOf, oneOf, not } = schema
  const { if: condition, then = true, else: other = true } = schema
  return (
    (type === undefined || [type].flat().includes('null')) &&
    (values === undefined || values.includes(null)) &&
    (value === undefined || value === null) &&
    allOf.every(acceptsNull) &&
    (anyOf === undefined || anyOf.some(acceptsNull)) &&
    (oneOf === undefined || oneOf.filter(acceptsNull).length === 1) &&
    (not === undefined || !acceptsNull(not)) &&
    (condition === undefined || acceptsNull(acceptsNull(condition) ? then : other))
  )
}

/** Branches with a discriminator keep its values; an additional branch accepts all other values of that property. */
const relaxBranches = (
  branches: readonly ValidatorSchema[],
  relax: Relax,
): readonly ValidatorSchema[] => {
  const found = findDiscriminator(branches.map(literalsOf))
  if (found === undefined) return branches.map(relax)
  const { key, branchOf } = found
  const known = [...branchOf.keys()]
  const types = typesOf(known)
  const variants = branches.map((branch, at) => ({
    allOf: [
      relax(branch),
      { properties: { [key]: { enum: known.filter((value) => branchOf.get(value) === at) } } },
    ],
  }))
  const unknown = { not: { enum: known }, ...(types && { type: types }) }
  return [...variants, { type: 'object', required: [key], properties: { [key]: unknown } } as const]
}
