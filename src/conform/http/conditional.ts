import type { Case, Complaint, Session } from '../case.js'
import { headerOf, type Sent } from '../wire/exchange.js'
import { complain, outcomeOf, whatCame } from './outcome.js'
import type { Subject } from './subject.js'

/** HEAD, and requests with a condition, of what is declared for GET (H44). */
export const conditionalCases = (subjects: readonly Subject[]): readonly Case[] =>
  subjects.flatMap((subject): readonly Case[] => {
    const { operation } = subject
    if (operation.method !== 'GET') return []
    const all = { operation, weight: 'protocol' as const }
    return [
      {
        ...all,
        name: `${operation.id}, by HEAD`,
        cost: 3,
        run: (session) => runHead(session, subject),
      },
      {
        ...all,
        name: `${operation.id}, with a condition`,
        cost: 2,
        run: (session) => runCondition(session, subject),
      },
    ]
  })

const runHead = async (
  session: Session,
  { operation, shown }: Subject,
): Promise<readonly Complaint[]> => {
  const { sent } = shown[0]
  const first = await session.ask(sent)
  const head = await session.ask({ ...sent, method: 'HEAD' })
  const last = await session.ask(sent)
  const outcomes = [first, head, last].map((one) => outcomeOf(session, operation, one))
  // What changes meanwhile, or is away, tells nothing.
  if (first.answer?.status !== last.answer?.status || outcomes.includes('away')) return []
  const differs = (what: string, due: string): readonly Complaint[] => [
    complain('head-differs-from-get', operation, head, { message: `HEAD ${what}`, due }),
  ]
  if (!first.answer || !last.answer) return []
  if (head.answer?.status !== first.answer.status)
    return differs(`${whatCame(head)}, and GET ${first.answer.status}`, `${first.answer.status}`)
  const [got, headed] = [first.answer, head.answer].map((one) => headerOf(one, 'content-type'))
  if (headed === undefined || headed === got) return []
  return differs(`says Content-Type: ${headed}, and GET ${got ?? 'none'}`, `${got ?? 'none'}`)
}

const runCondition = async (
  session: Session,
  { operation, shown }: Subject,
): Promise<readonly Complaint[]> => {
  const { sent } = shown[0]
  const conditioned: Sent = {
    ...sent,
    headers: { ...sent.headers, 'if-none-match': '"a-tag-that-no-answer-ever-had"' },
  }
  const exchange = await session.ask(conditioned)
  if (exchange.answer?.status !== 304) return []
  return [
    complain('etag-precondition-wrong', operation, exchange, {
      message: 'a tag that no answer ever had was answered 304',
      due: 'what a request without a condition is answered',
    }),
  ]
}
