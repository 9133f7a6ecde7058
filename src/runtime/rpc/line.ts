import { send as platformSend } from '#rpc-send'
import { chooseServer } from '../ground/choose-server.js'
import type { Clock, Retry } from '../ground/retry.js'
import type { Why } from '../ground/why.js'
import type { Limits, RpcOperation, Server } from '../operation.js'
import { type Fetch, type Send, sendBy } from './send.js'

/** Where calls go, and how. Throws a TypeError where the document has no such server or HTTP no such headers. */
export const createLine = (service: RpcService, options: LineOptions, why?: Why): Line => {
  const { server, fetch, clock, retry } = options
  const { url } = chooseServer(service.servers, server && String(server))
  const isPlain = !url.includes('{') && URL.canParse(url)
  return {
    service,
    options,
    why,
    headers: readHeaders(options.headers),
    send: fetch ? sendBy(fetch) : platformSend,
    address: isPlain ? { url: url.replace(/\/+$/, ''), secrets: [] } : undefined,
    now: clock?.now ?? retry?.clock?.now ?? Date.now,
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

export type LineOptions = {
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
  readonly options: LineOptions
  readonly why: Why | undefined
  readonly headers: Headers
  readonly send: Send
  /** Undefined where it has to be found, as `address.ts` does: anew for every exchange, because a secret may be a function. */
  readonly address: Address | undefined
  readonly now: () => number
  lastId: number
}

export type Address = {
  readonly url: string
  /** What was filled in and must not be told. */
  readonly secrets: readonly string[]
}

const readHeaders = (given: HeadersInit | undefined): Headers => {
  const headers = new Headers({ accept: JSON_TYPE, 'content-type': JSON_TYPE })
  try {
    for (const [name, value] of new Headers(given)) headers.set(name, value)
  } catch {
    // The platform's own error repeats the value, which may be a credential.
    throw new TypeError('options.headers holds a name or a value that HTTP does not allow')
  }
  return headers
}

const JSON_TYPE = 'application/json'
