import * as v from 'valibot'
import { schemaIssuesOf } from './validate/issues.js'
import { isObject } from './validate/json-value.js'
import { isValidator, type ValidatorSchema } from './validate/validator.js'
import { validator } from './validate.js'

/**
 * What the schemas of `valibot.ts` need beside Valibot itself, so that they accept what JSON Schema accepts.
 */

/** An object that accepts other properties, but does not have them in its type. */
export const openObject = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, undefined> =>
  asObject(v.looseObject(entries)) as unknown as v.ObjectSchema<Entries, undefined>

/** An object that also has other properties in its type. */
export const looseObject = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.LooseObjectSchema<Entries, undefined> => asObject(v.looseObject(entries))

/** An object that has no other properties. */
export const closedObject = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, undefined> => asObject(v.strictObject(entries))

/** An object whose other properties have one schema. */
export const objectWithRest = <
  const Entries extends v.ObjectEntries,
  const Rest extends v.GenericSchema,
>(
  entries: Entries,
  rest: Rest,
): v.ObjectWithRestSchema<Entries, Rest, undefined> =>
  asObject(v.objectWithRest(entries, rest), rest)

/** An object with any names, whose values have one schema. */
export const map = <const Value extends v.GenericSchema>(
  value: Value,
): v.RecordSchema<v.StringSchema<undefined>, Value, undefined> =>
  asObject(v.record(v.string(), value), value)

/** A list of exactly these items: Valibot accepts a shorter one if a schema accepts `undefined`. */
export const tuple = <const Items extends v.TupleItems>(
  items: Items,
): v.StrictTupleSchema<Items, undefined> => {
  const schema = v.strictTuple(items)
  const run = schema['~run']
  return Object.assign(schema, {
    '~run'(this: typeof schema, dataset: Dataset, config: Config): Result {
      const { value } = dataset
      if (!Array.isArray(value) || value.length >= this.items.length) {
        return run.call(this, dataset, config)
      }
      const message = `must have ${this.items.length} items, has ${value.length}`
      v._addIssue(this, 'type', dataset, config, { message })
      return dataset as unknown as Result
    },
  }) as unknown as typeof schema
}

/** A property that may be absent. Its type is `name?: Value`, also with `exactOptionalPropertyTypes`. */
export const optional = <const Value extends v.GenericSchema>(
  value: Value,
): v.ExactOptionalSchema<Value, undefined> =>
  v.optional(value) as unknown as v.ExactOptionalSchema<Value, undefined>

/** A text that begins with `0x`. */
export const hex = (): v.GenericSchema<`0x${string}`> =>
  v.pipe(v.string(), v.startsWith('0x')) as unknown as v.GenericSchema<`0x${string}`>

/** A union of which exactly one branch accepts a value. */
export const oneOf = <const Branches extends v.UnionOptions>(
  branches: Branches,
): v.UnionSchema<Branches, undefined> =>
  Object.assign(v.union(branches), {
    '~run'(this: v.UnionSchema<Branches, undefined>, dataset: Dataset, config: Config): Result {
      const { value } = dataset
      const results = this.options.map((one) => one['~run']({ value }, config))
      const matching = results.filter(({ issues }) => issues === undefined)
      const [only] = matching
      if (only !== undefined && matching.length === 1) return only
      const issues = results.flatMap((one) => one.issues ?? [])
      const why = only
        ? { message: 'must match only one alternative' }
        : { ...(isNotEmpty(issues) && { issues }) }
      v._addIssue(this, 'type', dataset, config, why)
      return dataset as unknown as Result
    },
  }) as unknown as v.UnionSchema<Branches, undefined>

/** A check of keywords that Valibot does not have, or reads differently, by the validator of a schema. */
export const keywords = <T>(schema: ValidatorSchema): v.RawCheckAction<T> => {
  const own = typeof schema === 'object' && isValidator(schema) ? schema : validator(() => schema)
  return v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const { message, path } of schemaIssuesOf(own, dataset.value)) {
      addIssue({ message, ...pathOf(path, dataset.value) })
    }
  })
}

/** A schema that its validator checks as a whole. */
export const conforms = <T>(schema: ValidatorSchema): v.GenericSchema<T> =>
  v.pipe(v.unknown(), keywords(schema)) as unknown as v.GenericSchema<T>

type Dataset = v.UnknownDataset
type Config = v.Config<v.BaseIssue<unknown>>
type Result = v.OutputDataset<unknown, v.BaseIssue<unknown>>
type Path = [v.IssuePathItem, ...v.IssuePathItem[]]

/** A schema of objects as Valibot makes it: with properties, or as a map. */
type AnyObject = v.GenericSchema & { readonly entries?: object }

/**
 * Valibot accepts a list as an object, and leaves some names out of its result. Here a list is rejected, all names are checked,
 * and the result is the value itself.
 */
const asObject = <Schema extends AnyObject>(schema: Schema, rest?: v.GenericSchema): Schema => {
  const run = schema['~run']
  return Object.assign(schema, {
    // Called on copies too, which `v.partial` and others make.
    '~run'(this: Schema, dataset: Dataset, config: Config): Result {
      const input = dataset.value
      if (!isObject(input)) {
        v._addIssue(this, 'type', dataset, config)
        return dataset as unknown as Result
      }
      const result = run.call(this, dataset, config)
      if (rest !== undefined) {
        for (const key of LEFT_OUT) {
          if (!Object.hasOwn(input, key) || Object.hasOwn(this.entries ?? {}, key)) continue
          const { issues = [] } = rest['~run']({ value: input[key] }, config)
          if (issues.length > 0) fail(result, issues, itemOf(input, key))
        }
      }
      return result.typed ? Object.assign(result, { value: input }) : result
    },
  })
}

const LEFT_OUT = ['__proto__', 'constructor', 'prototype']

const fail = (
  result: Result,
  issues: readonly v.BaseIssue<unknown>[],
  item: v.IssuePathItem,
): void => {
  const inside = issues.map((issue) => ({ ...issue, path: [item, ...(issue.path ?? [])] as Path }))
  Object.assign(result, { typed: false, issues: [...(result.issues ?? []), ...inside] })
}

const pathOf = (keys: readonly (string | number)[], value: unknown): { path?: Path } => {
  let at = value
  const items = keys.map((key) => {
    const item = itemOf(at, key)
    at = item.value
    return item
  })
  return isNotEmpty(items) ? { path: items } : {}
}

const itemOf = (input: unknown, key: string | number): v.IssuePathItem => {
  const value = (input as Readonly<Record<string, unknown>>)[key]
  return Array.isArray(input)
    ? { type: 'array', origin: 'value', input, key: Number(key), value }
    : {
        type: 'object',
        origin: 'value',
        input: input as Record<string, unknown>,
        key: String(key),
        value,
      }
}

const isNotEmpty = <T>(list: readonly T[]): list is [T, ...T[]] => list.length > 0
