import type { Source } from './api.js'
import { locate, type Origin } from './origin.js'
import type { Schema } from './schema.js'

/** Where a schema of an Api was written; undefined for one that is not a document's own, such as `true`. */
export function sourceOf(schema: Schema): Source | undefined {
  const place = typeof schema === 'object' ? places.get(schema) : undefined
  return place && { locate: (...members) => locate(place, ...members) }
}

/** Remembers where a schema was written; the first place stays. */
export function recordSource(schema: object, place: Origin): void {
  if (!places.has(schema)) places.set(schema, place)
}

/** A schema that was made of another was written where that one was. */
export function inheritSource(made: object, original: object): void {
  const place = places.get(original)
  if (place) recordSource(made, place)
}

const places = new WeakMap<object, Origin>()
