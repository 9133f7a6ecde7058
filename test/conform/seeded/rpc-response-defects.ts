import { defects } from './defect.js'
import {
  afterwards,
  bodyText,
  instead,
  isRecord,
  jsonReply,
  rpcAnswers,
  rpcReply,
} from './planting.js'

/** What is wrong with an answer of JSON-RPC, whatever was asked. */
export const RPC_ANSWER_DEFECTS = defects([
  {
    name: 'id-becomes-a-string',
    around: rpcAnswers((answer) =>
      typeof answer.id === 'number' ? { ...answer, id: String(answer.id) } : answer,
    ),
    by: ['id-is-not-echoed'],
    only: ['eth_chainId'],
  },
  {
    name: 'id-becomes-a-number',
    around: rpcAnswers((answer) =>
      /^\d+$/.test(String(answer.id)) ? { ...answer, id: Number(answer.id) } : answer,
    ),
    by: ['id-is-not-echoed'],
    only: ['JSON-RPC, the id "1"', 'JSON-RPC, a batch with the ids 1 and "1"'],
  },
  {
    name: 'id-of-zero-is-taken-for-none',
    around: rpcAnswers((answer) => ({ ...answer, id: answer.id || null })),
    by: ['id-is-not-echoed'],
    only: ['JSON-RPC, the id 0', 'JSON-RPC, the id ""'],
  },
  {
    name: 'long-id-loses-digits',
    around: afterwards('rpc', (reply) => {
      const text = bodyText(reply)
      return { ...reply, body: text.replace(/"id":(\d{16,})/g, (_, id) => `"id":${Number(id)}`) }
    }),
    by: ['long-id-is-not-echoed'],
    only: ['JSON-RPC, the id 9007199254740993'],
  },
  {
    name: 'id-is-missing',
    around: rpcAnswers(({ id: _, ...answer }) => answer),
    by: ['response-without-id'],
    only: ['eth_chainId'],
  },
  {
    name: 'id-of-a-refusal-is-null',
    around: rpcAnswers((answer) => ('error' in answer ? { ...answer, id: null } : answer)),
    by: ['id-is-not-echoed'],
    only: ['eth_getBalance'],
  },
  {
    name: 'id-is-cut',
    around: rpcAnswers((answer) =>
      typeof answer.id === 'string' ? { ...answer, id: answer.id.slice(0, 255) } : answer,
    ),
    by: ['long-id-is-not-echoed'],
    only: ['JSON-RPC, an id of 65,536 characters'],
  },
  {
    name: 'id-loses-what-is-not-ascii',
    around: rpcAnswers((answer) =>
      typeof answer.id === 'string'
        ? { ...answer, id: answer.id.replace(/[^\0-\x7f]/g, '?') }
        : answer,
    ),
    by: ['id-is-not-echoed'],
    only: ['JSON-RPC, the id "abc-☃"'],
  },
  {
    name: 'jsonrpc-is-missing',
    around: rpcAnswers(({ jsonrpc: _, ...answer }) => answer),
    by: ['response-without-version'],
    only: ['eth_chainId'],
  },
  {
    name: 'jsonrpc-is-1.0',
    around: rpcAnswers((answer) => ({ ...answer, jsonrpc: '1.0' })),
    by: ['response-without-version'],
    only: ['eth_chainId'],
  },
  {
    name: 'error-null-stands-beside-a-result',
    around: rpcAnswers((answer) => ('result' in answer ? { ...answer, error: null } : answer)),
    by: ['response-not-result-or-error'],
    only: ['eth_chainId'],
  },
  {
    name: 'result-null-stands-beside-an-error',
    around: rpcAnswers((answer) => ('error' in answer ? { ...answer, result: null } : answer)),
    by: ['response-not-result-or-error'],
    only: ['JSON-RPC, an unknown method'],
  },
  {
    name: 'result-and-error-stand-together',
    around: rpcAnswers((answer) =>
      'result' in answer ? { ...answer, error: { code: -32000, message: 'slow' } } : answer,
    ),
    by: ['response-not-result-or-error'],
    only: ['eth_chainId'],
  },
  {
    name: 'neither-result-nor-error',
    around: rpcAnswers(({ result: _, ...answer }) => answer),
    by: ['response-not-result-or-error'],
    only: ['eth_chainId'],
  },
  {
    name: 'error-code-is-a-string',
    around: changedErrors(({ code, ...error }) => ({ code: String(code), ...error })),
    by: ['error-code-not-integer'],
    also: ['unknown-method-accepted'],
    only: ['JSON-RPC, an unknown method'],
  },
  {
    name: 'error-has-no-message',
    around: changedErrors(({ message: _, ...error }) => error),
    by: ['error-message-not-string'],
    only: ['JSON-RPC, an unknown method'],
  },
  {
    name: 'error-is-a-text',
    around: changedErrors(({ message }) => message),
    by: ['error-not-object'],
    also: ['unknown-method-accepted'],
    only: ['JSON-RPC, an unknown method'],
  },
  {
    name: 'error-code-is-undeclared',
    around: rpcAnswers((answer, { method }) =>
      method === 'eth_getBalance' && isRecord(answer.error)
        ? { ...answer, error: { ...answer.error, code: 77 } }
        : answer,
    ),
    by: ['error-code-is-undeclared'],
    also: ['invalid-params-wrong-error', 'extra-params-accepted', 'undeclared-property-accepted'],
    only: ['eth_getBalance'],
  },
  {
    name: 'another-reserved-code-than-the-example-shows',
    around: rpcAnswers((answer, { method }) =>
      method === 'eth_getBalance' && isRecord(answer.error) && answer.error.code === -32000
        ? { ...answer, error: { ...answer.error, code: -32042 } }
        : answer,
    ),
    by: ['example-rejected-other-code'],
    only: ['eth_getBalance'],
  },
  {
    name: 'undeclared-member-beside-the-result',
    around: rpcAnswers((answer) => ({ ...answer, took: 3 })),
    by: ['response-member-undeclared'],
    only: ['eth_chainId'],
  },
  {
    name: 'call-answered-by-array',
    around: afterwards('rpc', (reply, { json }) =>
      isRecord(json) && reply.body ? { ...reply, body: `[${bodyText(reply)}]` } : undefined,
    ),
    by: ['call-answered-by-array'],
    only: ['eth_chainId'],
  },
  {
    name: 'answer-is-encoded-twice',
    around: afterwards('rpc', (reply) =>
      reply.body ? jsonReply(reply, bodyText(reply)) : undefined,
    ),
    by: ['response-not-object'],
    only: ['eth_chainId'],
  },
  {
    name: 'call-is-answered-by-nothing',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && json.method === 'eth_chainId' ? { status: 204, headers: {} } : undefined,
    ),
    by: ['call-not-answered'],
    only: ['eth_chainId'],
  },
  {
    name: 'answer-of-another-call',
    around: rpcAnswers((answer, { id }) =>
      typeof id === 'number' && answer.id === id ? { ...answer, id: id + 1 } : answer,
    ),
    by: ['id-is-not-echoed'],
    only: ['eth_chainId'],
  },
  {
    name: 'key-in-an-error',
    around: afterwards('rpc', (reply, { request, json }) =>
      isRecord(json) && json.method === 'no_such_method'
        ? rpcReply({
            jsonrpc: '2.0',
            id: json.id,
            error: { code: -32601, message: `nothing at ${request.url}` },
          })
        : reply,
    ),
    by: ['api-key-leaked'],
    only: ['JSON-RPC, an unknown method'],
  },
  {
    name: 'stack-trace-in-the-data-of-an-error',
    around: changedErrors((error) => ({ ...error, data: new Error('no').stack })),
    by: ['stack-trace-leaked'],
    only: ['JSON-RPC, an unknown method'],
  },
  {
    name: 'path-of-the-machine-in-an-error',
    around: changedErrors((error) => ({
      ...error,
      message: 'cannot read /home/node/service/methods.json',
    })),
    by: ['filesystem-path-leaked'],
    only: ['JSON-RPC, an unknown method'],
  },
])

function changedErrors(change: (error: Readonly<Record<string, unknown>>) => unknown) {
  return rpcAnswers((answer) =>
    isRecord(answer.error) ? { ...answer, error: change(answer.error) } : answer,
  )
}
