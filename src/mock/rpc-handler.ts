import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, RpcDocument } from '../model/api.js'
import { entriesOf, isObject } from '../model/json.js'
import { keysOf, type OddToken } from '../runtime/server/exact-json.js'
import { isJsonRpc } from '../runtime/shared/media-type.js'
import { isSameExample, preferred } from '../runtime/shared/prefer.js'
import { type Answer, type Ask, type Door, type Exchange, preferring } from './exchange.js'
import { readJson } from './read-json.js'

/**
 * The one JSON-RPC endpoint in front of a Prism that serves the projection, a path for each method.
 * JSON-RPC itself (batches, notifications, ids, its five errors) is answered here by the letter; what
 * a method answers comes from Prism, the example whose params are the caller's where there is one.
 */
export const createRpcHandler = (rpc: RpcDocument, projection: JsonObject, ask: Ask): Door => {
  const methods = readMethods(projection)
  const { batchSize = Infinity, payloadBytes = Infinity } = rpc.limits

  const reply = async (
    item: unknown,
    odd: readonly OddToken[],
    wish: string | undefined,
  ): Promise<Reply | undefined> => {
    const request = readRequest(item, odd)
    if ('fault' in request) return { text: refusal(request.id, -32600, request.fault) }
    const { id, method, params } = request
    // JSON-RPC 2.0, 4.1: a notification is never answered, not even where its method is unknown.
    if (id === undefined) return undefined
    const known = methods.get(method)
    if (known) return forward({ id, method, params }, known, wish)
    if (method === 'rpc.discover') return { text: responseText(id, { result: rpc.bundled }) }
    return { text: refusal(id, -32601, 'Method not found') }
  }

  const forward = async (
    {
      id,
      method,
      params,
    }: { readonly id: IdText; readonly method: string; readonly params: unknown },
    examples: readonly MethodExample[],
    wish: string | undefined,
  ): Promise<Reply> => {
    const matching = examples.filter((one) => isSameParams(one.params, params))
    const result = (list: readonly MethodExample[]) => list.find(({ refuses }) => !refuses)
    const example =
      examples.find(({ name }) => wish !== undefined && isSameExample(name, wish)) ??
      result(matching) ??
      matching[0] ??
      result(examples)
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const exchange = { method: 'POST', target: `/${encodeURI(method)}`, headers: JSON_ONLY, body }
    const answer = await ask(example ? preferring(exchange, { example: example.name }) : exchange)
    const value = readJson(answer.body)?.value
    const violations = answer.headers['sl-violations']
    if (answer.status === 200 && isObject(value)) {
      const { id: _, jsonrpc, ...outcome } = value
      return { text: responseText(id, outcome), violations: violations && String(violations) }
    }
    if (isRefusedRequest(answer, value)) {
      const data = isObject(value) ? value.validation : undefined
      return { text: refusal(id, -32602, 'Invalid params', data) }
    }
    return {
      text: refusal(id, -32603, 'Internal error', value),
      violations: violations && String(violations),
    }
  }

  return async (exchange) => {
    const refused = refuseExchange(exchange, payloadBytes)
    if (refused) return refused
    const parsed = readJson(exchange.body)
    if (!parsed) return textAnswer(200, refusal('null', -32700, 'Parse error'))
    const { value: payload, odd } = parsed
    const wish = exampleWish(exchange)
    if (!Array.isArray(payload)) return answerOf([await reply(payload, odd, wish)], 'single')
    if (payload.length === 0) return textAnswer(200, refusal('null', -32600, 'Empty batch'))
    if (payload.length > batchSize) {
      const message = `A batch holds at most ${batchSize} requests, this one holds ${payload.length}`
      return textAnswer(200, refusal('null', -32010, message))
    }
    const items = payload.map((item, index) => reply(item, oddIn(odd, index), wish))
    return answerOf(await Promise.all(items), 'batch')
  }
}

/** An id as it was sent, so that it comes back digit by digit. */
type IdText = string

type Reply = { readonly text: string; readonly violations?: string | undefined }

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
  | { readonly id: IdText | undefined; readonly method: string; readonly params: unknown }
  | { readonly id: IdText; readonly fault: string }

const readRequest = (item: unknown, odd: readonly OddToken[]): Request => {
  if (!isObject(item)) return { id: 'null', fault: 'A request must be an object' }
  const { jsonrpc, id: given, method, params } = item
  if (given !== null && !['undefined', 'string', 'number'].includes(typeof given))
    return { id: 'null', fault: 'An id must be a string, a number or null' }
  const id = given === undefined ? undefined : idText(given, odd)
  const invalid = (fault: string) => ({ id: id ?? 'null', fault })
  if (jsonrpc !== '2.0') return invalid('A request must say "jsonrpc": "2.0"')
  if (typeof method !== 'string') return invalid('The method of a request must be a string')
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return invalid('The params of a request must be an array or an object')
  }
  return { id, method, params }
}

/** Params that are left out are none, which an example by position or by name may show as well. */
const isSameParams = (shown: unknown, given: unknown): boolean =>
  given === undefined
    ? typeof shown === 'object' && Object.keys(shown ?? {}).length === 0
    : isDeepStrictEqual(shown, given)

const idText = (id: unknown, odd: readonly OddToken[]): IdText => {
  const token = odd.findLast(({ path }) => path?.key === 'id' && path.parent === undefined)
  // Of two ids the last one counts, and the token may belong to the first.
  return token !== undefined && Number(token.text) === id ? token.text : JSON.stringify(id)
}

/** The odd tokens of one member of a batch, their paths from there. */
const oddIn = (odd: readonly OddToken[], index: number): readonly OddToken[] =>
  odd.flatMap((token) => {
    const [first, key, ...deeper] = keysOf(token.path)
    if (first !== index || key === undefined || deeper.length > 0) return []
    return [{ ...token, path: { parent: undefined, key } }]
  })

const responseText = (id: IdText, outcome: JsonObject): string =>
  `{"jsonrpc":"2.0","id":${id},${JSON.stringify(outcome).slice(1)}`

const refusal = (id: IdText, code: number, message: string, data?: unknown): string =>
  responseText(id, { error: { code, message, ...(data !== undefined && { data }) } })

const textAnswer = (status: number, text: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(text),
})

/** What is wrong with the HTTP request itself. */
const refuseExchange = (exchange: Exchange, payloadBytes: number): Answer | undefined => {
  const refuse = (status: number, message: string, headers: Answer['headers'] = {}) =>
    textAnswer(status, refusal('null', -32600, message), headers)
  if (exchange.method !== 'POST') {
    return refuse(405, 'JSON-RPC takes POST only', { allow: 'POST' })
  }
  if (!isJsonRpc(String(exchange.headers['content-type'] ?? ''))) {
    return refuse(415, 'JSON-RPC takes application/json only')
  }
  if (exchange.refusal) {
    const { status, message, headers } = exchange.refusal
    return refuse(status, message, headers)
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
  const texts = sent.map(({ text }) => text).join(',')
  return textAnswer(200, shape === 'batch' ? `[${texts}]` : texts, headers)
}

/** The example that a caller asks for by `Prefer: example=NAME`, for each method that has it. */
const exampleWish = ({ headers }: Exchange): string | undefined =>
  preferred(String(headers.prefer ?? '')).example

const JSON_ONLY = { 'content-type': 'application/json', accept: 'application/json' }
