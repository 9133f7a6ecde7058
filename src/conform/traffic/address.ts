import type { Api, HttpOperation } from '../../model/api.js'
import type { Server } from '../../runtime/operation.js'
import {
  decodePercent,
  templateNames,
  templatePattern,
  withoutNames,
} from '../../runtime/shared/template.js'
import { headerSecrets, urlSecrets } from '../../runtime/shared/written-secrets.js'
import { splitUrl } from '../../runtime/wire/routes.js'
import { type ParsedRequest, type Route, readExchange, routeOf } from '../responses/read.js'
import { decoded, pathOfServer, type Target } from '../target.js'
import type { Sent } from '../wire/exchange.js'
import { NO_HOST } from './recording.js'

/**
 * The target of a recorded request, by its path alone: the host may be any. No response may contain the keys of the request. It
 * may contain other secrets such as cookies; reports redact them.
 */
export const addressOf = (api: Api, sent: Sent): RequestTarget | undefined => {
  for (const target of candidates(api, sent.url)) {
    const reading = readExchange(api, target, { sent })
    if (reading.kind === 'other') continue
    const called = reading.kind === 'http' ? reading : undefined
    const keys = [...target.secrets, ...(called ? operationKeys(called, sent) : [])]
    const headers = Object.entries(sent.headers)
    const headerKeys = headerSecrets(headers.filter(([name]) => /authorization$/i.test(name)))
    const secrets = [...new Set([...keys, ...headerKeys])].filter((one) => one !== '')
    const written = [...headerSecrets(headers), ...querySecrets(called?.operation, sent.url)]
    const hidden = [...new Set([...secrets, ...written, ...userSecrets(sent.url)])]
    return { target: { ...target, secrets }, hidden: hidden.filter((one) => one !== '') }
  }
  return undefined
}

export type RequestTarget = { readonly target: Target; readonly hidden: readonly string[] }

/** The route of a recorded request. The variables of its server are not included. */
export const routeOfRecorded = (api: Api, method: string, url: string): Route | undefined => {
  for (const target of candidates(api, url)) {
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

/** The path of an address, with decoded letters and without a slash at its end. */
const pathIn = (url: string): string => {
  const [path] = splitUrl(url)
  return path
    .replace(/%(?!2f)[\da-f]{2}/gi, (code) => decodePercent(code) ?? code)
    .replace(/\/$/, '')
}

const endOf = remembered(
  ({ path }: HttpOperation) => new RegExp(`${anyOf(path.replace(/\/$/, ''))}$`, 'i'),
)

function* candidates(api: Api, url: string): Generator<Target> {
  const none = { ...NO_TARGET, secrets: [] }
  if (url === NO_HOST) {
    if (api.rpc) yield { ...none, rpc: NO_HOST }
    return
  }
  for (const server of api.rpc?.servers ?? []) {
    const found = within(server, url, /^\/*(?:[?#]|$)/)
    if (found) yield { ...none, rpc: found.base, secrets: found.secrets }
  }
  for (const server of serversOf(api)) {
    const found = within(server, url, /^(?:\/|$)/)
    if (found) yield { ...none, http: found.base, secrets: found.secrets }
  }
}

export const NO_TARGET = { http: undefined, rpc: undefined, rpcWithKey: undefined, key: undefined }

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
    const value = decoded(values[index] ?? '')
    return secret === true && value !== usual ? [value] : []
  })
  return { base, secrets }
}

const patternOf = remembered((server: Server) => {
  const path = pathOfServer(server)
  const pattern = new RegExp(`^(https?://[^/?#]*${anyOf(path)})`, 'i')
  return { names: templateNames(path), pattern }
})

/** The source of a pattern in which each name of the template matches any text, in a group. */
const anyOf = (template: string): string => templatePattern(template, '[^/?#]')

/** The values of all declared keys, anywhere in the request. */
const operationKeys = (
  { operation, path }: Extract<ParsedRequest, { readonly kind: 'http' }>,
  { url, headers }: Sent,
): readonly string[] => {
  const { parameters, schemes } = operation
  const query = queryOf(url)
  const read = (place: string, name: string): readonly string[] => {
    if (place === 'path') return [decoded(path[name] ?? '')]
    if (place === 'query') return query.getAll(name)
    return Object.entries(headers).flatMap(([one, value]) =>
      place === 'header' && one.toLowerCase() === name.toLowerCase() ? [value] : [],
    )
  }
  const keys = Object.values(schemes).flatMap((one) =>
    one.kind === 'key' ? read(one.in, one.parameter) : [],
  )
  return [
    ...parameters.flatMap((one) => (one.secret === true ? read(one.in, one.name) : [])),
    ...keys,
  ]
}

/**
 * Values of a query that are keys by their names or lengths, although no document declares them: `?access_token=…`. Declared
 * parameters are excluded.
 */
const querySecrets = (operation: HttpOperation | undefined, url: string): readonly string[] => {
  const declared = new Set(
    operation?.parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  )
  return [...queryOf(url)].flatMap(([name, value]) =>
    !declared.has(name) && value.length >= (SENSITIVE.test(name) ? SHORT : LONG) ? [value] : [],
  )
}

const queryOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*/s, ''))

/**
 * Characters: the length from which `urlSecrets` takes a value for a key. It would also match a long word of a documented path.
 */
const LONG = 16
/** A shorter value is part of many other texts of a report. */
const SHORT = 6
const SENSITIVE = /auth|key|passw|pwd|secret|session|^sig$|signature|token/i

const userSecrets = (url: string): readonly string[] =>
  urlSecrets(/^[^/?#]*\/\/[^/?#]*/.exec(url)?.[0] ?? '', [], [])

/** Caches the result of `make` for each key. */
function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const kept = known.get(key) ?? { value: make(key) }
    known.set(key, kept)
    return kept.value
  }
}
