import type { Api, HttpOperation } from '../model/api.js'
import { cached } from '../runtime/shared/cached.js'
import { withoutNames } from '../runtime/shared/template.js'
import { withoutTrailingSlashes } from '../runtime/shared/trailing.js'
import { createRoutes, type Routes, withoutQuery } from '../runtime/wire/routes.js'
import type { Sent } from './exchange.js'

/** The addresses of one server for the operations of an Api. */
export type ServerAddresses = {
  /** Base of all paths of the OpenAPI document, without a trailing slash; undefined without one. */
  readonly http: string | undefined
  /** Id of an operation with its own servers -> their base; undefined if no permitted one was named. */
  readonly own?: ReadonlyMap<string, string | undefined>
  /** The one address of the OpenRPC document; undefined without one. */
  readonly rpc: string | undefined
  /** The same address with another key, if it contains one. */
  readonly rpcWithKey?: ((key: string) => string) | undefined
}

/** The route of a request: an HTTP operation, or the JSON-RPC endpoint. Undefined if the documents declare neither. */
export const routeOf = (
  api: Api,
  target: ServerAddresses,
  { method, url }: Pick<Sent, 'method' | 'url'>,
): Route | undefined => {
  const address = withoutQuery(url)
  // The messages of one endpoint have the same meaning with a slash behind its address, which people often write.
  if (target.rpc !== undefined && isRpcAddress(target, withoutTrailingSlashes(address)))
    return method === 'POST' ? { operation: 'rpc', path: {} } : undefined
  return httpOperation(api, target, method, address)
}

export type Route = { readonly operation: HttpOperation | 'rpc'; readonly path: PathTexts }

/** The texts of path parameters by name, still percent-encoded. */
export type PathTexts = Readonly<Record<string, string>>

/** Whether this is the JSON-RPC address, with any key, by the router of servers. */
const isRpcAddress = (target: ServerAddresses, address: string): boolean =>
  cached(ofRpc, target, () => rpcRoutes(target))('', `/${address}`).kind === 'found'

const rpcRoutes = ({ rpc, rpcWithKey }: ServerAddresses): Routes<'rpc'> => {
  const withKey = rpcWithKey?.(KEY).replaceAll(KEY, `{${KEY}}`)
  const urls = [rpc, withKey].filter((url) => url !== undefined)
  return createRoutes(
    urls.map((url) => ({ method: '', path: `/${withoutTrailingSlashes(url)}`, target: 'rpc' })),
  )
}

const KEY = 'place-of-the-key'

const ofRpc = new WeakMap<ServerAddresses, Routes<'rpc'>>()

/** The operation by the router of servers. Operations may have bases of their own, which are then parts of the paths. */
const httpOperation = (
  api: Api,
  target: ServerAddresses,
  method: string,
  address: string,
): Route | undefined => {
  const { http: base = '', own } = target
  const path = own ? `/${address}` : address.slice(base.length)
  if (own === undefined && (target.http === undefined || !address.startsWith(`${base}/`)))
    return undefined
  const find = own
    ? cached(ofTargets, target, () => routesOf(api, (one) => baseFor(target, one)))
    : cached(ofApis, api, () => routesOf(api, () => undefined))
  const match = find(method, path)
  // A server responds to HEAD by the operation of GET; only an operation of HEAD itself is checked.
  return match.kind === 'found' && match.target.method === method
    ? { operation: match.target, path: match.path }
    : undefined
}

const routesOf = (
  api: Api,
  baseOf: (operation: HttpOperation) => string | undefined,
): Routes<HttpOperation> => {
  const known = new Set<string>()
  const entries = api.operations.flatMap((operation) => {
    if (operation.kind !== 'http') return []
    const { method } = operation
    const base = baseOf(operation)
    const path = base === undefined ? operation.path : `/${base}${operation.path}`
    const key = `${method} ${withoutNames(path)}`
    if (known.has(key)) return []
    known.add(key)
    return [{ method, path, target: operation }]
  })
  return createRoutes(entries)
}

/** Cached, because every exchange of a run is matched against them. */
const ofTargets = new WeakMap<ServerAddresses, Routes<HttpOperation>>()
const ofApis = new WeakMap<Api, Routes<HttpOperation>>()

/** The base URL of one operation: its own servers if it, or its path item, declares some (OpenAPI, servers). */
export const baseFor = (
  { http, own }: ServerAddresses,
  { id }: HttpOperation,
): string | undefined => (own?.has(id) ? own.get(id) : http)
