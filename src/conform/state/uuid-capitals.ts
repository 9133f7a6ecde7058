import type { HttpOperation } from '../../model/api.js'
import type { Poll } from '../../runtime/operation.js'
import type { Complaint, Session } from '../case.js'
import { type Lead, requestOf } from './links.js'
import { complain, type Polled, recordOf } from './poll.js'

/** A record that is known to be there, asked for by its UUID in capitals, where the schema of the parameter allows them. */
export const judgeCapitals = async (
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
      due: '200, and the same record',
    }),
  ]
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
