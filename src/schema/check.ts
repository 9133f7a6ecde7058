import { cached } from '../runtime/shared/cached.js'
import { type Validator, type ValidatorSchema, validator } from '../runtime/validate.js'
import { isBigint } from './bigints.js'
import { ANNOTATIONS } from './keywords.js'
import { mapSubschemas, referredName, type Schema, type Schemas } from './schema.js'

/** Checks values against the schemas of an Api, by the one checker that generated code uses too. */
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

/** A named schema that has no title is known by its name where a fault speaks of it. */
export const titled = (name: string, schema: Schema): Schema =>
  typeof schema === 'boolean' ? schema : { title: name, ...schema }

/** Replaces every reference by what `link` gives for its name; only what a check reads is kept. */
export function linkSchema(schema: Schema, link: (name: string) => unknown): unknown {
  const name = referredName(schema)
  if (name !== undefined) return link(name)
  if (typeof schema === 'boolean') return schema
  const kept = Object.entries(schema).filter(
    // A fault names the branch that was meant by its title.
    ([key]) =>
      key === 'title' ||
      (key === 'x-bigint' && isBigint(schema)) ||
      (!ANNOTATIONS.has(key) && !key.startsWith('x-')),
  )
  return mapSubschemas(Object.fromEntries(kept), (item) => linkSchema(item, link))
}
