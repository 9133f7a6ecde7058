import { send as platformSend } from '#rpc-send'
import type { Limits, RpcOperation, Server } from '../operation.js'
import type { Why } from '../shared/load-explanations.js'
import type { Clock, Retry } from '../shared/retry.js'
import type { LoadRest, Rest } from './load-rest.js'
import { type Fetch, type Send, sendBy } from './send.js'

/** Where calls go, and how. An ordinary address stands in it; what else a server may be is read, or refused, by the rest. */
export const createClientContext = (
  service: RpcService,
  options: ClientContextOptions,
  loadRest: LoadRest,
  why: Why | undefined,
): Line => {
  const { server, fetch } = options
  const headers = readHeaders(options.headers)
  const given = server && String(server)
  const named = service.servers.find(({ name }) => !given || name === given)
  const url = named?.url ?? given ?? ''
  // What has a place for a key, or is given one, is for the rest to read.
  const isPlain = /^https?:[^{]+$/.test(url) && URL.canParse(url) && !options.auth
  return {
    service,
    options,
    why,
    headers,
    send: fetch ? sendBy(fetch) : platformSend,
    address: headers && isPlain ? { url: url.replace(/\/+$/, ''), headers } : undefined,
    loadRest,
    lastId: 0,
  }
}

/** What generated `operations.ts` exports as `rpcService`. */
export type RpcService = {
  readonly servers: readonly Server[]
  readonly limits?: Limits
  /** The path of the server URLs, as a server mounts it: `/zgt/{apiKey}`. */
  readonly path: string
  readonly operations: Readonly<Record<string, RpcOperation>>
}

export type ClientContextOptions = {
  readonly server?: string | URL | undefined
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  readonly auth?: object | undefined
  readonly headers?: HeadersInit | undefined
  readonly fetch?: Fetch | undefined
  readonly retry?: Retry | undefined
  readonly clock?: Partial<Clock> | undefined
}

/** What the calls of one client share. */
export type Line = {
  readonly service: RpcService
  readonly options: ClientContextOptions
  readonly why: Why | undefined
  /** Undefined where HTTP does not allow those that were given. */
  readonly headers: Headers | undefined
  readonly send: Send
  /** Undefined where it has to be found, as `address.ts` does: anew for every exchange, because a secret may be a function. */
  readonly address: Address | undefined
  readonly loadRest: LoadRest
  /** Once it is loaded: a batch within a batch collects at once. */
  batch?: Rest['batch']
  lastId: number
}

export type Address = {
  readonly url: string
  readonly headers: Headers
  /** What was filled in and must not be told. */
  readonly secrets?: readonly string[]
}

const readHeaders = (given: HeadersInit | undefined): Headers | undefined => {
  try {
    const own = Object.fromEntries(new Headers(given))
    return new Headers({ accept: JSON_TYPE, 'content-type': JSON_TYPE, ...own })
  } catch {
    return undefined
  }
}

const JSON_TYPE = 'application/json'
