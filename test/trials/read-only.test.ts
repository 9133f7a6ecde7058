import { readFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpcService } from '../../generated/operations.js'
import { type ServiceProcess, startServiceProcess } from './service-process.js'

/** Namespaces and methods that nodes have beside the documented ones, most of which would change something. */
const UNDOCUMENTED = [
  ...['mine', 'dropTransaction', 'dropAllTransactions', 'removePoolTransactions', 'reset'],
  ...['impersonateAccount', 'autoImpersonateAccount', 'setBalance', 'addBalance', 'setCode'],
  ...['setNonce', 'setStorageAt', 'setCoinbase', 'setMinGasPrice', 'setBlockGasLimit'],
  ...['setNextBlockBaseFeePerGas', 'setChainId', 'setRpcUrl', 'setLoggingEnabled', 'setAutomine'],
  ...['setIntervalMining', 'setBlockTimestampInterval', 'dumpState', 'loadState', 'rollback'],
  ...['reorg', 'nodeInfo', 'metadata', 'enableTraces', 'dealERC20', 'setERC20Allowance'],
]
  .flatMap((name) => [`anvil_${name}`, `hardhat_${name}`])
  .concat(
    ['mine', 'snapshot', 'revert', 'increaseTime', 'setNextBlockTimestamp', 'setTime'].map(
      (name) => `evm_${name}`,
    ),
    ['setAutomine', 'setIntervalMining', 'setAccountNonce', 'mine_detailed'].map(
      (name) => `evm_${name}`,
    ),
    ['addPeer', 'removePeer', 'nodeInfo', 'startHTTP', 'exportChain', 'importChain', 'datadir'].map(
      (name) => `admin_${name}`,
    ),
    ['newAccount', 'importRawKey', 'unlockAccount', 'sendTransaction', 'sign', 'listAccounts'].map(
      (name) => `personal_${name}`,
    ),
    ['start', 'stop', 'setEtherbase', 'setGasPrice', 'setExtra', 'setGasLimit'].map(
      (name) => `miner_${name}`,
    ),
    ['setHead', 'chaindbCompact', 'freeOSMemory', 'writeBlockProfile', 'seedHash', 'dbGet'].map(
      (name) => `debug_${name}`,
    ),
    ['enableTrace', 'sendRawTransactionConditional', 'submitWork', 'submitHashrate'].map(
      (name) => `eth_${name}`,
    ),
    ['sendUnsignedTransaction', 'signTypedData', 'signTypedData_v4', 'blobBaseFee'].map(
      (name) => `eth_${name}`,
    ),
    ['sendBundle', 'sendPrivateTransaction', 'cancelPrivateTransaction', 'subscribe'].map(
      (name) => `eth_${name}`,
    ),
    ['engine_newPayloadV3', 'engine_forkchoiceUpdatedV3', 'clique_propose', 'les_addBalance'],
    ['parity_setMode', 'erigon_forks', 'ots_getApiLevel', 'trace_call', 'wallet_sendTransaction'],
    [
      'ETH_sendRawTransaction',
      ' eth_sendRawTransaction',
      'eth_sendRawTransaction ',
      '',
      '__proto__',
    ],
  )

/** Anybody knows this key: it is only there to sign something that a node would take. */
const stranger = privateKeyToAccount(`0x${'11'.repeat(32)}`)

describe('without a key nothing is written', () => {
  let service: ServiceProcess

  beforeAll(async () => {
    service = await startServiceProcess({ args: ['--rpc-limit', '0'] })
  }, 180_000)
  afterAll(async () => {
    await service?.stop()
  })

  it('by any documented method with any of its examples, nor by any other that a node may have', async () => {
    const raw = await stranger.signTransaction({
      type: 'legacy',
      chainId: 20180427,
      nonce: 0,
      gas: 50_000n,
      gasPrice: 0n,
      to: stranger.address,
      data: '0x01',
    })
    const consent = await stranger.signMessage({ message: 'nothing' })
    const accounts = [[stranger.address, '0x0']]
    const params: readonly unknown[] = [
      [],
      [raw],
      [raw, stranger.address, consent],
      [{ from: stranger.address, to: stranger.address, value: '0x0' }],
      [stranger.address, '0x1'],
      accounts[0],
      [stranger.address],
      [1],
      ['0x1'],
      [true],
    ]
    const before = await stateOf(service.url)
    const documented = examples()
    const calls = [
      ...documented,
      ...Object.values(rpcService.operations).flatMap(({ method }) =>
        params.map((given) => ({ method, params: given })),
      ),
      ...UNDOCUMENTED.flatMap((method) => params.map((given) => ({ method, params: given }))),
    ]
    expect(documented.length).toBeGreaterThan(100)
    const answers = await callAll(`${service.url}/zgt/try-it-out`, calls)

    for (const [index, answer] of answers.entries()) {
      const method = calls[index]?.method ?? ''
      if (UNDOCUMENTED.includes(method))
        expect([method, answer.error?.code]).toEqual([method, -32601])
      if (KEYED.includes(method)) expect([method, answer.result]).toEqual([method, undefined])
    }
    expect(await stateOf(service.url)).toEqual(before)
  }, 120_000)

  it('by notifications, other verbs, other paths or headers that claim a key', async () => {
    const raw = await stranger.signTransaction({
      type: 'legacy',
      chainId: 20180427,
      nonce: 0,
      gas: 50_000n,
      gasPrice: 0n,
      to: stranger.address,
      data: '0x02',
    })
    const before = await stateOf(service.url)
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] }
    const { id: _, ...notification } = call
    const body = JSON.stringify(call)
    const headers = { 'content-type': 'application/json' }
    const tries: readonly (readonly [string, RequestInit])[] = [
      ['/zgt/try-it-out', { method: 'POST', headers, body: JSON.stringify(notification) }],
      ['/zgt/try-it-out', { method: 'POST', headers, body: JSON.stringify([call, notification]) }],
      ['/zgt/try-it-out', { method: 'PUT', headers, body }],
      [
        '/zgt/try-it-out',
        { method: 'POST', headers: { ...headers, authorization: 'Bearer x' }, body },
      ],
      ['/zgt/try-it-out', { method: 'POST', headers: { ...headers, 'x-api-key': 'x' }, body }],
      ['/zgt/try-it-out?apiKey=x', { method: 'POST', headers, body }],
      ['/zgt/', { method: 'POST', headers, body }],
      ['/zgt', { method: 'POST', headers, body }],
      ['/zgt/guessed', { method: 'POST', headers, body }],
      ['/zgt/try-it-out%2F', { method: 'POST', headers, body }],
      ['/zgt/TRY-IT-OUT', { method: 'POST', headers, body }],
      ['/zkt/guessed', { method: 'POST', headers, body: '{"arguments":"text"}' }],
      ['/', { method: 'POST', headers, body }],
    ]
    for (const [path, init] of tries) {
      const answer = await fetch(`${service.url}${path}`, init)
      const text = await answer.text()
      expect([path, text.includes('"result"')]).toEqual([path, false])
    }
    expect(await stateOf(service.url)).toEqual(before)
  })
})

const KEYED = Object.values(rpcService.operations).flatMap((operation) =>
  'access' in operation && operation.access === 'key' ? [operation.method] : [],
)

/** Every call that the document shows. */
const examples = (): readonly Call[] => {
  const document: OpenRpc = JSON.parse(
    readFileSync(new URL('../../generated/rpc.openrpc.json', import.meta.url), 'utf8'),
  )
  return document.methods.flatMap(({ name, examples = [] }) =>
    examples.map((example) => ({ method: name, params: example.params.map(({ value }) => value) })),
  )
}

type OpenRpc = {
  readonly methods: readonly {
    readonly name: string
    readonly examples?: readonly { readonly params: readonly { readonly value: unknown }[] }[]
  }[]
}

type Call = { readonly method: string; readonly params: unknown }
type Answer = { readonly id: number; readonly result?: unknown; readonly error?: { code: number } }

const callAll = async (url: string, calls: readonly Call[]): Promise<readonly Answer[]> => {
  const answers: Answer[] = []
  for (let first = 0; first < calls.length; first += 40) {
    const batch = calls
      .slice(first, first + 40)
      .map((call, index) => ({ jsonrpc: '2.0', id: first + index, ...call }))
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    })
    for (const each of (await answer.json()) as Answer[]) answers[each.id] = each
  }
  expect(answers.filter(Boolean)).toHaveLength(calls.length)
  return answers
}

/** All that could have changed, read as anyone may. */
const stateOf = async (url: string): Promise<unknown> => {
  const [head, pool, nonce, balance] = await callAll(`${url}/zgt/try-it-out`, [
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'txpool_status', params: [] },
    { method: 'eth_getTransactionCount', params: [stranger.address, 'latest'] },
    { method: 'eth_getBalance', params: [stranger.address, 'latest'] },
  ])
  return { head: head?.result, pool: pool?.result, nonce, balance }
}
