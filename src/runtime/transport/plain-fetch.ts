import type { Deadline } from '../shared/deadline.js'

/**
 * What clients send by where nobody gave them a `fetch`: `#fetch` is `node-fetch.ts` on Node and `web-fetch.ts` elsewhere
 * (`imports` of package.json), and both behave alike. It follows redirects, undoes compression, keeps no cookies, and
 * rejects with the platform's own errors; at the end of the deadline with its reason.
 */
export type PlainFetch = (url: string, request: PlainRequest) => Promise<PlainResponse>

export type PlainRequest = {
  /** Upper case. */
  readonly method: string
  /** Lower case names, each once. */
  readonly headers: Iterable<readonly [name: string, value: string]>
  readonly body?: BodyInit | undefined
  readonly deadline: Deadline
}

/** As much of a `Response` as clients read. */
export type PlainResponse = Pick<Response, 'ok' | 'status' | 'headers' | 'text' | 'blob'> & {
  readonly body: { readonly cancel: () => Promise<void> } | null
}

/** Stands for the class `Request`, and makes one only where an ordinary request will not do. Throws what that class throws. */
export type LightRequest = new (url: string, init: PlainRequest) => Made

/** What `sendMade` sends; a `Request` holds the signal of its deadline. */
export type Made = (PlainRequest & { readonly url: string }) | Request
