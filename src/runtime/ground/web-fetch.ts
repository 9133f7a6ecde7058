import type { LightRequest, PlainFetch } from './plain-fetch.js'

/** The platform's own `fetch`, whoever put it there. */
export const plainFetch: PlainFetch = (url, { method, headers, body, deadline }) =>
  globalThis.fetch(url, {
    method,
    headers: new Headers([...headers].map(([name, value]): [string, string] => [name, value])),
    signal: deadline.signal,
    ...(body === undefined ? {} : { body }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })

/** None: a browser's own `Request` costs next to nothing. */
export const lightRequest: LightRequest | undefined = undefined
