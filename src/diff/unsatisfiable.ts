import type { Api } from '../model/api.js'
import { compilePattern } from '../runtime/validate.js'
import { dereference, type Schema, type SchemaObject } from '../schema/schema.js'
import { inheritSource } from '../schema/source.js'

/**
 * The names that an object requires and at the same time refuses, as it is closed and does not declare them: no value is valid.
 * Every such schema is contained in every other one, so that its changes would be lost.
 */
export function refusedNames(api: Api, schema: Schema): readonly string[] {
  const all = alwaysHolding(api, schema)
  const required = new Set(all.flatMap((one) => one.required ?? []))
  return [...required].filter((name) =>
    all.some(({ additionalProperties, properties = {}, patternProperties = {} }) =>
      Object.hasOwn(properties, name)
        ? // The model gives a required name a property of its own, which says what `additionalProperties` says.
          properties[name] === false
        : additionalProperties === false &&
          !Object.keys(patternProperties).some((one) => compilePattern(one).test(name)),
    ),
  )
}

/** The same schema, which does not require the names. */
export function withoutRequired(api: Api, given: Schema, names: readonly string[]): Schema {
  const schema = dereference(given, api.schemas)
  if (typeof schema === 'boolean') return schema
  const { required = [], allOf = [] } = schema
  const made: SchemaObject = {
    ...schema,
    required: required.filter((name) => !names.includes(name)),
    ...(allOf.length > 0 && { allOf: allOf.map((one) => withoutRequired(api, one, names)) }),
  }
  inheritSource(made, schema)
  return made
}

function alwaysHolding(api: Api, schema: Schema): readonly SchemaObject[] {
  const found = new Set<SchemaObject>()
  const waiting: Schema[] = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const one = dereference(next, api.schemas)
    if (typeof one === 'boolean' || found.has(one)) continue
    found.add(one)
    waiting.push(...(one.allOf ?? []))
  }
  return [...found]
}
