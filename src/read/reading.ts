import type { Dialect } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { defined, isObject, isReference, type Reference, wordsIn } from '../model/json.js'
import { readPages } from '../model/pages.js'
import type { Limits } from '../runtime/operation.js'
import { cached } from '../runtime/shared/cached.js'
import { joinPointer, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { refTo, type Schema } from '../schema/schema.js'
import { recordSource, type Source, sourceOf } from '../schema/source.js'
import type { Bundle } from './bundle.js'
import { locate, type Origin } from './document.js'
import { normalise } from './normalise.js'

/** Creates the context for reading one bundled document; used in every step. */
export function createReading(
  document: Bundle,
  dialect: Dialect,
  naming: Naming,
  report: (finding: Finding) => void,
): ReadContext {
  const origin = document.originOf
  const counting = wordsIn(document.value, ['unevaluatedProperties']).size > 0
  const targets = new Map<string, JsonObject | undefined>()
  const resolve = (value: unknown) => {
    if (!isReference(value)) return isObject(value) ? value : undefined
    return cached(targets, value.$ref, () => resolveIn(document.value, value))
  }
  return {
    document,
    report,
    resolve,
    source: (node, ...path) => ({
      locate: (...members) => locate(asOrigin(node), ...path, ...members),
    }),
    sourceOfSchema: (schema, fallback) =>
      sourceOf(schema) ?? { locate: (...members) => locate(asOrigin(fallback), ...members) },
    schema: (raw, parent, key) =>
      normalise(raw, {
        dialect,
        here: {
          document: origin(parent).document,
          pointer: joinPointer(origin(parent).pointer, key),
        },
        originOf: origin,
        record: (schema, origin) =>
          recordSource(schema, { locate: (...members) => locate(origin, ...members) }),
        refer: (ref, place) => {
          const name = naming.get(ref)
          if (name) return refTo(name)
          report({
            rule: 'reference-is-no-schema',
            level: 'warning',
            location: locate(place, '$ref'),
            message: `${ref} is not a schema: it is read as one that accepts every value; refer to a schema`,
          })
          return undefined
        },
        named: (name) => {
          const known = naming.get(joinPointer('#', 'components', 'schemas', name))
          return known === undefined ? undefined : refTo(known)
        },
        report,
        resolve,
        counting,
      }),
  }

  function asOrigin(place: object | Origin): Origin {
    return 'document' in place && 'pointer' in place ? (place as Origin) : origin(place)
  }
}

export type ReadContext = {
  readonly document: Bundle
  readonly report: (finding: Finding) => void
  readonly source: (node: object, ...path: readonly (string | number)[]) => Source
  readonly sourceOfSchema: (schema: Schema, fallback: object) => Source
  /** An object other than a schema, or the component to which it refers. */
  readonly resolve: (value: unknown) => JsonObject | undefined
  readonly schema: (raw: unknown, parent: object, key: string) => Schema
}

/** `#/components/schemas/X` in one document -> the name that this schema has in the Api. */
export type Naming = ReadonlyMap<string, string>

/** A text; YAML reads some texts, such as a version or a year, as numbers. */
export const text = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** A flag that is false unless it is written. */
export const flag = (value: unknown): boolean => value === true

export const flagOf = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined

export const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The fields that both kinds of operation have, most of them from extensions. */
export function commonFields(node: JsonObject) {
  const access = node['x-access']
  return {
    ...defined({
      stability: STABILITY.find((level) => level === node['x-stability-level']),
      access: access === 'public' || access === 'key' ? access : undefined,
      pages: readPages(node['x-pagination']),
      deprecatedAt: text(node['x-deprecated-at']),
      sunset: text(node['x-sunset']),
      replacedBy: text(node['x-replaced-by']),
    } as const),
    summary: text(node.summary),
    description: text(node.description),
    idempotent: flag(node['x-idempotent']),
    deprecated: flag(node.deprecated),
    limits: limits(node['x-limits']),
    notShown: text(node['x-not-shown']),
    assumption: text(node['x-assumption']),
  } as const
}

const STABILITY = ['draft', 'alpha', 'beta', 'stable'] as const

export function limits(value: unknown): Limits {
  const known = ['requestsPerMinute', 'batchSize', 'payloadBytes'] as const
  return Object.fromEntries(
    known.flatMap((key) => {
      const limit = isObject(value) ? value[key] : undefined
      return typeof limit === 'number' ? [[key, limit]] : []
    }),
  )
}

/** The object at a local reference of a bundled document. */
export function resolveIn(document: JsonObject, { $ref }: Reference): JsonObject | undefined {
  let found: unknown = document
  for (const segment of segmentsOf($ref.slice(1))) {
    found = isObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined
  }
  return isObject(found) ? found : undefined
}
