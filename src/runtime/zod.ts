import * as z from 'zod'
import { schemaIssuesOf } from './validate/issues.js'
import { isValidator, type ValidatorSchema } from './validate/validator.js'
import { validator } from './validate.js'

/**
 * What the schemas of `zod.ts` need beside Zod itself, so that they accept what JSON Schema accepts.
 */

/** Any integer, `1e300` too: `z.int()` accepts safe ones only. */
export const integer = (): z.ZodNumber =>
  z.number().check(z.refine(Number.isInteger, { error: 'must be an integer' }))

/** An object that keeps other properties, but does not have them in its type. */
export const openObject = <const Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> =>
  z.looseObject(shape) as unknown as z.ZodObject<Shape>

/** A property that may be absent. Its type is `name?: Value`, also with `exactOptionalPropertyTypes`. */
export const optional = <Value extends z.ZodType>(value: Value): z.ZodExactOptional<Value> =>
  z.optional(value) as unknown as z.ZodExactOptional<Value>

/** A check of keywords that Zod does not have, or reads differently, by the validator of a schema. */
export const keywords = (schema: ValidatorSchema): z.core.CheckFn<unknown> => {
  const own = typeof schema === 'object' && isValidator(schema) ? schema : validator(() => schema)
  return ({ value, issues }) => {
    for (const { message, path } of schemaIssuesOf(own, value)) {
      issues.push({ code: 'custom', message, path: [...path], input: value })
    }
  }
}

/** A schema that its validator checks as a whole. */
export const conforms = <T>(schema: ValidatorSchema): z.ZodType<T, T> =>
  z.unknown().check(keywords(schema)) as unknown as z.ZodType<T, T>
