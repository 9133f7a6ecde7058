import { headerOf } from '../../runtime/wire/headers.js'
import type { ReceivedResponse } from '../../traffic/exchange.js'
import type { ResponseCheck } from '../case.js'
import type { Rule } from '../rule.js'

/** Rules for headers that HTTP itself defines. */
export const HEADER_RULES: readonly Rule[] = [
  {
    id: 'etag-invalid',
    level: 'error',
    purpose: 'An ETag is a text in double quotes, with W/ before it if it is weak.',
    clause: 'RFC 9110, 8.8.3',
  },
  {
    id: 'last-modified-invalid',
    level: 'error',
    purpose: 'Last-Modified is a date in the format of HTTP.',
    clause: 'RFC 9110, 5.6.7 and 8.8.2',
  },
  {
    id: 'location-invalid',
    level: 'error',
    purpose: 'Location is a URI reference.',
    clause: 'RFC 9110, 10.2.2; RFC 3986, 2',
  },
  {
    id: 'length-header-not-allowed',
    level: 'error',
    purpose: 'A response with the status 204 has neither Content-Length nor Transfer-Encoding.',
    clause: 'RFC 9110, 8.6; RFC 9112, 6.1',
  },
]

/** Reports headers that no recipient can read. */
export const checkHeaderSyntax = ({ exchange, report }: ResponseCheck): void => {
  const { answer } = exchange
  if (answer === undefined) return
  for (const { name, rule, isRight, expected } of SYNTAX) {
    const value = headerOf(answer.headers, name)
    if (value === undefined || isRight(value)) continue
    report(rule, `${name} is ${value === '' ? 'empty' : value}`, expected, { cause: name })
  }
  if (answer.status === 204)
    for (const name of lengthsIn(answer)) {
      report('length-header-not-allowed', `the 204 response has ${name}`, `no ${name}`, {
        aspect: name,
      })
    }
}

const lengthsIn = (answer: ReceivedResponse): readonly string[] =>
  ['Content-Length', 'Transfer-Encoding'].filter(
    (name) => headerOf(answer.headers, name) !== undefined,
  )

const DAYS = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun'
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'

/** Senders use only the first of the three forms (RFC 9110, 5.6.7). */
const IMF_DATE = new RegExp(`^(?:${DAYS}), \\d{2} (?:${MONTHS}) \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$`)

const SYNTAX = [
  {
    name: 'ETag',
    rule: 'etag-invalid',
    isRight: (value: string) => isEntityTag(value),
    expected: '"text", or W/"text"',
  },
  {
    name: 'Last-Modified',
    rule: 'last-modified-invalid',
    isRight: (value: string) => IMF_DATE.test(value),
    expected: 'a date such as Sun, 06 Nov 1994 08:49:37 GMT',
  },
  {
    name: 'Location',
    rule: 'location-invalid',
    // Header values arrive as Latin-1, so other letters are in this range too.
    isRight: (value: string) =>
      value !== '' &&
      /^(?:[\x21\x23\x24\x26-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]|%[\da-f]{2})*$/i.test(value),
    expected: 'a URI reference, with other characters percent-encoded',
  },
] as const

/** `"abc"`, or `W/"abc"`. Bytes above ASCII are allowed. */
export const isEntityTag = (value: string): boolean =>
  /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(value)
