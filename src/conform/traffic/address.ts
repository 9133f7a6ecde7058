import type { Api, HttpOperation } from '../../model/api.js'
import type { Server } from '../../runtime/operation.js'
import { templateNames, templatePattern } from '../../runtime/shared/template.js'
import { headerSecrets, urlSecrets } from '../../runtime/shared/written-secrets.js'
import { readExchange, routeOf } from '../responses/read.js'
import { pathOf as basePathOf, decoded, type Target } from '../target.js'
import type { Sent } from '../wire/exchange.js'
import { NO_HOST } from './recording.js'

/**
 * The target of a recorded request, by its path alone: the host may be any. No response may contain the keys of the request. It
 * may contain other secrets such as cookies; reports redact them.
 */
export const addressOf = (api: Api, sent: Sent): Address | undefined => {
  for (const target of candidates(api, sent.url)) {
    const reading = readExchange(api, target, { sent })
    if (reading.kind === 'other') continue
    const operation = reading.kind === 'http' ? reading.operation : undefined
    const keys = [...target.secrets, ...(operation ? operationKeys(operation, target, sent) : [])]
    const headers = Object.entries(sent.headers)
    const given = headerSecrets(headers.filter(([name]) => /authorization$/i.test(name)))
    const secrets = [...new Set([...keys, ...given])].filter((one) => one !== '')
    const written = [...headerSecrets(headers), ...querySecrets(operation, sent.url)]
    const hidden = [...new Set([...secrets, ...written, ...userSecrets(sent.url)])]
    return { target: { ...target, secrets }, hidden: hidden.filter((one) => one !== '') }
  }
  return undefined
}

export type Address = { readonly target: Target; readonly hidden: readonly string[] }

/** The operation of a recorded request, and the texts of its path parameters; secrets are not included. */
export const routeOfRecorded = (
  api: Api,
  method: string,
  url: string,
): { readonly operation: HttpOperation | 'rpc'; readonly path: readonly string[] } | undefined => {
  for (const target of candidates(api, url)) {
    const operation = routeOf(api, target, { method, url })
    if (operation === 'rpc') return { operation, path: [] }
    if (!operation) continue
    const [, ...path] = pathOf(operation).exec(url.slice(target.http?.length)) ?? []
    return { operation, path: path.map(decoded) }
  }
  return undefined
}

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
  return [...new Set([...(api.http?.servers ?? []), ...own]), ROOT]
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
  const path = basePathOf(server)
  const pattern = new RegExp(`^(https?://[^/?#]*${anyOf(path)})`, 'i')
  return { names: templateNames(path), pattern }
})

/** The source of a pattern in which each name of the template matches any text, in a group. */
const anyOf = (template: string): string => templatePattern(template, '([^/?#]+)')

/** The values of all declared keys, anywhere in the request. */
const operationKeys = (
  operation: HttpOperation,
  { http = '' }: Target,
  { url, headers }: Sent,
): readonly string[] => {
  const { path, parameters, schemes } = operation
  const names = templateNames(path)
  const [, ...segments] = pathOf(operation).exec(url.slice(http.length)) ?? []
  const query = queryOf(url)
  const read = (place: string, name: string): readonly string[] => {
    if (place === 'path') return [decoded(segments[names.indexOf(name)] ?? '')]
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

const pathOf = remembered(({ path }: HttpOperation) => new RegExp(`^${anyOf(path)}`))

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
  new URLSearchParams(url.replace(/^[^?]*\??/, '').replace(/#.*$/, ''))

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
