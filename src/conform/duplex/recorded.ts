import type { Api, RpcOperation, RpcVariant } from '../../model/api.js'
import { rpcOperations } from '../../model/operations.js'
import { variantOfParams } from '../../model/params.js'
import { valueAtParams } from '../../runtime/shared/sent-params.js'
import { isObject } from '../../runtime/validate/json-value.js'
import type { Checker } from '../../schema/check.js'
import { jsonOf } from '../../text/json-text.js'
import type { Exchange } from '../../traffic/exchange.js'
import type { RecordedConnection, Recording } from '../../traffic/recording.js'
import type { ExchangeFinding } from '../case.js'
import { recordedParamsFault } from '../recorded-params.js'
import { quoted } from '../report/shown.js'
import { callsIn, type ParsedRequest } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { itemFault, readNotified } from './subscriptions.js'

/** Rules for recorded messages of a server. */
export const RECORDED_MESSAGE_RULES: readonly Rule[] = [
  {
    id: 'server-message-invalid',
    level: 'error',
    purpose: 'The params of a notification or a request of the server match their schemas.',
    clause: 'OpenRPC, Method Object, params; x-direction',
  },
]

/** Creates the checks of what servers sent over recorded connections, with the subscriptions of each. */
export const createRecordedConnections = ({ api, checker, skip }: Terms): RecordedConnections => {
  const subscribing = rpcOperations(api).filter(({ subscription }) => subscription !== undefined)
  const open = new WeakMap<RecordedConnection, Map<string, Subscribed>>()

  const checkItem = (
    connection: RecordedConnection | undefined,
    value: Json,
    exchange: Exchange,
  ): readonly ExchangeFinding[] => {
    const own = connection && open.get(connection)
    const text = jsonOf(value)
    let isItem = false
    for (const operation of subscribing) {
      const item = readNotified(api, operation, value, text)
      if (!item) continue
      isItem = true
      const known = own?.get(keyOf(operation.method, item.id))
      if (!known) continue
      if (known.isEnded)
        return [
          {
            ...{ rule: 'subscription-continues', exchange, operation, cause: '' },
            message: `an item of ${operation.method} was sent after the response to ${operation.subscription?.unsubscribe}: ${quoted(text)}`,
            expected: 'no more items',
          },
        ]
      const words = itemFault(checker, operation, known.variant, item)
      return words ? [{ ...words, rule: 'subscription-item-invalid', exchange }] : []
    }
    if (isItem)
      skip(
        exchange.recorded ?? '',
        'no subscription with its id was recorded before it: the item was checked without a variant',
      )
    return []
  }

  return {
    note: (connection, results) => {
      const own = open.get(connection) ?? new Map<string, Subscribed>()
      open.set(connection, own)
      for (const { operation, value, result } of results) {
        if (operation.subscription)
          own.set(keyOf(operation.method, result), {
            variant: variantOfParams(operation, value.params, checker),
            isEnded: false,
          })
        for (const { method, subscription } of subscribing) {
          if (subscription?.unsubscribe !== operation.method || result === false) continue
          const known = own.get(keyOf(method, valueAtParams(operation, '/0', value.params)))
          if (known) known.isEnded = true
        }
      }
    },
    check: ({ connection }, exchange, reading) =>
      (reading.kind === 'rpc' ? callsIn(reading.request) : []).flatMap(({ operation, value }) => {
        if (!operation || !isObject(value)) return []
        const fault = recordedParamsFault(checker, operation, value.params)
        if (!fault) return checkItem(connection, value, exchange)
        const message = `${fault.where} ${fault.message}`
        const words = { message, expected: 'the declared params', aspect: fault.where }
        return [{ rule: 'server-message-invalid', ...words, exchange, operation }]
      }),
  }
}

type Terms = {
  readonly api: Api
  readonly checker: Checker
  readonly skip: (what: string, why: string) => void
}

export type RecordedConnections = {
  /** Notes the subscriptions that began and ended by calls of a client. */
  readonly note: (connection: RecordedConnection, results: readonly CalledResult[]) => void
  /** Checks a notification or a request of the server, or a batch of them. */
  readonly check: (
    recording: Recording,
    exchange: Exchange,
    reading: ParsedRequest,
  ) => readonly ExchangeFinding[]
}

/** A call of a documented method, and its result. */
export type CalledResult = {
  readonly operation: RpcOperation
  /** The Request object. */
  readonly value: Json
  readonly result: unknown
}

type Json = Readonly<Record<string, unknown>>

type Subscribed = { readonly variant: RpcVariant | undefined; isEnded: boolean }

const keyOf = (method: string, id: unknown): string => `${method} ${jsonOf(id)}`
