import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import type { MediaType } from '../model/http-content.js'
import { operationRecord } from '../model/operation-record.js'
import { httpOperations, rpcOperations } from '../model/operations.js'
import type { Content, HttpOperation as HttpRecord } from '../runtime/operation.js'
import { mapSubschemas, referredName, type Schema } from '../schema/schema.js'
import { type File, jsonFile } from './file.js'

/**
 * `operations.json`: the records of `operations.ts` with their schemas, for programs in other languages. References lead to
 * `#/schemas/NAME`. `operations.schema.json` is its JSON Schema.
 */
export const emitOperationsJson = (api: Api): File => {
  const { http, rpc, serverMethods, schemas } = api
  const dataOf = (some: readonly Operation[]) =>
    Object.fromEntries(some.map((one) => [one.id, withSchemas(one, api)]))
  return jsonFile('operations.json', {
    version: 1,
    servers: { http: http?.servers ?? [], rpc: rpc?.servers ?? [] },
    limits: { http: http?.limits ?? {}, rpc: rpc?.limits ?? {} },
    path: rpc?.path,
    http: dataOf(httpOperations(api)),
    rpc: dataOf(rpcOperations(api)),
    sent: serverMethods.length > 0 ? dataOf(serverMethods) : undefined,
    cancel: rpc?.cancel,
    progress: rpc?.progress,
    schemas: Object.fromEntries([...schemas].map(([name, { schema }]) => [name, local(schema)])),
  })
}

const withSchemas = (operation: Operation, api: Api): object => {
  const record = operationRecord(operation, api)
  return operation.kind === 'rpc'
    ? { ...record, ...methodSchemas(operation) }
    : { ...record, ...httpSchemas(operation, record as HttpRecord) }
}

const methodSchemas = ({ params, otherParams, result }: RpcOperation) => ({
  params: params.map(({ name, required, acceptsNull, schema }) => ({
    ...{ name, required, acceptsNull },
    schema: local(schema),
  })),
  otherParams: otherParams === undefined ? undefined : local(otherParams),
  result: { schema: local(result.schema) },
})

const httpSchemas = (operation: HttpOperation, record: HttpRecord) => {
  const { parameters, body, responses } = operation
  return {
    parameters: record.parameters.map((one, at) => ({
      ...one,
      schema: local(parameters[at]?.schema ?? true),
    })),
    body: record.body && {
      ...record.body,
      content: record.body.content.map((one, at) => contentSchemas(one, body?.content[at])),
    },
    responses: record.responses.map((one, at) => ({
      ...one,
      content: one.content.map((media, index) =>
        contentSchemas(media, responses[at]?.content[index]),
      ),
    })),
  }
}

const contentSchemas = (content: Content, media: MediaType | undefined) => ({
  ...content,
  schema: local(media?.schema ?? true),
  itemSchema: media?.itemSchema === undefined ? undefined : local(media.itemSchema),
})

/** A schema whose references lead to the schemas of the file, without extensions, which may have other references. */
const local = (schema: Schema): unknown => {
  if (typeof schema === 'boolean') return schema
  const name = referredName(schema)
  const known = Object.entries(mapSubschemas(schema, local)).filter(
    ([key]) => key === 'x-bigint' || !key.startsWith('x-'),
  )
  return { ...Object.fromEntries(known), ...(name !== undefined && { $ref: `#/schemas/${name}` }) }
}
