import type { Limits, NativeCurrency, Server } from '../runtime/operation.js'
import { refTo, type Schema } from '../schema/schema.js'
import { recordSource, type Source, sourceOf } from '../schema/source.js'
import type { Dialect, JsonObject, Tag } from './api.js'
import type { Bundle } from './bundle.js'
import { DocumentError, type Finding } from './finding.js'
import { entriesOf, isObject, isReference, type Reference, wordsSaid } from './json.js'
import { normalise } from './normalise.js'
import { locate, type Origin } from './origin.js'
import { readPages } from './pagination.js'
import { joinPointer, segmentsOf } from './pointer.js'

/** What reading one bundled document needs at every step; made once per document. */
export function createReading(
  document: Bundle,
  dialect: Dialect,
  naming: Naming,
  tell: (finding: Finding) => void,
): Reading {
  const origin = (node: object) => document.originOf(node)
  const refuse = (rule: string, place: object | Origin, message: string) =>
    new DocumentError({ rule, level: 'error', location: locate(asOrigin(place)), message })

  const counting = wordsSaid(document.value, ['unevaluatedProperties']).size > 0
  const resolve = (value: unknown) => {
    if (!isReference(value)) return isObject(value) ? value : undefined
    return resolveIn(document.value, value)
  }

  return {
    document,
    tell,
    refuse,
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
          throw refuse('reference-is-no-schema', place, `${ref} is no schema`)
        },
        tell,
        resolve,
        counting,
      }),
  }

  function asOrigin(place: object | Origin): Origin {
    return 'document' in place && 'pointer' in place ? (place as Origin) : origin(place)
  }
}

export type Reading = {
  readonly document: Bundle
  readonly tell: (finding: Finding) => void
  readonly refuse: (rule: string, place: object | Origin, message: string) => DocumentError
  readonly source: (node: object, ...path: readonly (string | number)[]) => Source
  readonly sourceOfSchema: (schema: Schema, fallback: object) => Source
  /** The object itself, or the component that it refers to. */
  readonly resolve: (value: unknown) => JsonObject | undefined
  readonly schema: (raw: unknown, parent: object, key: string) => Schema
}

/** `#/components/schemas/X` in one document -> the name that this schema has in the Api. */
export type Naming = ReadonlyMap<string, string>

/** A text; YAML reads some of them, such as a version or a year, as numbers. */
export const text = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

export const flag = (value: unknown) => value === true

export const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The fields that both kinds of operation take from extensions. */
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
    sunset: text(node['x-sunset']),
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

/**
 * Servers of either document; one without a name is called by its host. OpenRPC, Runtime Expression, writes a variable as
 * `${name}`, and OpenAPI as `{name}`: both are read, where the variable is declared.
 */
export function servers(value: unknown): readonly Server[] {
  const all = objects(value)
  const names = serverNames(all)
  return all.map((server, index) => {
    const chainId = server['x-chain-id']
    const nativeCurrency = currency(server['x-native-currency'])
    return {
      name: names[index] ?? '',
      url: (text(server.url) ?? '/').replace(/\$(\{([^{}]+)\})/g, (whole, braced, variable) =>
        isObject(server.variables) && Object.hasOwn(server.variables, variable) ? braced : whole,
      ),
      variables: Object.fromEntries(
        entriesOf(server.variables).map(([name, variable]) => {
          const known = isObject(variable) ? variable : {}
          const values = Array.isArray(known.enum) ? known.enum.map(String) : undefined
          return [
            name,
            {
              default: String(known.default ?? values?.[0] ?? ''),
              ...(values && { enum: values }),
              ...(known['x-secret'] === true && { secret: true }),
            },
          ]
        }),
      ),
      ...(typeof chainId === 'number' && { chainId }),
      ...(nativeCurrency && { nativeCurrency }),
    }
  })
}

/**
 * What clients choose servers by. One without a name is called by its host, by host and path where another has that host
 * already, and by its position where it has no host.
 */
function serverNames(servers: readonly JsonObject[]): readonly string[] {
  const given = servers.map((server) => text(server.name) ?? text(server['x-name']))
  const taken = new Set(given)
  return servers.map((server, index) => {
    if (given[index] !== undefined) return given[index]
    const [, host = '', path = ''] =
      /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)([^?#]*)/i.exec(text(server.url) ?? '') ?? []
    const free = [host, host && host + path.replace(/\/$/, '')].find(
      (name) => name !== '' && !taken.has(name),
    )
    const name = free ?? `server${index + 1}`
    taken.add(name)
    return name
  })
}

/** Undefined where one of its parts is missing. */
function currency(value: unknown): NativeCurrency | undefined {
  const { name, symbol, decimals } = isObject(value) ? value : {}
  return typeof name === 'string' && typeof symbol === 'string' && typeof decimals === 'number'
    ? { name, symbol, decimals }
    : undefined
}

/** The tags that either document describes; the first of a name counts. */
export function tags(document: JsonObject): readonly Tag[] {
  const written = [
    ...objects(document.tags),
    ...objects(document.methods).flatMap((method) => objects(method.tags)),
  ]
  const byName = new Map<string, Tag>()
  for (const entry of written) {
    const node = isReference(entry) ? resolveIn(document, entry) : entry
    const name = text(node?.name)
    if (!node || name === undefined || byName.has(name)) continue
    byName.set(name, {
      name,
      summary: text(node.summary),
      description: text(node.description),
      parent: text(node.parent),
      kind: text(node.kind),
    })
  }
  return [...byName.values()]
}

function resolveIn(document: JsonObject, { $ref }: Reference): JsonObject | undefined {
  let found: unknown = document
  for (const segment of segmentsOf($ref.slice(1))) {
    found = isObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined
  }
  return isObject(found) ? found : undefined
}
