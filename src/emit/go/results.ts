import type { Api, HttpOperation, RpcOperation } from '../../model/api.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import { paramAt } from '../../runtime/shared/sent-params.js'
import {
  type PlacedContent,
  placedResponses,
  schemaOfPageItems,
  streamItem,
} from '../languages/responses.js'
import type { PlacedSchema } from '../languages/shapes.js'
import { exportedName } from './names.js'
import { type GoType, resultText } from './type-forms.js'
import type { GoTypes } from './types.js'

/** The types of what an operation returns, as they are in signatures. */
export type GoResults = {
  /** Of a call: `''` for none; undefined if the operation returns only streams. */
  readonly result: string | undefined
  /** Of one item of its stream, and of one item of its pages. */
  readonly item: string | undefined
  readonly pageItem: string | undefined
  /** The body of an error; undefined if the document does not describe one. */
  readonly error: string | undefined
  /** Variant -> the type of its result. */
  readonly variants: ReadonlyMap<string, string>
}

const DOWNLOAD: GoType = { text: '*Download', holds: 'nil', nullable: false, isDeclared: false }
const TEXT: GoType = { text: 'string', holds: 'value', nullable: false, isDeclared: false }

/** `member` is the member of operations.json that has the operation. */
export const rpcResults = (
  operation: RpcOperation,
  types: GoTypes,
  member: 'rpc' | 'sent' = 'rpc',
): GoResults => {
  const place = `/${member}/${operation.id}/result/schema`
  const placed = { schema: operation.result.schema, place }
  const hint = `${exportedName(operation.id)}Result`
  const items = schemaOfPageItems(operation, placed, types)
  return {
    ...{ item: undefined, error: undefined, variants: new Map() },
    result: operation.isNotification ? '' : resultText(types.typeOf(placed, hint)),
    pageItem: items && resultText(types.typeOf(items, `${hint}Item`)),
  }
}

/** The type of the items of a subscription, whose notifications may have several. */
export const subscriptionItem = (
  { id, subscription }: RpcOperation,
  api: Pick<Api, 'serverMethods'>,
  types: GoTypes,
): string => {
  const hint = `${exportedName(id)}Item`
  const members = (subscription?.notifications ?? []).flatMap(({ method, item }) => {
    const notification = api.serverMethods.find((one) => one.method === method)
    const placed = notification && placedAtParams(notification, item, types)
    return placed ? [{ type: types.typeOf(placed, hint), at: types.resolve(placed).place }] : []
  })
  return members.length === 0 ? 'any' : resultText(types.union(members, hint))
}

/** The schema at a pointer into the params of what the server sends; undefined if it describes none. */
const placedAtParams = (
  { id, params }: RpcOperation,
  pointer: string,
  types: GoTypes,
): PlacedSchema | undefined => {
  const [, ...rest] = segmentsOf(pointer)
  const at = paramAt({ params }, pointer)
  const param = params[at]
  if (param === undefined) return undefined
  return rest.reduce<PlacedSchema | undefined>(
    (placed, step) =>
      placed && types.properties(types.resolve(placed))?.find(({ name }) => name === step),
    { schema: param.schema, place: `/sent/${id}/params/${at}/schema` },
  )
}

export const httpResults = (operation: HttpOperation, types: GoTypes): GoResults => {
  const { plain, streams, failures, isEmpty, hasOnlyStreams, isDescribed } =
    placedResponses(operation)
  const hint = exportedName(operation.id)
  const isBodyless = operation.method === 'HEAD'
  const joined = (
    all: readonly { readonly type: GoType; readonly at: string }[],
    name: string,
  ): string | undefined =>
    all.length === 0
      ? undefined
      : all.some(({ type }) => type.text === '*Download') &&
          new Set(all.map(({ type }) => type.text)).size > 1
        ? 'any'
        : all.every(({ type }) => type.text === '*Download')
          ? '*Download'
          : resultText(types.union(all, name))
  const bodies = plain.map((one) => contentType(one, types, `${hint}Result`))
  const body = joined(bodies, `${hint}Result`)
  // A success without a body has no value.
  const result =
    isBodyless || body === undefined
      ? ''
      : isEmpty && !/^(\*|\[|map|any)/.test(body) && isScalar(body)
        ? `*${body}`
        : body
  const [first] = plain
  const firstBody = first && { schema: first.schema, place: `${first.place}/schema` }
  const items = schemaOfPageItems(operation, firstBody, types)
  const named = (name: string) => {
    const place = types.resolve({
      schema: { $ref: `#/components/schemas/${name}` },
      place: '',
    }).place
    return {
      type: types.typeOf({ schema: { $ref: `#/components/schemas/${name}` }, place: '' }, name),
      at: place,
    }
  }
  const errors = [
    ...failures.map((one) => errorType(one, types, `${hint}ErrorBody`)),
    ...operation.variants.flatMap((variant) => variant.errors.map(named)),
  ]
  const error = joined(errors, `${hint}ErrorBody`)
  return {
    result: hasOnlyStreams && !isBodyless ? undefined : isDescribed ? result : 'any',
    item:
      streams.length === 0 || isBodyless
        ? undefined
        : joined(
            streams.map((one) => {
              const placed = streamItem(one)
              return {
                type: types.typeOf(placed, `${hint}Item`),
                at: types.resolve(placed).place,
              }
            }),
            `${hint}Item`,
          ),
    pageItem: items && resultText(types.typeOf(items, `${hint}PageItem`)),
    error: error === 'any' ? undefined : error,
    variants: new Map(
      operation.variants.map((variant) => [
        variant.name,
        joined(variant.responses.map(named), `${hint}${exportedName(variant.name)}Result`) ?? 'any',
      ]),
    ),
  }
}

/** Whether nothing of a type says that there is no value. */
const isScalar = (text: string): boolean => /^(string|bool|int64|float64|json\.Number)$/.test(text)

const contentType = (content: PlacedContent, types: GoTypes, hint: string) => {
  const { codec, schema, place } = content
  const placed = { schema, place: `${place}/schema` }
  const at = types.resolve(placed).place
  if (codec === 'text' || codec === 'form') return { type: TEXT, at }
  if (codec !== 'json' && codec !== 'any') return { type: DOWNLOAD, at }
  const type = types.typeOf(placed, hint)
  return codec === 'any' && type.text !== 'any'
    ? { type: { ...type, text: 'any', holds: 'nil' as const }, at }
    : { type, at }
}

const errorType = (content: PlacedContent, types: GoTypes, hint: string) => {
  const { codec, schema, place } = content
  const placed = { schema, place: `${place}/schema` }
  const at = types.resolve(placed).place
  return codec === 'json' || codec === 'any'
    ? { type: types.typeOf(placed, hint), at }
    : { type: TEXT, at }
}
