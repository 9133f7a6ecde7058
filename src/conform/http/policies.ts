import type { Case, Plan, Session } from '../case.js'
import { linkValues } from '../state/links.js'
import { type Exchange, headerOf, textOf } from '../wire/exchange.js'
import { controlOf, outcomeOf, shutOut } from './outcome.js'
import type { Shown, Subject } from './subject.js'

/** What a server does where documents and clauses leave it a choice: reported, and compared with a profile. */
export const policyCases = (plan: Plan, subjects: readonly Subject[]): readonly Case[] =>
  subjects.flatMap((subject) => [
    ...subject.shown.flatMap((shown) => unknownField(plan, subject, shown)),
    ...subject.shown.flatMap((shown) => sameTwice(plan, subject, shown)),
    ...headers(subject, subjects),
  ])

/** One policy for all forms of an operation that are open, and one for all that are closed (H07). */
const unknownField = ({ checker }: Plan, { operation }: Subject, shown: Shown): readonly Case[] => {
  const { json, sent } = shown
  if (!json || typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return []
  const name = `${operation.id}, a field that nobody declares in ${shown.name}`
  const value = { ...json.value, [FOREIGN_FIELD]: 1 }
  const body = JSON.stringify(value)
  const schema = operation.body?.content.find(({ type }) => type === json.type)?.schema ?? true
  // What a schema refuses and what it leaves open are two questions, and may have two answers.
  const where = checker.schema(schema).check(value) ? 'is not declared' : 'is ruled out'
  return [
    {
      name,
      operation,
      cost: 2,
      weight: 'protocol',
      run: async (session) => {
        const control = await controlOf(session, sent)
        const exchange = await session.ask({ ...sent, body })
        const way = wayOf(session, operation, control, exchange)
        if (way === undefined)
          session.skip(name, 'the request is not accepted without the field either')
        else
          session.observe(`http-unknown-field of ${operation.id}, where it ${where}`, way, exchange)
        return []
      },
    },
  ]
}

const FOREIGN_FIELD = 'zzUndeclared'

/** A refusal tells something only where the request was taken without the field, or was refused in other words. */
const wayOf = (
  session: Session,
  operation: Subject['operation'],
  control: Exchange,
  exchange: Exchange,
): 'taken' | 'refused' | undefined => {
  const outcome = outcomeOf(session, operation, exchange)
  if (outcome === 'taken') return 'taken'
  if (outcome !== 'refused') return undefined
  if (outcomeOf(session, operation, control) === 'taken') return 'refused'
  const isOther =
    shutOut(exchange) === undefined &&
    (exchange.answer?.status !== control.answer?.status ||
      textOf(exchange.answer?.body) !== textOf(control.answer?.body))
  return isOther ? 'refused' : undefined
}

/** Whether what is sent twice is done twice (H34): seen by what the answer links to. */
const sameTwice = (
  { api }: Plan,
  { operation }: Subject,
  { name, sent }: Shown,
): readonly Case[] => {
  if (operation.idempotent || operation.links.length === 0) return []
  return [
    {
      name: `${operation.id}, ${name}, twice`,
      operation,
      cost: 2,
      weight: 'protocol',
      needsState: true,
      run: async (session) => {
        const both = [await session.ask(sent), await session.ask(sent)]
        const [first, second] = both.map((one) =>
          outcomeOf(session, operation, one) === 'taken' ? linkValues(api, operation, one) : [],
        )
        const values = first?.flatMap(({ key, value }) => {
          const other = second?.find((one) => one.key === key)
          return other ? [value === other.value] : []
        })
        const [, exchange] = both
        if (!values || values.length === 0 || !exchange)
          session.skip(`${operation.id}, ${name}, twice`, 'its answers name nothing to follow')
        else
          session.observe(
            `http-same-request-twice of ${operation.id}, ${name}`,
            values.every((isSame) => isSame) ? 'the first answer again' : 'done again',
            exchange,
          )
        return []
      },
    },
  ]
}

/** Recorded once in a run: what a gateway adds to each answer alike (H39). */
const headers = (subject: Subject, all: readonly Subject[]): readonly Case[] => {
  if (subject !== all[0]) return []
  const { operation, shown } = subject
  return [
    {
      name: 'headers of an answer',
      operation,
      cost: 1,
      weight: 'protocol',
      run: async (session) => {
        const exchange = await controlOf(session, shown[0].sent)
        const { answer } = exchange
        if (!answer) return []
        for (const name of RECORDED)
          session.observe(`header ${name}`, headerOf(answer, name) ?? 'absent', exchange)
        const server = headerOf(answer, 'server')
        const way =
          server === undefined ? 'absent' : /\d/.test(server) ? 'with a version' : 'a name'
        session.observe('header server', way, exchange)
        return []
      },
    },
  ]
}

const RECORDED = [
  'strict-transport-security',
  'access-control-allow-origin',
  'x-content-type-options',
  'cache-control',
]
