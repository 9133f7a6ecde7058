import type { Texts } from './versions.js'

/** Two versions of a document, and all that `diff` tells of them: `error parameter-removed`. */
export type Pair = {
  readonly id: string
  readonly protocol: 'HTTP' | 'JSON-RPC'
  readonly before: Texts
  readonly after: Texts
  readonly finds: readonly string[]
}

/** The same change in both protocols; `rpc` finds what `http` does unless it says otherwise. */
export type Change = {
  readonly finds: readonly string[]
  readonly http?: readonly [before: Texts, after: Texts]
  readonly rpc?: readonly [before: Texts, after: Texts]
  readonly rpcFinds?: readonly string[]
}

export const pairsOf = (changes: Readonly<Record<string, Change>>): readonly Pair[] =>
  Object.entries(changes).flatMap(([id, { finds, http, rpc, rpcFinds = finds }]) => [
    ...(http ? [{ id, protocol: 'HTTP' as const, before: http[0], after: http[1], finds }] : []),
    ...(rpc
      ? [{ id, protocol: 'JSON-RPC' as const, before: rpc[0], after: rpc[1], finds: rpcFinds }]
      : []),
  ])

type Json = Readonly<Record<string, unknown>>

/** With a line for each member, as findings point at lines. */
const written = (document: Json): string => JSON.stringify(document, null, 2)

const INFO = { title: 'Orders', version: '1' }

/** An OpenAPI document with `POST /orders` and `GET /health`; the members are those of `POST /orders`. */
export const http = (members: Json = {}, rest: Json = {}, path = '/orders'): Texts =>
  httpPaths({ [path]: { post: operation(members) } }, rest)

export const httpPaths = (paths: Json, rest: Json = {}): Texts => ({
  http: written({
    ...{ openapi: '3.1.0', info: INFO, ...rest },
    paths: { '/health': { get: operation() }, ...paths },
  }),
})

export const operation = (members: Json = {}): Json => ({
  responses: { '200': { description: 'done' } },
  ...members,
})

/** An OpenRPC document with the methods `order_place` and `health`; the members are those of `order_place`. */
export const rpc = (members: Json = {}): Texts =>
  rpcMethods([{ name: 'order_place', ...method(members) }])

export const rpcMethods = (methods: readonly Json[]): Texts => ({
  rpc: written({
    ...{ openrpc: '1.3.2', info: INFO },
    methods: [{ name: 'health', ...method() }, ...methods],
  }),
})

const method = (members: Json = {}): Json => ({
  params: [],
  result: { name: 'order', schema: {} },
  ...members,
})

/** `POST /orders` with a parameter `page` of the query, and `order_place` with a param of that name. */
export const withParameter = (members: Json): Json => ({
  parameters: [{ name: 'page', in: 'query', schema: { type: 'string' }, ...members }],
})

export const withParam = (members: Json): Json => ({
  params: [{ name: 'page', schema: { type: 'string' }, ...members }],
})

/** The parameter in both protocols, as it was and as it is. */
export const parameter = (before: Json, after: Json): Pick<Change, 'http' | 'rpc'> => ({
  http: [http(withParameter(before)), http(withParameter(after))],
  rpc: [rpc(withParam(before)), rpc(withParam(after))],
})

export const withBody = (schema: unknown, members: Json = {}): Json => ({
  requestBody: { content: { 'application/json': { schema } }, ...members },
})

export const withAnswer = (schema: unknown): Json => ({
  responses: { '200': { description: 'done', content: { 'application/json': { schema } } } },
})

export const withResult = (schema: unknown): Json => ({ result: { name: 'order', schema } })

export const withHeader = (header: Json | undefined): Json => ({
  responses: {
    '200': { description: 'done', ...(header && { headers: { 'X-Page': header } }) },
  },
})

/** A schema that callers send, or that readers get, in both protocols. */
export const sent = (before: unknown, after: unknown): Pick<Change, 'http' | 'rpc'> => ({
  http: [http(withBody(before)), http(withBody(after))],
  rpc: [rpc(withParam({ schema: before })), rpc(withParam({ schema: after }))],
})

export const answered = (before: unknown, after: unknown): Pick<Change, 'http' | 'rpc'> => ({
  http: [http(withAnswer(before)), http(withAnswer(after))],
  rpc: [rpc(withResult(before)), rpc(withResult(after))],
})

/** An object with a property `page`. */
export const holding = (schema: unknown, members: Json = {}): Json => ({
  type: 'object',
  properties: { page: schema },
  ...members,
})
