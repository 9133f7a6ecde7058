import { redirected } from '../transport/redirect.js'
import type { Transport } from '../transport/web-transport.js'
import { type Hooks, runHooks } from './hooks.js'

/** One HTTP request, ready to be sent. */
export type OutgoingRequest = {
  readonly operations: readonly string[]
  readonly attempt: number
  readonly url: string
  /** The URL without its secrets, for hooks. */
  readonly shown: () => string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyInit | undefined
  readonly signal: AbortSignal
  /**
   * Lower case names of headers that no other origin may receive. Where it is given, redirects are followed here: `fetch`
   * drops `Authorization` and cookies alone. Where it is undefined, they are left to the transport.
   */
  readonly secretHeaders: readonly string[] | undefined
  /** `any`, or `repeat` where only a redirect that keeps method and body is followed (307, 308). */
  readonly redirects: 'any' | 'repeat'
}

/** What one HTTP request came to; `hook` where a hook of the caller threw the error. */
export type Exchanged =
  | { readonly response: Response }
  | { readonly error: unknown; readonly by: 'hook' | 'network' }

/** Sends one HTTP request, with the hooks around it. Never rejects. */
export const exchange = async (
  transport: Transport,
  { onRequest, onResponse }: Hooks,
  request: OutgoingRequest,
): Promise<Exchanged> => {
  let by: 'hook' | 'network' = 'network'
  try {
    if (onRequest === undefined && onResponse === undefined)
      return { response: await follow(transport, request) }
    const { operations, attempt, method, shown } = request
    const headers = new Headers(request.headers)
    const seen = { operations, attempt, method, url: shown(), headers }
    by = 'hook'
    await runHooks(onRequest, 'in', seen)
    by = 'network'
    const response = await follow(transport, { ...request, headers: Object.fromEntries(headers) })
    by = 'hook'
    await runHooks(onResponse, 'out', response, seen)
    return { response }
  } catch (error) {
    return { error, by }
  }
}

const follow = async (
  transport: Transport,
  { url, method, headers, body, signal, secretHeaders, redirects }: OutgoingRequest,
): Promise<Response> => {
  signal.throwIfAborted()
  const init: RequestInit = {
    method,
    headers,
    signal,
    ...(body !== undefined && { body }),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  }
  if (secretHeaders === undefined) return await transport(url, init)
  let next = { url, init: { ...init, redirect: 'manual' } as RequestInit }
  for (let count = 0; count <= LONGEST_CHAIN; count += 1) {
    const response = await transport(next.url, next.init)
    if (response.type === 'opaqueredirect')
      throw new TypeError('the server redirects, and a browser does not say where')
    const isFollowed = redirects === 'any' || response.status > 303
    const moved = isFollowed ? redirected(response, next, secretHeaders) : undefined
    if (moved === undefined) return response
    next = moved
  }
  throw new TypeError('too many redirects')
}

/** As the Fetch standard has it. */
const LONGEST_CHAIN = 20
