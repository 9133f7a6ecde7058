import type { Dialect, HttpDocument, RpcDocument, Tag } from '../model/api.js'
import { entriesOf, isObject, isReference } from '../model/json.js'
import type { NativeCurrency, Server } from '../runtime/operation.js'
import { fillTemplate } from '../runtime/shared/template.js'
import { withoutTrailingSlashes } from '../runtime/shared/trailing.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import type { Source } from '../schema/source.js'
import type { Bundle } from './bundle.js'
import { child, locate } from './document.js'
import { limits, objects, resolveIn, text } from './reading.js'

/** The OpenAPI document of an Api: all but its operations. */
export const httpDocument = (document: Bundle, dialect: Dialect): HttpDocument => ({
  kind: 'http',
  ...common(document, dialect),
})

/** The OpenRPC document of an Api: all but its methods. */
export function rpcDocument(document: Bundle): RpcDocument {
  const shared = common(document, rpcDialect(document))
  const path = /^(?:[^/?#]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(shared.servers[0]?.url ?? '')?.[1] ?? ''
  // Clients call the URL without its trailing slash.
  return { kind: 'rpc', ...shared, path: withoutTrailingSlashes(path) || '/' }
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
    servers: httpFirst(servers(document.value.servers)),
    tags: tags(document.value),
    limits: limits(document.value['x-limits']),
    bundled: document.value,
    source: sourceOf(document.value),
    dialect,
    sourceOf,
    passedBy: document.passedBy,
    numberText: numberTextIn(document),
  }
}

/** Returns the number at a member of an object or a list of a bundled document, as written. */
export const numberTextIn =
  (document: Bundle): HttpDocument['numberText'] =>
  (node, key, which) => {
    const origin = child(document.originOf(node), String(key))
    return origin.document.numberText(origin.pointer, which)
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
          // API Gateway exports `/{basePath}` with the value `/prod`.
          const isStep = text(server.url)?.includes(`/{${name}}`)
          const written = (one: unknown) => (isStep ? String(one).replace(/^\/+/, '') : String(one))
          const values = Array.isArray(known.enum) ? known.enum.map(written) : undefined
          return [
            name,
            {
              default: written(known.default ?? values?.[0] ?? ''),
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
 * The servers with those of HTTP first, which clients, the mock and the reference call by default: one of `ws:` needs another
 * link. A variable in place of the scheme has its default.
 */
export const httpFirst = (all: readonly Server[]): readonly Server[] => {
  const isOther = ({ url, variables }: Server) =>
    /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(
      fillTemplate(url, (name, whole) => variables[name]?.default ?? whole),
    )
  return [...all.filter((one) => !isOther(one)), ...all.filter(isOther)]
}

/** A URL without a host as a path on the server of the document: `v1` is `/v1`. */
const wholeUrl = (written: string): string =>
  /^(\/|\{|\$|$)|:\/\//.test(written) ? written : `/${written.replace(/^(\.{1,2}(\/|$))+/, '')}`

/**
 * The names by which clients choose servers. A server without a name is named after its host. The path is added if another
 * server has that host; without a host, its position is the name.
 */
function serverNames(servers: readonly JsonObject[]): readonly string[] {
  const written = servers.map((server) => text(server.name) ?? text(server['x-name']))
  const used = new Set(written)
  return servers.map((server, index) => {
    if (written[index] !== undefined) return written[index]
    const [, host = '', path = ''] =
      /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)([^?#]*)/i.exec(
        wholeUrl(text(server.url) ?? ''),
      ) ?? []
    const free = [host, host && host + path.replace(/\/$/, '')].find(
      (name) => name !== '' && !used.has(name),
    )
    const name = free ?? `server${index + 1}`
    used.add(name)
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
