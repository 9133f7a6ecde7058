import type { HttpOperation } from '../../model/api.js'
import { headerOf } from '../../runtime/wire/headers.js'
import type { Exchange, ReceivedResponse, Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Session } from '../case.js'
import { isEntityTag } from '../responses/header-syntax.js'
import type { Rule } from '../rule.js'
import type { HttpSubject } from './subject.js'

/** Rules for conditional requests and ETags. */
export const CONDITION_RULES: readonly Rule[] = [
  {
    id: 'etag-precondition-wrong',
    level: 'error',
    purpose: 'A conditional request whose ETags do not match gets the whole response.',
    clause: 'RFC 9110, 13.1.2',
    checks: ['H44'],
  },
  {
    id: 'etag-precondition-ignored',
    level: 'error',
    purpose: 'A GET whose If-None-Match is the current ETag gets 304.',
    clause: 'RFC 9110, 13.1.2 and 13.2.1',
    needsState: true,
  },
  {
    id: 'not-modified-without-etag',
    level: 'error',
    purpose: 'A 304 response has the ETag that the whole response would have.',
    clause: 'RFC 9110, 15.4.5',
    needsState: true,
  },
  {
    id: 'etag-changes',
    level: 'warning',
    purpose: 'The ETag of a response that does not change stays the same.',
    clause: 'RFC 9110, 8.8.1',
    needsState: true,
  },
]

/** Conditional requests for each declared GET (H44). */
export const conditionCases = (subjects: readonly HttpSubject[]): readonly Case[] =>
  subjects
    .filter(({ operation }) => operation.method === 'GET')
    .flatMap(({ operation, shown: [{ sent }] }): readonly Case[] => [
      {
        name: `${operation.id}, with a condition`,
        operation,
        cost: 2,
        run: async (session) => {
          const exchange = await session.ask(withCondition(sent, UNKNOWN_TAG))
          if (exchange.answer?.status === 304)
            session.report('etag-precondition-wrong', exchange, {
              message: 'a request with an unknown ETag got the status 304',
              expected: 'the response to a request without a condition',
            })
        },
      },
      {
        name: `${operation.id}, with its own ETag`,
        operation,
        cost: 4,
        needsState: true,
        run: (session) => tryOwnTag(session, operation, sent),
      },
    ])

export const UNKNOWN_TAG = '"a-tag-that-no-answer-ever-had"'

const withCondition = (sent: Sent, value: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'if-none-match': value },
})

const tryOwnTag = async (session: Session, operation: HttpOperation, sent: Sent): Promise<void> => {
  const first = await session.ask(sent)
  const tag = tagOf(first)
  // Without a tag there is nothing to test, and an invalid one is reported.
  if (first.answer?.status !== 200 || tag === undefined || !isEntityTag(tag)) return
  const second = await session.ask(sent)
  if (tagOf(second) !== tag) {
    if (second.answer?.status === 200 && isSameBody(first.answer, second.answer))
      session.report('etag-changes', second, {
        message: `the ETag of the same response was ${tag}, and then ${tagOf(second) ?? 'absent'}`,
        expected: tag,
      })
    throw new NotTested('its ETag changes from one request to the next')
  }
  const exchange = await session.ask(withCondition(sent, tag))
  // The resource may change in between.
  if (tagOf(await session.probe(sent)) !== tag)
    throw new NotTested('its ETag changed during the test')
  const { answer } = exchange
  if (answer?.status === 200)
    session.report('etag-precondition-ignored', exchange, {
      message: `If-None-Match: ${tag} got the status 200 and the same ETag`,
      expected: '304',
      operation,
    })
  else if (answer?.status === 304 && tagOf(exchange) !== tag)
    session.report('not-modified-without-etag', exchange, {
      message: `the 304 response has ${tagOf(exchange) === undefined ? 'no ETag' : `the ETag ${tagOf(exchange)}`}, but the whole response has ${tag}`,
      expected: `ETag: ${tag}`,
      operation,
    })
}

export const tagOf = ({ answer }: Exchange): string | undefined =>
  answer && headerOf(answer.headers, 'etag')

const isSameBody = (
  one: Pick<ReceivedResponse, 'body'>,
  other: Pick<ReceivedResponse, 'body'>,
): boolean => Buffer.compare(one.body, other.body) === 0
