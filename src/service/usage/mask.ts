import { createHmac } from 'node:crypto'
import { matchesPattern } from 'twinspec/runtime/pattern'
import { type DeclaredWords, isRecord, type ListedWords, NOTHING } from './listed-words.js'

/** A request and its response, as seen by the gateway. */
export type SeenExchange = {
  readonly method: string
  /** The documented path: `/zkt/{apiKey}`. */
  readonly route: string
  /** Path and query, as sent. */
  readonly url: string
  readonly isRpc: boolean
  readonly contentType: string | undefined
  readonly userAgent: string | undefined
  readonly clientPackage: string | undefined
  /** Undefined if there was none, or it was not read. */
  readonly body: Uint8Array | undefined
  readonly status: number
  readonly replyType: string | undefined
  /** Undefined if there was none, or it was too large. */
  readonly reply: string | Uint8Array | undefined
}

/**
 * An exchange as a line of NDJSON for `twinspec usage`, without its values: texts keep their length, numbers their sign and
 * number of digits. Words that the documents list are kept, and the name and version of the client. Keys become an HMAC.
 */
export const maskExchange = (
  seen: SeenExchange,
  { words, secret, day }: MaskOptions,
): Readonly<Record<string, unknown>> => {
  const { sent, received } = seen.isRpc
    ? maskRpc(jsonOf(seen.body), jsonOf(seen.reply), words)
    : { sent: masked(jsonOf(seen.body), words), received: masked(jsonOf(seen.reply), words) }
  const headers = {
    ...(seen.contentType !== undefined && { 'content-type': maskMediaType(seen.contentType) }),
    ...(isPackage(seen.clientPackage) && { 'x-client-package': seen.clientPackage }),
    ...(seen.userAgent !== undefined && { 'user-agent': productsOf(seen.userAgent) }),
  }
  return {
    time: day,
    request: {
      method: /^[A-Z]{1,12}$/.test(seen.method) ? seen.method : 'OTHER',
      url: `${NOWHERE}${maskUrl(seen, words, secret)}`,
      headers,
      omitted: ['headers'],
      // A body that is not JSON becomes an empty text.
      ...(isEmpty(seen.body) ? {} : { body: sent === undefined ? '' : sent }),
    },
    response: {
      status: seen.status,
      headers:
        seen.replyType === undefined ? {} : { 'content-type': maskMediaType(seen.replyType) },
      omitted: ['headers'],
      ...(received !== undefined && { body: received }),
    },
  }
}

export type MaskOptions = {
  readonly words: ListedWords
  /** The secret for the HMAC of keys. */
  readonly secret: Uint8Array
  /** `2026-11-26`: the time of day is not recorded. */
  readonly day: string
}

/** A reserved name (RFC 2606): readers use only the path. */
const NOWHERE = 'http://service.invalid'

/** The name of callers without a key in a path with a key. */
const KEYLESS = 'try-it-out'

const maskUrl = ({ route, url }: SeenExchange, words: ListedWords, secret: Uint8Array): string => {
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
  const written = path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split('/')
  const segments = route.split('/').map((part, index) => {
    if (!part.startsWith('{')) return part
    const value = decoded(written[index] ?? '')
    if (!/key/i.test(part)) return encodeURIComponent(maskText(value))
    return value === KEYLESS ? value : hmac(secret, value)
  })
  const pairs = [...new URLSearchParams(query)].map(([name, value], index) => {
    const isName = words.isName(name)
    const text = isName && words.of(name).values.has(value) ? value : maskText(value)
    return `${encodeURIComponent(isName ? name : `~${index}`)}=${encodeURIComponent(text)}`
  })
  return `${segments.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

const hmac = (secret: Uint8Array, value: string): string =>
  createHmac('sha256', secret).update(value).digest('hex').slice(0, 32)

/** Calls keep the names of documented methods; ids become numbers that still match requests with responses. */
const maskRpc = (sent: unknown, received: unknown, words: ListedWords) => {
  const ids = new Map<string, number>()
  const idOf = (id: unknown): number | null => {
    if (id === null) return null
    const key = JSON.stringify(id)
    const number = ids.get(key) ?? ids.size + 1
    ids.set(key, number)
    return number
  }
  const results = new Map<string, DeclaredWords>()
  const call = (value: unknown): unknown => {
    if (!isRecord(value)) return masked(value, words)
    const { method, params } = value
    const declared = typeof method === 'string' ? words.method(method) : undefined
    if (declared) results.set(JSON.stringify(value.id), declared.result)
    return {
      jsonrpc: '2.0',
      ...('id' in value && { id: idOf(value.id) }),
      ...('method' in value && { method: declared === undefined ? '~' : method }),
      ...('params' in value && {
        params: Array.isArray(params)
          ? params.map((param, index) => masked(param, words, declared?.params[index]))
          : masked(params, words),
      }),
    }
  }
  const answer = (value: unknown): unknown => {
    if (!isRecord(value)) return masked(value, words)
    const { error } = value
    const shown = masked(error, words)
    return {
      jsonrpc: '2.0',
      ...('id' in value && { id: idOf(value.id) }),
      ...('result' in value && {
        result: masked(value.result, words, results.get(JSON.stringify(value.id))),
      }),
      ...(isRecord(error) &&
        isRecord(shown) && {
          error: { ...shown, ...(Number.isSafeInteger(error.code) && { code: error.code }) },
        }),
    }
  }
  const each = (value: unknown, mask: (one: unknown) => unknown): unknown =>
    Array.isArray(value) ? value.map(mask) : value === undefined ? undefined : mask(value)
  return { sent: each(sent, call), received: each(received, answer) }
}

/** Declared names and values are kept; all others are masked. */
const masked = (value: unknown, words: ListedWords, declared: DeclaredWords = NOTHING): unknown => {
  if (value === null || value === undefined || declared.values.has(value)) return value
  if (typeof value === 'string') return maskText(value, declared.patterns)
  if (typeof value === 'number') return maskNumber(value)
  if (typeof value === 'boolean') return true
  if (Array.isArray(value)) return value.map((item) => masked(item, words, declared))
  const members = Object.entries(value).map(([name, member], index) =>
    words.isName(name)
      ? [name, masked(member, words, words.of(name))]
      : // The values of a map are declared with the map.
        [`~${index}`, masked(member, words, declared)],
  )
  return Object.fromEntries(members)
}

/** The same number of characters, and the same format for hex, a UUID or a number, because documents may require it. */
export const maskText = (text: string, patterns: readonly string[] = []): string => {
  if (/^0x[\da-f]*$/i.test(text)) return text === '0x0' ? text : `0x${ones(text.length - 2)}`
  if (UUID.test(text)) return '10000000-1000-4000-8000-100000000000'
  const [, sign, whole = '', fraction = '', exponent = ''] = DECIMAL.exec(text) ?? []
  if (sign !== undefined) return `${sign}${shortened(whole)}${shortened(fraction)}${exponent}`
  const characters = [...text].length
  for (const pattern of patterns) {
    const kept = matchesPattern(pattern, text) ? keywordsOf(text, pattern) : ''
    if (kept !== '') return `${kept}${'x'.repeat(characters - kept.length)}`
  }
  return 'x'.repeat(characters)
}

/**
 * The beginning of a text without which a pattern would not match, such as `function `. It consists of words of the pattern, in
 * ASCII and without digits, which reveal nothing about the caller.
 */
const keywordsOf = (text: string, pattern: string): string => {
  for (let end = 1; end <= Math.min(text.length, LONGEST_KEYWORD); end += 1) {
    const kept = text.slice(0, end)
    const isOfPattern = (kept.match(/[a-z]+/gi) ?? []).every((word) => pattern.includes(word))
    if (!isOfPattern || /[^\x20-\x7e]|\d/.test(kept)) return ''
    if (matchesPattern(pattern, `${kept}${'x'.repeat([...text].length - end)}`)) return kept
  }
  return ''
}

const LONGEST_KEYWORD = 20

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const DECIMAL = /^(-?)(\d+)(\.\d+)?([eE][+-]?\d+)?$/

const ones = (length: number): string => (length <= 0 ? '' : `1${'0'.repeat(length - 1)}`)

/** The same number of digits; leading zeros are kept, so that zero remains zero. */
const shortened = (digits: string): string =>
  digits.replace(/[1-9]\d*/, (some) => ones(some.length))

/** Keeps the sign, the number of digits before the decimal point, and whether there are any after it. */
export const maskNumber = (value: number): number => {
  if (value === 0 || !Number.isFinite(value)) return value
  const whole = Math.trunc(Math.abs(value))
  const digits = whole === 0 ? 0 : Math.floor(Math.log10(whole)) + 1
  const magnitude = digits === 0 ? 0 : 10 ** (digits - 1)
  const shown = Number.isInteger(value) ? magnitude : magnitude + 0.5
  return value < 0 ? -shown : shown
}

const UTF8 = new TextDecoder()

const jsonOf = (body: string | Uint8Array | undefined): unknown => {
  if (isEmpty(body)) return undefined
  try {
    return JSON.parse(typeof body === 'string' ? body : UTF8.decode(body))
  } catch {
    return undefined
  }
}

const isEmpty = (body: string | Uint8Array | undefined): body is undefined =>
  body === undefined || body.length === 0

/** A media type as it is recorded: without parameters, and `other/other` for a text that may be anything, even a secret. */
const maskMediaType = (type: string): string => {
  const [own = ''] = type.toLowerCase().split(';')
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(own.trim()) ? own.trim() : 'other/other'
}

const isPackage = (text: string | undefined): text is string =>
  text !== undefined && /^(?:@[\w.-]{1,214}\/)?[\w.-]{1,214}\/[\w.+-]{1,50}$/.test(text)

/** RFC 9110, 10.1.5: comments describe a person's machine. */
const productsOf = (agent: string): string =>
  (agent.replace(/\([^()]*\)/g, ' ').match(/[\w.!#$%&'*+^`|~-]+(?:\/[\w.+-]+)?/g) ?? [])
    .slice(0, 4)
    .join(' ')
    .slice(0, 80)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
