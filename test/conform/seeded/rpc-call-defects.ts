import { KEY } from './clean-server.js'
import { defects } from './defect.js'
import { beforehand, type Fields, instead, isRecord, rpcError, rpcReply } from './planting.js'

const call = (change: (json: Fields) => unknown) =>
  beforehand('rpc', ({ json }) => {
    if (!isRecord(json)) return undefined
    const changed = change(json)
    return changed === json ? undefined : { body: JSON.stringify(changed) }
  })

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** What a server takes for a call, or refuses, and should not. */
export const RPC_CALL_DEFECTS = defects([
  {
    name: 'unknown-method-is-answered-null',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && json.method === 'no_such_method'
        ? rpcReply({ jsonrpc: '2.0', id: json.id, result: null })
        : undefined,
    ),
    by: ['unknown-method-accepted', 'rejection-wrong-code'],
    only: ['JSON-RPC, an unknown method'],
  },
  {
    name: 'unknown-method-is-refused-as-a-failure',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && json.method === 'no_such_method'
        ? rpcError(json.id, -32603, 'internal error')
        : undefined,
    ),
    by: ['unknown-method-accepted', 'rejection-wrong-code'],
    only: ['JSON-RPC, an unknown method'],
  },
  {
    name: 'reserved-method-is-answered',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && json.method === 'rpc.nope'
        ? rpcReply({ jsonrpc: '2.0', id: json.id, result: true })
        : undefined,
    ),
    by: ['reserved-method-accepted'],
    only: ['JSON-RPC, the reserved name rpc.nope'],
  },
  {
    name: 'methods-are-found-in-any-case',
    around: call((json) => {
      const found = ['eth_chainId', 'eth_blockNumber', 'net_version', 'chain_getSupportedTokens']
      const name = found.find((one) => one.toLowerCase() === String(json.method).toLowerCase())
      return name === undefined ? json : { ...json, method: name }
    }),
    by: ['method-name-not-case-sensitive'],
    only: ['JSON-RPC, a method in the other case'],
  },
  {
    name: 'names-of-methods-are-trimmed',
    around: call((json) => ({ ...json, method: String(json.method).trim() })),
    by: ['method-name-not-case-sensitive'],
    only: ['JSON-RPC, a method with a blank before its name'],
  },
  {
    name: 'documented-method-missing',
    around: call((json) =>
      json.method === 'eth_blockNumber' ? { ...json, method: 'no_such_method' } : json,
    ),
    by: ['documented-method-missing'],
    only: ['eth_blockNumber'],
  },
  {
    name: 'missing-params-are-filled-in',
    around: call((json) =>
      json.method === 'eth_getBalance' && isList(json.params) && json.params.length === 0
        ? { ...json, params: [`0x${'0'.repeat(40)}`, 'latest'] }
        : json,
    ),
    by: ['invalid-params-accepted'],
    only: ['eth_getBalance'],
  },
  {
    name: 'surplus-params-are-ignored',
    around: call((json) =>
      isList(json.params)
        ? { ...json, params: json.params.slice(0, json.method === 'web3_sha3' ? 1 : 9) }
        : json,
    ),
    by: ['extra-params-accepted'],
    only: ['web3_sha3'],
  },
  {
    name: 'params-of-a-wrong-type-are-taken',
    around: call((json) =>
      json.method === 'eth_getBalance' && isList(json.params) && typeof json.params[0] === 'number'
        ? { ...json, params: [`0x${'0'.repeat(40)}`, ...json.params.slice(1)] }
        : json,
    ),
    by: ['invalid-params-accepted'],
    only: ['eth_getBalance'],
  },
  {
    name: 'short-address-is-filled-up',
    around: call((json) => {
      const [address, ...others] = isList(json.params) ? json.params : []
      return json.method === 'eth_getBalance' && /^0x[0-9a-fA-F]{39}$/.test(String(address))
        ? { ...json, params: [`0x0${String(address).slice(2)}`, ...others] }
        : json
    }),
    by: ['invalid-params-accepted'],
    only: ['eth_getBalance, bounds of params/0'],
  },
  {
    name: 'long-address-is-cut',
    around: call((json) => {
      const [address, ...others] = isList(json.params) ? json.params : []
      return json.method === 'eth_getBalance' && /^0x[0-9a-fA-F]{41,}$/.test(String(address))
        ? { ...json, params: [String(address).slice(0, 42), ...others] }
        : json
    }),
    by: ['invalid-params-accepted'],
    only: ['eth_getBalance, bounds of params/0'],
  },
  {
    name: 'broken-params-fail-the-server',
    around: instead('rpc', ({ json }) => {
      if (!isRecord(json) || json.method !== 'eth_getBalance' || !isList(json.params)) return
      const isBroken = !ADDRESS.test(String(json.params[0]))
      return isBroken ? rpcError(json.id, -32603, 'internal error') : undefined
    }),
    by: ['invalid-params-wrong-error', 'method-fails'],
    only: ['eth_getBalance'],
  },
  {
    name: 'example-is-refused',
    around: instead('rpc', ({ json }) =>
      isRecord(json) &&
      json.method === 'web3_sha3' &&
      isList(json.params) &&
      json.params.length === 1
        ? rpcError(json.id, -32602, 'no bytes')
        : undefined,
    ),
    by: ['example-values-rejected', 'operation-never-answered'],
    only: ['web3_sha3, example hello'],
  },
  {
    name: 'named-params-accepted',
    around: call((json) =>
      json.method === 'eth_getBalance' && isRecord(json.params)
        ? { ...json, params: Object.values(json.params) }
        : json,
    ),
    by: ['named-params-accepted'],
    only: ['eth_getBalance, params by name'],
  },
  {
    name: 'writing-needs-no-key',
    around: beforehand('rpc', ({ request, json }) =>
      isRecord(json) && json.method === 'eth_sendRawTransaction'
        ? { url: `/zgt/${encodeURIComponent(KEY)}`, headers: request.headers }
        : undefined,
    ),
    by: ['keyed-method-without-key-accepted'],
    only: ['JSON-RPC, eth_sendRawTransaction without a key'],
  },
  {
    name: 'unknown-key-opens-json-rpc',
    around: beforehand('rpc', () => ({ url: `/zgt/${encodeURIComponent(KEY)}` })),
    by: ['unknown-api-key-accepted'],
    only: ['JSON-RPC, an unknown key'],
  },
  {
    name: 'reading-needs-a-key',
    around: instead('rpc', ({ request, json }) =>
      request.url === '/zgt/try-it-out'
        ? rpcError(isRecord(json) ? json.id : null, -32600, 'a key is needed')
        : undefined,
    ),
    by: ['public-method-requires-key'],
    only: ['JSON-RPC, reading without a key'],
  },
  {
    name: 'another-document-is-discovered',
    around: instead('rpc', ({ json }) =>
      isRecord(json) && json.method === 'rpc.discover'
        ? rpcReply({
            jsonrpc: '2.0',
            id: json.id,
            result: { openrpc: '1.3.2', info: { title: 'old', version: '0' }, methods: [] },
          })
        : undefined,
    ),
    by: ['discovered-document-differs'],
    only: ['JSON-RPC, rpc.discover'],
  },
])
