import { defects } from './defect.js'
import {
  afterwards,
  beforehand,
  bodyText,
  instead,
  isRecord,
  jsonReply,
  rpcError,
  rpcReply,
} from './planting.js'

const isCallless = (json: unknown): boolean => isRecord(json) && !('id' in json)

const parsed = (text: string): unknown => JSON.parse(text)

const batches = (change: (answers: readonly unknown[]) => readonly unknown[]) =>
  afterwards('rpc', (reply, { json }) => {
    const answers = Array.isArray(json) && reply.body ? parsed(bodyText(reply)) : undefined
    return Array.isArray(answers) && answers.length > 1
      ? jsonReply(reply, change(answers))
      : undefined
  })

/** Batches, notifications and what is no request at all. */
export const RPC_PROTOCOL_DEFECTS = defects([
  {
    name: 'answers-in-a-batch-are-swapped',
    around: batches((answers) => {
      const [first, second, ...others] = answers.filter(isRecord)
      return [{ ...first, id: second?.id }, { ...second, id: first?.id }, ...others]
    }),
    by: ['batch-results-swapped'],
    also: ['result-invalid'],
    only: ['JSON-RPC, a batch of different methods'],
  },
  {
    name: 'batch-is-answered-in-part',
    around: batches((answers) => answers.slice(0, -1)),
    by: ['call-not-answered'],
    only: ['JSON-RPC, a batch of ten'],
  },
  {
    name: 'answer-in-a-batch-comes-twice',
    around: batches((answers) => [...answers, answers[0]]),
    by: ['response-id-unknown'],
    only: ['JSON-RPC, a batch of ten'],
  },
  {
    name: 'answer-in-a-batch-belongs-to-nobody',
    around: batches((answers) => [...answers, { jsonrpc: '2.0', id: 4711, result: '0x1' }]),
    by: ['response-id-unknown'],
    only: ['JSON-RPC, a batch of ten'],
  },
  {
    name: 'one-refusal-refuses-the-whole-batch',
    around: afterwards('rpc', (reply, { json }) =>
      Array.isArray(json) && json.length > 1 && bodyText(reply).includes('"error"')
        ? rpcError(null, -32603, 'a call failed')
        : undefined,
    ),
    by: ['batch-answered-by-object'],
    only: ['JSON-RPC, a batch in which one call fails'],
  },
  {
    name: 'batch-of-one-is-answered-by-an-object',
    around: afterwards('rpc', (reply, { json }) =>
      Array.isArray(json) && json.length === 1 && reply.body
        ? { ...reply, body: bodyText(reply).slice(1, -1) }
        : undefined,
    ),
    by: ['batch-answered-by-object'],
    only: ['JSON-RPC, a batch of one'],
  },
  {
    name: 'batch-limit-is-ignored',
    around: instead('rpc', ({ json }) =>
      Array.isArray(json) && json.length > 40
        ? rpcReply(json.map((one) => ({ jsonrpc: '2.0', id: one.id ?? null, result: '0x1' })))
        : undefined,
    ),
    by: ['oversized-batch-accepted'],
    only: ['JSON-RPC, a batch of 41'],
  },
  {
    name: 'batch-limit-is-one-lower',
    around: instead('rpc', ({ json }) =>
      Array.isArray(json) && json.length === 40 ? rpcError(null, -32010, 'too many') : undefined,
    ),
    by: ['valid-batch-rejected'],
    only: ['JSON-RPC, a batch of 40'],
  },
  {
    name: 'empty-batch-is-answered-by-an-empty-array',
    around: instead('rpc', ({ text }) => (text === '[]' ? rpcReply([]) : undefined)),
    by: ['batch-not-answered'],
    only: ['JSON-RPC, an empty batch'],
  },
  {
    name: 'member-that-is-no-request-is-dropped',
    around: afterwards('rpc', (reply, { json }) =>
      Array.isArray(json) && json.some((one) => typeof one === 'number')
        ? jsonReply(reply, (parsed(bodyText(reply)) as readonly unknown[]).slice(0, 1))
        : undefined,
    ),
    by: ['invalid-batch-member-accepted', 'call-not-answered'],
    only: ['JSON-RPC, the batch [1,2,3]'],
  },
  {
    name: 'notification-answered',
    around: beforehand('rpc', ({ json }) =>
      isCallless(json) && isRecord(json) && 'method' in json
        ? { body: JSON.stringify({ ...json, id: null }) }
        : undefined,
    ),
    by: ['notification-answered'],
    only: ['JSON-RPC, a notification'],
  },
  {
    name: 'notification-is-answered-by-an-error',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && isCallless(json) && json.method === 'no_such_method'
        ? rpcError(null, -32601, 'method not found')
        : undefined,
    ),
    by: ['notification-answered'],
    only: ['JSON-RPC, a notification of an unknown method'],
  },
  {
    name: 'notification-is-answered-by-null',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && isCallless(json) && 'method' in json ? rpcReply(null) : undefined,
    ),
    by: ['notification-answered'],
    only: ['JSON-RPC, a notification'],
  },
  {
    name: 'batch-of-notifications-is-answered-by-an-empty-array',
    around: instead('rpc', ({ json }) =>
      Array.isArray(json) && json.length > 0 && json.every(isCallless) ? rpcReply([]) : undefined,
    ),
    by: ['notification-answered'],
    only: ['JSON-RPC, a batch of notifications'],
  },
  {
    name: 'parse-error-is-an-invalid-request',
    around: instead('rpc', ({ text, json }) =>
      json === undefined && text.startsWith('{') ? rpcError(null, -32600) : undefined,
    ),
    by: ['truncated-json-accepted', 'rejection-wrong-code'],
    only: ['JSON-RPC, truncated JSON'],
  },
  {
    name: 'parse-error-has-an-id',
    around: instead('rpc', ({ text, json }) =>
      json === undefined && text.startsWith('{') ? rpcError(1, -32700, 'parse error') : undefined,
    ),
    by: ['parse-error-has-an-id'],
    only: ['JSON-RPC, truncated JSON'],
  },
  {
    name: 'parse-error-is-a-failure-of-the-server',
    around: instead('rpc', ({ json }) =>
      json === undefined ? { status: 500, headers: {}, body: 'SyntaxError' } : undefined,
    ),
    by: ['server-fails'],
    only: ['JSON-RPC, truncated JSON'],
  },
  {
    name: 'truncated-batch-is-answered-by-an-array',
    around: instead('rpc', ({ text, json }) =>
      json === undefined && text.startsWith('[')
        ? rpcReply([{ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } }])
        : undefined,
    ),
    by: ['truncated-json-accepted', 'rejection-wrong-code'],
    only: ['JSON-RPC, a truncated batch'],
  },
  {
    name: 'trailing-comma-is-forgiven',
    around: beforehand('rpc', ({ text }) => ({ body: text.replace(/,\s*([}\]])/g, '$1') })),
    by: ['invalid-json-accepted'],
    only: ['JSON-RPC, a trailing comma'],
  },
  {
    name: 'second-json-text-is-dropped',
    around: beforehand('rpc', ({ text }) => ({
      body: text.split('}{').join('}\0').split('\0')[0],
    })),
    by: ['second-json-text-accepted'],
    only: ['JSON-RPC, two JSON texts'],
  },
  {
    name: 'broken-utf8-is-replaced',
    around: beforehand('rpc', ({ text }) => ({ body: text })),
    by: ['invalid-utf8-accepted'],
    only: ['JSON-RPC, bytes that are no UTF-8'],
  },
  {
    name: 'invalid-request-has-a-wrong-code',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && json.jsonrpc === undefined && 'method' in json
        ? rpcError(json.id, -32602)
        : undefined,
    ),
    by: ['request-without-version-accepted', 'rejection-wrong-code'],
    only: ['JSON-RPC, a request without jsonrpc'],
  },
  {
    name: 'version-is-not-looked-at',
    around: beforehand('rpc', ({ json }) =>
      isRecord(json) && 'method' in json
        ? { body: JSON.stringify({ ...json, jsonrpc: '2.0' }) }
        : undefined,
    ),
    by: ['request-without-version-accepted', 'wrong-version-accepted', 'rejection-wrong-code'],
    only: ['JSON-RPC, a request without jsonrpc', 'JSON-RPC, a request with "jsonrpc":"1.0"'],
  },
  {
    name: 'method-need-not-be-a-string',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && typeof json.method === 'number'
        ? rpcReply({ jsonrpc: '2.0', id: null, result: null })
        : undefined,
    ),
    by: ['request-without-method-accepted', 'response-id-unknown'],
    only: ['JSON-RPC, a request whose method is 1'],
  },
  {
    name: 'params-may-be-a-text',
    around: beforehand('rpc', ({ json }) =>
      isRecord(json) && typeof json.params === 'string'
        ? { body: JSON.stringify({ ...json, params: [] }) }
        : undefined,
    ),
    by: ['unstructured-params-accepted'],
    only: ['JSON-RPC, a request with "params":"bar"'],
  },
  {
    name: 'params-must-be-there',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && 'method' in json && 'id' in json && !('params' in json)
        ? rpcError(json.id, -32600, 'params are missing')
        : undefined,
    ),
    by: ['optional-params-required'],
    only: ['JSON-RPC, a call without params'],
  },
  {
    name: 'id-may-be-an-object',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && isRecord(json.id)
        ? rpcReply({ jsonrpc: '2.0', id: json.id, result: '0x1' })
        : undefined,
    ),
    by: ['invalid-id-accepted', 'response-without-id'],
    only: ['JSON-RPC, the id {}'],
  },
  {
    name: 'scalar-is-a-parse-error',
    around: instead('rpc', ({ json }) =>
      typeof json === 'number' ? rpcError(null, -32700) : undefined,
    ),
    by: ['scalar-request-accepted', 'rejection-wrong-code'],
    only: ['JSON-RPC, the body 1'],
  },
  {
    name: 'key-order-matters',
    around: instead('rpc', ({ text, json }) =>
      isRecord(json) && 'method' in json && !text.trimStart().startsWith('{"jsonrpc"')
        ? rpcError(json.id, -32600, 'jsonrpc must come first')
        : undefined,
    ),
    by: ['key-spelling-significant'],
    only: ['JSON-RPC, a call with its members in another order'],
  },
  {
    name: 'deep-nesting-fails-the-server',
    around: instead('rpc', ({ text }) =>
      text.includes('['.repeat(900)) ? { status: 500, headers: {}, body: 'RangeError' } : undefined,
    ),
    by: ['deep-nesting-server-error'],
    only: ['JSON-RPC, params nested 1,000 levels deep'],
  },
])
