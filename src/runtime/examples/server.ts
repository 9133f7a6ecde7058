import type { HttpValidators, RpcValidators } from '../operation.js'
import type { AnyHandlers } from '../server/handlers.js'
import { declaredKey, shapeError } from '../server/reply.js'
import type { Server } from '../server/request.js'
import { headerOf, headerRecord, type ServerReply } from '../server/request.js'
import { createServerCore, type ServerOptions, type Service, type ShapedError } from '../server.js'
import { writeJson } from '../shared/json.js'
import { validatorsFor } from '../shared/validators.js'
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
  given: Service,
  documented: Documented,
  policy: MockPolicy,
  { overrides = {}, ...options }: ServerOptions & { readonly overrides?: object } = {},
): Server => {
  const service = withBigints(given)
  const handlers = mockOperations(service, documented, overrides, policy)
  const refuse = (refusal: ShapedError) => refuseAsDocumented(refusal, service, documented, policy)
  return forEveryOrigin(
    createServerCore(service, handlers, { validateOutput: false, refuse, ...options }),
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
  const given = overrides as Readonly<Record<string, LooseOverride | undefined>>
  const known = { ...http?.operations, ...rpc?.operations }
  for (const id of Object.keys(given))
    if (!Object.hasOwn(known, id))
      throw fault(`there is no operation '${id}'`, 'overrides are named by operation ids')
  return Object.fromEntries(
    Object.values(known).map((operation) => {
      const { id } = operation
      const override = Object.hasOwn(given, id) ? given[id] : undefined
      if (operation.kind === 'rpc') {
        const own = validatorsFor<RpcValidators>(validators, id)
        const shown = (ownOf(documented, id) ?? { pairings: [] }) as DocumentedRpc
        return [id, mockRpc(operation, own, shown, override, policy)]
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
 * The error response of a generated server. If its body is invalid by the declared schema of the status, an example of that
 * status is sent, or a sample.
 */
const refuseAsDocumented = (
  { operation, ...refusal }: ShapedError,
  { validators }: Service,
  documented: Documented,
  { samples }: MockPolicy,
): ServerReply => {
  if (operation === undefined) return shapeError(refusal, undefined, undefined)
  const { id, responses } = operation
  const own = validatorsFor<HttpValidators>(validators, id)
  const keys = Object.keys(responses)
  const { status } = refusal
  const reply = shapeError(refusal, operation, own)
  const key = declaredKey(keys, status)
  if (key !== undefined && responses[key]?.length === 0) return withoutContent(reply)
  const validator = key === undefined ? undefined : own.responses[key]
  if (
    key === undefined ||
    validator === undefined ||
    validator.check(JSON.parse(String(reply.body)))
  )
    return reply
  const examples = httpExamples(documented, id).answers
  const answer =
    examples.find((one) => one.status === key && one.type === undefined) ??
    samples?.response(id, key, { status, message: refusal.message })
  if (answer === undefined) return reply
  const { type, value } = answer
  const isWritten = typeof value === 'string' || value instanceof Uint8Array
  if (type === undefined || !isWritten) return { ...reply, body: writeJson(value) }
  return { ...reply, headers: { ...reply.headers, 'content-type': type }, body: value }
}

/** The document declares no body for this status. */
const withoutContent = ({ status, headers }: ServerReply): ServerReply => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type')),
})

/** A mock has nothing to protect: it allows preflight requests, and every origin may read the responses. */
const forEveryOrigin = (server: Server): Server => ({
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
