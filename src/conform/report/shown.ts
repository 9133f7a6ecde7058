import { REDACTED, type Redact, redactor } from '../../runtime/shared/redact.js'
import type { Target } from '../target.js'
import { type Answer, type Exchange, type Sent, textOf } from '../wire/exchange.js'
import { curlLine, literal } from './curl-line.js'

/** An exchange as people read it, the key as `$KEY` throughout. */
export type Shown = {
  readonly request: string
  /** What came, or why nothing did. */
  readonly answer: string
  /** A line for a shell that sends the same. */
  readonly curl: string
}

export const shown = (
  { sent, answer, failure, recorded, beside }: Exchange,
  { secrets }: Target,
): Shown => {
  const hidden = keyHider(secrets)
  const request = requestText(sent, hidden)
  return {
    request: recorded === undefined ? request : `${recorded} ${request}`,
    answer: answer ? answerText(answer, hidden) : hidden(failure ?? 'no answer'),
    curl: curlLine(sent, blotter(secrets)) + (beside === undefined ? '' : ` # sent ${beside}`),
  }
}

/** Redacts keys in a text about a server, and then shortens its quotations. */
export const keyHider = (secrets: readonly string[]): Hide => {
  const blot = blotter(secrets)
  return (text) => cutQuotes(blot(text).replaceAll(REDACTED, '$KEY'))
}

/** A redactor is slow to create, and callers pass the same list each time. */
const blotter = (secrets: readonly string[]): Redact => {
  const known = blotters.get(secrets) ?? redactor(secrets)
  blotters.set(secrets, known)
  return known
}

const blotters = new WeakMap<readonly string[], Redact>()

type Hide = (text: string) => string

const requestText = ({ method, url, body }: Sent, hidden: Hide): string =>
  hidden(`${method} ${url}`) + (body === undefined ? '' : ` ${bodyText(body, hidden)}`)

const answerText = ({ status, headers, body }: Answer, hidden: Hide): string => {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const head = hidden(`${status}${type === undefined ? '' : ` ${type}`}`)
  return `${head} ${bodyText(body, hidden)}`.trimEnd()
}

/** Hidden before it is cut: half a key is half a secret. Blanks that only make a body large are counted. */
const bodyText = (body: string | Uint8Array, hidden: Hide): string => {
  const isText = typeof body === 'string' || literal(body) !== undefined
  const text = hidden(textOf(body)).replace(/ {100,}/g, ({ length }) => ` … ${length} spaces … `)
  const bytes = isText ? '' : `(${body.length} bytes, not UTF-8) `
  return text.length <= LONGEST
    ? `${bytes}${text}`
    : `${bytes}${text.slice(0, LONGEST)}… (${text.length} characters)`
}

/** What is printed on one line is cut again there. */
const LONGEST = 2_000

/**
 * What is quoted of others in a message, whole: half a key is not known as one, so it is cut only where keys have been taken
 * out, by `cutQuotes`.
 */
export const quoted = (text: string): string =>
  text.length <= LONGEST_QUOTE ? text : `${BEGIN}${text.replace(MARKS, '')}${END}`

const LONGEST_QUOTE = 80

/** Each quotation that is too long to be read, cut short; and the marks around all of them are gone. */
export const cutQuotes = (text: string): string =>
  text.includes(BEGIN) ? text.replace(QUOTATION, (_, inside: string) => cut(inside)) : text

const cut = (text: string): string =>
  text.length <= LONGEST_QUOTE
    ? text
    : `${text.slice(0, LONGEST_QUOTE)}… (${text.length} characters)`

/** Noncharacters, which no text holds that is meant to be read (Unicode, 23.7). */
const BEGIN = '\ufdd0'
const END = '\ufdd1'
const MARKS = /[\ufdd0\ufdd1]/g
const QUOTATION = /\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/g
