import { codecOf, holdsItems } from '../../runtime/shared/codecs.js'
import { headerOf } from '../../runtime/wire/headers.js'
import { type Case, NotTested, type Session } from '../case.js'
import type { Rule } from '../rule.js'
import { assertAccess, describeExchange } from './send-malformed.js'
import type { HttpSubject } from './subject.js'

export const STREAM_CASE_RULES: readonly Rule[] = [
  {
    id: 'stream-outlives-its-reader',
    level: 'error',
    purpose: 'A server stops a stream when its client disconnects, so that it can serve others.',
    clause: 'RFC 9112, 9.5',
    checks: ['H45'],
  },
]

/** Readers that open a stream and disconnect: the next request must get the same response as the first. */
export const streamCases = (subjects: readonly HttpSubject[]): readonly Case[] =>
  subjects.flatMap(({ operation, shown: [{ sent }] }) => {
    const isStreaming = operation.responses.some(({ content }) =>
      content.some(({ stream }) => stream),
    )
    if (!isStreaming || operation.method !== 'GET') return []
    const run = async (session: Session): Promise<void> => {
      const { answer } = await assertAccess(session, sent)
      if (!answer || !holdsItems(codecOf(headerOf(answer.headers, 'content-type') ?? '')))
        throw new NotTested('the documented example request does not get a stream')
      if (!answer.isOpen) throw new NotTested('the stream ends before its client can disconnect')
      await session.take(READERS)
      const { signal } = session
      await Promise.all(
        Array.from({ length: READERS }, () => session.wire(sent, { milliseconds: 10_000, signal })),
      )
      const exchange = await session.probe(sent)
      if (exchange.answer !== undefined && exchange.answer.status === answer.status) return
      session.report('stream-outlives-its-reader', exchange, {
        message: `after ${READERS} clients have disconnected from the stream, the next one ${describeExchange(exchange)}`,
        expected: `${answer.status}, as for the first client`,
      })
    }
    const name = `${operation.id}, readers who leave its stream`
    return [{ name, operation, cost: READERS + 2, run }]
  })

/** More than the six connections that a browser opens to one server. */
const READERS = 8
