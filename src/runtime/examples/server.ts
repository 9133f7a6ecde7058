import type { Content, HttpValidators, RpcValidators } from '../operation.js'
import type { AnyHandlers } from '../server/handlers.js'
import { shapeError } from '../server/reply.js'
import type { ServerCore } from '../server/request.js'
import { headerRecord, type ServerReply } from '../server/request.js'
import { notSubscribed } from '../server/subscriptions.js'
import { createServerCore, type ServerOptions, type Service, type ShapedError } from '../server.js'
import { holdsValue } from '../shared/codecs.js'
import { validatorsFor } from '../shared/validators.js'
import { concreteOf } from '../wire/content.js'
import { headerOf } from '../wire/headers.js'
import { declaredResponse, ofContent } from '../wire/status.js'
import type { Documented, DocumentedHttp, DocumentedRpc } from './documented.js'
import { mockHttp } from './http.js'
import type { LooseOverride } from './override.js'
import { fault, type MockPolicy } from './policy.js'
import { mockRpc } from './rpc.js'

/**
 * Creates a server that responds with examples. It validates requests like a generated server. The response is an override, a
 * documented example or a sample. Web pages of every origin may call it. Throws a TypeError for an override that the documents
 * do not allow.
 */
export const createExampleServer = (
  base: Service,
  documented: Documented,
  settings: MockPolicy,
  { overrides = {}, ...options }: ServerOptions & { readonly overrides?: object } = {},
): ServerCore => {
  const service = withBigints(base)
  const policy = { ...settings, codecs: service.codecs }
  const handlers = mockOperations(service, documented, overrides, policy)
  const formatError = (rejection: ShapedError) =>
    rejectAsDocumented(rejection, service, documented, policy)
  return forEveryOrigin(
    createServerCore(service, handlers, { validateOutput: false, formatError, ...options }),
  )
}

/** Examples may have integers beyond 2^53 - 1 anywhere, and they are sent with all digits. */
const withBigints = ({ http, rpc, ...service }: Service): Service => {
  const each = <O extends object>(operations: Readonly<Record<string, O>>) =>
    Object.fromEntries(
      Object.entries(operations).map(([id, operation]) => [id, { bigints: {}, ...operation }]),
    )
  return {
    ...service,
    ...(http && { http: { ...http, operations: each(http.operations) } }),
    ...(rpc && { rpc: { ...rpc, operations: each(rpc.operations) } }),
  }
}

const mockOperations = (
  { http, rpc, validators }: Service,
  documented: Documented,
  overrides: object,
  policy: MockPolicy,
): AnyHandlers => {
  const byId = overrides as Readonly<Record<string, LooseOverride | undefined>>
  const known = { ...http?.operations, ...rpc?.operations }
  const ends = new Set(
    Object.values(rpc?.operations ?? {}).map(({ subscription }) => subscription?.unsubscribe),
  )
  for (const id of Object.keys(byId))
    if (!Object.hasOwn(known, id))
      throw fault(`there is no operation '${id}'`, 'overrides are named by operation ids')
  return Object.fromEntries(
    Object.values(known).map((operation) => {
      const { id } = operation
      const override = Object.hasOwn(byId, id) ? byId[id] : undefined
      if (operation.kind === 'rpc') {
        const own = validatorsFor<RpcValidators>(validators, id)
        const shown = (ownOf(documented, id) ?? { pairings: [] }) as DocumentedRpc
        const handler = mockRpc(operation, own, shown, override, policy)
        if (!ends.has(operation.method) || override !== undefined) return [id, handler]
        // Over a connection, the server has ended the subscriptions that it knows.
        const end = (params: never, context: never) =>
          Object(context).peer === undefined ? handler(params, context) : notSubscribed(own)
        return [id, end]
      }
      const own = validatorsFor<HttpValidators>(validators, id)
      const shown = httpExamples(documented, id)
      return [id, mockHttp(operation, own, shown, override, policy)]
    }),
  )
}

/** An operation may have the name of a member of all objects: `toString`. */
const ownOf = (documented: Documented, id: string): Documented[string] | undefined =>
  Object.hasOwn(documented, id) ? documented[id] : undefined

const httpExamples = (documented: Documented, id: string): DocumentedHttp =>
  (ownOf(documented, id) ?? { answers: [] }) as DocumentedHttp

/**
 * The error response of a generated server. Its body is made from an example of the status, or from a sample, if the declared
 * schema accepts no common shape.
 */
const rejectAsDocumented = (
  { operation, ...rejection }: ShapedError,
  { validators, errors = {}, codecs = {} }: Service,
  documented: Documented,
  { samples }: MockPolicy,
): ServerReply => {
  if (operation === undefined) return shapeError(rejection, undefined, undefined)
  const { id, responses } = operation
  const own = validatorsFor<HttpValidators>(validators, id)
  const { status, message } = rejection
  const response = declaredResponse(responses, status)
  const key = response?.status
  const content = response?.content ?? []
  const examples = httpExamples(documented, id).answers.filter((one) => one.status === key)
  const known = Object.hasOwn(errors, id) ? errors[id] : undefined
  const shown = content.flatMap(({ type }) => {
    if (ofContent(known, key, type) !== undefined) return []
    const example = examples.find(
      (one) => (one.type ?? 'application/json') === concreteOf(type, one.value),
    )
    const found = example ?? samples?.response(id, key ?? '', { status, message, accept: type })
    return found ? [[`${key} ${type}`, { value: found.value }] as const] : []
  })
  const reply = shapeError(rejection, operation, own, {
    samples: { ...known, ...Object.fromEntries(shown) },
    codecs,
  })
  const [media] = content
  const [first] = shown
  // The only content is neither a value nor text.
  if (first === undefined || media === undefined || content.some(isWritten)) return reply
  const { type } = media
  const { value } = first[1]
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return reply
  return {
    ...reply,
    headers: { ...reply.headers, 'content-type': concreteOf(type, value) ?? type },
    body: value,
  }
}

const isWritten = ({ codec }: Content): boolean => holdsValue(codec) || codec === 'text'

/** A mock has nothing to protect: it allows preflight requests, and every origin may read the responses. */
const forEveryOrigin = (server: ServerCore): ServerCore => ({
  ...server,
  handle: async (request) => {
    const headers = headerRecord(request.headers)
    const origin = headerOf(headers, 'origin')
    const method = headerOf(headers, 'access-control-request-method')
    const shared = origin === undefined ? undefined : { 'access-control-allow-origin': origin }
    if (request.method === 'OPTIONS' && method !== undefined)
      return {
        status: 204,
        headers: {
          ...shared,
          'access-control-allow-methods': method,
          'access-control-allow-headers':
            headerOf(headers, 'access-control-request-headers') ?? '*',
        },
      }
    const reply = await server.handle(request)
    if (shared === undefined) return reply
    const readable = { 'access-control-expose-headers': Object.keys(reply.headers).join(', ') }
    return { ...reply, headers: { ...shared, ...readable, ...reply.headers } }
  },
})
