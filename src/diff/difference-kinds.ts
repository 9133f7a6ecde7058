import { PATH_METHODS } from '../model/path-item.js'
import { ASSERTIONS, CONTENT } from '../schema/keywords.js'

/** The keys of an object that are compared, and the kinds of its members. */
export type ObjectRow = {
  /** Keys with rules for their changes. */
  readonly compared?: readonly string[]
  /** Keys that affect neither requests nor responses. */
  readonly texts?: readonly string[]
  readonly one?: Readonly<Record<string, DifferenceObject>>
  readonly lists?: Readonly<Record<string, DifferenceObject>>
  readonly maps?: Readonly<Record<string, DifferenceObject>>
  /** Keys that are compared separately. */
  readonly apart?: readonly string[]
  /** Every member is of this kind. */
  readonly each?: DifferenceObject
}

export type DifferenceObject =
  | ('openapi' | 'openrpc' | 'server' | 'variable' | 'pathItem' | 'outgoingItem' | 'callback')
  | ('operation' | 'outgoing' | 'parameter' | 'requestBody' | 'response' | 'header' | 'mediaType')
  | (
      | 'outgoingParameter'
      | 'reply'
      | 'encoding'
      | 'method'
      | 'param'
      | 'result'
      | 'error'
      | 'securityScheme'
      | 'schema'
    )

const DESCRIBED = ['summary', 'description', 'externalDocs', 'example', 'examples', 'tags']

const SERIALIZED = ['name', 'in', 'required', 'style', 'explode']

const each = (kind: DifferenceObject) =>
  Object.fromEntries(PATH_METHODS.map((method) => [method, kind] as const))

const schemasAt = (keys: string) =>
  Object.fromEntries(keys.split(/\s+/).map((key) => [key, 'schema'] as const))

/** The objects of OpenAPI and OpenRPC, by name. A key that is in no row is not compared. */
export const KINDS: Readonly<Record<DifferenceObject, ObjectRow>> = {
  openapi: {
    compared: ['security'],
    texts: ['openapi', '$self', 'info', ...DESCRIBED],
    apart: ['components', 'paths'],
    lists: { servers: 'server' },
    maps: { webhooks: 'outgoingItem', 'x-webhooks': 'outgoingItem' },
  },
  openrpc: {
    texts: ['openrpc', 'info', ...DESCRIBED],
    apart: ['components'],
    lists: { servers: 'server', methods: 'method' },
  },
  server: { compared: ['url'], texts: ['name', ...DESCRIBED], maps: { variables: 'variable' } },
  variable: { compared: ['default', 'enum'], texts: DESCRIBED },
  pathItem: {
    texts: DESCRIBED,
    one: each('operation'),
    lists: { parameters: 'parameter', servers: 'server' },
    maps: { additionalOperations: 'operation' },
  },
  outgoingItem: {
    texts: DESCRIBED,
    one: each('outgoing'),
    lists: { parameters: 'outgoingParameter' },
    maps: { additionalOperations: 'outgoing' },
  },
  callback: { each: 'outgoingItem' },
  operation: {
    compared: ['operationId', 'deprecated', 'security', 'x-variants'],
    texts: DESCRIBED,
    one: { requestBody: 'requestBody' },
    lists: { parameters: 'parameter', servers: 'server' },
    maps: { responses: 'response', callbacks: 'callback' },
  },
  outgoing: {
    compared: ['deprecated', 'security'],
    texts: ['operationId', ...DESCRIBED],
    one: { requestBody: 'requestBody' },
    lists: { parameters: 'outgoingParameter' },
    maps: { responses: 'reply' },
  },
  parameter: {
    compared: [...SERIALIZED, 'allowReserved', 'allowEmptyValue', 'deprecated'],
    texts: DESCRIBED,
    one: { schema: 'schema' },
    maps: { content: 'mediaType' },
  },
  outgoingParameter: {
    compared: SERIALIZED,
    texts: DESCRIBED,
    one: { schema: 'schema' },
    maps: { content: 'mediaType' },
  },
  requestBody: { compared: ['required'], texts: DESCRIBED, maps: { content: 'mediaType' } },
  response: {
    compared: ['links'],
    texts: DESCRIBED,
    maps: { content: 'mediaType', headers: 'header' },
  },
  reply: { texts: DESCRIBED, maps: { content: 'mediaType', headers: 'header' } },
  header: { compared: ['required'], texts: DESCRIBED, one: { schema: 'schema' } },
  mediaType: {
    texts: DESCRIBED,
    one: { schema: 'schema', itemSchema: 'schema', itemEncoding: 'encoding' },
    lists: { prefixEncoding: 'encoding' },
    maps: { encoding: 'encoding' },
  },
  encoding: {
    compared: ['contentType', 'style', 'explode', 'allowReserved'],
    maps: { headers: 'header' },
  },
  method: {
    compared: ['name', 'paramStructure', 'deprecated', 'links'],
    texts: DESCRIBED,
    one: { result: 'result' },
    lists: { params: 'param', errors: 'error', servers: 'server' },
  },
  param: {
    compared: ['name', 'required', 'deprecated'],
    texts: DESCRIBED,
    one: { schema: 'schema' },
  },
  result: { texts: ['name', ...DESCRIBED], one: { schema: 'schema' } },
  error: { compared: ['code', 'message', 'data'] },
  securityScheme: {
    compared: ['type', 'in', 'name', 'scheme', 'flows', 'openIdConnectUrl', 'oauth2MetadataUrl'],
    texts: ['deprecated', ...DESCRIBED],
  },
  schema: {
    compared: [
      ...[...ASSERTIONS, ...CONTENT],
      ...['default', 'deprecated', 'readOnly', 'writeOnly', 'format', 'nullable', 'discriminator'],
    ],
    texts: ['title', '$schema', '$id', 'id', '$comment', '$defs', 'definitions', ...DESCRIBED],
    one: schemasAt(
      `items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties
      additionalItems not if then else`,
    ),
    lists: schemasAt('allOf anyOf oneOf prefixItems'),
    maps: schemasAt('properties patternProperties dependentSchemas'),
  },
}

/** Extensions that have rules; all others are treated as texts. */
export const RULED_EXTENSIONS: ReadonlySet<string> = new Set(
  `x-limits x-access x-idempotent x-sunset x-stability-level x-poll x-extensible-enum
  x-chain-id x-rpc-method x-direction x-subscription x-variants`.split(/\s+/),
)
