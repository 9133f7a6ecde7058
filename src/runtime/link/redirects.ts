import type { IncomingResponse, Send, SendableRequest, TransportRequest } from './transport.js'

/**
 * Follows redirects, beginning with the response to a request whose `redirect` is `manual`. Resolves with the first response that
 * is not followed. Throws a TypeError for a redirect that cannot be followed, and after the twentieth.
 */
export const followRedirects = async (
  transport: Send,
  request: SendableRequest,
  response: IncomingResponse,
): Promise<IncomingResponse> => {
  if (response.status === 0) {
    response.discard()
    throw new TypeError('the server redirects, and browsers do not report where')
  }
  const { isReturned, protocol, secretHeaders } = request
  let [sent, received] = [request, response]
  for (let count = 0; ; count += 1) {
    const { status } = received
    const isFollowed = protocol === 'http' ? !isReturned?.(status) : status > 303
    let next: SendableRequest | undefined
    try {
      next = isFollowed ? redirected(received, sent, secretHeaders) : undefined
    } catch (error) {
      received.discard()
      throw error
    }
    if (next === undefined) return received
    received.discard()
    if (count === LONGEST_CHAIN) throw new TypeError('too many redirects')
    sent = next
    received = await transport(sent)
  }
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
  const location = redirectLocation(response)
  if (location === undefined) return undefined
  const { status } = response
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

/** The location of a redirect, as it is written; undefined if the response is no redirect (Fetch standard, "redirect status"). */
export const redirectLocation = (
  response: Pick<IncomingResponse, 'status' | 'header'>,
): string | undefined => {
  const written = STATUSES.includes(response.status) ? response.header('location') : null
  return written === null ? undefined : fromUtf8(written)
}

/** The text of a header whose bytes are UTF-8, as in `fetch`. */
const fromUtf8 = (header: string): string =>
  new TextDecoder().decode(Uint8Array.from(header, (byte) => byte.charCodeAt(0)))

const STATUSES: readonly number[] = [301, 302, 303, 307, 308]
const CREDENTIALS = /^((proxy-)?authorization|cookie)$/
