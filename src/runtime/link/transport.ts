import type { Deadline } from '../shared/deadline.js'

/** The option `fetch` of clients: sends one request and resolves with its response, like the platform's own. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Fields of `fetch` that a client passes on unchanged: `cache`, `credentials`, `keepalive`, `mode`, `priority` and others, with those
 * that a framework adds to `RequestInit`, such as `next`. The client sets the fields that are not here.
 */
export type FetchOptions = Readonly<Omit<RequestInit, (typeof CLIENT_FIELDS)[number]>>

/** The fields of `fetch` that a client sets itself. */
export const CLIENT_FIELDS = ['method', 'headers', 'body', 'signal', 'redirect', 'duplex'] as const

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
  /** Without a field, any transport may send the request; else `fetch` does. */
  readonly fetchOptions?: FetchOptions | undefined
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

/** One HTTP request, ready to be sent. */
export type SendableRequest = TransportRequest & {
  readonly operations: () => readonly string[]
  readonly attempt: number
  /** The URL without its secrets, for hooks. */
  readonly shown: () => string
  /**
   * Lower case names of headers that no other origin may receive: `fetch` removes only `Authorization` and cookies. They apply
   * if `redirect` is `manual` and redirects are followed here. None by default.
   */
  readonly secretHeaders?: readonly string[] | undefined
  /** Whether a redirect of a status is returned; every other one is followed. */
  readonly isReturned?: ((status: number) => boolean) | undefined
  /** For JSON-RPC, only a redirect that keeps method and body is followed (307, 308). */
  readonly protocol: 'http' | 'rpc'
}

/** Sends one request, without following redirects if `redirect` is `manual`. */
export type Send = (request: SendableRequest) => Promise<IncomingResponse>

/** The outcome of one HTTP request; `hook` if a hook of the caller threw the error. */
export type ExchangeResult =
  | { readonly response: IncomingResponse }
  | { readonly error: unknown; readonly by: 'hook' | 'network' }
