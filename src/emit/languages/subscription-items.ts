import type { Api, RpcOperation } from '../../model/api.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import { paramAt } from '../../runtime/shared/sent-params.js'
import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import type { ObjectProperty, PlacedSchema } from './shapes.js'

type Reader = {
  readonly resolve: (placed: PlacedSchema) => PlacedSchema
  readonly properties: (placed: PlacedSchema) => readonly ObjectProperty[] | undefined
}

/**
 * The schemas of the items of a subscription, at their places in operations.json; undefined if the document does not describe them,
 * or if the method begins no subscription. Where the notifications say nothing of the items, the variants of the method may.
 */
export const placedItems = (
  { subscription, variants = [] }: RpcOperation,
  sent: Api['serverMethods'],
  reader: Reader,
): readonly PlacedSchema[] | undefined => {
  if (subscription === undefined) return undefined
  const found = subscription.notifications.map(({ method, item }) => {
    const notification = sent.find((one) => one.method === method)
    return notification && placedItem(notification, item, reader)
  })
  const known = found.filter((one) => one !== undefined && !isUnknown(one))
  if (known.length === found.length) return known as readonly PlacedSchema[]
  const named = variants.flatMap(({ item }) =>
    item !== undefined && needsNoPlace(item) ? [{ schema: item, place: '' }] : [],
  )
  return named.length > 0 && named.length === variants.length ? named : undefined
}

/** Variants have no place in operations.json. */
const needsNoPlace = (schema: Schema): boolean =>
  referredName(schema) !== undefined ||
  SCALARS.includes(String((Object(schema) as SchemaObject).type))

const SCALARS = ['string', 'integer', 'number', 'boolean', 'null']

const isUnknown = ({ schema }: PlacedSchema): boolean =>
  schema === true || Object.keys(Object(schema)).length === 0

const placedItem = (
  notification: RpcOperation,
  pointer: string,
  { resolve, properties }: Reader,
): PlacedSchema | undefined => {
  const at = paramAt(notification, pointer)
  const param = notification.params[at]
  const [, ...rest] = segmentsOf(pointer)
  const start: PlacedSchema | undefined = param && {
    schema: param.schema,
    place: `/sent/${notification.id}/params/${at}/schema`,
  }
  return rest.reduce<PlacedSchema | undefined>(
    (placed, step) => placed && properties(resolve(placed))?.find(({ name }) => name === step),
    start,
  )
}
