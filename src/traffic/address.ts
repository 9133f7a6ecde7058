import type { Api, HttpOperation } from '../model/api.js'
import { isSocketUrl, pathOfServer } from '../model/servers.js'
import type { Server } from '../runtime/operation.js'
import { decodePercent, templateNames, withoutNames } from '../runtime/shared/template.js'
import { pathPattern } from '../runtime/wire/path-pattern.js'
import { splitUrl } from '../runtime/wire/routes.js'
import { NO_HOST } from './recording.js'
import { type Route, routeOf, type ServerAddresses } from './route.js'

/** The route of a recorded request. The variables of its server are not included. */
export const routeOfRecorded = (api: Api, method: string, url: string): Route | undefined => {
  for (const target of addressesFor(api, url)) {
    const route = routeOf(api, target, { method, url })
    if (route) return route
  }
  return undefined
}

/**
 * The operations that a recorded request may be of although its address is not one of a declared server: a gateway may have
 * added or removed the beginning of its path.
 */
export const maybeOf = (api: Api, method: string, url: string): readonly HttpOperation[] => {
  const path = pathIn(url)
  return api.operations.filter(
    (one): one is HttpOperation =>
      one.kind === 'http' &&
      // A path without a literal part would be the end of every path.
      /[^/{}]/.test(withoutNames(one.path)) &&
      one.method === (method === 'HEAD' ? 'GET' : method) &&
      endOf(one).test(path),
  )
}

/** The path of an address without a slash at its end. */
const pathIn = (url: string): string => splitUrl(url)[0].replace(/\/$/, '')

const endOf = remembered(
  ({ path }: HttpOperation) => new RegExp(`${anyOf(path.replace(/\/$/, ''))}$`, 'i'),
)

/** The addresses of declared servers that a recorded request may have been sent to: its host may be any. */
export function* addressesFor(api: Api, url: string): Generator<RecordedAddress> {
  const none = { http: undefined, rpc: undefined, secrets: [] }
  if (url === NO_HOST) {
    if (api.rpc) yield { ...none, rpc: NO_HOST }
    return
  }
  for (const server of api.rpc?.servers ?? []) {
    const found = within(server, url, /^\/*(?:[?#]|$)/)
    if (found) yield { ...none, rpc: found.base, secrets: found.secrets }
  }
  if (isSocketUrl(url)) return
  for (const server of serversOf(api)) {
    const found = within(server, url, /^(?:\/|$)/)
    if (found) yield { ...none, http: found.base, secrets: found.secrets }
  }
}

export type RecordedAddress = ServerAddresses & {
  /** The values of secret variables in its URL. */
  readonly secrets: readonly string[]
}

/** Cached, because it is read for each exchange of a recording. */
const serversOf = remembered((api: Api): readonly Server[] => {
  const own = api.operations.flatMap((one) => (one.kind === 'http' ? one.servers : []))
  const declared = new Set([...(api.http?.servers ?? []), ...own])
  return declared.size === 0 ? [ROOT] : [...declared]
})

/** OpenAPI's default for a document without servers. */
const ROOT: Server = { name: '', url: '/', variables: {} }

const within = (
  server: Server,
  url: string,
  end: RegExp,
): { readonly base: string; readonly secrets: readonly string[] } | undefined => {
  const { names, pattern } = patternOf(server)
  const [, base, ...values] = pattern.exec(url) ?? []
  if (base === undefined || !end.test(url.slice(base.length))) return undefined
  const secrets = names.flatMap((name, index) => {
    const { secret, default: usual } = server.variables[name] ?? {}
    const written = values[index] ?? ''
    const value = decodePercent(written) ?? written
    return secret === true && value !== usual ? [value] : []
  })
  return { base, secrets }
}

const patternOf = remembered((server: Server) => {
  const path = pathOfServer(server)
  // A server may accept WebSockets at its address of HTTP, and the other way round.
  const pattern = new RegExp(`^((?:https?|wss?)://[^/?#]*${anyOf(path)})`, 'i')
  return { names: templateNames(path), pattern }
})

/** The source of a pattern in which each name of the template matches any text, in a group. */
const anyOf = (template: string): string => pathPattern(template, '[^/?#]')

/** Caches the result of `make` for each key. */
function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const kept = known.get(key) ?? { value: make(key) }
    known.set(key, kept)
    return kept.value
  }
}
