import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpcService } from '../../../generated/operations.js'
import openrpc from '../../../generated/rpc.openrpc.json' with { type: 'json' }
import type { RpcOperation } from '../../../src/runtime/operation.js'
import { probe } from '../../../src/service/node/connect-node.js'
import { type Anvil, startAnvil } from '../anvil.js'
import { account, seed, sign } from './seed.js'
import { codesOf, type Service, startMethods } from './service.js'

const operations: readonly RpcOperation[] = Object.values(rpcService.operations)
const unknown = '0x00000000000000000000000000000000000000000000000000000000deadbeef'
const me = account.address
const zeros = `0x${'0'.repeat(64)}`

let anvil: Anvil
let chain: Awaited<ReturnType<typeof seed>>
let service: Service
let call: Service['call']

beforeAll(async () => {
  anvil = await startAnvil()
  chain = await seed(anvil.url)
  const first = startMethods({ url: anvil.url })
  const lacking = [...(await probe(first.node))]
  service = startMethods({
    url: anvil.url,
    timeout: 60_000,
    lacking,
    settings: { upstream: undefined, tokens: [chain.answers], validators: [me] },
  })
  call = service.call
})
afterAll(async () => anvil?.stop())

const refusal = (code: number, message: string) => ({ error: { code, message } })

/** Every tag and odd number a block can be named by. */
const blocks = ['earliest', 'latest', 'safe', 'finalized', 'pending', '0x0', '0x3', '0xffffff']
const hashes = () => [unknown, chain.block]
const states = () => [...blocks, ...hashes(), ...hashes().map((blockHash) => ({ blockHash }))]
const sent = () => [unknown, chain.done, chain.undone]

/** What the examples of the document do not ask. */
const oddParams = (): Readonly<Record<string, readonly (readonly unknown[])[]>> => {
  const { answers, stores, reverts, invalid, loops, block } = chain
  const perBlock = blocks.map((name) => [name])
  const perState = states().map((state) => [me, state])
  const perHash = hashes().map((hash) => [hash])
  const perSent = sent().map((hash) => [hash])
  const inBlock = blocks.flatMap((name) => [
    [name, '0x0'],
    [name, '0x5'],
  ])
  const inHash = hashes().flatMap((hash) => [
    [hash, '0x0'],
    [hash, '0x5'],
  ])
  const runs: (readonly unknown[])[] = [
    ...states().map((state) => [{ to: answers }, state]),
    ...[answers, reverts, invalid, stores].map((to) => [{ to }, 'latest']),
    [{ to: loops, gas: '0x186a0' }, 'latest'],
    [{ to: stores, gas: '0x1' }, 'latest'],
    [{ from: me, to: answers, value: '0x1' }, 'latest'],
    [{ from: me, to: answers, gasPrice: '0x3b9aca00' }, 'latest'],
    [{ to: answers, chainId: '0x1' }, 'latest'],
    [{ data: '0xfe' }, 'latest'],
    [{}, 'latest'],
  ]
  return {
    eth_getBlockByNumber: blocks.flatMap((name) => [
      [name, true],
      [name, false],
    ]),
    eth_getBlockByHash: hashes().flatMap((hash) => [
      [hash, true],
      [hash, false],
    ]),
    eth_getBlockReceipts: [...perBlock, ...perHash],
    eth_getBlockTransactionCountByNumber: perBlock,
    eth_getBlockTransactionCountByHash: perHash,
    eth_getUncleCountByBlockNumber: perBlock,
    eth_getUncleCountByBlockHash: perHash,
    eth_getUncleByBlockNumberAndIndex: inBlock,
    eth_getUncleByBlockHashAndIndex: inHash,
    eth_getTransactionByBlockNumberAndIndex: inBlock,
    eth_getTransactionByBlockHashAndIndex: inHash,
    eth_getRawTransactionByBlockNumberAndIndex: inBlock,
    eth_getRawTransactionByBlockHashAndIndex: inHash,
    eth_getTransactionByHash: perSent,
    eth_getTransactionReceipt: perSent,
    eth_getRawTransactionByHash: perSent,
    debug_getRawTransaction: perSent,
    debug_traceTransaction: [
      ...perSent,
      ...sent().map((hash) => [hash, { tracer: 'callTracer' }]),
      [chain.done, { tracer: 'noSuchTracer' }],
    ],
    debug_traceBlockByNumber: perBlock,
    debug_traceBlockByHash: perHash,
    eth_getBalance: [...perState, [me]],
    eth_getCode: [...perState, [stores]],
    eth_getTransactionCount: [...perState, [me]],
    eth_getStorageAt: [...states().map((state) => [stores, '0x0', state]), [stores, zeros]],
    eth_getProof: [
      ...states().map((state) => [stores, ['0x0'], state]),
      [stores, []],
      [stores, ['0x0', zeros]],
    ],
    eth_getStorageValues: [[{ [stores]: ['0x0', zeros] }], [{ [stores]: ['0x0'] }, '0xffffff']],
    eth_call: [...runs, [{ to: me }, 'latest', {}, { number: '0x10', prevRandao: '0x1' }]],
    eth_estimateGas: runs,
    eth_createAccessList: runs,
    debug_traceCall: [...runs, [{ to: answers }, 'latest', { tracer: 'callTracer' }]],
    eth_feeHistory: blocks.map((name) => ['0x2', name, [10, 50]]),
    eth_getLogs: [
      [{}],
      [{ fromBlock: '0x0', toBlock: 'latest', address: stores }],
      [{ fromBlock: '0xffffff' }],
      [{ fromBlock: '0x3', toBlock: '0x1' }],
      [{ blockHash: unknown }],
      [{ blockHash: block }],
    ],
    eth_newFilter: [[{}], [{ fromBlock: '0xffffff' }]],
    eth_simulateV1: [
      ...states().map((state) => [{ blockStateCalls: [{}] }, state]),
      [{ blockStateCalls: [{ calls: [answers, reverts, invalid, loops].map((to) => ({ to })) }] }],
      [{ blockStateCalls: [{ calls: [{ to: loops, gas: '0xffffffffffff' }] }] }],
      [{ blockStateCalls: [{ blockOverrides: { prevRandao: '0x1' } }] }],
      [{ blockStateCalls: [{ calls: [{ from: me, to: answers, value: '0x1' }] }] }],
      [{ blockStateCalls: [{ calls: [{ from: me, to: answers, gas: '0x0' }] }] }],
      [{ blockStateCalls: Array(257).fill({}) }],
    ],
  }
}

const examples = (method: string): readonly (readonly unknown[])[] =>
  openrpc.methods
    .filter(({ name }) => name === method)
    .flatMap(({ examples = [] }) => examples.map(({ params }) => params.map(({ value }) => value)))

describe('every method on a real chain', () => {
  it.each(operations.map((operation) => [operation.method, operation] as const))(
    '%s answers what the document describes, or refuses with what it declares',
    async (method, operation) => {
      const asked = [...examples(method), ...(oddParams()[method] ?? [])]
      expect(asked.length).toBeGreaterThan(0)
      const wrong: unknown[] = []
      for (const params of asked) {
        const { error } = await call(method, params)
        if (error === undefined) continue
        const own = !/invalid params:/i.test(error.message)
        const declared = codesOf(operation).includes(error.code)
        const clean = !/BlockOutOfRange|EVM error|EthRequest|\n|Internal error/.test(error.message)
        if (!own || !declared || !clean) wrong.push({ params, error })
      }
      expect({ wrong, unfit: service.unexpected }).toEqual({ wrong: [], unfit: [] })
    },
  )
})

describe('what a node says otherwise', () => {
  it('needs no block to be named', async () => {
    const count = `0x${chain.nonce().toString(16)}`
    expect(await call('eth_getTransactionCount', [me])).toEqual({ result: count })
    expect(await call('eth_getStorageAt', [chain.stores, '0x0'])).toEqual({
      result: `0x${'2a'.padStart(64, '0')}`,
    })
  })

  it('reads the short spelling of storage keys', async () => {
    const { result } = await call('eth_getProof', [chain.stores, ['0x0'], 'latest'])
    expect(result).toMatchObject({ storageProof: [{ value: '0x2a' }] })
    expect(await call('eth_getStorageValues', [{ [chain.stores]: ['0x0'] }])).toEqual({
      result: { [chain.stores]: [`0x${'2a'.padStart(64, '0')}`] },
    })
  })

  it.each<[string, readonly unknown[], unknown]>([
    ['eth_getBalance', [me, '0xffffff'], refusal(-32000, 'header not found')],
    ['eth_getBalance', [me, { blockHash: unknown }], refusal(-32000, 'header not found')],
    ['eth_getBlockTransactionCountByNumber', ['0xffffff'], { result: null }],
    ['eth_getUncleCountByBlockHash', [unknown], { result: null }],
    ['debug_traceTransaction', [unknown], refusal(-32000, 'transaction not found')],
    [
      'eth_feeHistory',
      ['0x1', '0xffffff', []],
      refusal(-32000, 'request beyond head block: requested 16777215'),
    ],
    ['eth_gasPrice', [], { result: '0x0' }],
    ['eth_maxPriorityFeePerGas', [], { result: '0x0' }],
    ['eth_accounts', [], { result: [] }],
    ['eth_blobBaseFee', [], refusal(-32601, 'Method not found')],
    ['anvil_setBalance', [me, '0x1'], refusal(-32601, 'Method not found')],
    ['evm_mine', [], refusal(-32601, 'Method not found')],
  ])('%s %j', async (method, params, want) => {
    expect(await call(method, params)).toEqual(want)
  })

  it('tells why a call failed', async () => {
    const run = (to: string, more = {}) => call('eth_call', [{ to, ...more }, 'latest'])
    expect((await run(chain.reverts)).error).toMatchObject({
      code: 3,
      message: 'execution reverted: user error',
    })
    expect(await run(chain.invalid)).toEqual(refusal(-32000, 'invalid opcode: INVALID'))
    expect(await run(chain.loops)).toEqual(refusal(-32015, 'out of gas'))
    expect(await run(chain.answers, { from: me, value: '0x1' })).toEqual(
      refusal(-32000, 'insufficient funds for gas * price + value'),
    )
  })

  it('lists what a failing call touched', async () => {
    const list = (to: string, more = {}) => call('eth_createAccessList', [{ to, ...more }])
    expect((await list(chain.reverts)).result).toMatchObject({
      accessList: [],
      error: expect.stringContaining('execution reverted'),
      gasUsed: expect.stringMatching(/^0x5[0-9a-f]{3}$/),
    })
    const storageKeys = [zeros]
    // Stores before it fails, and has a contract fail that stores.
    const { result } = await list(chain.touches)
    expect(result).toMatchObject({
      accessList: [
        { address: chain.touches, storageKeys },
        { address: chain.stores, storageKeys },
      ].sort((a, b) => (a.address < b.address ? -1 : 1)),
      error: expect.stringMatching(/revert/),
    })
    expect(await list(chain.answers, { from: me, value: '0x1' })).toEqual(
      refusal(-32000, 'insufficient funds for gas * price + value'),
    )
  })

  it('bounds what nobody pays for: the chain is there at once for the next one', async () => {
    const endless = { to: chain.loops, gas: '0xffffffffffff' }
    const started = performance.now()
    await call('eth_simulateV1', [{ blockStateCalls: [{ calls: Array(400).fill(endless) }] }])
    await call('debug_traceCall', [endless, 'latest'])
    await call('eth_chainId')
    // Without a bound, each of the four hundred takes half a second.
    expect(performance.now() - started).toBeLessThan(90_000)
    expect(await call('eth_simulateV1', [{ blockStateCalls: Array(257).fill({}) }])).toEqual(
      refusal(-38026, 'too many blocks'),
    )
  })
})

describe('a trace', () => {
  const trace = (params: readonly unknown[], method = 'debug_traceTransaction') =>
    call(method, params)
  const bytes = refusal(-32000, 'the trace is too large: it would take more than 100000000 bytes')
  const gas = (most: number) =>
    refusal(-32000, `the trace is too large: more than ${most} units of gas were used`)

  it('is refused where it would fill the memory, before it does', async () => {
    const { heavy, hungry, deep, wide, loops } = chain
    const started = performance.now()
    const byHash = 'debug_traceBlockByHash'
    const byNumber = 'debug_traceBlockByNumber'
    for (const config of [[], [{}], [{ tracer: '' }]]) {
      expect(await trace([hungry, ...config])).toEqual(bytes)
      expect(await trace([heavy.hash, ...config])).toEqual(gas(50_000_000))
      expect(await trace([heavy.block, ...config], byHash)).toEqual(gas(1_000_000))
      expect(await trace([heavy.number, ...config], byNumber)).toEqual(gas(1_000_000))
    }
    const ran = (to: string, config: object) => trace([{ to }, 'latest', config], 'debug_traceCall')
    expect(await ran(deep, {})).toEqual(bytes)
    expect(await ran(wide, { enableMemory: true })).toEqual(bytes)
    expect(await ran(wide, { tracer: 'callTracer' })).toEqual(bytes)
    expect(await ran(wide, { tracer: 'prestateTracer' })).toEqual(bytes)
    expect((await ran(loops, { tracer: 'callTracer' })).result).toBeDefined()
    const steps = 'the trace is too large: it has more than 80000 steps and calls'
    // On a slow machine the time is up before.
    const endless = [refusal(-32000, steps), refusal(-32000, 'execution timeout')]
    expect(endless).toContainEqual(await ran(loops, {}))
    const few = await trace([{ to: loops, gas: '0xea60' }, 'latest', {}], 'debug_traceCall')
    expect(few.result).toBeDefined()
    expect(performance.now() - started).toBeLessThan(120_000)
    expect(service.unexpected).toEqual([])
  })

  it('is what the node says where it is small', async () => {
    const { result } = await trace([chain.done])
    expect(result).toMatchObject({ failed: false, structLogs: expect.any(Array) })
    expect(await trace([chain.done, { disableStack: true, tracer: 'callTracer' }])).toMatchObject({
      result: { to: chain.stores, type: 'CALL' },
    })
    expect(await trace([chain.hungry, { disableStack: true }])).toMatchObject({
      result: { failed: true },
    })
    expect(await trace([chain.block], 'debug_traceBlockByHash')).toMatchObject({
      result: [{ result: { failed: true } }],
    })
  })

  it('runs no program of a caller in the node', async () => {
    const tracer = '{step:function(){for(;;){}},fault:function(){},result:function(){return 1}}'
    const want = refusal(
      -32602,
      'unknown tracer: use one of callTracer, noopTracer, prestateTracer, or leave it out to trace every step',
    )
    expect(await trace([chain.done, { tracer }])).toEqual(want)
    expect(await trace([chain.block, { tracer }], 'debug_traceBlockByHash')).toEqual(want)
    expect(await trace([{ to: me }, 'latest', { tracer }], 'debug_traceCall')).toEqual(want)
    expect(await trace([chain.done, { tracer: 'toString' }])).toEqual(want)
  })

  it('stands in for no access list that is too large', async () => {
    const { error } = await call('eth_createAccessList', [{ to: chain.wide }])
    expect(error).toEqual({ code: -32015, message: 'out of gas' })
  })
})

describe('sending', () => {
  it('is refused in the words of the document', async () => {
    const nonce = chain.nonce()
    const send = async (request: Parameters<typeof sign>[0]) =>
      (await call('eth_sendRawTransaction', [await sign({ nonce, to: chain.stores, ...request })]))
        .error
    expect(await send({ nonce: 0 })).toEqual({ code: -32000, message: 'nonce too low' })
    const foreign = 'invalid sender: invalid chain id for signer: have 1 want 20180427'
    expect(await send({ chainId: 1 })).toEqual({ code: -32000, message: foreign })
    expect(await send({ value: 1n })).toMatchObject({
      code: -32000,
      message: 'insufficient funds for gas * price + value',
    })
    expect(await send({ gas: 1n })).toEqual({ code: -32000, message: 'intrinsic gas too low' })
    expect((await call('eth_sendRawTransaction', ['0x1234'])).error?.code).toBe(-32602)
  })

  it('waits for the receipt as long as the caller says', async () => {
    const raw = await chain.next({ to: chain.stores })
    const mined = await call('eth_sendRawTransactionSync', [raw, 5_000])
    expect(mined.result).toMatchObject({ status: '0x1' })
    const early = await sign({ nonce: chain.nonce() + 5, to: chain.stores })
    const started = performance.now()
    const { error } = await call('eth_sendRawTransactionSync', [early, 200])
    expect(error).toMatchObject({ code: 4, message: 'the transaction was not mined in time' })
    expect(await call('eth_getTransactionByHash', [error?.data])).toMatchObject({
      result: { hash: error?.data },
    })
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(service.unexpected).toEqual([])
    const hasty = startMethods({
      url: anvil.url,
      settings: { upstream: undefined, waitSeconds: 1 },
    })
    const late = await sign({ nonce: chain.nonce() + 6, to: chain.stores })
    expect(await hasty.call('eth_sendRawTransactionSync', [late, 2e303])).toMatchObject({
      error: { code: 4, message: 'the transaction was not mined in time' },
    })
  })
})
