import { gzipSync } from 'node:zlib'
import type { Case, Complaint, Session } from '../case.js'
import { ruleRows } from '../rule.js'
import type { Exchange, Sent } from '../wire/exchange.js'
import { headText, openSocket, type RawSocket } from '../wire/raw-socket.js'
import { postRpc } from '../wire/write-request.js'
import { describeReply, hasResult, isRejection, readReply, wayOf } from './reply.js'
import { caseWith, type Subject } from './subject.js'

/** How large a body may be. */
export const LIMIT_RULES = ruleRows([
  {
    id: 'oversized-body-accepted',
    level: 'error',
    purpose: 'A body beyond the documented size is rejected with 413.',
    clause: 'x-limits, payloadBytes; RFC 9110, 15.5.14',
    checks: ['J95'],
  },
  {
    id: 'oversized-body-read-whole',
    level: 'warning',
    purpose: 'A body whose Content-Length is too large is rejected before it has come.',
    clause: 'RFC 9110, 15.5.14 and 10.1.1',
    checks: ['J95'],
  },
  {
    id: 'oversized-stream-accepted',
    level: 'error',
    purpose: 'A body that grows beyond the documented size is rejected, or its connection closed.',
    clause: 'x-limits, payloadBytes; RFC 9110, 15.5.14; RFC 9112, 7.1',
    checks: ['J96'],
  },
  {
    id: 'content-encoding-accepted',
    level: 'warning',
    purpose: 'A body in an encoding that a server does not know is rejected with 415.',
    clause: 'RFC 9110, 8.4 and 15.5.16',
    checks: ['J97'],
  },
  {
    id: 'inflated-body-unbounded',
    level: 'warning',
    purpose: 'A compressed body is bounded by what comes out of it.',
    clause: 'x-limits, payloadBytes; RFC 9110, 15.5.14 and 15.5.16',
    checks: ['J97'],
  },
])

type LimitRule = (typeof LIMIT_RULES)[number]['id']

const OVERSIZED = 'a body over the limit'
const STREAMED = 'a chunked body over the limit'

/** How long a server may think over a head before the rest is sent. */
const PATIENCE = 1_500

export const encodingCases: readonly Case[] = [
  caseWith('a gzipped body', 1, async (session, subject) => {
    const exchange = await session.probe(encoded(session, 'gzip', gzipSync(subject.call())))
    const reply = readReply(exchange)
    const isRead = hasResult(reply)
    const isRefused = reply.kind !== 'none' && reply.status === 415
    return isRead || isRefused
      ? []
      : complaint('content-encoding-accepted', 'gzip', 'HTTP 415, or a result', exchange)
  }),
  caseWith('a body in an unknown encoding', 1, async (session, subject) => {
    const exchange = await session.probe(encoded(session, 'no-such-coding', subject.call()))
    const reply = readReply(exchange)
    return reply.kind !== 'none' && reply.status === 415
      ? []
      : complaint('content-encoding-accepted', 'no-such-coding', 'HTTP 415', exchange)
  }),
]

/** The cases that stand on the size that the documents declare. */
export const payloadCases = (limit: number): readonly Case[] => [
  caseWith(OVERSIZED, 1, async (session, subject) => {
    const text = padded(subject, limit + 1)
    const sent = postRpc(session.target, text, { 'content-length': String(limit + 1) })
    const socket = await openedFor(session, sent, OVERSIZED)
    if (!socket) return []
    try {
      await socket.write(headText(sent))
      const isEarly = await socket.until(({ answers }) => answers.length > 0, PATIENCE)
      if (!isEarly) {
        const isTaken = await socket.write(text)
        await socket.until(({ answers }) => answers.length > 0, isTaken ? 10_000 : 0)
      }
      session.signal.throwIfAborted()
      const exchange = exchangeOf(sent, socket)
      const title = `a body of ${limit + 1} bytes`
      if (exchange.answer?.status !== 413)
        return complaint('oversized-body-accepted', title, 'HTTP 413', exchange)
      return isEarly
        ? []
        : [
            {
              rule: 'oversized-body-read-whole',
              message: `${title} was refused only when all of it had come`,
              expected: 'HTTP 413 before the body',
              exchange,
            },
          ]
    } finally {
      socket.close()
    }
  }),
  caseWith(STREAMED, 1, async (session, subject) => {
    const piece = ' '.repeat(65_536)
    const pieces = Math.floor((limit + piece.length) / piece.length) + 1
    const body = piece.repeat(pieces) + subject.call()
    const sent = postRpc(session.target, body, { 'transfer-encoding': 'chunked' })
    const socket = await openedFor(session, sent, STREAMED)
    if (!socket) return []
    try {
      await socket.write(headText(sent))
      const isDone = () => socket.isClosed() || socket.read().answers.length > 0
      let isTaken = true
      for (let count = 0; count < pieces && isTaken && !isDone(); count++)
        isTaken = await socket.write(chunk(piece))
      if (isTaken && !isDone()) await socket.write(`${chunk(subject.call())}0\r\n\r\n`)
      await socket.until(({ answers }) => answers.length > 0, isTaken ? 10_000 : 0)
      session.signal.throwIfAborted()
      const exchange = exchangeOf(sent, socket)
      const { answer } = exchange
      const isRefused = answer ? answer.status >= 400 && answer.status < 500 : socket.isClosed()
      if (isRefused) return []
      const expected = 'HTTP 413, or a closed connection'
      return complaint('oversized-stream-accepted', 'such a body', expected, exchange)
    } finally {
      socket.close()
    }
  }),
  caseWith('a body that inflates over the limit', 1, async (session, subject) => {
    const bomb = gzipSync(padded(subject, limit * 4), { level: 9 })
    if (bomb.length >= limit) return []
    const exchange = await session.probe(encoded(session, 'gzip', bomb))
    const reply = readReply(exchange)
    if (!hasResult(reply)) return []
    const title = `${bomb.length} bytes that inflate to ${limit * 4}`
    return complaint('inflated-body-unbounded', title, 'HTTP 413 or 415', exchange)
  }),
]

/** A socket at the pace of the run; undefined where it was closed before anything was sent, which is reported as not tested. */
const openedFor = async (
  session: Session,
  { url }: Sent,
  what: string,
): Promise<RawSocket | undefined> => {
  // First the pace: a server need not keep a connection that says nothing.
  await session.take(1)
  const socket = await openSocket(url, session)
  if (!socket.isClosed()) return socket
  session.skip(
    `JSON-RPC, ${what}`,
    `no connection was made: ${socket.failure() ?? 'it was closed'}`,
  )
  return undefined
}

const encoded = ({ target }: Session, encoding: string, body: string | Uint8Array): Sent =>
  postRpc(target, body, { 'content-encoding': encoding })

/** A call, and blanks after it: nothing but its size is wrong. */
const padded = (subject: Subject, size: number): string => subject.call().padEnd(size)

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const exchangeOf = (sent: Sent, socket: RawSocket): Exchange => {
  const [answer] = socket.read().answers
  if (answer) return { sent, answer, failure: undefined }
  const isClosed = socket.failure() !== undefined || socket.isClosed()
  const failure = socket.failure() ?? (isClosed ? 'the connection was closed' : 'no answer in time')
  return { sent, answer, failure, cause: isClosed ? 'broken' : 'late' }
}

const complaint = (
  rule: LimitRule,
  title: string,
  expected: string,
  exchange: Exchange,
): readonly Complaint[] => {
  const reply = readReply(exchange)
  if (rule.endsWith('-accepted') && isRejection(reply))
    return [
      {
        rule: 'rejection-wrong-code',
        message: `${title} was rejected with the wrong code: ${describeReply(reply)} came`,
        ...{ expected, exchange, aspect: title, cause: wayOf(reply) },
      },
    ]
  const message = `${title} brought ${describeReply(reply)}`
  const aspect = rule === 'content-encoding-accepted' ? { aspect: title } : {}
  return [{ rule, message, expected, exchange, ...aspect }]
}
