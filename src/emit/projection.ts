import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import type { MediaType } from '../model/http-content.js'
import { httpOperations, rpcOperations } from '../model/operations.js'
import { parametersSchema } from '../model/params.js'
import { fieldOf } from '../model/path-item.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { describesText, type Schema } from '../schema/schema.js'
import { kebabCase, uniqueName } from '../text/names.js'
import { operationComment } from './operation-comment.js'
import { commentTitle } from './print-node.js'
import { parameterComment } from './schema-comment.js'

/**
 * The OpenRPC document rewritten as one OpenAPI 3.1 path per method, so that every OpenAPI tool can
 * read it. A path's body is the whole JSON-RPC request, its 200 the whole JSON-RPC response.
 */
export function projectRpc(api: Api): JsonObject {
  const { rpc } = api
  if (!rpc) throw new TypeError('there is no OpenRPC document to project')
  const methods = rpcOperations(api)
  return {
    openapi: '3.1.0',
    // Without it, tools read 3.1 schemas in another dialect and ignore prefixItems.
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: rpc.title,
      version: rpc.version,
      description: 'One path per JSON-RPC method. On the wire they all share one address.',
    },
    servers: rpc.servers.map(({ name, url, variables }) => ({
      url,
      description: name,
      ...(Object.keys(variables).length > 0 && {
        variables: Object.fromEntries(
          Object.entries(variables).map(([key, { default: value, enum: values }]) => [
            key,
            { default: value, ...(values && { enum: values }) },
          ]),
        ),
      }),
    })),
    paths: Object.fromEntries(
      methods.map((method) => [`/${method.method}`, { post: pathOf(method) }]),
    ),
    components: { schemas: schemasOf(api, 'rpc') },
  }
}

/** The HTTP operations from the Api for openapi-typescript: in the dialect of the projection, with comments as titles. */
export function projectHttp(api: Api): JsonObject {
  const operations = httpOperations(api)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const item = paths[operation.path] ?? {}
    paths[operation.path] = { ...item, [fieldOf(operation.method)]: httpOperation(operation, api) }
  }
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: api.version },
    paths,
    components: { schemas: schemasOf(api, 'http') },
  }
}

/** The name of each example pairing among the examples of its projected path. */
export function exampleNames(operation: RpcOperation): readonly string[] {
  const used = new Set<string>()
  return operation.examples.map(({ name }) => uniqueName(kebabCase(name) || 'example', used))
}

const schemasOf = (api: Api, kind: Operation['kind']) =>
  Object.fromEntries(
    [...api.schemas.values()]
      .filter(({ usedBy }) => usedBy === kind || usedBy === 'both')
      .map(({ name, schema }) => [name, schema]),
  )

function pathOf(operation: RpcOperation): JsonObject {
  const names = exampleNames(operation)
  const { id, method, summary, description, tags, deprecated } = operation
  const requests = operation.examples.map((example, index) => {
    const params = operation.paramStructure === 'by-name' ? example.namedParams : example.params
    return [names[index], { value: { jsonrpc: '2.0', id: 1, method, params } }]
  })
  const answers = operation.examples.flatMap(({ outcome }, index) => {
    if (outcome.kind === 'none') return []
    const body = outcome.kind === 'result' ? { result: outcome.value } : { error: outcome.error }
    return [[names[index], { value: { jsonrpc: '2.0', id: 1, ...body } }]]
  })
  return {
    operationId: id,
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
    ...(deprecated && { deprecated }),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: requestSchema(operation),
          ...(requests.length > 0 && { examples: Object.fromEntries(requests) }),
        },
      },
    },
    responses: {
      200: {
        description: 'The result, or the error of the method.',
        content: {
          'application/json': {
            schema: answerSchema(operation),
            ...(answers.length > 0 && { examples: Object.fromEntries(answers) }),
          },
        },
      },
    },
  }
}

/** JSON-RPC 2.0, 4: without `id` it is a notification; a number should have no fraction. */
const ID: Schema = { type: ['string', 'number', 'null'] }

function requestSchema(operation: RpcOperation): Schema {
  const hasRequired = operation.params.some(({ required }) => required)
  return {
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      id: ID,
      method: { const: operation.method },
      params: parametersSchema(operation),
    },
    required: ['jsonrpc', 'method', ...(hasRequired ? ['params'] : [])],
  }
}

function answerSchema(operation: RpcOperation): Schema {
  const codes = operation.errors.map(({ code, message }) => `${code} (${message})`)
  const error: Schema = {
    type: 'object',
    ...(codes.length > 0 && { description: `Declared: ${codes.join(', ')}.` }),
    properties: { code: { type: 'integer' }, message: { type: 'string' }, data: true },
    required: ['code', 'message'],
  }
  const envelope = { jsonrpc: { const: '2.0' }, id: ID } as const
  return {
    oneOf: [
      {
        title: 'Result',
        type: 'object',
        properties: { ...envelope, result: operation.result.schema, error: { not: {} } },
        required: ['jsonrpc', 'id', 'result'],
      },
      {
        title: 'Error',
        type: 'object',
        properties: { ...envelope, error, result: { not: {} } },
        required: ['jsonrpc', 'id', 'error'],
      },
    ],
  }
}

function httpOperation(operation: HttpOperation, api: Api): JsonObject {
  const { id, parameters, body, responses } = operation
  return {
    operationId: id,
    ...commentTitle(...operationComment(operation)),
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required,
      ...commentTitle(...parameterComment(parameter, api.schemas)),
      schema: parameter.schema,
    })),
    ...(body && {
      requestBody: { required: body.required, content: contentOf(body.content, api) },
    }),
    responses: Object.fromEntries(
      responses.map((response) => [
        response.status,
        {
          ...commentTitle(response.description),
          headers: Object.fromEntries(
            response.headers.map(({ name, required, schema }) => [name, { required, schema }]),
          ),
          content: contentOf(response.content, api),
        },
      ]),
    ),
  }
}

const contentOf = (content: readonly MediaType[], api: Api) =>
  Object.fromEntries(content.map((media) => [media.type, { schema: arriving(media, api) }]))

/** The schema of what a program sends or gets: a text or bytes are not parsed, whatever their schema describes. */
function arriving({ codec, schema }: MediaType, { schemas }: Api): Schema {
  if (codec === 'bytes') return { type: 'string', format: 'binary' }
  return codec !== 'text' || describesText(schema, schemas, 'every') ? schema : { type: 'string' }
}
