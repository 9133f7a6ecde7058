import { encodeErrorResult, parseAbi, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Answer, scriptNode, startMethods } from './service.js'

const account = '0x3f1c2a9be07d5486c1f0a37d92e64b58a1c03d7e'
const call = { to: account }
const errorText = (text: string) =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [text] })
const unknown = '0x00000000000000000000000000000000000000000000000000000000deadbeef'
const outOfRange = 'BlockOutOfRangeError: block height is 7 but requested was 65535'
const beyond = 'BlockOutOfRangeError: block height is 7 but requested was 18446744073709551615'

const answerOf = async (method: string, params: readonly unknown[], answer: Answer) => {
  const { fetch, calls } = scriptNode(() => answer)
  const service = startMethods({ fetch })
  const said = await service.call(method, params)
  expect(service.unexpected).toEqual([])
  return { said, calls }
}
const error = (code: number, message: string, data?: unknown): Answer => ({
  error: { code, message, ...(data !== undefined && { data }) },
})

describe('a refusal of the node', () => {
  it.each<[string, string, readonly unknown[], Answer, Answer]>([
    [
      'a rejected transaction',
      'eth_sendRawTransaction',
      ['0x01'],
      error(-32003, 'nonce too low'),
      error(-32000, 'nonce too low'),
    ],
    [
      'one that is known',
      'eth_sendRawTransaction',
      ['0x01'],
      error(-32003, 'transaction already imported'),
      error(-32000, 'already known'),
    ],
    [
      'a tracer that the node has not',
      'debug_traceTransaction',
      [unknown, { tracer: 'noSuchTracer' }],
      error(-32603, 'failed to evaluate JS code: ReferenceError: noSuchTracer is not defined'),
      error(-32602, 'failed to evaluate JS code: ReferenceError: noSuchTracer is not defined'),
    ],
    [
      'no money',
      'eth_call',
      [call, 'latest'],
      error(-32003, 'Insufficient funds for gas * price + value'),
      error(-32000, 'insufficient funds for gas * price + value'),
    ],
    [
      'no gas at all',
      'eth_call',
      [call, 'latest'],
      error(-32000, 'intrinsic gas too high -- CallGasCostMoreThanGasLimit'),
      error(-32000, 'intrinsic gas too low'),
    ],
    [
      'out of gas',
      'eth_call',
      [call, 'latest'],
      error(-32603, 'EVM error OutOfGas'),
      error(-32015, 'out of gas'),
    ],
    [
      'an invalid opcode',
      'eth_estimateGas',
      [call, 'latest'],
      error(-32603, 'EVM error InvalidFEOpcode'),
      error(-32000, 'invalid opcode: INVALID'),
    ],
    [
      'an error of the node',
      'eth_call',
      [call, 'latest'],
      error(-32603, 'database gone\n   at main.rs:5'),
      error(-32603, 'database gone'),
    ],
    [
      'a revert',
      'eth_call',
      [call, 'latest'],
      error(3, 'execution reverted: whatever a node says', errorText('user error')),
      error(3, 'execution reverted: user error', errorText('user error')),
    ],
    [
      'a revert whose text is meant for a terminal',
      'eth_call',
      [call, 'latest'],
      error(3, 'execution reverted: x', errorText(`a\n\u001b[31m\u202eb${'x'.repeat(5000)}`)),
      error(
        3,
        `execution reverted: a\ufffd\ufffd[31m\ufffdb${'x'.repeat(1000 - 9)}…`,
        errorText(`a\n\u001b[31m\u202eb${'x'.repeat(5000)}`),
      ),
    ],
    [
      'a revert with bytes of the contract',
      'eth_estimateGas',
      [call, 'latest'],
      error(3, 'execution reverted: pay me at evil.example', stringToHex('pay me at evil.example')),
      error(3, 'execution reverted', stringToHex('pay me at evil.example')),
    ],
    [
      'a revert with an error of the contract',
      'eth_call',
      [call, 'latest'],
      error(3, 'execution reverted: custom error 0xf988f737: \u0000\u0000', '0xf988f7370000'),
      error(3, 'execution reverted', '0xf988f7370000'),
    ],
    [
      'a failed assertion',
      'eth_call',
      [call, 'latest'],
      error(3, 'execution reverted: assert(false)', `0x4e487b71${'1'.padStart(64, '0')}`),
      error(3, 'execution reverted: assert(false)', `0x4e487b71${'1'.padStart(64, '0')}`),
    ],
    [
      'a revert in words of a missing method',
      'eth_call',
      [call, 'latest'],
      error(-32000, 'execution reverted: method not found'),
      error(-32000, 'execution reverted: method not found'),
    ],
    [
      'a block too far',
      'eth_getBalance',
      [account, '0xffff'],
      error(-32602, outOfRange),
      error(-32000, 'header not found'),
    ],
    [
      'a block beyond any chain',
      'eth_getBalance',
      [account, '0xffffffffffffffff'],
      error(-32602, beyond),
      error(-32602, 'block number larger than int64'),
    ],
    [
      'an unknown hash',
      'eth_getCode',
      [account, { blockHash: unknown }],
      error(-32001, 'Resource not found'),
      error(-32000, 'header not found'),
    ],
    [
      'an unknown block of a call',
      'eth_call',
      [call, unknown],
      error(-32001, 'Resource not found'),
      error(-32000, 'header not found'),
    ],
    [
      'a range too far',
      'eth_getLogs',
      [{ fromBlock: '0xffff' }],
      error(-32602, outOfRange),
      error(-32602, 'block range extends beyond current head block'),
    ],
    [
      'a block to count in',
      'eth_getBlockTransactionCountByNumber',
      ['0xffff'],
      error(-32602, outOfRange),
      { result: null },
    ],
    [
      'uncles of nothing',
      'eth_getUncleByBlockHashAndIndex',
      [unknown, '0x0'],
      error(-32001, 'Resource not found'),
      { result: null },
    ],
    [
      'what is declared as it is',
      'debug_traceBlockByHash',
      [unknown],
      error(-32001, 'Resource not found'),
      error(-32001, 'Resource not found'),
    ],
    [
      'a method that went away',
      'eth_config',
      [],
      error(-32601, 'Method not found'),
      error(-32601, 'method not found'),
    ],
    [
      'a method that may be missing',
      'eth_baseFee',
      [],
      error(-32000, 'the method eth_baseFee does not exist/is not available'),
      error(-32601, 'the method does not exist or is not available'),
    ],
    [
      'too many requests',
      'eth_chainId',
      [],
      error(-32005, 'your plan at https://node.example is used up'),
      error(-32005, 'rate limit exceeded'),
    ],
    [
      'a code of its own',
      'eth_call',
      [call, 'latest'],
      error(-32015, 'VM execution error'),
      error(-32000, 'VM execution error'),
    ],
    [
      'a code of its own where there is none',
      'eth_chainId',
      [],
      error(-32000, 'syncing'),
      error(-32603, 'syncing'),
    ],
    [
      'a simulated want of money',
      'eth_simulateV1',
      [{ blockStateCalls: [{}] }],
      error(-32003, 'Insufficient funds for gas * price + value'),
      error(-38014, 'insufficient funds for gas * price + value'),
    ],
    [
      'a simulated want of gas',
      'eth_simulateV1',
      [{ blockStateCalls: [{}] }],
      error(-32000, 'intrinsic gas too high -- CallGasCostMoreThanGasLimit'),
      error(-38013, 'intrinsic gas too low'),
    ],
  ])('is reported in the words of the document: %s', async (_, method, params, answer, want) => {
    expect((await answerOf(method, params, answer)).said).toEqual(want)
  })

  it('is found in a result too', async () => {
    const empty = { failed: false, gas: 0, returnValue: '0x', structLogs: [] }
    const trace = await answerOf('debug_traceTransaction', [unknown], { result: empty })
    expect(trace.said).toEqual(error(-32000, 'transaction not found'))
    const first = await answerOf('debug_traceBlockByNumber', ['0x0'], { result: [] })
    expect(first.said).toEqual(error(-32000, 'genesis is not traceable'))
    const second = await answerOf('debug_traceBlockByNumber', ['0x1'], { result: [] })
    expect(second.said).toEqual({ result: [] })
    const history = { oldestBlock: '0xffff', gasUsedRatio: [], baseFeePerGas: ['0x0'] }
    const fees = await answerOf('eth_feeHistory', ['0x1', '0xffff', []], { result: history })
    expect(fees.said).toEqual(error(-32000, 'request beyond head block: requested 65535'))
  })
})

describe('params', () => {
  it('go out as they came, but for a block that nodes insist on', async () => {
    const { calls } = await answerOf('eth_getTransactionCount', [account], { result: '0x0' })
    expect(calls).toEqual([{ method: 'eth_getTransactionCount', params: [account, 'latest'] }])
    const absent = await answerOf('eth_estimateGas', [call], { result: '0x5208' })
    expect(absent.calls).toEqual([{ method: 'eth_estimateGas', params: [call] }])
  })

  it('are bounded on a chain of our own, and left to every other node', async () => {
    const endless = { ...call, gas: '0xffffffffffff' }
    const asked = async (upstream: string | undefined) => {
      const node = scriptNode(() => ({ result: '0x' }))
      const service = startMethods({ fetch: node.fetch, settings: { upstream } })
      await service.call('eth_call', [endless, 'latest'])
      await service.call('eth_call', [{ ...call, gas: '0x5208' }, 'latest'])
      await service.call('debug_traceCall', [call, 'latest'])
      await service.call('debug_traceCall', [call, 'latest', { tracer: '' }])
      await service.call('debug_traceCall', [call, 'latest', { tracer: 'noopTracer' }])
      const run = node.calls.filter(({ method }) => method !== 'eth_getBlockByNumber')
      return [...new Set(run.map(({ params }) => (params[0] as { gas?: string }).gas))]
    }
    expect(await asked(undefined)).toEqual(['0x2faf080', '0x5208', '0xf4240'])
    const elsewhere = 'http://node.example'
    expect(await asked(elsewhere)).toEqual(['0xffffffffffff', '0x5208', undefined])
  })

  it('are spelt otherwise only for a node that could not read them', async () => {
    const word = `0x${'0'.repeat(63)}1`
    const node = scriptNode(({ params }) =>
      JSON.stringify(params).includes('"0x1"')
        ? error(-32602, 'odd number of digits')
        : { result: { [account]: [word] } },
    )
    const { call: ask } = startMethods({ fetch: node.fetch })
    expect(await ask('eth_getStorageValues', [{ [account]: ['0x1'] }, 'latest'])).toEqual({
      result: { [account]: [word] },
    })
    expect(node.calls.map(({ params }) => params)).toEqual([
      [{ [account]: ['0x1'] }, 'latest'],
      [{ [account]: [word] }, 'latest'],
    ])
  })
})

describe('a node that does not answer', () => {
  const secret = 'http://user:secret@node.example/v3/k3y'
  const ask = async (
    fetch: (url: string, init: RequestInit) => Promise<Response>,
    method = 'eth_chainId',
    params: readonly unknown[] = [],
  ) => {
    const troubles: Error[] = []
    const service = startMethods({
      url: 'http://node.example/v3/k3y',
      fetch,
      timeout: 100,
      onError: (trouble) => troubles.push(trouble),
    })
    const said = await service.call(method, params)
    expect(JSON.stringify(said)).not.toMatch(/node\.example|k3y|secret|ECONN/)
    return { said, troubles: troubles.map(({ name }) => name) }
  }

  it.each<[string, () => Promise<Response>, Answer, string]>([
    [
      'is away',
      () => Promise.reject(new Error(`connect ECONNREFUSED ${secret}`)),
      error(-32603, 'the node does not answer'),
      'CallError',
    ],
    [
      'is slow',
      () => new Promise(() => undefined),
      error(-32603, 'the node did not answer in time'),
      'CallError',
    ],
    [
      'talks of something else',
      () => Promise.resolve(new Response(`<html>${secret}`)),
      error(-32603, 'the answer of the node could not be read'),
      'CallError',
    ],
    [
      'is out of order',
      () => Promise.resolve(new Response(secret, { status: 502 })),
      error(-32603, 'the node does not answer'),
      'HttpError',
    ],
    [
      'has had enough',
      () => Promise.resolve(new Response(secret, { status: 429 })),
      error(-32005, 'rate limit exceeded'),
      'HttpError',
    ],
  ])('%s', async (_, fetch, want, trouble) => {
    expect(await ask(fetch)).toEqual({ said: want, troubles: [trouble] })
  })

  it('has a code of its own for a simulation', async () => {
    const { said } = await ask(() => new Promise(() => undefined), 'eth_simulateV1', [
      { blockStateCalls: [{}] },
    ])
    expect(said).toEqual(error(-32016, 'the simulation took too long'))
  })

  it('is not asked any longer for a caller who has gone', async () => {
    const gone = new AbortController()
    const started = performance.now()
    let ended = false
    const troubles: unknown[] = []
    const service = startMethods({
      fetch: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            ended = true
            reject(signal.reason)
          })
          setTimeout(() => gone.abort(), 10)
        }),
      onError: (trouble) => troubles.push(trouble),
    })
    await service.call('eth_chainId', [], gone.signal)
    expect(performance.now() - started).toBeLessThan(20_000)
    expect({ ended, troubles }).toEqual({ ended: true, troubles: [] })
  })
})
