import { type Dispatch, findDispatch } from './node-dispatcher.js'
import { goOn } from './node-redirect.js'
import { createAnswer } from './node-response.js'
import type { LightRequest, Made, PlainFetch, PlainRequest, PlainResponse } from './plain-fetch.js'
import {
  sendMade as sendWeb,
  lightRequest as WebRequest,
  plainFetch as webFetch,
} from './web-fetch.js'

/**
 * What is ordinary goes straight to the dispatcher that Node's own `fetch` sends by: the same connections, proxies and
 * limits for a fraction of the work. Whatever else a request may be is left to that `fetch`.
 */
export const plainFetch: PlainFetch = (url, request) => {
  const dispatch = findDispatch()
  const address = plainAddress(url)
  const headers = address && plainHeaders(request, address.protocol === 'https:')
  return dispatch && address && headers
    ? send(dispatch, address, headers, request)
    : webFetch(url, request)
}

/** A constructor only where it is called as one: what it gives is plain. */
export const lightRequest = function (this: unknown, url: string, init: PlainRequest) {
  const { method, body } = init
  const isOrdinary = isPlainBody(body) && mayHold(method, body) && plainAddress(url) !== undefined
  return isOrdinary ? { ...init, url } : new WebRequest(url, init)
} as unknown as LightRequest

export const sendMade = (request: Made): Promise<PlainResponse> =>
  request instanceof Request ? sendWeb(request) : plainFetch(request.url, request)

/** Addresses that `fetch` takes as they are. */
export const plainAddress = (url: string): URL | undefined => {
  if (!URL.canParse(url)) return undefined
  const address = new URL(url)
  const { protocol, port, username, password } = address
  const isWeb = protocol === 'http:' || protocol === 'https:'
  const isOpen = port === '' || (Number(port) >= 1024 && !BLOCKED.has(port))
  return isWeb && isOpen && username === '' && password === '' ? address : undefined
}

/** From 1024 on; Fetch standard, "Port blocking". */
const BLOCKED: ReadonlySet<string> = new Set(
  `1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(
    ' ',
  ),
)

/** All that `fetch` would send with an ordinary request; undefined for another. */
export const plainHeaders = (
  { method, headers: given, body }: PlainRequest,
  isSecure: boolean,
): Readonly<Record<string, string>> | undefined => {
  if (!isPlainBody(body) || !mayHold(method, body)) return undefined
  const headers: Record<string, string> = {
    accept: '*/*',
    'accept-language': '*',
    'user-agent': 'node',
    'accept-encoding': isSecure ? 'br, gzip, deflate' : 'gzip, deflate',
  }
  for (const [name, value] of given) {
    if (UNUSUAL.test(name)) return undefined
    headers[name] = value
  }
  headers['sec-fetch-mode'] = 'cors'
  return typeof body === 'string' && headers['content-type'] === undefined ? undefined : headers
}

/** Method -> whether it may have a body. */
const METHODS: Readonly<Record<string, boolean | undefined>> = {
  GET: false,
  HEAD: false,
  POST: true,
  PUT: true,
  PATCH: true,
  DELETE: true,
  OPTIONS: true,
}

const mayHold = (method: string, body: PlainBody): boolean =>
  body === undefined ? METHODS[method] !== undefined : METHODS[method] === true

type PlainBody = string | Uint8Array | undefined

const isPlainBody = (body: unknown): body is PlainBody =>
  body === undefined || typeof body === 'string' || body instanceof Uint8Array

/** Conditions and ranges change what `fetch` sends beside them, the others it writes itself. */
const UNUSUAL = /^(if-.*|range|host|content-length|__proto__)$/

const send = (
  dispatch: Dispatch,
  address: URL,
  headers: Readonly<Record<string, string>>,
  request: PlainRequest,
): Promise<PlainResponse> =>
  new Promise((resolve, reject) => {
    const { method, body, deadline } = request
    const { origin, pathname, search } = address
    const handler = createAnswer({
      method,
      deadline,
      reject,
      resolve: (answer) => resolve(goOn(answer, address, request) ?? answer),
    })
    const path = `${pathname}${search}`
    dispatch({ origin, path, method, headers, body: (body as PlainBody) ?? null }, handler)
  })
