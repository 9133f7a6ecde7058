import type { LightRequest, Made, PlainFetch, PlainRequest, PlainResponse } from './plain-fetch.js'

/** The platform's own `fetch`, whoever put it there. */
export const plainFetch: PlainFetch = (url, { method, headers, body, deadline }) =>
  globalThis.fetch(url, {
    method,
    headers: new Headers([...headers].map(([name, value]): [string, string] => [name, value])),
    signal: deadline.signal,
    ...(body === undefined ? {} : { body }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })

/** A browser's own `Request` costs next to nothing. */
export const lightRequest = function (this: unknown, url: string, init: PlainRequest) {
  const { deadline, ...rest } = init
  return new Request(url, { ...(rest as object), signal: deadline.signal })
} as unknown as LightRequest

export const sendMade = (request: Made): Promise<PlainResponse> =>
  globalThis.fetch(request as Request)
