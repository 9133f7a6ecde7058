import type { Limits, NativeCurrency, Server } from '../runtime/operation.js'
import { cached } from '../runtime/shared/cached.js'
import { joinPointer, segmentsOf } from '../runtime/shared/pointer.js'
import { refTo, type Schema } from '../schema/schema.js'
import { recordSource, type Source, sourceOf } from '../schema/source.js'
import type { Dialect, HttpDocument, JsonObject, RpcDocument, Tag } from './api.js'
import type { Bundle } from './bundle.js'
import { child, locate, type Origin } from './document.js'
import type { Finding } from './finding.js'
import { entriesOf, isObject, isReference, type Reference, wordsSaid } from './json.js'
import { normalise } from './normalise.js'
import { readPages } from './pages.js'

/** Creates the context for reading one bundled document; used in every step. */
export function createReading(
  document: Bundle,
  dialect: Dialect,
  naming: Naming,
  report: (finding: Finding) => void,
): Reading {
  const origin = (node: object) => document.originOf(node)
  const counting = wordsSaid(document.value, ['unevaluatedProperties']).size > 0
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
        report,
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
  readonly report: (finding: Finding) => void
  readonly source: (node: object, ...path: readonly (string | number)[]) => Source
  readonly sourceOfSchema: (schema: Schema, fallback: object) => Source
  /** The object itself, or the component to which it refers. */
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

function limits(value: unknown): Limits {
  const known = ['requestsPerMinute', 'batchSize', 'payloadBytes'] as const
  return Object.fromEntries(
    known.flatMap((key) => {
      const limit = isObject(value) ? value[key] : undefined
      return typeof limit === 'number' ? [[key, limit]] : []
    }),
  )
}

/**
 * Servers of either document; a server without a name has the name of its host. OpenRPC (Runtime Expression) writes a variable
 * as `${name}`, OpenAPI as `{name}`; both are read if the variable is declared.
 */
export function servers(value: unknown): readonly Server[] {
  const all = objects(value)
  const names = serverNames(all)
  return all.map((server, index) => {
    const chainId = server['x-chain-id']
    const nativeCurrency = currency(server['x-native-currency'])
    return {
      name: names[index] ?? '',
      url: wholeUrl(text(server.url) ?? '/').replace(
        /\$(\{([^{}]+)\})/g,
        (whole, braced, variable) =>
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
 * The URL that the author meant. `api.example.com/v1` is a host with a path, though RFC 3986 reads a relative path. `v1` is a path on
 * the server of the document.
 */
function wholeUrl(written: string): string {
  const [authority = ''] = /^[^/?#]*/.exec(written) ?? []
  if (written.includes('://') || authority.startsWith('$')) return written
  if (written.startsWith('//')) return `https:${written}`
  if (/^localhost\b/i.test(authority)) return `http://${written}`
  if (/^[^.].*(\.[a-z]{2,}|:(\d+|\{[^{}]*\}))$/i.test(authority)) return `https://${written}`
  return /^(\/|\{|$)/.test(written) ? written : `/${written.replace(/^(\.{1,2}(\/|$))+/, '')}`
}

/**
 * The names by which clients choose servers. A server without a name is named after its host. The path is added if another
 * server has that host; without a host, its position is the name.
 */
function serverNames(servers: readonly JsonObject[]): readonly string[] {
  const given = servers.map((server) => text(server.name) ?? text(server['x-name']))
  const taken = new Set(given)
  return servers.map((server, index) => {
    if (given[index] !== undefined) return given[index]
    const [, host = '', path = ''] =
      /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)([^?#]*)/i.exec(
        wholeUrl(text(server.url) ?? ''),
      ) ?? []
    const free = [host, host && host + path.replace(/\/$/, '')].find(
      (name) => name !== '' && !taken.has(name),
    )
    const name = free ?? `server${index + 1}`
    taken.add(name)
    return name
  })
}

/** Undefined if a field is missing. */
function currency(value: unknown): NativeCurrency | undefined {
  const { name, symbol, decimals } = isObject(value) ? value : {}
  return typeof name === 'string' && typeof symbol === 'string' && typeof decimals === 'number'
    ? { name, symbol, decimals }
    : undefined
}

/** The tags that either document describes; the first one with a name applies. */
function tags(document: JsonObject): readonly Tag[] {
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

/** OpenRPC 1.3, Schema Object: draft-07, unless the document names another dialect. */
export function rpcDialect(document: Bundle): Dialect {
  const { components } = document.value
  const schemas = isObject(components) ? entriesOf(components.schemas) : []
  const named = schemas.some(
    ([, schema]) => isObject(schema) && /2019-09|2020-12/.test(String(schema.$schema)),
  )
  return named ? '2020-12' : 'draft-07'
}

function common(document: Bundle, dialect: Dialect) {
  const info = isObject(document.value.info) ? document.value.info : {}
  const sourceOf = (node: object): Source => ({
    locate: (...members) => locate(document.originOf(node), ...members),
  })
  return {
    title: text(info.title) ?? 'Untitled',
    version: text(info.version) ?? '0.0.0',
    description: text(info.description),
    servers: servers(document.value.servers),
    tags: tags(document.value),
    limits: limits(document.value['x-limits']),
    bundled: document.value,
    source: sourceOf(document.value),
    dialect,
    sourceOf,
    numberText: numberTextIn(document),
  }
}

/** Returns the number at a member of an object or a list of a bundled document, as written. */
export const numberTextIn =
  (document: Bundle): HttpDocument['numberText'] =>
  (node, key) => {
    const origin = child(document.originOf(node), String(key))
    return origin.document.numberText(origin.pointer)
  }

export const httpDocument = (document: Bundle, dialect: Dialect): HttpDocument => ({
  kind: 'http',
  ...common(document, dialect),
})

export function rpcDocument(document: Bundle): RpcDocument {
  const shared = common(document, rpcDialect(document))
  const path = /^(?:[^/?#]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(shared.servers[0]?.url ?? '')?.[1] ?? ''
  // Clients call the URL without its trailing slash.
  return { kind: 'rpc', ...shared, path: path.replace(/\/+$/, '') || '/' }
}
