type Request = { readonly url: string; readonly init: RequestInit }

/**
 * The request that a redirect asks for (Fetch standard, "HTTP-redirect fetch"), without the credentials of another origin;
 * undefined where the response is no redirect. Throws a TypeError for a redirect that cannot be followed.
 */
export const redirected = (
  { status, headers: received }: Pick<Response, 'status' | 'headers'>,
  { url, init }: Request,
  secretHeaders: readonly string[],
): Request | undefined => {
  const location = received.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined
  if (next === undefined || !/^https?:$/.test(next.protocol))
    throw new TypeError('fetch failed', { cause: new Error('invalid redirect') })
  const { method = 'GET', headers = {}, body, ...rest } = init
  const isRead = method === 'GET' || method === 'HEAD'
  const becomesGet = status === 303 ? !isRead : status < 303 && method === 'POST'
  const isSameOrigin = next.origin === new URL(url).origin
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !(becomesGet && name.startsWith('content-')) &&
      (isSameOrigin || !(CREDENTIALS.test(name) || secretHeaders.includes(name))),
  )
  const changed = becomesGet ? { method: 'GET' } : { method, ...(body && { body }) }
  return { url: next.href, init: { ...rest, ...changed, headers: Object.fromEntries(kept) } }
}

const CREDENTIALS = /^((proxy-)?authorization|cookie)$/
