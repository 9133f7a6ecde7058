import type { PlainRequest, PlainResponse } from './plain-fetch.js'
import { plainFetch as webFetch } from './web-fetch.js'

/**
 * What `fetch` does after an answer that is not the last word: it follows redirects, asks once more on another connection
 * (421), and reads no answer of a proxy (407). Undefined for any other.
 */
export const goOn = (
  answer: PlainResponse,
  address: URL,
  request: PlainRequest,
): Promise<PlainResponse> | undefined => {
  const { status } = answer
  if (status === 407) return refuse(answer, new Error())
  if (status === 421) {
    discard(answer)
    return webFetch(address.href, request)
  }
  const location = REDIRECTS.has(status) ? answer.headers.get('location') : null
  if (location === null) return undefined
  let next: URL
  try {
    next = new URL(location, address)
  } catch (cause) {
    return refuse(answer, cause)
  }
  if (next.hash === '') next.hash = address.hash
  if (!/^https?:$/.test(next.protocol))
    return refuse(answer, new Error('URL scheme must be a HTTP(S) scheme'))
  discard(answer)
  return webFetch(next.href, redirected(request, status, next.origin === address.origin))
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Fetch standard, "HTTP-redirect fetch", 12 and 13. */
const redirected = (request: PlainRequest, status: number, isSameOrigin: boolean): PlainRequest => {
  const { method, body, deadline } = request
  const isRead = method === 'GET' || method === 'HEAD'
  const becomesGet = status === 303 ? !isRead : status < 303 && method === 'POST'
  const kept = [...request.headers].filter(
    ([name]) => !(becomesGet && OF_BODY.test(name)) && (isSameOrigin || !OF_ORIGIN.test(name)),
  )
  return becomesGet
    ? { method: 'GET', headers: kept, deadline }
    : { method, headers: kept, body, deadline }
}

const OF_BODY = /^content-(encoding|language|location|type|length)$/
const OF_ORIGIN = /^(authorization|proxy-authorization|cookie|host)$/

const refuse = async (answer: PlainResponse, cause: unknown): Promise<never> => {
  discard(answer)
  throw new TypeError('fetch failed', { cause })
}

const discard = (answer: PlainResponse): void => {
  answer.body?.cancel()
}
