import { isDeepStrictEqual } from 'node:util'
import type { Api, RpcExample, RpcOperation, RpcVariant } from '../../model/api.js'
import { nameOf } from '../../model/operation-name.js'
import { rpcOperations } from '../../model/operations.js'
import { parametersSchema, variantOfParams } from '../../model/params.js'
import { shapedParams, valueAtParams } from '../../runtime/shared/sent-params.js'
import type { Checker } from '../../schema/check.js'
import { type Case, type FindingWords, NotTested, type Plan, type Session } from '../case.js'
import { quoted } from '../report/shown.js'
import type { Rule } from '../rule.js'
import { callText } from '../wire/write-request.js'
import type { DuplexConnection } from './connection.js'
import { callOver, connectionFor, exchangeOf, overConnection } from './talk.js'

/** Rules for what a server sends for subscriptions (`x-subscription`). */
export const SERVED_SUBSCRIPTION_RULES: readonly Rule[] = [
  {
    id: 'subscription-item-invalid',
    level: 'error',
    purpose: 'A notification of a subscription matches the schemas of its params and of the item.',
    clause: 'x-subscription; x-variants, item',
  },
  {
    id: 'subscription-cannot-be-ended',
    level: 'error',
    purpose: 'The method that unsubscribes accepts the id that the subscribing method returned.',
    clause: 'x-subscription, unsubscribe',
  },
  {
    id: 'subscription-continues',
    level: 'error',
    purpose: 'After the response to the method that unsubscribes, no more items are sent.',
    clause: 'x-subscription, unsubscribe',
  },
  {
    id: 'unknown-subscription-ended',
    level: 'warning',
    purpose: 'An id of no subscription gets an error or another result than one that ended.',
    clause: 'x-subscription, unsubscribe',
  },
  {
    id: 'subscription-reaches-other-connection',
    level: 'error',
    purpose: 'Items are sent over the connection that subscribed, and over no other.',
    clause: 'x-subscription',
  },
]

/** One case for each method that subscribes, and for each of its variants that an example has. */
export const subscriptionCases = ({ api, checker, skip }: Plan): readonly Case[] =>
  rpcOperations(api).flatMap((operation) => {
    if (operation.subscription === undefined) return []
    const shown = operation.examples.filter(({ outcome }) => outcome.kind === 'result')
    const byVariant = new Map(
      shown.map((one) => [variantOfParams(operation, paramsOf(operation, one), checker), one]),
    )
    if (shown.length === 0)
      skip(`${nameOf(operation)}, its subscription`, 'the document has no example of its params')
    return [...byVariant].map(([variant, example]): Case => {
      const what = variant ? `, the variant ${variant.name}` : ''
      return {
        name: `${nameOf(operation)}, its subscription${what}`,
        operation,
        cost: 4,
        run: (session) => run(session, { operation, example }),
      }
    })
  })

const paramsOf = (operation: RpcOperation, { params, namedParams }: RpcExample): unknown =>
  operation.paramStructure === 'by-name' ? namedParams : params

type Subscribed = { readonly operation: RpcOperation; readonly example: RpcExample }

const run = async (session: Session, { operation, example }: Subscribed): Promise<void> => {
  const { subscription, method } = operation
  const end = rpcOperations(session.api).find((one) => one.method === subscription?.unsubscribe)
  if (subscription === undefined || end === undefined) return
  const params = paramsOf(operation, example)
  const begun = callText(method, params, '"begin"')
  await overConnection(session, 4, async (connection) => {
    const other = await connectionFor(session)
    try {
      const response = await callOver(connection, begun, 'begin')
      if (response === undefined || !('result' in response))
        throw new NotTested(`${method} returned no id, so nothing is known of its items`)
      const id = response.result
      const itemsOver = (one: DuplexConnection) => notificationsOver(session.api, operation, one)
      const own = () => itemsOver(connection).filter((one) => isDeepStrictEqual(one.id, id))
      const first = await connection.until(() => (own().length > 1 ? own() : undefined), PATIENCE)
      const items = first ?? own()
      const shown = exchangeOf(session, begun, connection)
      if (items.length === 0)
        session.skip(`${method}, its items`, `none arrived in ${PATIENCE / 1_000} seconds`)
      reportItems(session, { operation, params }, items, shown)
      await endIt(session, { operation, end, id, items: own }, connection)
      // Looked for last: a program that was started for the other connection may have been slow.
      const [stray] = itemsOver(other)
      if (stray !== undefined)
        session.report('subscription-reaches-other-connection', shown, {
          ...{ operation, cause: '' },
          message: `a connection that subscribed to nothing got an item of ${method}: ${quoted(stray.text)}`,
          expected: 'items over the connection that subscribed',
        })
    } finally {
      await other.close()
    }
  })
}

type Ended = {
  readonly operation: RpcOperation
  readonly end: RpcOperation
  readonly id: unknown
  readonly items: () => readonly Notified[]
}

const endIt = async (
  session: Session,
  { operation, end, id, items }: Ended,
  connection: DuplexConnection,
): Promise<void> => {
  const call = (value: unknown, name: string) => {
    const [first] = end.params
    const params = end.paramStructure === 'by-name' ? { [first?.name ?? 'id']: value } : [value]
    return callText(end.method, params, JSON.stringify(name))
  }
  const ending = call(id, 'end')
  const response = await callOver(connection, ending, 'end')
  if (response === undefined || 'error' in response) {
    const how =
      response === undefined ? 'no response' : `the error ${quoted(JSON.stringify(response.error))}`
    session.report('subscription-cannot-be-ended', exchangeOf(session, ending, connection), {
      ...{ operation: end, cause: '' },
      message: `the id that ${operation.method} returned got ${how}`,
      expected: 'a result',
    })
    return
  }
  const before = items().length
  const later = await connection.until(
    () => (items().length > before ? items()[before] : undefined),
    before === 0 ? 0 : AFTERWARDS,
  )
  if (later !== undefined)
    session.report('subscription-continues', exchangeOf(session, ending, connection), {
      ...{ operation, cause: '' },
      message: `an item of ${operation.method} was sent after the response to ${end.method}: ${quoted(later.text)}`,
      expected: 'no more items',
    })
  const again = call(id, 'again')
  const unknown = await callOver(connection, again, 'again')
  if (unknown?.result === true)
    session.report('unknown-subscription-ended', exchangeOf(session, again, connection), {
      ...{ operation: end, cause: '' },
      message: 'the id of a subscription that had ended got the result true',
      expected: 'false, null or an error',
    })
}

const reportItems = (
  session: Session,
  { operation, params }: { readonly operation: RpcOperation; readonly params: unknown },
  items: readonly Notified[],
  exchange: ReturnType<typeof exchangeOf>,
): void => {
  const variant = variantOfParams(operation, params, session.checker)
  for (const item of items) {
    const words = itemFault(session.checker, operation, variant, item)
    if (words === undefined) continue
    session.report('subscription-item-invalid', exchange, words)
    return
  }
}

/** What is wrong with a notification of a subscription: its params, or the item of the variant. */
export const itemFault = (
  checker: Checker,
  operation: RpcOperation,
  variant: RpcVariant | undefined,
  { notification, params, item, text }: Notified,
): FindingWords | undefined => {
  const shaped = shapedParams(notification, params)
  const [fault] = checker.schema(parametersSchema(notification)).explain(shaped)
  const own = variant?.item === undefined ? [] : checker.schema(variant.item).explain(item)
  const wrong = fault ?? own[0]
  return (
    wrong && {
      ...{ operation, aspect: variant?.name, cause: wrong.message },
      message: `${notification.method} ${quoted(text)}${wrong.pointer === '' ? '' : `, at ${wrong.pointer},`} ${wrong.message}`,
      expected: variant ? `an item of the variant ${variant.name}` : 'the declared params',
    }
  )
}

/** A notification of a subscription. */
export type Notified = {
  readonly notification: RpcOperation
  readonly params: unknown
  readonly id: unknown
  readonly item: unknown
  readonly text: string
}

/** The notifications of a subscription that arrived over a connection. */
const notificationsOver = (
  api: Api,
  operation: RpcOperation,
  { messages }: DuplexConnection,
): readonly Notified[] =>
  messages.flatMap(({ members, isOfServer, text }) =>
    (isOfServer ? members : []).flatMap((one) => readNotified(api, operation, one, text) ?? []),
  )

/** A message of the server as an item of a subscription of `operation`; undefined if it is another message. */
export const readNotified = (
  { serverMethods }: Api,
  { subscription }: RpcOperation,
  { method, params }: Readonly<Record<string, unknown>>,
  text: string,
): Notified | undefined => {
  const source = subscription?.notifications.find((one) => one.method === method)
  const notification = serverMethods.find((one) => one.method === method)
  if (subscription === undefined || source === undefined || notification === undefined)
    return undefined
  const id = valueAtParams(notification, subscription.id, params)
  const item = valueAtParams(notification, source.item, params)
  return { notification, params, id, item, text }
}

/** Milliseconds to wait for two items of a subscription, and for others after its end. */
const PATIENCE = 3_000
const AFTERWARDS = 1_000
