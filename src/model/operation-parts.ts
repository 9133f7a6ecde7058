import { isDeepStrictEqual } from 'node:util'
import { holdsFields, holdsValue, isStructuredType } from '../runtime/shared/codecs.js'
import { acceptsAnyText, refTo, type Schema } from '../schema/schema.js'
import type { HttpOperation, Operation, RpcOperation, RpcVariant } from './api.js'
import { hasJsonValue, type MediaType } from './http-content.js'
import { sentParametersSchema, variantParametersSchema } from './params.js'

/** A value of an operation that is validated against a schema. */
export type OperationPart = {
  readonly schema: Schema
  /** Its name within its operation: `response 200`. */
  readonly name: string
}

/** The parts of an operation, as `RpcValidators` and `HttpValidators` have them. */
export type Parts = { readonly [key: string]: OperationPart | Parts }

export const operationParts = (operation: Operation): Parts =>
  operation.kind === 'rpc' ? rpcParts(operation) : httpParts(operation)

export const isPart = (one: OperationPart | Parts): one is OperationPart =>
  typeof one.name === 'string' && 'schema' in one

function rpcParts(operation: RpcOperation): Parts {
  return {
    params: { schema: sentParametersSchema(operation), name: 'params' },
    result: { schema: operation.result.schema, name: 'result' },
    ...(operation.variants && {
      variants: Object.fromEntries(
        operation.variants.map((variant) => [variant.name, variantParts(operation, variant)]),
      ),
    }),
  }
}

const variantParts = (operation: RpcOperation, variant: RpcVariant): Parts => {
  const { name, result, item } = variant
  return {
    params: { schema: variantParametersSchema(operation, variant), name: `${name} params` },
    result: { schema: result, name: `${name} result` },
    ...(item !== undefined && { item: { schema: item, name: `${name} item` } }),
  }
}

export function httpParts(operation: HttpOperation): Parts {
  const parameters = operation.parameters.map(({ in: where, name, schema }) => [
    `${where}.${name}`,
    { schema, name: `${where} ${name}` },
  ])
  const bodies = operation.body?.content ?? []
  const request = perType(bodies, (one) => hasJsonValue(one) || isDescribed(one))
  const fields = perType(bodies, ({ codec }) => holdsFields(codec))
  const responses = operation.responses.flatMap(({ status, content }) =>
    perType(content, (one) => holdsValue(one.codec) || isDescribed(one)).map((one) =>
      ofStatus(status, 'response', one),
    ),
  )
  // A server validates the texts that it sends as errors, because a document can demand other ones.
  const errorTexts = operation.responses
    .filter(({ status }) => /^[45d]/.test(status))
    .flatMap(({ status, content }) =>
      content
        .filter(
          ({ type, codec, schema }) =>
            codec === 'text' && !isStructuredType(type) && !acceptsAnyText(schema),
        )
        .map(({ type, schema }) => ofStatus(status, 'response', { type, schema })),
    )
  const items = operation.responses.flatMap(({ status, content }) =>
    perType(content, ({ stream }) => stream !== undefined).map((one) =>
      ofStatus(status, 'item', one),
    ),
  )
  const variants = operation.variants.map((variant) => [
    variant.name,
    {
      request: { schema: { $ref: refTo(variant.request) }, name: `${variant.name} request` },
      response: { schema: oneOf(variant.responses), name: `${variant.name} response` },
      error: { schema: oneOf(variant.errors), name: `${variant.name} error` },
    },
  ])
  return {
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    ...requestParts(request, fields),
    responses: Object.fromEntries([...responses, ...errorTexts]),
    ...(items.length > 0 && { items: Object.fromEntries(items) }),
    ...(variants.length > 0 && { variants: Object.fromEntries(variants) }),
  }
}

/** Whether any type may be sent, and the value is described, not as bytes: JSON and text are validated. */
const isDescribed = ({ codec, schema }: MediaType): boolean =>
  codec === 'any' && schema !== true && !(typeof schema === 'object' && schema.format === 'binary')

/**
 * The content that is validated. The media type is the key of a schema; one entry without a type if all have the same schema.
 * An entry without a type is for all content, so that there is none beside a range of any type: its bodies may not be validated.
 */
function perType(
  content: readonly MediaType[],
  isChecked: (media: MediaType) => boolean,
): readonly TypeSchema[] {
  const checked = content.filter(isChecked)
  const [first] = checked
  if (first === undefined) return []
  const isRanged = content.length > 1 && content.some(({ codec }) => codec === 'any')
  const isSame = checked.every(({ schema }) => isDeepStrictEqual(schema, first.schema))
  return isSame && !isRanged ? [{ schema: first.schema }] : checked
}

type TypeSchema = { readonly type?: string; readonly schema: Schema }

/** The key is `200`, or `200 text/csv`, as `ofContent` reads it. */
const ofStatus = (
  status: string,
  name: string,
  { type, schema }: TypeSchema,
): [string, OperationPart] => [
  type === undefined ? status : `${status} ${type}`,
  { schema, name: `${name} ${status}${type === undefined ? '' : ` ${type}`}` },
]

/** One part for all types with one schema: `request` of JSON, `fields` of forms; else one for each type in `requests`. */
function requestParts(request: readonly TypeSchema[], fields: readonly TypeSchema[]): Parts {
  const named = Object.entries({ request, fields })
  const shared = named.flatMap(([name, all]) =>
    all.flatMap(({ type, schema }) => (type === undefined ? [[name, { schema, name }]] : [])),
  )
  const own = named.flatMap(([name, all]) =>
    all.flatMap(({ type, schema }) =>
      type === undefined ? [] : [[type, { schema, name: `${name} ${type}` }]],
    ),
  )
  return {
    ...Object.fromEntries(shared),
    ...(own.length > 0 && { requests: Object.fromEntries(own) }),
  }
}

/** `false` for no names, and a plain reference for one. */
function oneOf(names: readonly string[]): Schema {
  const refs = names.map((name) => ({ $ref: refTo(name) }))
  return refs.length === 1 && refs[0] ? refs[0] : refs.length === 0 ? false : { oneOf: refs }
}
