import { gzipSync } from 'node:zlib'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import type { Case, Session } from '../case.js'
import type { Rule } from '../rule.js'
import { isLate } from '../wire/exchange.js'
import { sendPatiently } from '../wire/patient-send.js'
import { postRpc } from '../wire/write-request.js'
import {
  describeResponse,
  hasResult,
  isRejection,
  type JsonRpcResponse,
  readJsonRpcResponse,
  wayOf,
} from './json-rpc-response.js'
import { caseWith } from './subject.js'

/** Rules for the size of a body. */
export const LIMIT_RULES: readonly Rule[] = [
  {
    id: 'oversized-body-accepted',
    level: 'error',
    purpose: 'A body above the documented size is rejected with 413.',
    clause: 'x-limits, payloadBytes; RFC 9110, 15.5.14',
    checks: ['J95'],
  },
  {
    id: 'oversized-body-read-whole',
    level: 'warning',
    purpose: 'A body whose Content-Length is too large is rejected before it is received.',
    clause: 'RFC 9110, 15.5.14 and 10.1.1',
    checks: ['J95'],
  },
  {
    id: 'oversized-stream-accepted',
    level: 'error',
    purpose:
      'A streamed body that exceeds the documented size is rejected, or its connection is closed.',
    clause: 'x-limits, payloadBytes; RFC 9110, 15.5.14; RFC 9112, 7.1',
    checks: ['J96'],
  },
  {
    id: 'content-encoding-accepted',
    level: 'warning',
    purpose: 'A body in an unknown content encoding is rejected with 415.',
    clause: 'RFC 9110, 8.4 and 15.5.16',
    checks: ['J97'],
  },
  {
    id: 'inflated-body-unbounded',
    level: 'warning',
    purpose: 'The decompressed size of a compressed body is limited.',
    clause: 'x-limits, payloadBytes; RFC 9110, 15.5.14 and 15.5.16',
    checks: ['J97'],
  },
]

/** How long a server may take to reject by the head before the rest is sent, in milliseconds. */
const PATIENCE = 1_500

export const encodingCases: readonly Case[] = [
  caseWith('a gzipped body', 1, async (session, { call }) => {
    const exchange = await session.probe(encoded(session, 'gzip', gzipSync(call())))
    const response = readJsonRpcResponse(exchange)
    if (!hasResult(response) && !isUnsupported(response))
      report(session, 'content-encoding-accepted', 'gzip', 'HTTP 415, or a result', exchange)
  }),
  caseWith('a body in an unknown encoding', 1, async (session, { call }) => {
    const exchange = await session.probe(encoded(session, 'no-such-coding', call()))
    if (!isUnsupported(readJsonRpcResponse(exchange)))
      report(session, 'content-encoding-accepted', 'no-such-coding', 'HTTP 415', exchange)
  }),
]

const isUnsupported = (response: JsonRpcResponse): boolean =>
  response.kind !== 'none' && response.status === 415

/** Bytes. Larger bodies are not sent, because this test may run on every change. */
export const LARGEST = 64 * 1024 * 1024

/** The cases for the size that the documents declare: a call padded with blanks, so that nothing but the size is wrong. */
export const rpcPayloadCases = (limit: number): readonly Case[] => [
  caseWith('a body over the limit', 1, async (session, { call }) => {
    const sent = postRpc(session.target, call().padEnd(limit + 1))
    const options = { framing: 'length', patience: PATIENCE } as const
    const exchange = await sendPatiently(session, sent, options)
    const title = `a body of ${limit + 1} bytes`
    if (exchange.answer?.status !== 413)
      report(session, 'oversized-body-accepted', title, 'HTTP 413', exchange)
    else if (exchange.written > limit)
      session.report('oversized-body-read-whole', exchange, {
        message: `${title} was rejected only after all of it was received`,
        expected: 'HTTP 413 before the body',
      })
  }),
  caseWith('a chunked body over the limit', 1, async (session, { call }) => {
    const sent = postRpc(session.target, call().padEnd(limit + 65_536))
    const options = { framing: 'chunked', patience: 0 } as const
    const exchange = await sendPatiently(session, sent, options)
    const { answer } = exchange
    if (answer ? answer.status >= 400 && answer.status < 500 : !isLate(exchange)) return
    const expected = 'HTTP 413, or a closed connection'
    report(
      session,
      'oversized-stream-accepted',
      'a chunked body over the limit',
      expected,
      exchange,
    )
  }),
  caseWith('a body that inflates over the limit', 1, async (session, { call }) => {
    const bomb = gzipSync(call().padEnd(limit * 4), { level: 9 })
    if (bomb.length >= limit) return
    const exchange = await session.probe(encoded(session, 'gzip', bomb))
    const title = `${bomb.length} bytes that inflate to ${limit * 4}`
    if (hasResult(readJsonRpcResponse(exchange)))
      report(session, 'inflated-body-unbounded', title, 'HTTP 413 or 415', exchange)
  }),
]

const encoded = ({ target }: Session, encoding: string, body: string | Uint8Array): Sent =>
  postRpc(target, body, { 'content-encoding': encoding })

const report = (
  session: Session,
  rule: string,
  title: string,
  expected: string,
  exchange: Exchange,
): void => {
  const response = readJsonRpcResponse(exchange)
  const received = describeResponse(response)
  if (rule.endsWith('-accepted') && isRejection(response))
    session.report('rejection-wrong-code', exchange, {
      message: `${title} was rejected with the wrong code: ${received}`,
      ...{ expected, aspect: title, cause: wayOf(response) },
    })
  else
    session.report(rule, exchange, {
      message: `${title} got ${received}`,
      expected,
      ...(rule === 'content-encoding-accepted' && { aspect: title }),
    })
}
