import type { HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import type { MediaType } from '../../model/http-content.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import { isErrorDefault, isSuccessKey } from '../../runtime/wire/status.js'
import type { SchemaObject } from '../../schema/schema.js'
import { className } from './names.js'
import { type Members, type Placed, type Types, unionText } from './types.js'

/** The types of what an operation returns. */
export type Results = {
  /** Of a call; undefined if the operation returns only streams. */
  readonly result: string | undefined
  /** Of one item of its stream. */
  readonly item: string | undefined
  /** Of one item of its pages. */
  readonly pageItem: string | undefined
  /** The body of an error; undefined if the document does not describe one. */
  readonly error: string | undefined
  /** Variant -> the type of its result. */
  readonly variants: ReadonlyMap<string, string>
}

export const operationResults = (operation: Operation, types: Types): Results => {
  const known = kept.get(types)?.get(operation)
  if (known !== undefined) return known
  const made =
    operation.kind === 'http' ? httpResults(operation, types) : rpcResults(operation, types)
  const all = kept.get(types) ?? new Map<Operation, Results>()
  kept.set(types, all.set(operation, made))
  return made
}

/** Printing a type twice would declare its classes twice. */
const kept = new WeakMap<Types, Map<Operation, Results>>()

const rpcResults = (operation: RpcOperation, types: Types): Results => {
  const placed = { schema: operation.result.schema, place: `/rpc/${operation.id}/result/schema` }
  const hint = `${className(operation.id)}Result`
  const result = operation.isNotification ? 'None' : unionText(types.typeOf(placed, 'record', hint))
  const items = operation.pages && pageItems(placed, operation.pages.items ?? '', types)
  return {
    ...{ result, item: undefined, error: undefined, variants: new Map() },
    pageItem: items && unionText(types.typeOf(items, 'record', `${hint}Item`)),
  }
}

type PlacedContent = MediaType & { readonly place: string }

const httpResults = (operation: HttpOperation, types: Types): Results => {
  const { id, responses, method } = operation
  const all = responses.map((response, at) => ({
    response,
    contents: response.content.map(
      (content, index): PlacedContent => ({
        ...content,
        place: `/http/${id}/responses/${at}/content/${index}`,
      }),
    ),
  }))
  const hasSuccess = responses.some(({ status }) => isSuccessKey(status))
  const success = all.filter(({ response: { status } }) =>
    hasSuccess ? isSuccessKey(status) : status === 'default',
  )
  const failures = all.filter(
    ({ response }) =>
      !isSuccessKey(response.status) &&
      (response.status !== 'default' || isErrorDefault(responses, response) || !hasSuccess),
  )
  const hint = className(id)
  const streams = success.flatMap(({ contents }) => contents.filter(({ stream }) => stream))
  const plain = success.map(({ contents }) => preferred(contents.filter(({ stream }) => !stream)))
  const isBodyless = method === 'HEAD'
  const isEmpty = success.some(({ response }) => response.content.length === 0)
  const members: Members = isBodyless
    ? ['None']
    : [
        ...plain.flat().flatMap((content) => contentType(content, types, `${hint}Result`)),
        ...(isEmpty ? ['None'] : []),
      ]
  const onlyStreams = streams.length > 0 && plain.every((one) => one.length === 0) && !isEmpty
  const result = onlyStreams ? undefined : success.length === 0 ? 'Any' : unionText(members)
  const [first] = plain.flat()
  const items =
    operation.pages &&
    first &&
    pageItems(
      { schema: first.schema, place: `${first.place}/schema` },
      operation.pages.items ?? '',
      types,
    )
  const named = (name: string) =>
    types.typeOf({ schema: { $ref: `#/components/schemas/${name}` }, place: '' }, 'record', name)
  const errors = [
    ...failures.flatMap(({ contents }) =>
      contents.flatMap((one) => errorType(one, types, `${hint}ErrorBody`)),
    ),
    ...operation.variants.flatMap((variant) => variant.errors.flatMap(named)),
  ]
  const error = errors.length === 0 ? undefined : unionText(errors)
  return {
    result,
    item:
      streams.length === 0 || isBodyless
        ? undefined
        : unionText(
            streams.flatMap((one) =>
              types.typeOf(
                one.itemSchema === undefined
                  ? { schema: one.schema, place: `${one.place}/schema` }
                  : { schema: one.itemSchema, place: `${one.place}/itemSchema` },
                'record',
                `${hint}Item`,
              ),
            ),
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

/** JSON if it is documented, because the client requests it. */
const preferred = (contents: readonly PlacedContent[]): readonly PlacedContent[] => {
  const json = contents.filter(({ codec }) => codec === 'json')
  return json.length > 0 ? json : contents
}

const contentType = (content: PlacedContent, types: Types, hint: string): Members => {
  const { codec, schema, place } = content
  if (codec === 'text' || codec === 'form') return ['str']
  const members = () => types.typeOf({ schema, place: `${place}/schema` }, 'record', hint)
  if (codec === 'json') return members()
  if (codec !== 'any') return ['Download']
  const found = members()
  return found.includes('str') ? [...found, 'Download'] : found
}

const errorType = (content: PlacedContent, types: Types, hint: string): Members => {
  const { codec, schema, place } = content
  return codec === 'json' || codec === 'any'
    ? types.typeOf({ schema, place: `${place}/schema` }, 'record', hint)
    : ['str']
}

/** The schema of the items of a page; undefined if the document does not describe it. */
const pageItems = (placed: Placed, pointer: string, types: Types): Placed | undefined => {
  let at = types.resolve(placed)
  for (const key of segmentsOf(pointer)) {
    const property = types.properties(at)?.find(({ name }) => name === key)
    if (property === undefined) return undefined
    at = types.resolve(property)
  }
  const { items, oneOf, anyOf } = Object(at.schema) as SchemaObject
  const branches = oneOf ?? anyOf
  if (items === undefined && branches !== undefined) {
    const list = branches.findIndex(
      (one) => Object(types.resolve({ schema: one, place: '' }).schema).items !== undefined,
    )
    if (list === -1) return undefined
    at = types.resolve({
      schema: branches[list] ?? true,
      place: `${at.place}/${oneOf ? 'oneOf' : 'anyOf'}/${list}`,
    })
  }
  const { items: found } = Object(at.schema) as SchemaObject
  return found === undefined ? undefined : { schema: found, place: `${at.place}/items` }
}
