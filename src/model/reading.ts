import type { Limits } from '../runtime/operation.js'
import { cached } from '../runtime/shared/cached.js'
import { joinPointer, segmentsOf } from '../runtime/shared/pointer.js'
import { refTo, type Schema } from '../schema/schema.js'
import { recordSource, type Source, sourceOf } from '../schema/source.js'
import type { Dialect, JsonObject } from './api.js'
import type { Bundle } from './bundle.js'
import { locate, type Origin } from './document.js'
import type { Finding } from './finding.js'
import { isObject, isReference, type Reference, wordsSaid } from './json.js'
import { normalise } from './normalise.js'
import { readPages } from './pages.js'

/** Creates the context for reading one bundled document; used in every step. */
export function createReading(
  document: Bundle,
  dialect: Dialect,
  naming: Naming,
  report: (finding: Finding) => void,
): Reading {
  /** Parts that were made for a reference to a schema, with this reference. */
  const made = new WeakMap<object, object>()
  const origin = (node: object) => document.originOf(made.get(node) ?? node)
  const counting = wordsSaid(document.value, ['unevaluatedProperties']).size > 0
  const targets = new Map<string, JsonObject | undefined>()
  const resolve = (value: unknown) => {
    if (!isReference(value)) return isObject(value) ? value : undefined
    return cached(targets, value.$ref, () => resolveIn(document.value, value))
  }
  const parts = new Map<object, JsonObject>()

  /** A part that is a reference to a schema is read as a part with this schema, unless the target is such a part itself. */
  const partOf = (value: unknown) => {
    const target = resolve(value)
    if (!isReference(value) || !value.$ref.startsWith(SCHEMAS)) return target
    if (target && ('schema' in target || 'content' in target)) return target
    return cached(parts, value, () => {
      const { $ref, ...siblings } = value
      report({
        rule: 'reference-is-inexact',
        level: 'warning',
        location: locate(origin(value), '$ref'),
        message: `${$ref} is a schema, and another object is expected here: it is read as the schema of that object; write it under schema`,
      })
      const schema = { $ref }
      const part = { ...siblings, schema }
      for (const one of [schema, part]) made.set(one, value)
      return part
    })
  }

  return {
    document,
    report,
    resolve: partOf,
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
          const written = joinPointer('#', 'components', 'schemas', name)
          const known = naming.get(written)
          return known === undefined ? undefined : { $ref: refTo(known), written }
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

const SCHEMAS = '#/components/schemas/'

export type Reading = {
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

/** A flag; some generators write it as a text. */
export const flagOf = (value: unknown): boolean | undefined => FLAGS.get(value)

export const flag = (value: unknown) => flagOf(value) === true

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
])

export const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The fields that both kinds of operation have, most of them from extensions. */
export function promises(node: JsonObject) {
  const stability = node['x-stability-level']
  const access = node['x-access']
  return {
    summary: text(node.summary),
    description: text(node.description),
    stability: STABILITY.find((level) => level === stability),
    access: access === 'public' || access === 'key' ? access : undefined,
    idempotent: flag(node['x-idempotent']),
    pages: readPages(node['x-pagination']),
    deprecated: flag(node.deprecated),
    deprecatedAt: text(node['x-deprecated-at']),
    sunset: text(node['x-sunset']),
    replacedBy: text(node['x-replaced-by']),
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
