import { exactNumber, isNumberToken } from '../../runtime/server/json-number.js'
import type { Complaint } from '../case.js'
import type { Exchange } from '../wire/exchange.js'
import { isId, shownId } from './rpc-id.js'
import type { Match } from './rpc-match.js'
import type { RpcResponse } from './rpc-response.js'

/** What is left when calls and answers are joined by their ids. */
export const checkUnmatchedIds = (
  exchange: Exchange,
  { unanswered, unusedPathParameters }: Match,
  hasNotifications: boolean,
): readonly Complaint[] => {
  // An answer without an id is told as such, and belongs to some call all the same.
  const nameless = unusedPathParameters.filter(({ id }) => id === undefined)
  const left = new Set(unusedPathParameters.filter(({ id }) => id !== undefined))
  const complaints: Complaint[] = []
  const waiting = unanswered.slice(nameless.length)
  for (const member of waiting) {
    const { operation } = member
    const sent = member.ids.find(isId) ?? 'null'
    const answer = lookalike(sent, left)
    if (!answer) {
      const message = `nothing is answered to the call with the id ${shownId(sent)}`
      const due = 'one answer for each call'
      complaints.push({ rule: 'call-not-answered', message, due, exchange, operation })
      continue
    }
    left.delete(answer)
    complaints.push({
      rule: isHard(sent) ? 'long-id-is-not-echoed' : 'id-is-not-echoed',
      message: `the id ${shownId(sent)} came back as ${shownId(answer.id ?? 'nothing')}`,
      due: `"id":${shownId(sent)}`,
      exchange,
      operation,
    })
  }
  for (const { id = 'null' } of left) {
    const isSilence = id === 'null' && hasNotifications
    complaints.push({
      rule: isSilence ? 'notification-answered' : 'response-id-unknown',
      message: `${isSilence ? 'a notification is answered' : 'an answer belongs to no call'}, with the id ${shownId(id)}`,
      due: 'one answer for each call, and none for a notification',
      exchange,
    })
  }
  return complaints
}

/** The answer whose id looks the same, else any other. */
const lookalike = (sent: string, answers: ReadonlySet<RpcResponse>): RpcResponse | undefined => {
  const bare = (text: string) => text.replace(/^"|"$/g, '')
  const [first] = answers
  return [...answers].find(({ id = '' }) => bare(id) === bare(sent)) ?? first
}

/** A number that a double does not hold, or a text that fills a page: JSON sets no limits, and readers have some. */
const isHard = (id: string): boolean =>
  isNumberToken(id) ? exactNumber(id) === undefined : id.length > 1_000
