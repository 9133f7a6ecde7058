import { mapSubschemas } from './subschemas.js'
import type { Checks, SchemaKeywords, Validator, ValidatorSchema } from './validator.js'

/** A schema as JSON has it: the name of a validator is in place of the validator. */
export type NamedSchema = string | boolean | { readonly [keyword: string]: unknown }

export type NamedValidators = Readonly<Record<string, Validator>>

/** Validators in place of checks, at the same keys. */
export type ExplainedParts<Own> =
  Own extends Checks<infer T>
    ? Validator<T>
    : { readonly [Key in keyof Own]: ExplainedParts<Own[Key]> }

/** Puts the validators in place of their names. Throws a TypeError where a name has none. */
export const linkNames = (schema: NamedSchema, validators: NamedValidators): ValidatorSchema => {
  if (typeof schema === 'boolean') return schema
  if (typeof schema === 'string') {
    const validator = validators[schema]
    if (validator === undefined) throw new TypeError(`There is no validator ${schema}`)
    return validator
  }
  return mapSubschemas(schema, (one: NamedSchema) => linkNames(one, validators)) as SchemaKeywords
}
