import type { Fetch } from 'twinspec/runtime/rpc'

/** Puts something that answers as a `fetch` does where Node's own dispatcher stands; undefined puts that back. */
export const sendBy = (fetch: Fetch | undefined): void => {
  place[KEY] = fetch === undefined ? own : { dispatch: dispatchBy(fetch) }
}

const KEY = Symbol.for('undici.globalDispatcher.1')
const place = globalThis as unknown as { [KEY]: unknown }

// It is there once anything of `fetch` was used.
new Headers()
const own = place[KEY]

const dispatchBy =
  (fetch: Fetch) =>
  ({ origin, path, method, headers, body }: Dispatched, handler: Handler): boolean => {
    const controller = new AbortController()
    const { signal } = controller
    handler.onConnect((reason) => controller.abort(reason))
    const answer = async () => {
      const init = { method, headers: withoutPlatform(headers), body, signal }
      const response = await fetch(origin + path, init)
      const raw = [...response.headers].flat().map((text) => Buffer.from(text, 'latin1'))
      handler.onHeaders(response.status, raw)
      for (const byte of new Uint8Array(await response.arrayBuffer())) {
        handler.onData(Buffer.from([byte]))
      }
      handler.onComplete([])
    }
    // Node's own `fetch` wraps what went wrong, a dispatcher does not.
    answer().catch((error) => handler.onError(isWrapped(error) ? error.cause : error))
    return true
  }

const isWrapped = (error: unknown): error is Error =>
  error instanceof TypeError && error.message === 'fetch failed' && error.cause !== undefined

/** What `fetch` adds by itself. */
const withoutPlatform = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).filter(
    ([name]) => !/^(accept-(language|encoding)|user-agent|sec-fetch-mode)$/.test(name),
  ) as [string, string][]

type Dispatched = {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Handler = {
  readonly onConnect: (abort: (reason?: unknown) => void) => void
  readonly onHeaders: (status: number, raw: readonly Uint8Array[]) => void
  readonly onData: (chunk: Uint8Array) => void
  readonly onComplete: (trailers: readonly unknown[]) => void
  readonly onError: (error: unknown) => void
}
