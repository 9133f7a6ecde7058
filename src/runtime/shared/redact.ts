import { escapePattern, percentEncoded, wellFormed } from './template.js'

/**
 * A function that redacts the given secrets in any text: unchanged, percent-encoded, escaped in JSON and in base64. For HTTP
 * Basic, pass the pair `username:password` as one secret, and the password as another.
 */
export const redactor = (secrets: Iterable<string>): Redact => {
  const spellings = [...new Set([...secrets].flatMap(spell))].filter((text) => text !== '')
  if (spellings.length === 0) return keepText
  // Longest first, so that no form matches only a part of a longer one.
  const pattern = spellings
    .sort((a, b) => b.length - a.length)
    .map(patternOf)
    .join('|')
  const secret = new RegExp(pattern, 'g')
  return (text) => text.replace(secret, REDACTED)
}

export type Redact = (text: string) => string

/** The redactor without secrets: values need not be traversed. */
export const keepText: Redact = (text) => text

/** The text that replaces a secret. */
export const REDACTED = '[redacted]'

const spell = (secret: string): string[] => {
  const bytes = new TextEncoder().encode(secret)
  const base64 = btoa(String.fromCharCode(...bytes))
  const unpadded = base64.replaceAll('=', '')
  // Half a surrogate pair cannot be percent-encoded, and encoders that do not throw write U+FFFD instead.
  const text = wellFormed(secret)
  const encoded = encodeURIComponent(text)
  return [
    secret,
    encoded,
    encoded.replace(/[!'()*]/g, percentEncoded),
    encodeURI(text),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    base64,
    unpadded,
    unpadded.replaceAll('+', '-').replaceAll('/', '_'),
    encodeURIComponent(base64),
  ]
}

/** A short secret is redacted only as a whole word, because inside a word it is a coincidence. */
const patternOf = (text: string): string => {
  const pattern = escapePattern(text).replace(/%[0-9A-F]{2}/g, hexInEitherCase)
  return text.length < 4 ? `${START}${pattern}(?!\\w)` : pattern
}

/** The text before a word, including an escape of a URL or of JSON. */
const START = String.raw`(?<=^|\W|%[\da-fA-F]{2}|\\[bfnrt]|\\u[\da-fA-F]{4})`

const hexInEitherCase = (triplet: string): string =>
  triplet.replace(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`)
