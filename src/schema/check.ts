import { cached } from '../runtime/shared/cached.js'
import { type Validator, type ValidatorSchema, validator } from '../runtime/validate.js'
import { isBigint } from './bigints.js'
import { ANNOTATIONS, ASSERTIONS } from './keywords.js'
import { mapSubschemas, referredName, type Schema, type Schemas } from './schema.js'

/** Validates values against the schemas of an Api, with the validator that generated code uses too. */
export function createChecker(schemas: Schemas): Checker {
  const named = new Map<string, Validator>()
  const compiled = new Map<Schema, Validator>()

  const byName = (name: string): Validator =>
    cached(named, name, () =>
      validator(() => linked(titled(name, schemas.get(name)?.schema ?? true))),
    )

  const bySchema = (schema: Schema): Validator =>
    cached(compiled, schema, () => validator(() => linked(schema)))

  const linked = (schema: Schema): ValidatorSchema => linkSchema(schema, byName) as ValidatorSchema

  return { named: byName, schema: bySchema }
}

export type Checker = {
  /** The validator of a named schema. */
  readonly named: (name: string) => Validator
  readonly schema: (schema: Schema) => Validator
}

/** Adds the name of a named schema as its title, if it has none, for the messages of faults. */
export const titled = (name: string, schema: Schema): Schema =>
  typeof schema === 'boolean' ? schema : { title: name, ...schema }

/** Replaces every reference by the result of `link` for its name, and keeps only the keywords that a check reads. */
export function linkSchema(schema: Schema, link: (name: string) => unknown): unknown {
  const name = referredName(schema)
  if (name !== undefined) return link(name)
  if (typeof schema === 'boolean') return schema
  const kept = Object.entries(schema).filter(
    // A fault names the best matching branch by its title.
    ([key]) =>
      key === 'title' ||
      (key === 'x-bigint' && isBigint(schema)) ||
      ASSERTIONS.has(key) ||
      (!ANNOTATIONS.has(key) && !key.startsWith('x-')),
  )
  return mapSubschemas(Object.fromEntries(kept), (item) => linkSchema(item, link))
}
