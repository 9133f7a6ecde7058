import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation } from '../../model/api.js'
import { own } from '../../runtime/checks.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { describeExchange } from '../http/send-malformed.js'
import { subjectsOf } from '../http/subject.js'
import { isRead, ownName } from '../operations.js'
import { classify } from '../outcome.js'
import type { Rule } from '../rule.js'
import { followLead, type Lead, leadsOf, requestOf } from './links.js'
import { type Polled, type PollOperation, pollToEnd, stateOf } from './poll.js'

/** Rules for the records that a response links to. */
export const RECORD_RULES: readonly Rule[] = [
  {
    id: 'record-id-case-sensitive',
    level: 'warning',
    purpose: 'A record is also found by its UUID in upper case.',
    clause: 'RFC 9562, 4',
    checks: ['H28'],
  },
  {
    id: 'linked-responses-differ',
    level: 'warning',
    purpose: 'The response to a submission and the polled record have the same values.',
    clause: 'OpenAPI, links',
    checks: ['H32'],
  },
]

/** Each example request of an operation with links: it is sent, polled until its state is final, and all links are followed. */
export const stateCases = (plan: Plan): readonly Case[] =>
  subjectsOf({ ...plan, skip: () => undefined })
    .filter(({ operation }) => operation.links.length > 0 && !operation.poll)
    .flatMap(({ operation, shown }) =>
      shown.map(
        ({ name, sent }): Case => ({
          name: `${operation.id}, ${name}, followed`,
          ...{ operation, cost: 24, needsState: true },
          run: (session) => run(session, operation, sent),
        }),
      ),
    )

const run = async (session: Session, operation: HttpOperation, sent: Sent): Promise<void> => {
  const { api } = session
  const submitted = await session.ask(sent)
  if (classify(submitted, operation, session).kind !== 'accepted')
    throw new NotTested('the documented example request is rejected')
  const leads = leadsOf(api, operation, submitted)
  if (leads.length === 0) throw new NotTested('its response has no value that a link uses')
  const poll = leads.find(isPoll)
  const others = leads.filter((lead) => lead !== poll)
  if (!poll) {
    for (const lead of others) await followLead(session, operation, lead)
    return
  }
  const polled = await pollLead(session, operation, poll)
  if (polled.end === 'never there') return
  if (polled.end === 'time')
    throw new NotTested(`its state was still ${polled.state} in the last response`)
  const after = leadsOf(api, poll.target, polled.last)
  reportDifferences(session, operation, submitted, poll.target, polled.last)
  if (poll.target.links.length > 0 && after.length === 0)
    throw new NotTested(`it ended as ${polled.state}, whose response has no value that a link uses`)
  for (const lead of after) await followLead(session, poll.target, lead)
  for (const lead of others.filter((one) => !isPoll(one) && !after.some((two) => isSame(one, two))))
    await followLead(session, operation, lead)
}

type PollLead = Lead & { readonly target: PollOperation }

const isPoll = (lead: Lead): lead is PollLead =>
  lead.target.kind === 'http' && lead.target.poll !== undefined && isRead(lead.target)

const isSame = (one: Lead, other: Lead): boolean =>
  one.target === other.target && isDeepStrictEqual(one.values, other.values)

const pollLead = async (session: Session, from: HttpOperation, lead: PollLead): Promise<Polled> => {
  const sent = requestOf(lead, session.target)
  if (typeof sent === 'string') throw new NotTested(sent)
  const polled = await pollToEnd(session, lead.target, sent, lead.values)
  if (polled.end === 'never there') {
    const { status } = polled.last.answer ?? {}
    session.report('link-target-missing', polled.last, {
      message: `the link ${lead.link.name} leads to ${ownName(lead.target)} with ${JSON.stringify(lead.values)}, which returned ${status ?? polled.last.failure} without ${lead.target.poll.field}`,
      expected: 'the record that the response refers to',
      ...{ operation: from, aspect: lead.link.name },
    })
  }
  if (polled.end === 'terminal') await tryCapitals(session, lead, polled.state)
  return polled
}

/**
 * Compares the values that both responses give to the link of one name and target: other links, such as `next`, lead to other
 * records of the same operation.
 */
const reportDifferences = (
  session: Session,
  operation: HttpOperation,
  submitted: Exchange,
  polling: HttpOperation,
  last: Exchange,
): void => {
  const before = leadsOf(session.api, operation, submitted)
  for (const { link, target, values } of leadsOf(session.api, polling, last)) {
    const same = before.find((one) => one.target === target && one.link.name === link.name)
    for (const [name, value] of Object.entries(values)) {
      const previous = same && own(same.values, name)
      const isConstant = value === link.parameters[name]
      if (isConstant || previous === undefined || isDeepStrictEqual(previous, value)) continue
      const key = `${ownName(target)}.${name}`
      session.report('linked-responses-differ', last, {
        message: `leads to ${key} ${JSON.stringify(value)}, but ${ownName(operation)} to ${JSON.stringify(previous)}`,
        expected: JSON.stringify(previous),
        ...{ operation: polling, aspect: key },
      })
    }
  }
}

/** Requests an existing record with its UUID in capitals, if the schema of the parameter allows them. */
const tryCapitals = async (session: Session, lead: PollLead, state: string): Promise<void> => {
  const { target } = lead
  const uuids = Object.entries(lead.values).flatMap(([name, value]) => {
    const schema = target.parameters.find(
      (one) => name === one.name || name === `${one.in}.${one.name}`,
    )?.schema
    const upper = typeof value === 'string' && UUID.test(value) ? value.toUpperCase() : undefined
    const isAllowed = schema !== undefined && session.checker.schema(schema).check(upper)
    return upper === undefined || upper === value || !isAllowed ? [] : [[name, upper] as const]
  })
  if (uuids.length === 0) return
  const values = { ...lead.values, ...Object.fromEntries(uuids) }
  const sent = requestOf({ ...lead, values }, session.target)
  if (typeof sent === 'string') return
  const exchange = await session.ask(sent)
  const outcome = classify(exchange, target, session)
  const isOfRecord = outcome.kind === 'rejected' && outcome.cause !== 'caller'
  if (!isOfRecord || stateOf(session, target, exchange) === state) return
  session.report('record-id-case-sensitive', exchange, {
    message: `${uuids.map(([name]) => name).join()} in upper case ${describeExchange(exchange)}, but unchanged it got the record`,
    expected: 'the same record',
    operation: target,
  })
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
