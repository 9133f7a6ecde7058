import { escapePattern, percent } from './template.js'

/**
 * A function that blots the given secrets out of any text: as they are, percent-encoded, escaped in JSON and in base64.
 * For HTTP basic pass the pair `username:password` as one secret beside the password.
 */
export const redactor = (secrets: Iterable<string>): Redact => {
  const spellings = [...new Set([...secrets].flatMap(spell))].filter((text) => text !== '')
  if (spellings.length === 0) return keepText
  // Longest first, so that no spelling is cut short by another that it contains.
  const pattern = spellings
    .sort((a, b) => b.length - a.length)
    .map(patternOf)
    .join('|')
  const secret = new RegExp(pattern, 'g')
  return (text) => text.replace(secret, REDACTED)
}

export type Redact = (text: string) => string

/** What a redactor without secrets is: values need not even be walked. */
export const keepText: Redact = (text) => text

/** The text that replaces a secret. */
export const REDACTED = '[redacted]'

const spell = (secret: string): string[] => {
  const bytes = new TextEncoder().encode(secret)
  const base64 = btoa(String.fromCharCode(...bytes))
  // Half a surrogate pair cannot be percent-encoded, and encoders that do not throw write U+FFFD for it.
  const text = secret.replace(/[\ud800-\udfff]/gu, '\ufffd')
  const encoded = encodeURIComponent(text)
  return [
    secret,
    encoded,
    encoded.replace(/[!'()*]/g, percent),
    encodeURI(text),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    encodeURIComponent(base64),
  ]
}

/** A short secret is redacted as a whole word only: inside a word it is a coincidence. */
const patternOf = (text: string): string => {
  const pattern = escapePattern(text).replace(/%[0-9A-F]{2}/g, hexInEitherCase)
  return text.length < 4 ? `${START}${pattern}(?!\\w)` : pattern
}

/** What a word begins after: an escape of a URL or of JSON, too. */
const START = String.raw`(?<=^|\W|%[\da-fA-F]{2}|\\[bfnrt]|\\u[\da-fA-F]{4})`

const hexInEitherCase = (triplet: string): string =>
  triplet.replace(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`)
