import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, RpcDocument } from '../model/api.js'
import { entriesOf, isObject } from '../model/json.js'
import { isJsonRpc } from '../runtime/ground/media-type.js'
import {
  type Answer,
  type Ask,
  type Door,
  type Exchange,
  jsonAnswer,
  preferring,
} from './exchange.js'

/**
 * The one JSON-RPC endpoint in front of a Prism that serves the projection, a path for each method.
 * JSON-RPC itself (batches, notifications, ids, its five errors) is answered here by the letter; what
 * a method answers comes from Prism, the example whose params are the caller's where there is one.
 */
export const createRpcDoor = (rpc: RpcDocument, projection: JsonObject, ask: Ask): Door => {
  const methods = readMethods(projection)
  const { batchSize = Infinity, payloadBytes = Infinity } = rpc.limits

  const reply = async (item: unknown, wish: string | undefined): Promise<Reply | undefined> => {
    const request = readRequest(item)
    if ('fault' in request) return { body: refusal(request.id, -32600, request.fault) }
    const { id, method, params } = request
    // JSON-RPC 2.0, 4.1: a notification is never answered, not even where its method is unknown.
    if (id === undefined) return undefined
    const known = methods.get(method)
    if (known) return forward({ id, method, params }, known, wish)
    if (method === 'rpc.discover') return { body: { jsonrpc: '2.0', id, result: rpc.bundled } }
    return { body: refusal(id, -32601, 'Method not found') }
  }

  const forward = async (
    { id, method, params }: { readonly id: Id; readonly method: string; readonly params: unknown },
    examples: readonly MethodExample[],
    wish: string | undefined,
  ): Promise<Reply> => {
    const matching = examples.filter((one) => isDeepStrictEqual(one.params, params))
    const result = (list: readonly MethodExample[]) => list.find(({ refuses }) => !refuses)
    const example =
      examples.find(({ name }) => wish !== undefined && isSameName(name, wish)) ??
      result(matching) ??
      matching[0] ??
      result(examples)
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const exchange = { method: 'POST', target: `/${encodeURI(method)}`, headers: JSON_ONLY, body }
    const answer = await ask(example ? preferring(exchange, { example: example.name }) : exchange)
    const value: unknown = parse(answer.body)
    const violations = answer.headers['sl-violations']
    if (answer.status === 200 && isObject(value)) {
      return { body: { ...value, id }, violations: violations && String(violations) }
    }
    if (isRefusedRequest(answer, value)) {
      const data = isObject(value) ? value.validation : undefined
      return { body: refusal(id, -32602, 'Invalid params', data) }
    }
    return {
      body: refusal(id, -32603, 'Internal error', value),
      violations: violations && String(violations),
    }
  }

  return async (exchange) => {
    const refused = refuseExchange(exchange, payloadBytes)
    if (refused) return refused
    const payload = parse(exchange.body)
    if (payload === undefined) return jsonAnswer(200, refusal(null, -32700, 'Parse error'))
    const wish = exampleWish(exchange)
    if (!Array.isArray(payload)) return answerOf([await reply(payload, wish)], 'single')
    if (payload.length === 0) return jsonAnswer(200, refusal(null, -32600, 'Empty batch'))
    if (payload.length > batchSize) {
      const message = `A batch holds at most ${batchSize} requests, this one holds ${payload.length}`
      return jsonAnswer(200, refusal(null, -32010, message))
    }
    return answerOf(await Promise.all(payload.map((item) => reply(item, wish))), 'batch')
  }
}

type Id = string | number | null

type Reply = { readonly body: JsonObject; readonly violations?: string | undefined }

type MethodExample = {
  readonly name: string
  readonly params: unknown
  /** Whether its answer is an error: chosen for its params or its name only. */
  readonly refuses: boolean
}

/** Wire name -> the examples that both the request and the answer of its path have. */
const readMethods = (projection: JsonObject): ReadonlyMap<string, readonly MethodExample[]> =>
  new Map(
    entriesOf(projection.paths).map(([path, item]) => {
      const post = at(item, 'post')
      const requests = at(post, 'requestBody', 'content', 'application/json', 'examples')
      const answers = at(post, 'responses', '200', 'content', 'application/json', 'examples')
      const examples = entriesOf(answers).map(([name, answer]) => ({
        name,
        params: at(requests, name, 'value', 'params'),
        refuses: at(answer, 'value', 'error') !== undefined,
      }))
      return [path.slice(1), examples]
    }),
  )

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), value)

type Request =
  | { readonly id: Id | undefined; readonly method: string; readonly params: unknown }
  | { readonly id: Id; readonly fault: string }

const readRequest = (item: unknown): Request => {
  if (!isObject(item)) return { id: null, fault: 'A request must be an object' }
  const { jsonrpc, id, method, params } = item
  if (!isReadableId(id)) {
    return { id: null, fault: 'An id must be a string, null or a number that a double can hold' }
  }
  const invalid = (fault: string) => ({ id: id ?? null, fault })
  if (jsonrpc !== '2.0') return invalid('A request must say "jsonrpc": "2.0"')
  if (typeof method !== 'string') return invalid('The method of a request must be a string')
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return invalid('The params of a request must be an array or an object')
  }
  return { id, method, params: params ?? [] }
}

const isReadableId = (id: unknown): id is Id | undefined =>
  id === undefined ||
  id === null ||
  typeof id === 'string' ||
  // JSON.parse has rounded what is larger, so it could not be echoed.
  (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER)

const refusal = (id: Id, code: number, message: string, data?: unknown): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
})

/** What is wrong with the HTTP request itself. */
const refuseExchange = (exchange: Exchange, payloadBytes: number): Answer | undefined => {
  const refuse = (status: number, message: string, headers: Answer['headers'] = {}) =>
    jsonAnswer(status, refusal(null, -32600, message), headers)
  if (exchange.method !== 'POST') {
    return refuse(405, 'JSON-RPC takes POST only', { allow: 'POST' })
  }
  if (!isJsonRpc(String(exchange.headers['content-type'] ?? ''))) {
    return refuse(415, 'JSON-RPC takes application/json only')
  }
  if (exchange.body.length > payloadBytes) {
    return refuse(413, `A request holds at most ${payloadBytes} bytes`)
  }
  return undefined
}

/** Prism refuses a request by 422, or by a 500 where it knows no status for its refusal. */
const isRefusedRequest = ({ status }: Answer, value: unknown): boolean =>
  status === 422 || status === 400 || /UNPROCESSABLE_ENTITY/.test(String(at(value, 'type')))

const answerOf = (replies: readonly (Reply | undefined)[], shape: 'single' | 'batch'): Answer => {
  const sent = replies.filter((reply) => reply !== undefined)
  if (sent.length === 0) return { status: 204, headers: {}, body: Buffer.alloc(0) }
  const violations = sent.flatMap((reply) => reply.violations ?? [])
  const headers = violations.length > 0 ? { 'sl-violations': violations.join(', ') } : {}
  const bodies = sent.map(({ body }) => body)
  return jsonAnswer(200, shape === 'batch' ? bodies : bodies[0], headers)
}

/** The example that a caller asks for by `Prefer: example=NAME`, for each method that has it. */
const exampleWish = ({ headers }: Exchange): string | undefined =>
  /(?:^|[,;\s])example="?([^",;]+)/.exec(String(headers.prefer ?? ''))?.[1]?.trim()

/** A pairing's own name is as good as the projection's: `noTokens`, `no tokens`, `no-tokens`. */
const isSameName = (one: string, other: string): boolean => bare(one) === bare(other)

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const JSON_ONLY = { 'content-type': 'application/json', accept: 'application/json' }
