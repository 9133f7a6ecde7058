import type { Reading, SchemaKeywords, TypeName, ValidatorSchema } from '../validate.js'
import { compile } from './check-value.js'
import { type Holds, holdsOf } from './holds.js'
import { isValidator, keywordsOf, sourceOf } from './schema-source.js'

/** Where the verdict costs less than to remember the place of the value, or finds what is meant by a property. */
export const quickCheck = (schema: SchemaKeywords, reading: Reading): Holds | undefined => {
  const isUnion = Object.keys(schema).every((key) => key === 'anyOf' || key === 'oneOf')
  if (isUnion) return holdsOf(schema, reading)
  if (combines(schema)) return undefined
  const types = typesOf(schema)
  const isScalar = types?.every(isScalarType) ?? ('const' in schema || schema.enum !== undefined)
  return isScalar || isListOfScalars(schema) ? compile(schema, reading) : undefined
}

const combines = ({ allOf, anyOf, oneOf, not, if: condition }: SchemaKeywords): boolean =>
  [allOf, anyOf, oneOf, not, condition].some((one) => one !== undefined)

const typesOf = ({ type }: SchemaKeywords): readonly TypeName[] | undefined =>
  typeof type === 'string' ? [type] : type

const isScalarType = (type: TypeName): boolean => type !== 'object' && type !== 'array'

/** A list of what costs little to look at twice. */
const isListOfScalars = (schema: SchemaKeywords): boolean => {
  const { type, items = true, prefixItems = [] } = schema
  const isMore = schema.uniqueItems || schema.contains !== undefined
  if (type !== 'array' || isMore || schema.unevaluatedItems !== undefined) return false
  return [...prefixItems, items].every(isScalarSchema)
}

const isScalarSchema = (schema: ValidatorSchema): boolean => {
  // What is not written ahead of time may lead in a circle.
  if (isValidator(schema) && sourceOf(schema)?.checks === undefined) return false
  if (schema === true) return true
  const keywords = keywordsOf(schema)
  if (keywords === undefined || combines(keywords)) return false
  return typesOf(keywords)?.every(isScalarType) ?? Object.keys(keywords).length === 0
}
