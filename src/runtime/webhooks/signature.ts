import { cached } from '../shared/cached.js'

/**
 * The check of the signature of a webhook, by a scheme and secrets. It gets the bytes as they were sent, and returns why they are
 * rejected. Throws a TypeError for a scheme or secret that cannot be meant.
 */
export const createSignatureCheck = (options: SignatureOptions): SignatureCheck => {
  const { scheme = 'standard', secret, tolerance = 300 } = options
  const secrets = secret === undefined ? [] : [secret].flat()
  if (secrets.some((one) => typeof one !== 'string' || one === ''))
    throw new TypeError('secret must be a text that is not empty, or a list of such texts')
  if (typeof tolerance !== 'number' || !(tolerance >= 0))
    throw new TypeError('tolerance must be a number of seconds, 0 or more')
  if (typeof scheme === 'function') return checkBy(scheme, secrets)
  if (scheme === 'none') {
    if (secrets.length > 0)
      throw new TypeError("scheme 'none' checks no signature: leave out secret, or name the scheme")
    return async () => undefined
  }
  const row = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
  if (row === undefined)
    throw new TypeError(
      `scheme must be 'standard', 'stripe', 'github', 'none' or a function, not ${JSON.stringify(scheme)}`,
    )
  if (secrets.length === 0)
    throw new TypeError(
      "secret is missing: set the secret of the webhook's sender, or scheme 'none' to accept requests of anyone",
    )
  const keys = secrets.map(row.keyOf)
  return async ({ headers, body, now }) => {
    const signed = row.read(headers)
    if (signed === undefined) return 'The signature is missing'
    const { timestamp, prefix, signatures, encode } = signed
    if (timestamp !== undefined) {
      // Number() also reads 0x10 and blanks.
      const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN
      if (!(Math.abs(now / 1000 - seconds) <= tolerance))
        return `The timestamp differs by more than ${tolerance} seconds from the current time`
    }
    const content = joined(UTF8.encode(prefix), body)
    for (const key of keys) {
      const expected = encode(await hmac(key, content))
      if (signatures.some((one) => isSame(one, expected))) return undefined
    }
    return 'No signature matches'
  }
}

/** A check needs a scheme and its secret; `none` and functions need no secret. */
export type SignatureOptions = {
  /** The secret of the sender; a list accepts each of them, for the time in which it is rotated. */
  readonly secret?: string | readonly string[] | undefined
  /**
   * How the sender signs: `standard` (Standard Webhooks), which is the default, `stripe`, `github`, or a function that checks it.
   * `none` accepts requests of anyone.
   */
  readonly scheme?: 'standard' | 'stripe' | 'github' | 'none' | VerifySignature | undefined
  /** The seconds by which a signed timestamp may differ from the current time, in either direction; 300 by default. */
  readonly tolerance?: number | undefined
}

/** Whether the signature of a request is valid. A function that throws rejects the request. */
export type VerifySignature = (signed: SignedRequest) => boolean | Promise<boolean>

export type SignedRequest = {
  readonly headers: Headers
  /** The bytes as they were sent. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly secrets: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Returns why a request is rejected. */
export type SignatureCheck = (
  request: Omit<SignedRequest, 'secrets'>,
) => Promise<string | undefined>

/** Only `true` accepts: a forgotten `await` or `return` must not. */
const checkBy =
  (verify: VerifySignature, secrets: readonly string[]): SignatureCheck =>
  async (request) =>
    (await verify({ ...request, secrets })) === true ? undefined : 'The signature is not valid'

type Scheme = {
  /** Throws a TypeError for a secret that the scheme cannot use. */
  readonly keyOf: (secret: string) => Uint8Array<ArrayBuffer>
  /** What was signed; undefined if headers are missing. */
  readonly read: (headers: Headers) => Signed | undefined
}

type Signed = {
  /** Seconds since 1970; undefined if the scheme has none. */
  readonly timestamp: string | undefined
  /** The signed text before the body. */
  readonly prefix: string
  readonly signatures: readonly string[]
  /** The spelling of a signature. */
  readonly encode: (bytes: Uint8Array) => string
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const UTF8 = new TextEncoder()

const SCHEMES: Readonly<Record<string, Scheme>> = {
  /** Standard Webhooks 1.0, "Signature scheme" and "Webhook headers". Signatures of keys, `v1a`, are not read. */
  standard: {
    keyOf: (secret) => {
      try {
        const text = atob(secret.replace(/^whsec_/, ''))
        if (text !== '') return Uint8Array.from(text, (character) => character.charCodeAt(0))
      } catch {
        // The error of atob would name neither the option nor the scheme.
      }
      throw new TypeError("a secret of scheme 'standard' must be base64, with or without whsec_")
    },
    read: (headers) => {
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
        headers.get(`webhook-${name}`),
      )
      if (!id || !timestamp || !signature) return undefined
      const signatures = signature
        .split(' ')
        .flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
      return { timestamp, prefix: `${id}.${timestamp}.`, signatures, encode: toBase64 }
    },
  },
  /** Stripe, "Verify webhook signatures manually": `t=1492774577,v1=…,v0=…`. `v0` belongs to test events only. */
  stripe: {
    keyOf: (secret) => UTF8.encode(secret),
    read: (headers) => {
      const members = (headers.get('stripe-signature') ?? '').split(',').map((member) => {
        const [name = '', ...value] = member.trim().split('=')
        return { name, value: value.join('=') }
      })
      const timestamp = members.find(({ name }) => name === 't')?.value
      const signatures = members.flatMap(({ name, value }) => (name === 'v1' ? [value] : []))
      if (timestamp === undefined || signatures.length === 0) return undefined
      return { timestamp, prefix: `${timestamp}.`, signatures, encode: toHex }
    },
  },
  /** GitHub, "Validating webhook deliveries". Nothing but the body is signed. */
  github: {
    keyOf: (secret) => UTF8.encode(secret),
    read: (headers) => {
      const [, signature] = /^sha256=(.*)$/.exec(headers.get('x-hub-signature-256') ?? '') ?? []
      if (signature === undefined) return undefined
      return { timestamp: undefined, prefix: '', signatures: [signature], encode: toHex }
    },
  },
}

const joined = (prefix: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(prefix.byteLength + body.byteLength)
  bytes.set(prefix)
  bytes.set(body, prefix.byteLength)
  return bytes
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

const imported = new WeakMap<Uint8Array, Promise<CryptoKey>>()

const hmac = async (
  secret: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> => {
  const key = await cached(imported, secret, () =>
    crypto.subtle.importKey('raw', secret, HMAC, false, ['sign']),
  )
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
}

/** In a time that does not depend on the characters, only on their number, which is no secret. */
const isSame = (one: string, other: string): boolean => {
  if (one.length !== other.length) return false
  let difference = 0
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
