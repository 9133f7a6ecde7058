import type { Case, Complaint, Plan, Session } from '../case.js'
import { complaintsOf, ruleRows } from '../rule.js'
import type { Exchange, Sent } from '../wire/exchange.js'
import { type PatientExchange, sendPatiently } from '../wire/patient-send.js'
import { controlOf, describeExchange, isNamed, outcomeOf, shutOut } from './outcome.js'
import type { JsonBody, Shown, Subject } from './subject.js'

/** The size of a request body. */
export const PAYLOAD_RULES = ruleRows([
  {
    id: 'payload-limit-too-low',
    level: 'error',
    purpose: 'A body of just as many bytes as x-limits promises is not rejected for its size.',
    clause: 'x-limits.payloadBytes',
    checks: ['H23'],
  },
  {
    id: 'payload-limit-not-enforced',
    level: 'error',
    purpose:
      'A body of one byte more is rejected, with 413 where that is declared, however it is framed.',
    clause: 'x-limits.payloadBytes; RFC 9110, 15.5.14',
    checks: ['H23'],
  },
  {
    id: 'oversized-payload-read-whole',
    level: 'warning',
    purpose: 'A body that is far too large is rejected before all of it is sent.',
    clause: 'RFC 9110, 15.5.14 and 10.1.1',
    checks: ['H23'],
  },
])

const complain = complaintsOf(PAYLOAD_RULES)

/** Bodies at `x-limits.payloadBytes` and beyond (H23). Blanks after a JSON text make it any size, and mean nothing. */
export const payloadCases = ({ api, skip }: Plan, subjects: readonly Subject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    const shown = subject.shown.find(({ json }) => json !== undefined)
    if (!shown?.json) return []
    const limit = operation.limits.payloadBytes ?? api.http?.limits.payloadBytes
    const smallest = Buffer.byteLength(shown.json.text)
    if (limit === undefined || limit < smallest || limit > LARGEST) {
      const why =
        limit === undefined ? 'x-limits promises no payloadBytes' : `${limit} bytes are not tried`
      skip(`${operation.id}, bodies of all sizes`, why)
      return []
    }
    return rowsFor(limit, shown.json).map((row) => ({
      name: `${operation.id}, ${row.title}`,
      operation,
      cost: 2,
      weight: 'protocol',
      run: (session) => run(session, subject, shown, row),
    }))
  })

/** Milliseconds: what is due is due of a head already where it declares far too much. */
const PATIENCE = { accepted: 0, refusal: 300, 'early refusal': 1_500 } as const

/** A larger one is promised to nobody who runs this on every change. */
const LARGEST = 64 * 1024 * 1024

type Row = {
  readonly title: string
  readonly body: string
  readonly framing: 'length' | 'chunked'
  readonly expected: 'accepted' | 'refusal' | 'early refusal'
  readonly limit: number
}

const rowsFor = (limit: number, { text }: JsonBody): readonly Row[] => {
  const sized = (bytes: number) => text + ' '.repeat(bytes - Buffer.byteLength(text))
  const body = (bytes: number, of: Omit<Row, 'body' | 'limit'>): Row => ({
    body: sized(bytes),
    limit,
    ...of,
  })
  return [
    body(limit, { title: `a body of ${limit} bytes`, framing: 'length', expected: 'accepted' }),
    body(limit + 1, {
      title: `a body of ${limit + 1} bytes`,
      framing: 'length',
      expected: 'refusal',
    }),
    body(limit + 1, {
      title: `a body of ${limit + 1} bytes in chunks`,
      framing: 'chunked',
      expected: 'refusal',
    }),
    body(limit * 10, {
      title: `a body of ${limit * 10} bytes`,
      framing: 'length',
      expected: 'early refusal',
    }),
    body(limit * 10, {
      title: `a body of ${limit * 10} bytes in chunks`,
      framing: 'chunked',
      expected: 'early refusal',
    }),
  ]
}

const run = async (
  session: Session,
  { operation }: Subject,
  shown: Shown,
  row: Row,
): Promise<readonly Complaint[]> => {
  const { title, expected, framing } = row
  const why = shutOut(await controlOf(session, shown.sent))
  if (why !== undefined) {
    session.skip(`${operation.id}, ${title}`, why)
    return []
  }
  const sent: Sent = { ...shown.sent, body: row.body }
  const once = () => sendPatiently(session, sent, { framing, patience: PATIENCE[expected] })
  const first = await once()
  // A server may end a connection that brings too much (RFC 9110, 15.5.14), and networks have accidents.
  const exchange = first.answer ? first : await once()
  const outcome = outcomeOf(session, operation, exchange)
  if (outcome === 'away') {
    session.skip(`${operation.id}, ${title}`, `it ${describeExchange(exchange)}`)
    return []
  }
  const asked = session.judge(exchange)
  const complaint =
    expected === 'accepted' ? judgeAccepted(row, exchange) : judgeRefusal(row, exchange)
  return complaint ? [...asked, complaint] : asked

  function judgeAccepted({ limit }: Row, exchange: Exchange): Complaint | undefined {
    const status = exchange.answer?.status
    if (status !== undefined && status !== 413 && status < 500) return undefined
    return complain('payload-limit-too-low', operation, exchange, {
      message: `${title} ${describeExchange(exchange)}, and x-limits allows ${limit}`,
      expected: 'any answer but 413',
    })
  }

  function judgeRefusal({ limit, body }: Row, exchange: PatientExchange): Complaint | undefined {
    const status = exchange.answer?.status
    const has413 = isNamed(operation, 413)
    const isRight = status === 413 || (!has413 && outcome === 'refused')
    if (!isRight) {
      // That it was read no further is all that can be asked of who closes the connection.
      if (status === undefined && expected === 'early refusal') return undefined
      return complain('payload-limit-not-enforced', operation, exchange, {
        message: `${title} ${describeExchange(exchange)}, and x-limits allows ${limit}`,
        expected: has413 ? '413' : '413, or another 4xx',
        aspect: framing,
      })
    }
    if (expected !== 'early refusal' || exchange.written < body.length) return undefined
    return complain('oversized-payload-read-whole', operation, exchange, {
      message: `${title} ${describeExchange(exchange)} only when all of it had been sent`,
      expected: `413 before ${body.length} bytes`,
      aspect: framing,
    })
  }
}
