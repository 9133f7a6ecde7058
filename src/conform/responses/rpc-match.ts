import { exactNumber, isNumberToken } from '../../runtime/shared/exact-number.js'
import type { ResponseCheck } from '../case.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import type { RpcMember } from './read.js'
import { isId, isSameId, type ResponseObject } from './rpc-response.js'

/** Rules for matching responses to calls. */
export const RPC_MATCH_RULES: readonly Rule[] = [
  {
    id: 'id-is-not-echoed',
    level: 'error',
    purpose: 'An id is returned as it was sent, with the same type and value.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J31', 'J32', 'J33', 'J34', 'J35', 'J82'],
  },
  {
    id: 'long-id-is-not-echoed',
    level: 'warning',
    purpose: 'An id is returned with all its digits and characters, even if it is very long.',
    clause: 'JSON-RPC 2.0, 5',
    checks: ['J38', 'J39', 'J41'],
  },
  {
    id: 'call-not-answered',
    level: 'error',
    purpose: 'Every call gets a response, alone and in a batch.',
    clause: 'JSON-RPC 2.0, 5 and 6',
    checks: ['J77', 'J80'],
  },
  {
    id: 'response-id-unknown',
    level: 'error',
    purpose: 'Each response belongs to a call, and each call has one response.',
    clause: 'JSON-RPC 2.0, 6',
    checks: ['J80'],
  },
  {
    id: 'notification-answered',
    level: 'error',
    purpose: 'A notification gets no response, not even an error, an empty array or null.',
    clause: 'JSON-RPC 2.0, 4.1 and 6',
    checks: ['J70', 'J71', 'J78'],
  },
]

/** Responses matched to calls, only by their ids (JSON-RPC 2.0, 6). */
type Match = {
  readonly pairs: readonly { readonly member: RpcMember; readonly answer: ResponseObject }[]
  /** Calls that require a response and have none. */
  readonly unanswered: readonly RpcMember[]
  /** Responses that belong to no call. */
  readonly unknownIds: readonly ResponseObject[]
}

/**
 * Matches responses to calls by id, or by null where the id could not be read (JSON-RPC 2.0, 5 and 6). Also returns
 * the calls and responses without a match.
 */
export const matchAnswers = (
  members: readonly RpcMember[],
  answers: readonly ResponseObject[],
  mayLackId: (answer: ResponseObject) => boolean,
): Match => {
  const calls = new Set(members.filter(({ isNotification }) => !isNotification))
  const left = new Set(answers)
  const pairs: { member: RpcMember; answer: ResponseObject }[] = []
  const join = (fits: (member: RpcMember, answer: ResponseObject) => boolean) => {
    for (const answer of left) {
      if (calls.size === 0) return
      const member = [...calls].find((one) => fits(one, answer))
      if (!member) continue
      pairs.push({ member, answer })
      calls.delete(member)
      left.delete(answer)
    }
  }
  join(
    ({ ids }, { id }) => id !== undefined && ids.some((sent) => isId(sent) && isSameId(sent, id)),
  )
  // A server cannot read the id of an invalid request. A request without an id gets a response with null, even with a result.
  join(
    (member, answer) =>
      answer.id === 'null' && !member.isRequest && (isError(answer) || member.ids.length === 0),
  )
  join((member, answer) => answer.id === 'null' && mayLackId(answer) && mustAnswer(member))
  join((member, answer) => answer.id === 'null' && mayLackId(answer) && !mustAnswer(member))
  // JSON-RPC does not specify calls that share an id.
  const sharesId = ({ ids }: RpcMember) =>
    pairs.some(({ member }) => ids.some((id) => member.ids.some((other) => isSameId(id, other))))
  const unanswered = [...calls].filter((one) => mustAnswer(one) && !sharesId(one))
  return { pairs, unanswered, unknownIds: [...left] }
}

/** Whether a response is required. Invalid requests require one too, except objects without an id, which may be notifications. */
export const mustAnswer = ({ value, ids, isNotification }: RpcMember): boolean =>
  !isNotification &&
  (ids.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))

/** Whether two members share an id. */
export const haveDuplicateIds = (members: readonly RpcMember[]): boolean =>
  members.some(({ ids }, index) =>
    members
      .slice(index + 1)
      .some((other) =>
        ids.some((id) => other.ids.some((one) => isId(id) && isId(one) && isSameId(id, one))),
      ),
  )

const isError = ({ outcome }: ResponseObject): boolean => outcome.kind === 'error'

/** Reports calls and responses that could not be matched by their ids. */
export const checkUnmatchedIds = (
  { report }: ResponseCheck,
  { unanswered, unknownIds }: Match,
  hasNotifications: boolean,
): void => {
  // A missing id is reported separately, and each of these responses belongs to some call.
  const nameless = unknownIds.filter(({ id }) => id === undefined)
  const left = new Set(unknownIds.filter(({ id }) => id !== undefined))
  for (const { ids, operation } of unanswered.slice(nameless.length)) {
    const sent = ids.find(isId) ?? 'null'
    const shown = quoted(sent)
    const answer = lookalike(sent, left)
    if (!answer) {
      const message = `the call with the id ${shown} got no response`
      report('call-not-answered', message, 'one response for each call', { operation })
      continue
    }
    left.delete(answer)
    const rule = isHard(sent) ? 'long-id-is-not-echoed' : 'id-is-not-echoed'
    const message = `the id ${shown} came back as ${quoted(answer.id ?? 'nothing')}`
    report(rule, message, `"id":${shown}`, { operation })
  }
  for (const { id = 'null' } of left) {
    const isSilence = id === 'null' && hasNotifications
    report(
      isSilence ? 'notification-answered' : 'response-id-unknown',
      `${isSilence ? 'a notification got a response' : 'a response belongs to no call'}, with the id ${quoted(id)}`,
      'one response for each call, and none for a notification',
      { operation: undefined },
    )
  }
}

/** The response whose id differs only in quotes, else any other. */
const lookalike = (
  sent: string,
  answers: ReadonlySet<ResponseObject>,
): ResponseObject | undefined => {
  const bare = (text: string) => text.replace(/^"|"$/g, '')
  const [first] = answers
  return [...answers].find(({ id = '' }) => bare(id) === bare(sent)) ?? first
}

/** A number that a double cannot represent, or a very long string: JSON sets no limits, but parsers have some. */
const isHard = (id: string): boolean =>
  isNumberToken(id) ? exactNumber(id) === undefined : id.length > 1_000
