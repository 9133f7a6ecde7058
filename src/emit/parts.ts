import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { hasJsonValue, type MediaType } from '../model/http-content.js'
import { sentParametersSchema } from '../model/params.js'
import { isForm, isJson } from '../runtime/shared/media-type.js'
import { refTo, type Schema } from '../schema/schema.js'
import { code, type Fragment, importedType, string } from './file.js'
import { namesIn } from './order.js'

/** A value of an operation that is validated against a schema. */
export type Part = {
  readonly schema: Schema
  /** Its name within its operation: `answer 200`. */
  readonly name: string
  /** Its type, if known. */
  readonly type?: Fragment
}

/** The parts of an operation, as `RpcValidators` and `HttpValidators` have them. */
export type Parts = { readonly [key: string]: Part | Parts }

export const partsOf = (operation: Operation): Parts =>
  operation.kind === 'rpc' ? rpcParts(operation) : httpParts(operation)

export const isPart = (one: Part | Parts): one is Part =>
  typeof one.name === 'string' && 'schema' in one

/** The Api with only the schemas that clients and servers check: those of parts, and those that these refer to. */
export function withCheckedSchemas(api: Api): Api {
  const partsIn = (parts: Parts): readonly Part[] =>
    Object.values(parts).flatMap((one) => (isPart(one) ? [one] : partsIn(one)))
  const parts = api.operations.flatMap((operation) => partsIn(partsOf(operation)))
  const names = new Set(parts.flatMap(({ schema }) => [...namesIn(schema)]))
  // The iteration includes members that are added during it.
  for (const name of names)
    for (const one of namesIn(api.schemas.get(name)?.schema ?? true)) names.add(one)
  return { ...api, schemas: new Map([...api.schemas].filter(([name]) => names.has(name))) }
}

/** The types of a method's params and result. */
export const methodType = ({ method }: RpcOperation): Fragment =>
  code`${importedType('RpcMethods', './rpc.client.js')}[${string(method)}]`

function rpcParts(operation: RpcOperation): Parts {
  const type = methodType(operation)
  return {
    params: {
      schema: sentParametersSchema(operation),
      name: 'params',
      type: code`${type}['params']`,
    },
    result: { schema: operation.result.schema, name: 'result', type: code`${type}['result']` },
  }
}

function httpParts(operation: HttpOperation): Parts {
  const parameters = operation.parameters.map(({ in: where, name, schema }) => [
    `${where}.${name}`,
    { schema, name: `${where} ${name}` },
  ])
  const bodies = operation.body?.content ?? []
  const request = anySchema(bodies.filter(hasJsonValue))
  const fields = anySchema(bodies.filter(({ type }) => isForm(type)))
  const responses = operation.responses.flatMap(({ status, content }) => {
    const schema = anySchema(content.filter(({ type }) => isJson(type)))
    return schema === undefined ? [] : [[status, { schema, name: `answer ${status}` }]]
  })
  const items = operation.responses.flatMap(({ status, content }) => {
    const schema = anySchema(content.filter(({ stream }) => stream))
    return schema === undefined ? [] : [[status, { schema, name: `item ${status}` }]]
  })
  const variants = operation.variants.map((variant) => [
    variant.name,
    {
      request: { schema: { $ref: refTo(variant.request) }, name: `${variant.name} request` },
      response: { schema: oneOf(variant.responses), name: `${variant.name} answer` },
      error: { schema: oneOf(variant.errors), name: `${variant.name} error` },
    },
  ])
  return {
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    ...(request !== undefined && { request: { schema: request, name: 'request' } }),
    ...(fields !== undefined && { fields: { schema: fields, name: 'fields' } }),
    responses: Object.fromEntries(responses),
    ...(items.length > 0 && { items: Object.fromEntries(items) }),
    ...(variants.length > 0 && { variants: Object.fromEntries(variants) }),
  }
}

/** One schema for all media types of a kind, because the types of a body are one union. */
function anySchema(content: readonly MediaType[]): Schema | undefined {
  const all = content.map(({ schema }) => schema)
  const distinct = all.filter(
    (schema, at) => all.findIndex((one) => isDeepStrictEqual(one, schema)) === at,
  )
  return distinct.length > 1 ? { anyOf: distinct } : distinct[0]
}

/** `false` for no names, and a plain reference for one. */
function oneOf(names: readonly string[]): Schema {
  const refs = names.map((name) => ({ $ref: refTo(name) }))
  return refs.length === 1 && refs[0] ? refs[0] : refs.length === 0 ? false : { oneOf: refs }
}
