import type { JsonObject } from '../runtime/validate/json-value.js'
import { isObject } from '../runtime/validate/json-value.js'

export type Reference = { readonly $ref: string; readonly [key: string]: unknown }

export { isObject }

export const isReference = (value: unknown): value is Reference =>
  isObject(value) && typeof value.$ref === 'string'

/** The words that a document contains as a key or as a whole text. */
export function wordsIn(value: unknown, words: readonly string[]): ReadonlySet<string> {
  const asked = new Set(words)
  const found = new Set<string>()
  const visit = (one: unknown) => {
    if (typeof one === 'string' && asked.has(one)) found.add(one)
    if (typeof one !== 'object' || one === null) return
    if (isObject(one)) for (const key of Object.keys(one)) if (asked.has(key)) found.add(key)
    for (const member of Object.values(one)) visit(member)
  }
  visit(value)
  return found
}

/** Sets a member, also `__proto__`: its assignment would set the prototype instead. */
export function define(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') record[key] = value
  else {
    const always = { enumerable: true, configurable: true, writable: true }
    Object.defineProperty(record, key, { value, ...always })
  }
}

/** The object itself if no member changes, so that most of a document is not stored twice. */
export function changed(
  value: JsonObject,
  change: (member: unknown, key: string) => unknown,
): JsonObject {
  const keys = Object.keys(value)
  let record: Record<string, unknown> | undefined
  for (const [at, key] of keys.entries()) {
    const member = value[key]
    const made = change(member, key)
    if (record === undefined && made === member) continue
    if (record === undefined) {
      record = {}
      for (const before of keys.slice(0, at)) define(record, before, value[before])
    }
    define(record, key, made)
  }
  return record ?? value
}

export const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : []

/** The members of an object that are defined. */
export const defined = <Members extends object>(members: Members): Defined<Members> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Defined<Members>

type Defined<Members> = { readonly [Key in keyof Members]?: Exclude<Members[Key], undefined> }
