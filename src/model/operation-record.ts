import type {
  CommonFields,
  Content,
  HttpOperation as HttpRecord,
  Operation as OperationRecord,
  Parameter,
  RpcOperation as RpcRecord,
} from '../runtime/operation.js'
import type { Api, HttpOperation, Operation, RpcOperation } from './api.js'
import { defined } from './json.js'
import { successorOf } from './successor.js'

/** The data of an operation without schemas, examples and sources, as generated code contains it. */
export const operationRecord = (
  operation: Operation,
  api: Pick<Api, 'operations'>,
): OperationRecord => {
  // An address or an id, in place of any name of the operation.
  const { replacedBy: _, ...record } =
    operation.kind === 'http' ? httpRecord(operation) : rpcRecord(operation)
  const successor = successorOf(operation, api)
  const replacedBy = successor && ('url' in successor ? successor.url : successor.operation.id)
  return { ...record, ...defined({ replacedBy }) }
}

export const httpRecord = (operation: HttpOperation): HttpRecord => {
  const { kind, id, method, path, servers, body, responses, security, schemes } = operation
  return {
    kind,
    id,
    method,
    path,
    servers,
    parameters: operation.parameters.map(parameterRecord),
    ...(body && { body: { required: body.required, content: body.content.map(contentRecord) } }),
    responses: responses.map(({ status, content }) => ({
      status,
      content: content.map(contentRecord),
    })),
    security,
    schemes,
    ...defined({
      streamDefault: operation.streamDefault,
      variants: nonEmpty(operation.variants.map(({ example: _, ...variant }) => variant)),
      poll: operation.poll,
      idempotencyKey: operation.idempotencyKey,
      links: nonEmpty(operation.links),
    }),
    ...commonRecord(operation),
    ...defined({
      sameAs: operation.sameAs,
      bigints: operation.bigints,
      defaults: operation.defaults,
    }),
  }
}

const contentRecord = ({ type, codec, encoding, stream }: Content): Content => ({
  type,
  codec,
  ...defined({ encoding, stream }),
})

const parameterRecord = (parameter: Parameter): Parameter => {
  const { name, required, style, explode, allowReserved, codec } = parameter
  const { isWholeQuery, secret } = parameter
  const optional = defined({ allowReserved, codec, isWholeQuery, secret })
  return { name, in: parameter.in, required, style, explode, ...optional }
}

const rpcRecord = (operation: RpcOperation): RpcRecord => {
  const { kind, id, method, paramStructure, isNotification, isOptional, subscription } = operation
  return {
    kind,
    id,
    method,
    params: operation.params.map(({ name, required, acceptsNull }) => ({
      name,
      required,
      ...defined({ acceptsNull }),
    })),
    paramStructure,
    errors: operation.errors.map(({ code, message }) => ({ code, message })),
    ...defined({ isNotification, isOptional, subscription }),
    ...commonRecord(operation),
    ...defined({ bigints: operation.bigints }),
  }
}

const commonRecord = (operation: Operation): CommonFields => {
  const { stability, access, idempotent, pages, deprecatedAt, sunset, replacedBy } = operation
  return defined({
    stability,
    access,
    idempotent,
    pages,
    limits: nonEmpty(operation.limits),
    deprecated: operation.deprecated || undefined,
    deprecatedAt,
    sunset,
    replacedBy,
  })
}

const nonEmpty = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length > 0 ? value : undefined
