import type { Fetch } from './link/transport.js'
import { platformFetch } from './link/web-transport.js'
import { redactor } from './shared/redact.js'

/** What both grants need. `tokenUrl` may come from the generated `oauth2.ts`, which has the addresses of the document. */
export type TokenOptions = {
  /** The address of the token endpoint. */
  readonly tokenUrl: string | URL
  readonly clientId: string
  /** The scopes of the token, such as `['orders:read']`; by default those that the server chooses. */
  readonly scopes?: readonly string[] | undefined
  /** Where the client and its secret are sent: in HTTP Basic, the default, or in the body (RFC 6749, 2.3.1). */
  readonly authentication?: 'basic' | 'body' | undefined
  /** Further fields of the request, such as `{ audience: 'https://api.example.com' }`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined
  /** Milliseconds before its end from which a token is not used any more; 30,000 by default. */
  readonly margin?: number | undefined
  /** Milliseconds for a request of a token; 30,000 by default. */
  readonly timeout?: number | undefined
  readonly fetch?: Fetch | undefined
}

/** A function for `auth` of a client: the current token, or another one in place of a rejected one. */
export type TokenSource = (rejected?: string) => Promise<string>

/**
 * Tokens by the grant of client credentials (RFC 6749, 4.4). A token is requested when the first call needs it, once for all
 * calls that wait for it, and kept until it expires. After a 401 it is requested again, once. Rejects with an `OAuthError`.
 *
 * ```ts
 * const token = clientCredentials({ tokenUrl: 'https://id.example.com/token', clientId: 'shop', clientSecret })
 * const http = createHttpClient({ auth: { oauth: token } })
 * ```
 */
export const clientCredentials = (
  options: TokenOptions & { readonly clientSecret: string },
): TokenSource => createTokenSource(options, () => ({ grant_type: 'client_credentials' }))

/**
 * Tokens by a refresh token (RFC 6749, 6), in the same way. Where the server replaces the refresh token, the next request has
 * the new one, and `onRefreshToken` receives it, to be stored.
 */
export const refreshToken = (
  options: TokenOptions & {
    /** Undefined for a public client, such as a page. */
    readonly clientSecret?: string | undefined
    readonly refreshToken: string
    readonly onRefreshToken?: ((token: string) => unknown) | undefined
  },
): TokenSource => {
  let current = options.refreshToken
  return createTokenSource(
    options,
    () => ({ grant_type: 'refresh_token', refresh_token: current }),
    async ({ refresh_token: next }) => {
      if (typeof next !== 'string' || next === current) return
      current = next
      await options.onRefreshToken?.(next)
    },
  )
}

/**
 * Why a token could not be obtained. `code` is that of the server (RFC 6749, 5.2), such as `invalid_client` or `invalid_grant`;
 * undefined where the server did not answer, or not as the RFC says. No text has the secret or a token.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  declare readonly code: string | undefined
  /** The status of the response; undefined without one. */
  declare readonly status: number | undefined
  /** `error_description` and `error_uri` of the server. */
  declare readonly description: string | undefined
  declare readonly uri: string | undefined

  constructor(
    message: string,
    details: Partial<Pick<OAuthError, 'code' | 'status' | 'description' | 'uri'>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, { code: undefined, status: undefined, description: undefined }, details)
  }
}

type Fields = Readonly<Record<string, string>>
type Granted = Readonly<Record<string, unknown>>

type Token = { readonly text: string; readonly ends: number }

const createTokenSource = (
  options: TokenOptions & { readonly clientSecret?: string | undefined },
  grant: () => Fields,
  onGranted: (granted: Granted) => Promise<void> = async () => undefined,
): TokenSource => {
  const { margin = 30_000 } = options
  if (!URL.canParse(String(options.tokenUrl)))
    throw new TypeError('options.tokenUrl must be an absolute URL')
  let token: Token | undefined
  let pending: Promise<Token> | undefined
  const obtain = async (): Promise<Token> => {
    const granted = await requestToken(options, grant())
    await onGranted(granted)
    const seconds = Number(granted.expires_in ?? Number.POSITIVE_INFINITY)
    token = { text: String(granted.access_token), ends: Date.now() + seconds * 1_000 }
    return token
  }
  return async (rejected) => {
    // Another call may have replaced the rejected token meanwhile.
    const isUsable =
      token !== undefined && token.text !== rejected && Date.now() < token.ends - margin
    if (token !== undefined && isUsable) return token.text
    pending ??= obtain().finally(() => {
      pending = undefined
    })
    return (await pending).text
  }
}

const requestToken = async (
  options: TokenOptions & { readonly clientSecret?: string | undefined },
  grant: Fields,
): Promise<Granted> => {
  const { clientId, clientSecret, scopes = [], authentication = 'basic', parameters } = options
  const { fetch = platformFetch, timeout = 30_000 } = options
  const isBasic = clientSecret !== undefined && authentication === 'basic'
  const clean = redactor([clientSecret ?? '', grant.refresh_token ?? ''])
  const body = new URLSearchParams({
    ...parameters,
    ...grant,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(!isBasic && { client_id: clientId }),
    ...(!isBasic && clientSecret !== undefined && { client_secret: clientSecret }),
  })
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    ...(isBasic && { authorization: basic(clientId, clientSecret) }),
  }
  let status: number
  let text: string
  try {
    const signal = AbortSignal.timeout(timeout)
    // A redirect would send the secret to another address.
    const init = { method: 'POST', headers, body: String(body), redirect: 'error', signal } as const
    const response = await fetch(String(options.tokenUrl), init)
    status = response.status
    text = await response.text()
  } catch (cause) {
    const why = clean(cause instanceof Error ? cause.message : String(cause))
    throw new OAuthError(`the token endpoint did not answer: ${why}`)
  }
  const granted = objectOf(text)
  const isToken = typeof granted.access_token === 'string' && /^bearer$/i.test(typeOf(granted))
  if (status >= 200 && status < 300 && isToken) return granted
  const textOf = (name: string): string | undefined =>
    typeof granted[name] === 'string' ? clean(granted[name]) : undefined
  const code = textOf('error')
  const description = textOf('error_description')
  const reason = [code, description].filter((one) => one !== undefined).join(': ')
  const isOther = granted.access_token !== undefined
  const due = isOther ? `a token of the type ${clean(typeOf(granted))}` : 'no token'
  throw new OAuthError(`the token endpoint answered ${status}: ${reason || due}`, {
    code,
    status,
    description,
    uri: textOf('error_uri'),
  })
}

/** Some servers leave the type out. */
const typeOf = ({ token_type: type = 'bearer' }: Granted): string => String(type)

const objectOf = (text: string): Granted => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** RFC 6749, 2.3.1: both are written as in a form first. */
const basic = (clientId: string, secret: string): string => {
  const [user, password] = [clientId, secret].map((one) =>
    new URLSearchParams({ '': one }).toString().slice(1),
  )
  return `Basic ${btoa(`${user}:${password}`)}`
}
