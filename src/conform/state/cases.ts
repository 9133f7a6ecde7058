import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation } from '../../model/api.js'
import type { Poll } from '../../runtime/operation.js'
import type { Case, Complaint, Session } from '../case.js'
import type { Plan } from '../cases/plan.js'
import { outcomeOf } from '../http/outcome.js'
import { type Shown, type Subject, subjectsOf } from '../http/subject.js'
import { ownName } from '../operation-name.js'
import type { Exchange } from '../wire/exchange.js'
import { followLead, isRead } from './follow.js'
import { type Lead, leadsOf, linkValues, requestOf } from './links.js'
import { complain, type Polled, pollToEnd } from './poll.js'
import { judgeCapitals } from './uuid-capitals.js'

/** Each request that the documents show of an operation with links: sent, polled to its end, and followed wherever it leads. */
export const stateCases = (plan: Plan): readonly Case[] =>
  subjectsOf({ ...plan, skip: () => undefined })
    .filter(({ operation }) => operation.links.length > 0 && !operation.poll)
    .flatMap((subject) =>
      subject.shown.map(
        (shown): Case => ({
          name: `${subject.operation.id}, ${shown.name}, followed`,
          operation: subject.operation,
          cost: 24,
          weight: 'workflow',
          needsState: true,
          run: (session) => run(session, subject, shown),
        }),
      ),
    )

const run = async (
  session: Session,
  { operation }: Subject,
  { name, sent }: Shown,
): Promise<readonly Complaint[]> => {
  const { api } = session
  const submitted = await session.ask(sent)
  const skip = (why: string) => session.skip(`${operation.id}, ${name}, followed`, why)
  if (outcomeOf(session, operation, submitted) !== 'taken') {
    skip('the request that the documents show is refused')
    return []
  }
  const complaints: Complaint[] = []
  const leads = leadsOf(api, operation, submitted)
  if (leads.length === 0) skip('its answer names nothing to follow')
  const [poll, ...others] = [...leads.filter(isPoll), ...leads.filter((lead) => !isPoll(lead))]
  if (!poll) return complaints
  if (!isPoll(poll)) {
    for (const lead of [poll, ...others])
      complaints.push(...(await followLead(session, operation, lead)))
    return complaints
  }
  const polled = await pollLead(session, operation, poll)
  if (typeof polled === 'string') {
    skip(polled)
    return complaints
  }
  complaints.push(...polled.complaints)
  if (polled.end === 'never there') return complaints
  if (polled.end === 'time') {
    skip(`its state was still ${polled.state} when it was asked for the last time`)
    return complaints
  }
  const after = leadsOf(api, poll.target, polled.last)
  complaints.push(...judgeAgreement(session, operation, submitted, poll.target, polled.last))
  if (poll.target.links.length > 0 && after.length === 0) {
    skip(`it ended as ${polled.state}, which names nothing to follow`)
    return complaints
  }
  for (const lead of after) complaints.push(...(await followLead(session, poll.target, lead)))
  for (const lead of others.filter((one) => !isPoll(one) && !after.some((two) => isSame(one, two))))
    complaints.push(...(await followLead(session, operation, lead)))
  return complaints
}

type PollLead = Lead & { readonly target: HttpOperation & { readonly poll: Poll } }

const isPoll = (lead: Lead): lead is PollLead =>
  lead.target.kind === 'http' && lead.target.poll !== undefined && isRead(lead.target)

const isSame = (one: Lead, other: Lead): boolean =>
  one.target === other.target && isDeepStrictEqual(one.values, other.values)

const pollLead = async (
  session: Session,
  from: HttpOperation,
  lead: PollLead,
): Promise<Polled | string> => {
  const sent = requestOf(lead, session.target)
  if (typeof sent === 'string') return sent
  const polled = await pollToEnd(session, lead.target, sent, lead.values)
  if (polled.end === 'never there') {
    const { status } = polled.last.answer ?? {}
    const complaint = complain('link-target-missing', from, polled.last, {
      message: `the link ${lead.link.name} leads to ${ownName(lead.target)} with ${JSON.stringify(lead.values)}, where there is ${status ?? polled.last.failure} and no ${lead.target.poll.field}`,
      due: 'the record that the answer speaks of',
      aspect: lead.link.name,
    })
    return { ...polled, complaints: [complaint] }
  }
  const capitals = polled.end === 'terminal' ? await judgeCapitals(session, lead, polled) : []
  return { ...polled, complaints: [...polled.complaints, ...capitals] }
}

/** Both name the same thing for the same parameter of the same operation. */
const judgeAgreement = (
  { api }: Session,
  operation: HttpOperation,
  submitted: Exchange,
  polling: HttpOperation,
  last: Exchange,
): readonly Complaint[] => {
  const before = linkValues(api, operation, submitted)
  return linkValues(api, polling, last).flatMap(({ key, value }): readonly Complaint[] => {
    const given = before.find((one) => one.key === key)
    if (!given || isDeepStrictEqual(given.value, value)) return []
    return [
      complain('linked-responses-differ', polling, last, {
        message: `leads to ${key} ${JSON.stringify(value)}, and ${ownName(operation)} to ${JSON.stringify(given.value)}`,
        due: JSON.stringify(given.value),
        aspect: key,
      }),
    ]
  })
}
