import type { HttpOperation, Operation } from '../../model/api.js'
import type { Complaint, Session } from '../case.js'
import { ownName } from '../operation-name.js'
import { isNotOffered } from '../responses/not-offered.js'
import { parseJson } from '../responses/read.js'
import { type Exchange, textOf } from '../wire/exchange.js'
import { type Lead, requestOf } from './links.js'
import { complain } from './poll.js'

/** Asks for what a lead leads to until something is there; what never comes is told of the operation that gave the link. */
export const followLead = async (
  session: Session,
  from: HttpOperation,
  lead: Lead,
): Promise<readonly Complaint[]> => {
  const name = `${from.id}, the link ${lead.link.name}`
  const sent = isRead(lead.target)
    ? requestOf(lead, session.target)
    : `${ownName(lead.target)} is not known to change nothing, and a link is followed again and again`
  if (typeof sent === 'string') {
    session.skip(name, sent)
    return []
  }
  const began = session.now()
  for (let pause = 200; ; pause = Math.min(pause * 2, 3_000)) {
    const exchange = await session.ask(sent)
    const found = foundBy(lead, exchange)
    if (found === 'something') return []
    if (found === 'not offered') {
      session.skip(name, `the server says that it does not offer ${ownName(lead.target)}`)
      return []
    }
    if (session.now() - began > LONGEST) return [nowhere(from, lead, exchange, found)]
    await session.sleep(pause)
  }
}

/** Safe in HTTP (RFC 9110, 9.2.1), and of methods those that the document lets anybody send again (`x-idempotent`). */
export const isRead = (target: Operation): boolean =>
  target.kind === 'http' ? ['GET', 'HEAD'].includes(target.method) : target.idempotent

/** Milliseconds: what was written may be seen later elsewhere than where it was. */
const LONGEST = 8_000

/** `something`, `not offered`, or what there was instead. */
const foundBy = ({ target }: Lead, { answer, failure }: Exchange): string => {
  if (!answer) return failure ?? 'no answer'
  const value = parseJson(textOf(answer.body))?.value as
    | {
        readonly result?: unknown
        readonly error?: { readonly code?: unknown; readonly message?: unknown }
      }
    | undefined
  if (target.kind === 'http')
    return answer.status >= 200 && answer.status < 300 ? 'something' : `${answer.status}`
  const { code, message } = value?.error ?? {}
  if (typeof code === 'number' && isNotOffered(target, { code, message: String(message ?? '') }))
    return 'not offered'
  if (code !== undefined) return `error ${code}`
  return isNothing(value?.result)
    ? `the result ${JSON.stringify(value?.result ?? null)}`
    : 'something'
}

/** Null, and an empty text or list. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

const nowhere = (
  from: HttpOperation,
  { link, target, values }: Lead,
  exchange: Exchange,
  found: string,
): Complaint =>
  complain('link-target-missing', from, exchange, {
    message: `the link ${link.name} leads to ${ownName(target)} with ${JSON.stringify(values)}, where there is ${found} after ${LONGEST / 1_000} seconds`,
    due: 'what the answer speaks of',
    aspect: link.name,
  })
