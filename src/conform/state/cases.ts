import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation } from '../../model/api.js'
import type { Poll } from '../../runtime/operation.js'
import type { Case, Complaint, Plan, Session } from '../case.js'
import { outcomeOf } from '../http/outcome.js'
import { type Shown, type Subject, subjectsOf } from '../http/subject.js'
import { isRead, ownName } from '../operations.js'
import { complaintsOf, ruleRows } from '../rule.js'
import type { Exchange } from '../wire/exchange.js'
import { followLead, type Lead, leadsOf, linkComplaint, linkValues, requestOf } from './links.js'
import { type Polled, pollToEnd, recordOf } from './poll.js'

/** Records that a response leads to. */
export const RECORD_RULES = ruleRows([
  {
    id: 'record-id-case-sensitive',
    level: 'warning',
    purpose: 'A record is found by its UUID in capitals too.',
    clause: 'RFC 9562, 4',
    checks: ['H28'],
  },
  {
    id: 'linked-responses-differ',
    level: 'warning',
    purpose: 'A submission and what is polled for it lead to the same.',
    clause: 'OpenAPI, links',
    checks: ['H32'],
  },
])

const complain = complaintsOf(RECORD_RULES)

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
    const complaint = linkComplaint('link-target-missing', from, polled.last, {
      message: `the link ${lead.link.name} leads to ${ownName(lead.target)} with ${JSON.stringify(lead.values)}, where there is ${status ?? polled.last.failure} and no ${lead.target.poll.field}`,
      expected: 'the record that the answer speaks of',
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
        expected: JSON.stringify(given.value),
        aspect: key,
      }),
    ]
  })
}

/** A record that is known to be there, asked for by its UUID in capitals, where the schema of the parameter allows them. */
const judgeCapitals = async (
  session: Session,
  lead: Lead & { readonly target: HttpOperation & { readonly poll: Poll } },
  { state }: Pick<Polled, 'state'>,
): Promise<readonly Complaint[]> => {
  const { target } = lead
  const uuids = Object.entries(lead.values).flatMap(([name, value]) => {
    const schema = target.parameters.find(
      (one) => name === one.name || name === `${one.in}.${one.name}`,
    )?.schema
    const upper = typeof value === 'string' && UUID.test(value) ? value.toUpperCase() : undefined
    const isAllowed = schema !== undefined && session.checker.schema(schema).check(upper)
    return upper === undefined || upper === value || !isAllowed ? [] : [[name, upper] as const]
  })
  if (uuids.length === 0) return []
  const sent = requestOf(
    { ...lead, values: { ...lead.values, ...Object.fromEntries(uuids) } },
    session.target,
  )
  if (typeof sent === 'string') return []
  const exchange = await session.ask(sent)
  const { status = 0 } = exchange.answer ?? {}
  if (
    recordOf(exchange)?.[target.poll.field] === state ||
    status < 400 ||
    status === 429 ||
    status >= 500
  )
    return []
  return [
    complain('record-id-case-sensitive', target, exchange, {
      message: `${uuids.map(([name]) => name).join()} in capitals was answered ${status}, and as it was given 200`,
      expected: '200, and the same record',
    }),
  ]
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
