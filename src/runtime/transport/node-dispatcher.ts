import type { Bytes } from './node-decode.js'

/**
 * How Node's own `fetch` sends; undefined on a platform that keeps it elsewhere, and where somebody has put another
 * `fetch` in its place: theirs is asked then.
 */
export const findDispatch = (): Dispatch | undefined => {
  if (!IS_NODES_OWN || globalThis.fetch !== FETCH) return undefined
  // It is there once anything of `fetch` was used.
  const dispatcher = globalWithDispatcher()[KEY] ?? (new Headers() && globalWithDispatcher()[KEY])
  if (typeof dispatcher?.dispatch !== 'function') return undefined
  return (request, handler) => dispatcher.dispatch(request, handler)
}

export type Dispatch = (request: DispatchedRequest, handler: Handler) => unknown

export type DispatchedRequest = {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** What is told of an exchange, in this order; `onError` may come instead of any but `onComplete`. */
export type Handler = {
  readonly onConnect: (abort: (reason?: unknown) => void) => void
  /** Names and values in turn; over HTTP/2 an object. Called for informational answers too. */
  readonly onHeaders: (status: number, raw: RawHeaders) => boolean
  readonly onData: (chunk: Bytes) => boolean
  readonly onComplete: () => void
  readonly onError: (error: unknown) => void
}

export type RawHeaders = readonly Bytes[] | Readonly<Record<string, string | string[]>>

const FETCH = globalThis.fetch

/** It says where Node keeps it; whatever replaced it before this was loaded does not. */
const IS_NODES_OWN = String(FETCH).includes('internal/deps/undici')

/** Documented with undici's `setGlobalDispatcher`, by which programs give Node's `fetch` a proxy. */
const KEY = Symbol.for('undici.globalDispatcher.1')

const globalWithDispatcher = () =>
  globalThis as { readonly [KEY]?: { readonly dispatch: Dispatch } | undefined }
