import { chooseServer } from '../ground/choose-server.js'
import type { Limits, RpcOperation, Server } from '../operation.js'

/**
 * Where calls go. Throws a TypeError at once where the document has no such server; `find` rejects with one where a
 * variable of its address has no value.
 */
export const createEndpoint = (service: RpcService, options: EndpointOptions): Endpoint => {
  const choice = options.server === undefined ? undefined : String(options.server)
  const headers = readHeaders(options.headers)
  const server = chooseServer(service.servers, choice)
  const { url } = server
  const endpoint = { service, choice, server, headers, options }
  if (!url.includes('{') && URL.canParse(url)) {
    const address = { url: url.replace(/\/+$/, ''), secrets: [] }
    return { ...endpoint, find: () => address }
  }
  const finding = () => import('./rest.js').then(({ rest }) => rest.createFind(endpoint))
  let find: Promise<Find> | undefined
  let found: Find | undefined
  return {
    ...endpoint,
    find: () => {
      if (found !== undefined) return found()
      find ??= finding()
      return find.then(
        (ready) => {
          found = ready
          return ready()
        },
        (error) => {
          // What could not be loaded now may be later.
          find = undefined
          throw error
        },
      )
    },
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

export type EndpointOptions = {
  readonly server?: string | URL | undefined
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  readonly auth?: object | undefined
  readonly headers?: HeadersInit | undefined
}

export type Endpoint = EndpointParts & { readonly find: Find }

export type EndpointParts = {
  readonly service: RpcService
  /** The server as the options name it. */
  readonly choice: string | undefined
  readonly server: Server
  readonly headers: Headers
  readonly options: EndpointOptions
}

/** Asked anew for every exchange, because a secret may be a function. */
export type Find = () => Address | Promise<Address>

export type Address = {
  readonly url: string
  /** What was filled in and must not be told. */
  readonly secrets: readonly string[]
}

const readHeaders = (given: HeadersInit | undefined): Headers => {
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json' })
  try {
    for (const [name, value] of new Headers(given)) headers.set(name, value)
  } catch {
    // The platform's own error repeats the value, which may be a credential.
    throw new TypeError('options.headers holds a name or a value that HTTP does not allow')
  }
  return headers
}
