import type { HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import {
  type PlacedContent,
  placedResponses,
  schemaOfPageItems,
  streamItem,
} from '../languages/responses.js'
import { placedItems } from '../languages/subscription-items.js'
import { className } from './names.js'
import { type Types, type UnionMembers, unionText } from './types.js'

/** The types of what an operation returns. */
export type PythonResults = {
  /** Of a call; undefined if the operation returns only streams. */
  readonly result: string | undefined
  /** Of one item of its stream or subscription. */
  readonly item: string | undefined
  /** Of one item of its pages. */
  readonly pageItem: string | undefined
  /** The body of an error; undefined if the document does not describe one. */
  readonly error: string | undefined
  /** Variant -> the type of its result. */
  readonly variants: ReadonlyMap<string, string>
}

export const operationResults = (operation: Operation, types: Types): PythonResults => {
  const known = kept.get(types)?.get(operation)
  if (known !== undefined) return known
  const made =
    operation.kind === 'http' ? httpResults(operation, types) : rpcResults(operation, types)
  const all = kept.get(types) ?? new Map<Operation, PythonResults>()
  kept.set(types, all.set(operation, made))
  return made
}

/** Printing a type twice would declare its classes twice. */
const kept = new WeakMap<Types, Map<Operation, PythonResults>>()

const rpcResults = (operation: RpcOperation, types: Types): PythonResults => {
  const placed = { schema: operation.result.schema, place: `/rpc/${operation.id}/result/schema` }
  const hint = `${className(operation.id)}Result`
  const result = operation.isNotification ? 'None' : unionText(types.typeOf(placed, 'record', hint))
  const items = schemaOfPageItems(operation, placed, types)
  const pushed = placedItems(operation, types.sent, types)?.flatMap((one) =>
    types.typeOf(one, 'record', `${className(operation.id)}Item`),
  )
  return {
    ...{ result, error: undefined, variants: new Map() },
    item: operation.subscription && unionText(pushed ?? ['Any']),
    pageItem: items && unionText(types.typeOf(items, 'record', `${hint}Item`)),
  }
}

const httpResults = (operation: HttpOperation, types: Types): PythonResults => {
  const { id, method } = operation
  const { plain, streams, failures, isEmpty, hasOnlyStreams, isDescribed } =
    placedResponses(operation)
  const hint = className(id)
  const isBodyless = method === 'HEAD'
  const members: UnionMembers = isBodyless
    ? ['None']
    : [
        ...plain.flatMap((content) => contentType(content, types, `${hint}Result`)),
        ...(isEmpty ? ['None'] : []),
      ]
  const result = hasOnlyStreams ? undefined : isDescribed ? unionText(members) : 'Any'
  const [first] = plain
  const firstBody = first && { schema: first.schema, place: `${first.place}/schema` }
  const items = schemaOfPageItems(operation, firstBody, types)
  const named = (name: string) =>
    types.typeOf({ schema: { $ref: `#/components/schemas/${name}` }, place: '' }, 'record', name)
  const errors = [
    ...failures.flatMap((one) => errorType(one, types, `${hint}ErrorBody`)),
    ...operation.variants.flatMap((variant) => variant.errors.flatMap(named)),
  ]
  const error = errors.length === 0 ? undefined : unionText(errors)
  return {
    result,
    item:
      streams.length === 0 || isBodyless
        ? undefined
        : unionText(
            streams.flatMap((one) => types.typeOf(streamItem(one), 'record', `${hint}Item`)),
          ),
    pageItem: items && unionText(types.typeOf(items, 'record', `${hint}PageItem`)),
    error: error === 'Any' ? undefined : error,
    variants: new Map(
      operation.variants.map((variant) => [
        variant.name,
        unionText(variant.responses.flatMap(named)),
      ]),
    ),
  }
}

const contentType = (content: PlacedContent, types: Types, hint: string): UnionMembers => {
  const { codec, schema, place } = content
  if (codec === 'text' || codec === 'form') return ['str']
  const members = () => types.typeOf({ schema, place: `${place}/schema` }, 'record', hint)
  if (codec === 'json') return members()
  if (codec !== 'any') return ['Download']
  const found = members()
  return found.includes('str') ? [...found, 'Download'] : found
}

const errorType = (content: PlacedContent, types: Types, hint: string): UnionMembers => {
  const { codec, schema, place } = content
  return codec === 'json' || codec === 'any'
    ? types.typeOf({ schema, place: `${place}/schema` }, 'record', hint)
    : ['str']
}
