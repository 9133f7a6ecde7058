/**
 * A function that blots the given secrets out of any text: as they are, percent-encoded, escaped in JSON and in base64.
 * For HTTP basic pass the pair `username:password` as one secret beside the password.
 */
export const redactor = (secrets: Iterable<string>): Redact => {
  const spellings = [...new Set([...secrets].flatMap(spell))].filter((text) => text !== '')
  if (spellings.length === 0) return (text) => text
  // Longest first, so that no spelling is cut short by another that it contains.
  const pattern = spellings
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .map((text) => text.replace(/%[0-9A-F]{2}/g, hexInEitherCase))
    .join('|')
  const secret = new RegExp(pattern, 'g')
  return (text) => text.replace(secret, REDACTED)
}

export type Redact = (text: string) => string

/** What stands where a secret stood. */
export const REDACTED = '[redacted]'

/** The same data with every string in it, keys too, redacted; what holds no secret is returned as it came. */
export const redactValue = <T>(value: T, redact: Redact): T => redactAny(value, redact) as T

/**
 * An error fit to be a `cause`: itself where neither it nor its own causes hold a secret, else a copy without.
 * Node's `fetch` and `Request` put the whole URL, and so the key, into some of their errors.
 */
export const redactCause = (error: unknown, redact: Redact): unknown => {
  if (!(error instanceof Error)) return redactValue(error, redact)
  const cause = error.cause === undefined ? undefined : redactCause(error.cause, redact)
  const own = Object.entries(Object.getOwnPropertyDescriptors(error)).flatMap(([key, { value }]) =>
    key === 'cause' || value === undefined ? [] : [[key, redactValue(value, redact)] as const],
  )
  const descriptors = Object.getOwnPropertyDescriptors(error)
  const message = redact(error.message)
  const stack = error.stack === undefined ? undefined : redact(error.stack)
  const untouched =
    message === error.message &&
    stack === error.stack &&
    cause === error.cause &&
    own.every(([key, value]) => descriptors[key as keyof typeof descriptors]?.value === value)
  if (untouched) return error
  const copy = new Error(message, cause === undefined ? undefined : { cause })
  return Object.assign(copy, Object.fromEntries(own), { name: error.name, message, stack })
}

const spell = (secret: string): string[] => {
  const bytes = new TextEncoder().encode(secret)
  const base64 = btoa(String.fromCharCode(...bytes))
  // Half a surrogate pair cannot be percent-encoded, and encoders that do not throw write U+FFFD for it.
  const text = secret.replace(/[\ud800-\udfff]/gu, '\ufffd')
  return [
    secret,
    encodeURIComponent(text),
    encodeURIComponent(text).replace(/[!'()*]/g, percent),
    encodeURI(text),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    encodeURIComponent(base64),
  ]
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`

const hexInEitherCase = (triplet: string): string =>
  triplet.replace(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`)

const redactAny = (value: unknown, redact: Redact, above: readonly unknown[] = []): unknown => {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null || above.includes(value)) return value
  const path = [...above, value]
  if (Array.isArray(value)) {
    const items = value.map((item) => redactAny(item, redact, path))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const entries = Object.entries(value)
  const clean = entries.map(([key, item]) => [redact(key), redactAny(item, redact, path)] as const)
  const same = clean.every(([key, item], index) => {
    const entry = entries[index]
    return entry !== undefined && entry[0] === key && entry[1] === item
  })
  return same ? value : Object.fromEntries(clean)
}
