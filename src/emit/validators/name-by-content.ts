import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import { capitalised, pascalCase } from '../../text/names.js'

/**
 * The name of a function that is derived from its schema alone, so that others share it: `String`, `ListOfHash`,
 * `MapOfStringMax500`, `BlockOrNull`.
 */
export function nameByContent(schema: Schema): string | undefined {
  if (schema === false || referredName(schema) !== undefined) return undefined
  if (schema === true || Object.keys(schema).length === 0) return 'Present'
  // `isObject` and `isArray` would be functions of the language and of this file.
  const isBare = schema.type === 'object' || schema.type === 'array'
  if (isBare && Object.keys(schema).length === 1) return undefined
  return nameOf(schema)
}

/** A name for a schema at a depth of the named one. */
function nameOf(schema: Schema, depth = 0): string | undefined {
  if (typeof schema === 'boolean' || depth > DEEPEST) return undefined
  const name = referredName(schema)
  if (name !== undefined) return capitalised(name)
  const { type, anyOf, oneOf, ...others } = schema
  const keywords = Object.keys(others)
  const union = anyOf ?? oneOf
  if (union)
    return type === undefined && keywords.length === 0 ? nameOfUnion(union, depth) : undefined
  if (Array.isArray(type)) {
    const [one, other] = type
    const isNullable = type.length === 2 && other === 'null' && one !== undefined
    return isNullable ? nullable(nameOf({ ...schema, type: one }, depth), depth) : undefined
  }
  if (typeof type !== 'string') return undefined
  if (keywords.length === 0) return pascalCase(type)
  if (type === 'array') return nameOfList(schema, keywords, depth + 1)
  if (type === 'object') return nameOfMap(schema, keywords, depth + 1)
  if (keywords.length === 1 && schema.enum) return nameOfTexts(schema.enum)
  return nameOfBounds(type, schema, keywords)
}

/** `ListOfListOfHash` is read, and a longer name is not. */
const DEEPEST = 2

function nameOfList(
  { items = true, maxItems, minItems = 0, prefixItems = [] }: SchemaObject,
  keywords: readonly string[],
  depth: number,
): string | undefined {
  if (keywords.length === 1 && maxItems === 0) return 'EmptyList'
  if (keywords.length === 1 && items !== true) return withPrefix('ListOf', nameOf(items, depth))
  const isTuple = items === false && keywords.length === (keywords.includes('minItems') ? 3 : 2)
  if (!isTuple || prefixItems.length === 0) return undefined
  const names = prefixItems.map((one) => nameOf(one, depth))
  if (names.includes(undefined)) return undefined
  const least = minItems === prefixItems.length ? '' : `From${minItems}`
  return `TupleOf${names.join('And')}${least}`
}

function nameOfMap(
  { additionalProperties, properties = {} }: SchemaObject,
  keywords: readonly string[],
  depth: number,
): string | undefined {
  if (Object.keys(properties).length > 0 || additionalProperties === undefined) return undefined
  if (keywords.some((key) => key !== 'properties' && key !== 'additionalProperties'))
    return undefined
  if (additionalProperties === false) return 'EmptyObject'
  return withPrefix('MapOf', nameOf(additionalProperties, depth))
}

/** `AscOrDesc`: a few words. */
function nameOfTexts(values: readonly unknown[]): string | undefined {
  const isWord = (value: unknown) => typeof value === 'string' && /^[A-Za-z][\w-]*$/.test(value)
  if (values.length > MOST_WORDS || !values.every(isWord)) return undefined
  const name = values.map((value) => pascalCase(String(value))).join('Or')
  return name.length <= LONGEST_NAME ? name : undefined
}

const MOST_WORDS = 4
const LONGEST_NAME = 40

/** `StringMax5000`, `IntegerMin1Max100`: a type with bounds that are natural numbers. */
function nameOfBounds(
  type: string,
  schema: SchemaObject,
  keywords: readonly string[],
): string | undefined {
  const [least, most] = type === 'string' ? TEXT_BOUNDS : NUMBER_BOUNDS
  const isNatural = (key: string) =>
    Number.isSafeInteger(schema[key as typeof least]) && Number(schema[key as typeof least]) >= 0
  if (!keywords.every((key) => (key === least || key === most) && isNatural(key))) return undefined
  const [min, max] = [schema[least], schema[most]]
  return `${pascalCase(type)}${min === undefined ? '' : `Min${min}`}${max === undefined ? '' : `Max${max}`}`
}

const TEXT_BOUNDS = ['minLength', 'maxLength'] as const
const NUMBER_BOUNDS = ['minimum', 'maximum'] as const

/** A name for the union of one schema and null. */
function nameOfUnion(branches: readonly Schema[], depth: number): string | undefined {
  const [one, other] = branches
  if (branches.length !== 2 || one === undefined || other === undefined) return undefined
  return isNull(other) ? nullable(nameOf(one, depth), depth) : undefined
}

/** `BlockOrNull`, and in a list or a map `ListOfNullableBlock`: a list that may be null is `ListOfBlockOrNull`. */
const nullable = (name: string | undefined, depth: number): string | undefined =>
  depth === 0 ? name?.concat('OrNull') : withPrefix('Nullable', name)

const isNull = (schema: Schema): boolean =>
  typeof schema === 'object' && schema.type === 'null' && Object.keys(schema).length === 1

const withPrefix = (prefix: string, name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${prefix}${name}`
