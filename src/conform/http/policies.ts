import type { HttpOperation } from '../../model/api.js'
import { headerOf } from '../../runtime/wire/headers.js'
import { type Exchange, textOf } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { classify } from '../outcome.js'
import { linkValues } from '../state/links.js'
import { controlOf, shutOut } from './send-malformed.js'
import type { HttpSubject, Shown } from './subject.js'

/** Behaviour that documents and specifications leave to the server: reported, and compared with a profile. */
export const policyCases = (plan: Plan, subjects: readonly HttpSubject[]): readonly Case[] => [
  ...subjects.flatMap(({ operation, shown }) => [
    ...shown.flatMap((one) => unknownField(plan, operation, one)),
    ...shown.flatMap((one) => sameTwice(plan, operation, one)),
  ]),
  ...subjects.slice(0, 1).map(responseHeaders),
]

/** One policy for all open objects of an operation, and one for all closed ones (H07). */
const unknownField = (
  { checker }: Plan,
  operation: HttpOperation,
  { json, sent, name }: Shown,
): readonly Case[] => {
  if (!json || typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return []
  const value = { ...json.value, zzUndeclared: 1 }
  const schema = operation.body?.content.find(({ type }) => type === json.type)?.schema ?? true
  // Fields that a schema rejects and fields that it leaves open are two policies.
  const where = checker.schema(schema).check(value) ? 'is not declared' : 'is ruled out'
  const run = async (session: Session): Promise<void> => {
    const control = await controlOf(session, sent)
    const exchange = await session.ask({ ...sent, body: JSON.stringify(value) })
    const way = wayOf(session, operation, control, exchange)
    if (way === undefined)
      throw new NotTested('the request is not accepted without the field, either')
    session.observe(`http-unknown-field of ${operation.id}, where it ${where}`, way, exchange)
  }
  const title = `a field that nobody declares in ${name}`
  return [{ name: `${operation.id}, ${title}`, operation, cost: 2, run }]
}

/** A rejection proves something only if the request was accepted without the field, or was rejected with a different response. */
const wayOf = (
  session: Session,
  operation: HttpOperation,
  control: Exchange,
  exchange: Exchange,
): 'accepted' | 'rejected' | undefined => {
  const outcome = classify(exchange, operation, session)
  if (outcome.kind === 'accepted') return 'accepted'
  if (outcome.kind !== 'rejected') return undefined
  if (classify(control, operation, session).kind === 'accepted') return 'rejected'
  const isOther =
    shutOut(exchange) === undefined &&
    (exchange.answer?.status !== control.answer?.status ||
      textOf(exchange.answer?.body) !== textOf(control.answer?.body))
  return isOther ? 'rejected' : undefined
}

/** Whether a request that is sent twice takes effect twice (H34), by the linked values of the response. */
const sameTwice = (
  { api }: Plan,
  operation: HttpOperation,
  { name, sent }: Shown,
): readonly Case[] => {
  if (operation.idempotent || operation.links.length === 0) return []
  const run = async (session: Session): Promise<void> => {
    const linked = (one: Exchange) =>
      classify(one, operation, session).kind === 'accepted' ? linkValues(api, operation, one) : []
    const first = linked(await session.ask(sent))
    const exchange = await session.ask(sent)
    const second = linked(exchange)
    const pairs = first.flatMap(({ key, value }) => {
      const other = second.find((one) => one.key === key)
      return other ? [value === other.value] : []
    })
    if (pairs.length === 0) throw new NotTested('its responses have no value that a link uses')
    const way = pairs.every((isSame) => isSame) ? 'the first answer again' : 'done again'
    session.observe(`http-same-request-twice of ${operation.id}, ${name}`, way, exchange)
  }
  return [{ name: `${operation.id}, ${name}, twice`, operation, cost: 2, needsState: true, run }]
}

/** Recorded once in a run: headers that a gateway adds to every response (H39). */
const responseHeaders = ({ operation, shown: [{ sent }] }: HttpSubject): Case => ({
  name: 'headers of an answer',
  operation,
  cost: 1,
  run: async (session) => {
    const exchange = await controlOf(session, sent)
    const { answer } = exchange
    if (!answer) return
    for (const name of RECORDED)
      session.observe(`header ${name}`, headerOf(answer.headers, name) ?? 'absent', exchange)
    const server = headerOf(answer.headers, 'server')
    const way = server === undefined ? 'absent' : /\d/.test(server) ? 'with a version' : 'a name'
    session.observe('header server', way, exchange)
  },
})

const RECORDED = [
  'strict-transport-security',
  'access-control-allow-origin',
  'x-content-type-options',
  'cache-control',
]
