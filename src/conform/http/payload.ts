import type { HttpOperation } from '../../model/api.js'
import type { Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { classify, isNamed } from '../outcome.js'
import type { Rule } from '../rule.js'
import { sendPatiently } from '../wire/patient-send.js'
import { assertAccess, describeExchange } from './send-malformed.js'
import { type HttpSubject, jsonRequest } from './subject.js'

/** Rules for the size of a request body. */
export const PAYLOAD_RULES: readonly Rule[] = [
  {
    id: 'payload-limit-too-low',
    level: 'error',
    purpose: 'A body of exactly the size that x-limits allows is not rejected for its size.',
    clause: 'x-limits.payloadBytes',
    checks: ['H23'],
  },
  {
    id: 'payload-limit-not-enforced',
    level: 'error',
    purpose:
      'A body that exceeds the limit by one byte is rejected, with 413 where declared, however it is framed.',
    clause: 'x-limits.payloadBytes; RFC 9110, 15.5.14',
    checks: ['H23'],
  },
  {
    id: 'oversized-payload-read-whole',
    level: 'warning',
    purpose: 'A body far above the limit is rejected before all of it is sent.',
    clause: 'RFC 9110, 15.5.14 and 10.1.1',
    checks: ['H23'],
  },
]

/** Bodies at `x-limits.payloadBytes` and beyond (H23). Blanks after a JSON text give it any size without changing its meaning. */
export const httpPayloadCases = (
  { api, skip }: Plan,
  subjects: readonly HttpSubject[],
): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    const shown = jsonRequest(subject)
    if (!shown) return []
    const limit = operation.limits.payloadBytes ?? api.http?.limits.payloadBytes
    const { text } = shown.json
    if (limit === undefined || limit < Buffer.byteLength(text) || limit > LARGEST) {
      const why =
        limit === undefined ? 'x-limits has no payloadBytes' : `${limit} bytes are not tried`
      skip(`${operation.id}, bodies of all sizes`, why)
      return []
    }
    const sizes: readonly (readonly [bytes: number, expected: keyof typeof PATIENCE])[] = [
      [limit, 'accepted'],
      [limit + 1, 'rejection'],
      [Math.min(limit * 10, limit + LARGEST), 'early rejection'],
    ]
    return sizes.flatMap(([bytes, expected]) =>
      (['length', 'chunked'] as const)
        .filter((framing) => framing === 'length' || expected !== 'accepted')
        .map((framing): Case => {
          const title = `a body of ${bytes} bytes${framing === 'chunked' ? ' in chunks' : ''}`
          const body = { operation, sent: shown.sent, text, title, bytes, framing, expected, limit }
          const run = (session: Session) => tryBody(session, body)
          return { name: `${operation.id}, ${title}`, operation, cost: 2, run }
        }),
    )
  })

/** Milliseconds to wait before the body is sent. A head that declares far too much must be rejected in this time. */
const PATIENCE = { accepted: 0, rejection: 300, 'early rejection': 1_500 } as const

/** Larger bodies are not sent, because this test may run on every change. */
const LARGEST = 64 * 1024 * 1024

type SizedBody = {
  readonly operation: HttpOperation
  readonly sent: Sent
  /** JSON text; blanks are appended. */
  readonly text: string
  readonly title: string
  readonly bytes: number
  readonly framing: 'length' | 'chunked'
  readonly expected: keyof typeof PATIENCE
  readonly limit: number
}

const tryBody = async (
  session: Session,
  { operation, sent, text, title, bytes, framing, expected, limit }: SizedBody,
): Promise<void> => {
  await assertAccess(session, sent)
  const body = text + ' '.repeat(bytes - Buffer.byteLength(text))
  const once = () =>
    sendPatiently(session, { ...sent, body }, { framing, patience: PATIENCE[expected] })
  const first = await once()
  // A server may close the connection if the content is too large (RFC 9110, 15.5.14), and networks fail.
  const exchange = first.answer ? first : await once()
  const outcome = classify(exchange, operation, session)
  const received = describeExchange(exchange)
  if (outcome.kind === 'later') throw new NotTested(`it ${received}`)
  session.reportAll(session.check(exchange))
  const status = exchange.answer?.status
  if (expected === 'accepted') {
    if (status === undefined || status === 413 || status >= 500)
      session.report('payload-limit-too-low', exchange, {
        message: `${title} ${received}, but x-limits allows ${limit}`,
        expected: 'any status other than 413',
      })
    return
  }
  const has413 = isNamed(operation, 413)
  if (status === 413 || (!has413 && outcome.kind === 'rejected')) {
    if (expected === 'early rejection' && exchange.written >= body.length)
      session.report('oversized-payload-read-whole', exchange, {
        message: `${title} ${received} only after all of it was sent`,
        expected: `413 before ${body.length} bytes`,
        aspect: framing,
      })
  } else if (status !== undefined || expected === 'rejection')
    // If the server closes the connection, only whether it stopped reading can be checked.
    session.report('payload-limit-not-enforced', exchange, {
      message: `${title} ${received}, but x-limits allows ${limit}`,
      expected: has413 ? '413' : '413, or another 4xx',
      aspect: framing,
    })
}
