import type { Api, HttpOperation } from '../../model/api.js'
import { own } from '../../runtime/checks.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { successResponses } from '../../runtime/wire/status.js'
import { dereference, type Schema, typesIn } from '../../schema/schema.js'
import type { Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { shownValues, whyNot } from '../cases/input.js'
import { isAccepted } from '../outcome.js'
import { valueIn } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { collectShown } from '../values/shown-values.js'
import { writeHttp } from '../wire/write-request.js'
import { listIn, pagingNames } from './pages.js'

/** Rules for the parameters of a list whose examples show what they do. */
export const LIST_RULES: readonly Rule[] = [
  {
    id: 'limit-ignored',
    level: 'warning',
    purpose:
      'Where the examples of the document show a list that its limit shortens, the same request gets no more items.',
    clause: 'OpenAPI, Parameter Object and Media Type Object, examples',
    needsState: true,
  },
  {
    id: 'filter-ignored',
    level: 'warning',
    purpose:
      'Where the examples of the document show a list that a parameter filters, the same request gets only such items.',
    clause: 'OpenAPI, Parameter Object and Media Type Object, examples',
    needsState: true,
  },
]

/**
 * The documented request of each list, if its example of a response shows what a parameter does. No clause says it, so that the
 * effect of every other parameter is not tested.
 */
export const listCases = (plan: Plan): readonly Case[] => {
  const making = collectShown(plan.api, plan.checker)
  return plan.api.operations.flatMap((operation): readonly Case[] => {
    if (operation.kind !== 'http' || operation.method !== 'GET') return []
    if (whyNot(operation, plan) !== undefined) return []
    const shown = shownEffects(operation)
    const paging = pagingNames(operation.pages)
    const unshown = returnsList(operation, plan.api)
      ? operation.parameters.filter(
          ({ name, in: place, secret }) =>
            place === 'query' &&
            secret !== true &&
            !paging.has(name) &&
            !shown.some((one) => one.name === name),
        )
      : []
    const sent =
      shown.length === 0
        ? undefined
        : writeHttp(operation, shownValues(operation, making), plan.target)
    if (sent === undefined && unshown.length === 0) return []
    const run = async (session: Session): Promise<void> => {
      for (const { name } of unshown)
        session.skip(`${operation.id}, whether query.${name} changes the list`, NOT_SHOWN)
      if (sent !== undefined) await tryEffects(session, operation, sent, shown)
    }
    const name = `${operation.id}, as its examples show it`
    return [{ name, operation, cost: sent === undefined ? 0 : 1, needsState: true, run }]
  })
}

const NOT_SHOWN =
  'no example of the document shows what the parameter does: add examples of the parameter and of the list that it gives'

const tryEffects = async (
  session: Session,
  operation: HttpOperation,
  sent: Sent,
  shown: readonly Effect[],
): Promise<void> => {
  const exchange = await session.ask(sent)
  if (!isAccepted(exchange, operation, session))
    throw new NotTested(`its documented request got ${exchange.answer?.status ?? 'no response'}`)
  const items = listIn(valueIn(exchange.answer))
  for (const { rule, name, value } of shown) {
    const isLimit = rule === 'limit-ignored'
    if (items.length < (isLimit ? Number(value) : 1)) {
      const few = items.length === 0 ? 'no items' : `only ${items.length}`
      session.skip(
        `${operation.id}, whether query.${name} changes the list`,
        `the list of the server has ${few}`,
      )
      continue
    }
    const wrong = isLimit ? items.length > Number(value) : items.find(isOther(name, value))
    if (wrong === undefined || wrong === false) continue
    const received = isLimit
      ? `${items.length} items`
      : `an item with ${name} ${JSON.stringify(own(wrong as object, name))}`
    session.report(rule, exchange, {
      message: `${name}=${value} got ${received}, but the example of the document shows only ${isLimit ? `${value}` : 'such items'}`,
      expected: isLimit
        ? `at most ${value} items`
        : `only items with ${name} ${JSON.stringify(value)}`,
      ...{ operation, aspect: name },
    })
  }
}

/** Whether the schema of a success declares a list: the body, or the only list in it. */
const returnsList = ({ responses }: HttpOperation, { schemas }: Api): boolean =>
  successResponses(responses)
    .flatMap(({ content }) => content)
    .some(({ schema }) => {
      const real = dereference(schema, schemas)
      if (isArray(real)) return true
      const properties = typeof real === 'object' ? Object.values(real.properties ?? {}) : []
      return properties.filter((one) => isArray(dereference(one, schemas))).length === 1
    })

const isArray = (schema: Schema): boolean =>
  typeof schema === 'object' && typesIn(schema)?.includes('array') === true

type Effect = {
  readonly rule: 'limit-ignored' | 'filter-ignored'
  readonly name: string
  readonly value: unknown
}

/** The parameters whose first example has an effect in every example of the response. */
const shownEffects = ({ parameters, responses }: HttpOperation): readonly Effect[] => {
  const lists = successResponses(responses)
    .flatMap(({ content }) => content.flatMap(({ examples }) => examples))
    .map(({ value }) => listIn(value))
  if (lists.length === 0 || lists.some(({ length }) => length === 0)) return []
  return parameters.flatMap(({ name, in: place, examples: [first] }): readonly Effect[] => {
    const value = first?.value
    if (place !== 'query' || value === undefined || typeof value === 'object') return []
    if (LIMIT.test(name) && Number.isInteger(value))
      return lists.every(({ length }) => length === value)
        ? [{ rule: 'limit-ignored', name, value }]
        : []
    const isShown = lists.flat().every((one) => isObject(one) && own(one, name) === value)
    return isShown ? [{ rule: 'filter-ignored', name, value }] : []
  })
}

const LIMIT = /^(?:limit|max_?(?:items|results)|page_?size|per_?page)$/i

const isOther =
  (name: string, value: unknown) =>
  (item: unknown): boolean =>
    isObject(item) && Object.hasOwn(item, name) && item[name] !== value
