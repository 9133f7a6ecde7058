import type { HttpOperation } from '../../model/api.js'
import { codecOf } from '../../runtime/shared/codecs.js'
import { headerParameter } from '../../runtime/shared/file-name.js'
import { contentFor } from '../../runtime/wire/content.js'
import type { Sent } from '../../traffic/exchange.js'
import type { Case, Session } from '../case.js'
import { classify } from '../outcome.js'
import type { Rule } from '../rule.js'
import { assertAccess, controlOf, describeExchange, sendMalformed } from './send-malformed.js'
import { type HttpSubject, jsonRequest } from './subject.js'

/** Rules for the Content-Type of a request. */
export const MEDIA_TYPE_RULES: readonly Rule[] = [
  {
    id: 'undeclared-media-type-accepted',
    level: 'warning',
    purpose: 'A body with an undeclared media type is rejected with 415 or 400.',
    clause: 'RFC 9110, 15.5.16',
    checks: ['H22'],
  },
  {
    id: 'media-type-spelling-significant',
    level: 'error',
    purpose:
      'Media types are case-insensitive, and the charset of JSON is ignored, because JSON is always UTF-8.',
    clause: 'RFC 9110, 8.3.1; RFC 8259, 11',
    checks: ['H22'],
  },
]

/** Bodies with another Content-Type, and the same type in another spelling (H22). */
export const mediaTypeCases = (subjects: readonly HttpSubject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    const shown =
      jsonRequest(subject) ?? subject.shown.find(({ values }) => values.body !== undefined)
    if (!shown) return []
    const { sent } = shown
    const declared = operation.body?.content.map(({ type }) => type) ?? []
    const foreign = FOREIGN.filter((type) => contentFor(declared, type) === undefined)
    const one = (title: string, run: (session: Session, title: string) => Promise<void>): Case => ({
      name: `${operation.id}, ${title}`,
      operation,
      cost: 2,
      run: (session) => run(session, title),
    })
    return [
      ...foreign.map((type) =>
        one(`a body said to be ${type.replace(/;.*/, '')}`, (session, title) =>
          tryForeign(session, operation, title, sent, type),
        ),
      ),
      one('a body without Content-Type', async (session, title) => {
        const { 'content-type': _, ...headers } = sent.headers
        const untyped = { ...sent, headers }
        const { exchange, outcome } = await sendMalformed(session, operation, title, untyped)
        const control = classify(await controlOf(session, sent), operation, session)
        // RFC 9110, 8.3: a recipient may then inspect the data itself.
        if (
          control.kind === 'accepted' &&
          (outcome.kind === 'accepted' || outcome.kind === 'rejected')
        )
          session.observe(`http-content-type-missing of ${operation.id}`, outcome.kind, exchange)
      }),
      ...sameTypes(sent.headers['content-type'] ?? '').map((type) =>
        one(`a body said to be ${type}`, (session) => trySame(session, operation, sent, type)),
      ),
    ]
  })

/** The same type in another spelling. The values of its parameters may be case-sensitive. */
const sameTypes = (type: string): readonly string[] => {
  const upper = type.replace(/^[^;]*/, (name) => name.toUpperCase())
  const hasCharset = headerParameter(type, 'charset') !== undefined
  return hasCharset || codecOf(type) !== 'json' ? [upper] : [upper, `${type}; charset=utf-8`]
}

const FOREIGN = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=part',
  'application/xml',
  'image/png',
]

const withType = (sent: Sent, type: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'content-type': type },
})

const tryForeign = async (
  session: Session,
  operation: HttpOperation,
  title: string,
  sent: Sent,
  type: string,
): Promise<void> => {
  await assertAccess(session, sent)
  const foreign = withType(sent, type)
  const { exchange, outcome } = await sendMalformed(session, operation, title, foreign)
  const status = exchange.answer?.status ?? 0
  const isWrong = outcome.kind === 'rejected' && status >= 300 && status !== 415 && status !== 400
  if (outcome.kind !== 'accepted' && !isWrong) return
  session.report('undeclared-media-type-accepted', exchange, {
    message: `${title} ${describeExchange(exchange)}`,
    expected: '415, or 400',
    ...(isWrong && { aspect: String(status) }),
  })
}

const trySame = async (
  session: Session,
  operation: HttpOperation,
  sent: Sent,
  type: string,
): Promise<void> => {
  const exchange = await session.ask(withType(sent, type))
  const { status = 0 } = exchange.answer ?? {}
  if (status !== 415 && status !== 400) return
  // Sent again at this point, because a server may reject a repeated request that it accepted once.
  const control = await session.ask(sent)
  if (classify(control, operation, session).kind !== 'accepted') return
  session.report('media-type-spelling-significant', exchange, {
    message: `a body said to be ${type} ${describeExchange(exchange)}`,
    expected: `the same response as for ${sent.headers['content-type'] ?? ''}`,
    aspect: type,
  })
}
