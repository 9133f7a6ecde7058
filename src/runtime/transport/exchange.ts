import { type Deadline, signalOf } from '../shared/deadline.js'
import { type Hooks, runHooks } from '../shared/hooks.js'

/** One HTTP request, ready to be sent. */
export type OutgoingRequest = TransportRequest & {
  readonly operations: () => readonly string[]
  readonly attempt: number
  /** The URL without its secrets, for hooks. */
  readonly shown: () => string
  /**
   * Lower case names of headers that no other origin may receive: `fetch` removes only `Authorization` and cookies. They apply
   * if `redirect` is `manual` and redirects are followed here. None by default.
   */
  readonly secretHeaders?: readonly string[] | undefined
  /** For JSON-RPC, only a redirect that keeps method and body is followed (307, 308). */
  readonly protocol: 'http' | 'rpc'
}

/** Sends one request, without following redirects if `redirect` is `manual`. */
export type Send = (request: OutgoingRequest) => Promise<IncomingResponse>

/** The outcome of one HTTP request; `hook` if a hook of the caller threw the error. */
export type Exchanged =
  | { readonly response: IncomingResponse }
  | { readonly error: unknown; readonly by: 'hook' | 'network' }

/** Sends one HTTP request, with the hooks around it. Never rejects. */
export const exchange = async (
  transport: Send,
  { onRequest, onResponse }: Hooks,
  request: OutgoingRequest,
): Promise<Exchanged> => {
  let by: 'hook' | 'network' = 'network'
  try {
    if (onRequest === undefined && onResponse === undefined)
      return { response: await follow(transport, request) }
    const { operations, attempt, method, shown } = request
    const headers = new Headers(request.headers)
    const seen = { operations: operations(), attempt, method, url: shown(), headers }
    by = 'hook'
    await runHooks(onRequest, 'in', seen)
    by = 'network'
    const sent = await follow(transport, { ...request, headers: Object.fromEntries(headers) })
    by = 'hook'
    const response = sent.response()
    await runHooks(onResponse, 'out', response, seen)
    return { response: incoming(response, request.maxResponseBytes) }
  } catch (error) {
    return { error, by }
  }
}

const follow = async (transport: Send, outgoing: OutgoingRequest): Promise<IncomingResponse> => {
  const { deadline, redirect, protocol, secretHeaders } = outgoing
  if (deadline.ended) throw deadline.reason
  if (redirect === 'follow') return await transport(outgoing)
  let next = outgoing
  for (let count = 0; count <= LONGEST_CHAIN; count += 1) {
    const response = await transport(next)
    if (response.status === 0)
      throw new TypeError('the server redirects, and browsers do not report where')
    const isFollowed = protocol === 'http' || response.status > 303
    const moved = isFollowed ? redirected(response, next, secretHeaders) : undefined
    if (moved === undefined) return response
    response.discard()
    next = moved
  }
  throw new TypeError('too many redirects')
}

/** The limit of the Fetch standard. */
const LONGEST_CHAIN = 20

/**
 * The request of a redirect (Fetch standard, "HTTP-redirect fetch"), without credentials for another origin; undefined if the
 * response is not a redirect. Throws a TypeError for a redirect that cannot be followed.
 */
export const redirected = <Request extends TransportRequest>(
  response: Pick<IncomingResponse, 'status' | 'header'>,
  request: Request,
  secretHeaders: readonly string[] | undefined,
): Request | undefined => {
  const { status } = response
  const location = STATUSES.includes(status) ? response.header('location') : null
  if (location === null) return undefined
  const { url, method, headers } = request
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined
  if (next === undefined || !/^https?:$/.test(next.protocol))
    throw new TypeError('fetch failed', { cause: new Error('invalid redirect') })
  const isRead = method === 'GET' || method === 'HEAD'
  const becomesGet = status === 303 ? !isRead : status < 303 && method === 'POST'
  const isSameOrigin = next.origin === new URL(url).origin
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !(becomesGet && name.startsWith('content-')) &&
      (isSameOrigin || !(CREDENTIALS.test(name) || secretHeaders?.includes(name))),
  )
  const changed = becomesGet ? { method: 'GET', body: undefined } : {}
  return { ...request, ...changed, url: next.href, headers: Object.fromEntries(kept) }
}

const STATUSES: readonly number[] = [301, 302, 303, 307, 308]
const CREDENTIALS = /^((proxy-)?authorization|cookie)$/

/** The option `fetch` of clients: sends one request and resolves with its response, like the platform's own. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * The function that sends all requests of a client: `sendBy` of the user's `fetch` option, or the `transport` of the platform.
 * Rejects like `fetch`, and at the deadline with its reason.
 */
export type Transport = (request: TransportRequest) => Promise<IncomingResponse>

export type TransportRequest = {
  readonly url: string
  readonly method: string
  /** By lower case name. A transport may cache data for the same object and URL. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyInit | undefined
  readonly redirect: 'follow' | 'manual'
  /** Aborts the request. */
  readonly deadline: Deadline
  /** Replaces the deadline's own, for a caller who reads the body after the call. */
  readonly signal?: AbortSignal | undefined
  /** The maximum number of bytes of a body, decompressed, that `text` and `chunks` read. */
  readonly maxResponseBytes: number
}

/** A response for clients; its body can be read once. */
export type IncomingResponse = {
  readonly status: number
  /** By lower case name; null if it is absent. */
  readonly header: (name: string) => string | null
  readonly headers: () => Headers
  readonly text: () => string | Promise<string>
  /** The bytes of the body; undefined if only `response` has it. */
  readonly chunks: () => Promise<readonly Uint8Array<ArrayBuffer>[] | undefined>
  /** Frees the connection of a body that is not read. */
  readonly discard: () => void
  /** The response of `fetch`, without a limit: for hooks, streams and callers who read the body themselves. */
  readonly response: () => Response
}

/** The body of a response is larger, decompressed, than the option `maxResponseBytes` of the client. */
export class ResponseTooLarge extends RangeError {
  override readonly name = 'ResponseTooLarge'

  constructor(limit: number) {
    super(`the response has more than ${limit} bytes (options.maxResponseBytes)`)
  }
}

export const sendBy =
  (fetch: Fetch): Transport =>
  async ({ url, method, headers, body, redirect, deadline, signal, maxResponseBytes }) => {
    const isStream = body instanceof ReadableStream
    const response = await fetch(url, {
      method,
      headers,
      signal: signal ?? signalOf(deadline),
      ...(body !== undefined && { body }),
      ...(isStream && { duplex: 'half' }),
      ...(redirect === 'manual' && { redirect }),
    })
    return incoming(response, maxResponseBytes)
  }

export const incoming = (response: Response, maxBytes: number): IncomingResponse => ({
  status: response.status,
  header: (name) => response.headers.get(name),
  headers: () => response.headers,
  text: async () => {
    const chunks = await readChunks(response, maxBytes)
    return await (chunks ? new Blob(chunks) : response).text()
  },
  chunks: () => readChunks(response, maxBytes),
  discard: () => void response.body?.cancel().catch(() => undefined),
  response: () => response,
})

/** Undefined if there is no body, or it was already read, for which the platform throws its own error. */
const readChunks = async (
  { body, bodyUsed }: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> => {
  if (!body || bodyUsed) return undefined
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let left = maxBytes
  for (;;) {
    const { value } = await reader.read()
    if (value === undefined) return chunks
    left -= value.byteLength
    if (left < 0) {
      reader.cancel().catch(() => undefined)
      throw new ResponseTooLarge(maxBytes)
    }
    chunks.push(value)
  }
}
