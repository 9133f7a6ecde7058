import type { HttpOperation } from '../../model/api.js'
import { isObject } from '../../model/json.js'
import { httpOperations } from '../../model/operations.js'
import type { Sent } from '../../traffic/exchange.js'
import type { Case, Plan, Session } from '../case.js'
import { classify } from '../outcome.js'
import type { Rule } from '../rule.js'
import { unsupportedReason } from '../target.js'
import { sendPatiently } from '../wire/patient-send.js'
import { BOUNDARY, writeHttp } from '../wire/write-request.js'
import { assertAccess, describeExchange, sendMalformed } from './send-malformed.js'
import { shownParameters } from './subject.js'

/** Rules for multipart forms. */
export const FORM_RULES: readonly Rule[] = [
  {
    id: 'form-media-type-rejected',
    level: 'error',
    purpose: 'A multipart form is not rejected for its media type where the document declares it.',
    clause: 'OpenAPI, requestBody; RFC 9110, 15.5.16',
    checks: ['H22'],
  },
  {
    id: 'malformed-form-accepted',
    level: 'warning',
    purpose: 'A multipart body without its boundary, or a truncated one, is rejected.',
    clause: 'RFC 2046, 5.1.1; RFC 7578, 4.1 and 4.2',
    checks: ['H21'],
  },
  {
    id: 'form-limit-not-enforced',
    level: 'error',
    purpose: 'A form that exceeds the limit in x-limits by one byte is rejected.',
    clause: 'x-limits.payloadBytes; RFC 9110, 15.5.14',
    checks: ['H23'],
  },
]

/** Well-formed, malformed and oversized forms (H21 to H23). */
export const formCases = (plan: Plan): readonly Case[] => {
  const { api, target, skip } = plan
  return httpOperations(api).flatMap((operation): readonly Case[] => {
    const media = operation.body?.content.find(({ codec }) => codec === 'multipart')
    if (media === undefined || unsupportedReason(target, operation) !== undefined) return []
    const parameters = shownParameters(plan, operation)
    const [example] = media.examples
    const written = (value: unknown) =>
      typeof parameters === 'string'
        ? undefined
        : writeHttp(operation, { parameters, body: { type: media.type, value } }, target)
    const right = written(example?.value)
    if (right === undefined || !isObject(example?.value)) {
      const why = right ? 'no form could be generated from its schema' : 'its URL is not known'
      skip(`${operation.id}, forms`, why)
      return []
    }
    const value = example.value
    const body = Buffer.from(right.body ?? '')
    const sent = (type: string, changed: Uint8Array): Sent => ({
      ...right,
      headers: { ...right.headers, 'content-type': type },
      body: changed,
    })
    const one = (title: string, run: Case['run']): Case => {
      return { name: `${operation.id}, ${title}`, operation, cost: 2, run }
    }
    const limit = operation.limits.payloadBytes ?? api.http?.limits.payloadBytes ?? LARGEST
    const large = limit < LARGEST ? written(withFileOf(value, limit)) : undefined
    return [
      one('a form', (session) => tryRight(session, right)),
      ...MALFORMED.map(({ title, type = TYPE, change }) =>
        one(title, (session) =>
          tryMalformed(session, operation, title, { right, sent: sent(type, change(body)) }),
        ),
      ),
      ...(large && Buffer.byteLength(large.body ?? '') > limit
        ? [
            one(`a form of more than ${limit} bytes`, (session) =>
              tryLarge(session, operation, { right, sent: large, limit }),
            ),
          ]
        : []),
    ]
  })
}

const MULTIPART = 'multipart/form-data'
const TYPE = `${MULTIPART}; boundary=${BOUNDARY}`
/** Larger forms are not sent on every run. */
const LARGEST = 16 * 1024 * 1024

const withFileOf = (
  value: Readonly<Record<string, unknown>>,
  bytes: number,
): Readonly<Record<string, unknown>> => {
  const file = new Uint8Array(bytes).fill(0x61)
  const isFile = (one: unknown) => [one].flat().some((item) => item instanceof Uint8Array)
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isFile(one) ? file : one]),
  )
}

const MALFORMED: readonly {
  readonly title: string
  readonly type?: string
  readonly change: (body: Uint8Array) => Uint8Array
}[] = [
  { title: 'a form without a boundary', type: MULTIPART, change: (body) => body },
  { title: 'a form of another boundary', type: `${MULTIPART}; boundary=other`, change: (b) => b },
  {
    title: 'a form that is cut off',
    change: (body) => body.subarray(0, body.length - BOUNDARY.length - '--\r\n--'.length),
  },
  {
    title: 'a form whose parts have no names',
    change: (body) => Buffer.from(`${Buffer.from(body)}`.replaceAll(/; name="[^"]*"/g, '')),
  },
]

const tryRight = async (session: Session, sent: Sent): Promise<void> => {
  const exchange = await session.ask(sent)
  if (exchange.answer?.status !== 415) return
  session.report('form-media-type-rejected', exchange, {
    message: `a multipart form ${describeExchange(exchange)}`,
    expected: 'a status other than 415, because multipart/form-data is declared',
  })
}

const tryMalformed = async (
  session: Session,
  operation: HttpOperation,
  title: string,
  { right, sent }: { readonly right: Sent; readonly sent: Sent },
): Promise<void> => {
  await assertAccess(session, right)
  const { exchange, outcome } = await sendMalformed(session, operation, title, sent)
  if (outcome.kind !== 'accepted') return
  session.report('malformed-form-accepted', exchange, {
    message: `${title} ${describeExchange(exchange)} as if it were valid`,
    expected: '400',
    aspect: title,
  })
}

const tryLarge = async (
  session: Session,
  operation: HttpOperation,
  { right, sent, limit }: { readonly right: Sent; readonly sent: Sent; readonly limit: number },
): Promise<void> => {
  await assertAccess(session, right)
  const exchange = await sendPatiently(session, sent, { framing: 'length', patience: 300 })
  session.reportAll(session.check(exchange))
  if (classify(exchange, operation, session).kind !== 'accepted') return
  session.report('form-limit-not-enforced', exchange, {
    message: `a form of more than ${limit} bytes ${describeExchange(exchange)}`,
    expected: '413, or another 4xx',
  })
}
