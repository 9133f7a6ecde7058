import type { HttpOperation } from '../../model/api.js'
import { tryParseJson } from '../../text/json-text.js'
import type { Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import type { Rule } from '../rule.js'
import { assertAccess, describeExchange, sendMalformed } from './send-malformed.js'
import { type HttpSubject, type JsonBody, jsonRequest } from './subject.js'

/** Rules for bodies that are not JSON, or not of the declared type. */
export const MALFORMED_BODY_RULES: readonly Rule[] = [
  {
    id: 'malformed-body-accepted',
    level: 'warning',
    purpose:
      'A body that is not valid JSON or not UTF-8 is rejected, although a parser may accept more.',
    clause: 'OpenAPI, requestBody; RFC 8259, 2, 8.1 and 9',
    checks: ['H21'],
  },
  {
    id: 'malformed-body-wrong-status',
    level: 'warning',
    purpose: 'Malformed syntax is rejected with 400; 422 means that the syntax is correct.',
    clause: 'RFC 9110, 15.5.1 and 15.5.21',
    checks: ['H21'],
  },
  {
    id: 'body-of-wrong-type-accepted',
    level: 'error',
    purpose: 'A JSON body of the wrong type is rejected.',
    clause: 'OpenAPI, requestBody',
    checks: ['H21'],
  },
]

/** Bodies that are not JSON, or JSON of another type than declared (H21). */
export const malformedBodyCases = (
  { api, checker }: Plan,
  subjects: readonly HttpSubject[],
): readonly Case[] =>
  subjects.flatMap((subject) => {
    const { operation } = subject
    const shown = jsonRequest(subject)
    if (!shown) return []
    const { json, sent } = shown
    const media = operation.body?.content.find(({ type }) => type === json.type)
    const validator = checker.schema(media?.schema ?? true)
    const limit = operation.limits.payloadBytes ?? api.http?.limits.payloadBytes ?? 1_000_000
    // Well below the size limit, so that only the depth can be the reason for a rejection.
    const depth = Math.min(DEEPEST, Math.floor(limit / 4))
    const rows = BODIES.filter(
      ({ kind }) => kind !== 'absence' || operation.body?.required === true,
    )
    return rows.flatMap((row): readonly Case[] => {
      const body = row.body(json, depth)
      if (body === undefined || (row.values ?? []).some((value) => validator.check(value)))
        return []
      // Some changes leave valid JSON: `[1,2]` has no quotes to replace, and 5 twice is 55.
      if (row.kind === 'syntax' && isReadable(body)) return []
      const name = `${operation.id}, ${row.title}`
      const run = (session: Session) => tryBody(session, operation, sent, row, body)
      return [{ name, operation, cost: 2, run }]
    })
  })

const tryBody = async (
  session: Session,
  operation: HttpOperation,
  shown: Sent,
  { title, kind }: Row,
  body: string | Uint8Array,
): Promise<void> => {
  await assertAccess(session, shown)
  const sent: Sent = { ...shown, body }
  const { exchange, outcome } = await sendMalformed(session, operation, title, sent)
  const message = `${title} ${describeExchange(exchange)}`
  if (kind === 'choice') {
    if (outcome.kind === 'accepted' || outcome.kind === 'rejected')
      session.observe(`http-json-byte-order-mark of ${operation.id}`, outcome.kind, exchange)
  } else if (outcome.kind === 'accepted')
    session.report(RULES[kind], exchange, {
      message: `${message} as if it were valid`,
      expected: '400',
      aspect: title,
      // Either the parser accepts all of them, or one check is missing.
      cause: kind,
    })
  else if (kind === 'syntax' && outcome.kind === 'rejected') {
    const status = exchange.answer?.status ?? 0
    // The resource was missing or in another state, so the body was perhaps not read.
    if (outcome.cause === 'state') throw new NotTested(`it got the status ${status}`)
    // Whether the rejection is in the HTTP status or only in the body (H42).
    const way = status < 300 ? '200 with an error in the body' : '4xx'
    session.observe(`http-refusal-status of ${operation.id}`, way, exchange)
    if (status !== 400 && status >= 400)
      session.report('malformed-body-wrong-status', exchange, {
        message,
        expected: '400',
        aspect: String(status),
      })
  }
}

const isReadable = (body: string | Uint8Array): boolean => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body))
    return tryParseJson(text) !== undefined
  } catch {
    return false
  }
}

const RULES = {
  syntax: 'malformed-body-accepted',
  absence: 'malformed-body-accepted',
  shape: 'body-of-wrong-type-accepted',
} as const

type Row = {
  readonly title: string
  readonly kind: 'syntax' | 'absence' | 'shape' | 'choice'
  /** Undefined if it cannot be made from this body. */
  readonly body: (json: JsonBody, depth: number) => string | Uint8Array | undefined
  /** Values that the schema must reject; if it accepts one, the row is skipped. */
  readonly values?: readonly unknown[]
}

/** The text of a non-empty object or array. */
const composite = ({ text }: JsonBody): string | undefined =>
  text.length > 2 && /^[[{]/.test(text) ? text : undefined

const BODIES: readonly Row[] = [
  {
    title: 'truncated JSON',
    kind: 'syntax',
    body: (json) => composite(json)?.slice(0, -1),
  },
  {
    title: 'a trailing comma',
    kind: 'syntax',
    body: (json) => composite(json)?.replace(/([\]}])$/, ',$1'),
  },
  {
    title: 'JSON in single quotes',
    kind: 'syntax',
    body: (json) => composite(json)?.replaceAll('"', "'"),
  },
  { title: 'a comment before JSON', kind: 'syntax', body: ({ text }) => `/* a comment */${text}` },
  { title: 'JSON twice in one body', kind: 'syntax', body: ({ text }) => `${text}${text}` },
  { title: 'a word that is no JSON', kind: 'syntax', body: () => 'nonsense' },
  {
    title: 'a raw line feed in a string',
    kind: 'syntax',
    body: ({ value }) => withinString(value, '\n'),
  },
  {
    title: 'a string of bytes that are no UTF-8',
    kind: 'syntax',
    body: ({ value }) => withinString(value, '\u00FF', 'latin1'),
  },
  { title: 'no body', kind: 'absence', body: () => '' },
  { title: 'a body of blanks', kind: 'absence', body: () => '   ' },
  {
    title: 'an array that is deeply nested',
    kind: 'shape',
    body: (_, depth) => '['.repeat(depth) + ']'.repeat(depth),
    values: [[], [[]], [[[]]]],
  },
  // RFC 8259, 8.1: a parser may ignore it instead of treating it as an error.
  { title: 'a byte order mark before JSON', kind: 'choice', body: ({ text }) => `\uFEFF${text}` },
]

const DEEPEST = 10_000

/** The JSON text of a value, with a raw character at the end of its longest string. */
const withinString = (
  value: unknown,
  raw: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Uint8Array | undefined => {
  const longest = stringsIn(value).toSorted((a, b) => b.length - a.length)[0]
  if (longest === undefined) return undefined
  const written = JSON.stringify(longest)
  const [before = '', ...after] = JSON.stringify(value).split(written)
  return Buffer.concat([
    Buffer.from(before + written.slice(0, -1)),
    Buffer.from(raw, encoding),
    Buffer.from(`"${after.join(written)}`),
  ])
}

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}
