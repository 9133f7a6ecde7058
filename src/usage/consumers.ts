import { createHmac } from 'node:crypto'
import type { Api } from '../model/api.js'
import { valueAt } from '../read/document.js'
import { isClientPackage, PACKAGE_HEADER } from '../runtime/client-options.js'
import { headerOf } from '../runtime/wire/headers.js'
import { readCookies, readKey } from '../runtime/wire/parameters.js'
import { readQuery } from '../runtime/wire/readings.js'
import { splitUrl } from '../runtime/wire/routes.js'
import { headersOfPairs } from '../traffic/read-request.js'
import type { Facts } from '../traffic/recording.js'
import type { Route } from '../traffic/route.js'

/** What identifies a consumer: `key`, `user-agent`, `package`, `header:NAME`, `field:POINTER`; `auto` takes the first found. */
export type ConsumerKind =
  | { readonly kind: 'auto' | 'key' | 'user-agent' | 'package' }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'field'; readonly pointer: string }

/** Parses the text of a kind; undefined if it is none. */
export const readConsumerKind = (text: string): ConsumerKind | undefined => {
  if (text === 'auto' || text === 'key' || text === 'user-agent' || text === 'package')
    return { kind: text }
  const [, name] = /^header:([!#$%&'*+.^_`|~\w-]+)$/.exec(text) ?? []
  if (name !== undefined) return { kind: 'header', name }
  const [, pointer] = /^field:(\/.*)$/.exec(text) ?? []
  return pointer === undefined ? undefined : { kind: 'field', pointer }
}

/**
 * Names the consumer of a request. Keys and the values of headers and fields become an HMAC with `secret`, which is read at its
 * first use. User agents and packages are names and stay readable.
 */
export const createConsumers = (api: Api, by: ConsumerKind, secret: () => Uint8Array) => {
  const known = new Map<string, string>()
  const hidden = (kind: string, value: string): string => {
    const key = `${kind}:${value}`
    const id = known.get(key) ?? `${kind}:${hmac(secret(), value)}`
    // Keys repeat; a field with a new value in each request must not fill the memory.
    if (known.size < MOST_KNOWN) known.set(key, id)
    return id
  }
  const byKey = (facts: Facts, called: Route) => {
    const key = keyOf(api, facts, called)
    return key === undefined ? undefined : hidden('key', key)
  }
  const byPackage = ({ headers }: Facts) => {
    const name = headerOf(headers, PACKAGE_HEADER)
    return name !== undefined && isClientPackage(name) ? `package:${name}` : undefined
  }
  const byAgent = ({ headers }: Facts) => {
    const products = agentOf(headerOf(headers, 'user-agent') ?? '')
    return products === '' ? undefined : `user-agent:${products}`
  }
  return (facts: Facts, called: Route): string => {
    const found = {
      auto: () => byPackage(facts) ?? byKey(facts, called) ?? byAgent(facts),
      key: () => byKey(facts, called),
      package: () => byPackage(facts),
      'user-agent': () => byAgent(facts),
      header: () => {
        const value = by.kind === 'header' ? headerOf(facts.headers, by.name) : undefined
        return value === undefined || value === '' ? undefined : hidden('header', value)
      },
      field: () => {
        const value = by.kind === 'field' ? fieldOf(facts, by.pointer) : undefined
        return value === undefined ? undefined : hidden('field', value)
      },
    }[by.kind]()
    return found ?? UNKNOWN
  }
}

export const UNKNOWN = 'unknown'

const MOST_KNOWN = 10_000

/** 64 bits: two of a million consumers have the same id once in 37 million files. */
const hmac = (secret: Uint8Array, value: string): string =>
  createHmac('sha256', secret).update(value).digest('hex').slice(0, 16)

/** Identifies a secret without revealing it. */
export const secretId = (secret: Uint8Array): string => hmac(secret, 'twinspec usage').slice(0, 8)

/** RFC 9110, 10.1.5: the products of a user agent, without comments, which describe the machine of a person. */
const agentOf = (text: string): string =>
  (text.replace(/\([^()]*\)/g, ' ').match(/[\w.!#$%&'*+^`|~-]+(?:\/[\w.+-]+)?/g) ?? [])
    .slice(0, 4)
    .join(' ')
    .slice(0, 80)

/** The credential of a request: a declared key or secret parameter, `Authorization`, or `x-api-key`. */
const keyOf = (
  api: Api,
  { headers, url = '' }: Facts,
  { operation, path }: Route,
): string | undefined => {
  const isHttp = operation !== 'rpc'
  const schemes = isHttp ? Object.values(operation.schemes) : []
  const keys = [
    ...schemes.flatMap((one) => (one.kind === 'key' ? [[one.in, one.parameter] as const] : [])),
    ...(isHttp ? operation.parameters : []).flatMap((one) =>
      one.secret ? [[one.in, one.name] as const] : [],
    ),
  ]
  if (keys.length > 0) {
    const known = headersOfPairs(headers)
    const query = readQuery(splitUrl(url)[1])
    const wire = { path, query, headers: known, cookies: readCookies(known) }
    for (const [place, name] of keys) {
      const value = readKey(place, name, wire)
      if (value) return value
    }
  }
  const credential = headerOf(headers, 'authorization') ?? headerOf(headers, 'x-api-key')
  if (credential) return credential.replace(/^Bearer\s+/i, '')
  return operation === 'rpc' ? keyInPath(api, url) : undefined
}

/** The key in the URL path of a JSON-RPC service: `/zgt/{apiKey}`. The default of a server variable is not a key. */
const keyInPath = (api: Api, url: string): string | undefined => {
  const template = api.rpc?.path ?? ''
  const parts = template.split('/')
  const at = parts.findIndex((part) => /^\{[^{}]+\}$/.test(part))
  if (at < 0) return undefined
  const [path] = splitUrl(url)
  const value = path.split('/')[at]
  const name = parts[at]?.slice(1, -1) ?? ''
  const isDefault = api.rpc?.servers.some(({ variables }) => variables[name]?.default === value)
  return isDefault ? undefined : value || undefined
}

/** The value at a pointer such as `/request/body/tenant` or `/request/headers/x-team`, as in NDJSON recordings. */
const fieldOf = (facts: Facts, pointer: string): string | undefined => {
  const [, , part] = pointer.split('/')
  const request = {
    method: facts.method,
    url: facts.url,
    headers: Object.fromEntries(facts.headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: part === 'headers' ? undefined : facts.body(),
  }
  const value = valueAt({ document: { value: { request } }, pointer })
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
