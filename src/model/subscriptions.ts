import type { Subscription } from '../runtime/operation.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { inPlace, type Schema } from '../schema/schema.js'
import type { Api, RpcOperation } from './api.js'
import { isObject } from './json.js'

/** `x-subscription` of a method; undefined if it has another shape, which `lint` reports. */
export const readSubscription = (value: unknown): Subscription | undefined => {
  if (!isObject(value)) return undefined
  const { unsubscribe, id, notifications } = value
  if (typeof unsubscribe !== 'string' || typeof id !== 'string') return undefined
  if (!Array.isArray(notifications) || notifications.length === 0) return undefined
  const read = notifications.flatMap((one: unknown) => {
    const { method, item } = isObject(one) ? one : {}
    return typeof method === 'string' && typeof item === 'string' ? [{ method, item }] : []
  })
  return read.length === notifications.length ? { unsubscribe, id, notifications: read } : undefined
}

/** The schemas of the items of a subscription, one for each notification; `undefined` where its pointer leads to nothing. */
export const itemSchemas = (
  { subscription }: RpcOperation,
  api: Pick<Api, 'serverMethods' | 'schemas'>,
): readonly (Schema | undefined)[] =>
  (subscription?.notifications ?? []).map(({ method, item }) => {
    const notification = api.serverMethods.find((one) => one.method === method)
    return notification && schemaAtParams(notification, item, api.schemas)
  })

/** The schema at a pointer into the params of a message; the first step is the name or the position of a param. */
export const schemaAtParams = (
  { params }: RpcOperation,
  pointer: string,
  schemas: Api['schemas'],
): Schema | undefined => {
  const [first, ...rest] = segmentsOf(pointer)
  if (first === undefined) return true
  const param = params.find(({ name }, index) => name === first || String(index) === first)
  return rest.reduce<Schema | undefined>(
    (schema, step) => (schema === undefined ? undefined : memberSchema(schema, step, schemas)),
    param?.schema,
  )
}

/** `true` for a member of which the schema says nothing. */
const memberSchema = (schema: Schema, key: string, schemas: Api['schemas']): Schema | undefined => {
  if (schema === true) return true
  const all = inPlace(schema, schemas)
  const found = all.map((one) => one.properties?.[key]).find((one) => one !== undefined)
  const isOpen = all.every((one) => one.properties === undefined)
  return found ?? (isOpen ? true : undefined)
}
