import type { Reading, ValidatorSchema } from '../validate.js'
import { type Complaints, complain, type Place } from './complaint.js'
import { type Explainer, explainerOf, explainRefused } from './explain-value.js'
import type { Holds } from './holds.js'
import type { JsonObject } from './json-value.js'
import { keywordsOf } from './schema-source.js'
import { property } from './wording.js'

/** What is asked of a property: to fit, or not to be there at all, by a keyword. */
export type Asked = {
  readonly forbidden: string | undefined
  /** What is asked where it is forbidden and its name is known. */
  readonly need: string | undefined
  readonly part: Explainer
  /** Whether nothing need be reported, where that is quick to say. */
  readonly holds: Holds | undefined
}

export const askedBy = (
  schema: ValidatorSchema,
  reading: Reading,
  forbidden = forbiddenBy(schema),
  need?: string,
): Asked => {
  const part = explainerOf(schema, reading)
  return { forbidden, need, part, holds: forbidden === undefined ? part.holds : undefined }
}

/** The same of a property whose name is known. */
export const askedOf = (name: string, schema: ValidatorSchema, reading: Reading): Asked =>
  askedBy(schema, reading, forbiddenBy(schema), needWithout(name))

export const ask = (
  asked: Asked,
  object: JsonObject,
  key: string,
  place: Place,
  out: Complaints,
): void => {
  if (!asked.holds?.(object[key])) refuse(asked, object, key, place, out)
}

/** What is to say of a property that is forbidden, or that did not hold where that was asked. */
export const refuse = (
  { forbidden, need, part }: Asked,
  object: JsonObject,
  key: string,
  place: Place,
  out: Complaints,
): void => {
  if (forbidden !== undefined) {
    const params = { property: key }
    complain(out, { place, keyword: forbidden, need: need ?? needWithout(key), params })
  } else {
    explainRefused(part, object, key, object[key], place, out)
  }
}

/** The keyword of a schema that nothing matches, which is how a request variant forbids a property. */
export const forbiddenBy = (schema: ValidatorSchema): string | undefined => {
  if (schema === false) return 'properties'
  const { not } = keywordsOf(schema) ?? {}
  if (not === undefined) return undefined
  const anything = not === true || (typeof not === 'object' && Object.keys(not).length === 0)
  return anything ? 'not' : undefined
}

const needWithout = (key: string): string => `not have the property ${property(key)}`
