import {
  encodeAbiParameters,
  encodeErrorResult,
  getContractAddress,
  type Hex,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import { expect, test, vi } from 'vitest'
import { RpcError } from '../../../src/runtime/errors.js'
import {
  CompilationError,
  type CompiledContract,
  type Compiler,
  CompilerLimit,
} from '../../../src/service/compiler/compiler.js'
import { NoTurn } from '../../../src/service/turns.js'
import { addressOf, chainOf, outboxOf, receiptOf, serve } from './fixture.js'

const uint256 = { name: 'start', type: 'uint256', internalType: 'uint256' }
const tally: CompiledContract = {
  contract: 'Tally',
  bytecode: '0x6001',
  abi: [
    { type: 'constructor', inputs: [uint256], stateMutability: 'nonpayable' },
    {
      type: 'function',
      name: 'sum',
      inputs: [],
      outputs: [{ ...uint256, name: '' }],
      stateMutability: 'view',
    },
    { type: 'error', name: 'Low', inputs: [uint256] },
  ],
}
const bare: CompiledContract = { contract: 'Nothing', bytecode: '0x6002', abi: [] }
const compilerOf = (compile: Compiler['compile']): Compiler => ({
  compile,
  close: async () => undefined,
})
const mined = outboxOf({
  settled: async () => ({ status: 'completed', receipt: receiptOf(`0x${'ab'.repeat(32)}`) }),
})

test('a deployment is compiled, sent, waited for, and answered with its address and interface', async () => {
  const compile = vi.fn(async () => tally)
  const estimateGas = vi.fn(async () => 200_000n)
  const enqueue = vi.fn(mined.enqueue)
  const { post } = serve({
    compiler: compilerOf(compile),
    chain: chainOf({ estimateGas }),
    outbox: { ...mined, enqueue },
  })
  const { status, body } = await post({ code: 'contract Tally …', arguments: ['100'], id: 4 })
  const data: Hex = `0x6001${encodeAbiParameters(parseAbiParameters('uint256'), [100n]).slice(2)}`
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      success: true,
      contractAddress: getContractAddress({ from: addressOf(0), nonce: 0n }),
      abi: tally.abi,
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      queueId: expect.any(String),
      id: 4,
    },
  })
  expect(compile).toHaveBeenCalledWith(
    'contract Tally …',
    expect.objectContaining({ signal: expect.any(AbortSignal) }),
  )
  expect(estimateGas).toHaveBeenCalledWith({ from: addressOf(0), data }, expect.anything())
  expect(enqueue).toHaveBeenCalledWith({ kind: 'deploy', wallet: 0, data, gas: 294_200n })
})

test('a contract without a constructor takes no arguments, given or not', async () => {
  for (const body of [{ code: 'x' }, { code: 'x', arguments: [] }]) {
    const { post } = serve({ compiler: compilerOf(async () => bare), outbox: mined })
    const { status, body: answer } = await post(body)
    expect({ status, answer }).toMatchObject({ status: 200, answer: { abi: [] } })
    expect(answer).not.toHaveProperty('id')
  }
})

test('callers of the compiler are distinguished', async () => {
  const compile = vi.fn(async () => bare)
  const { post } = serve({ compiler: compilerOf(compile), outbox: mined })
  await post({ code: 'x' })
  await post({ code: 'x' }, { path: '/zkt/a-key' })
  expect(
    compile.mock.calls.map(([, options]: unknown[]) => (options as { caller: string }).caller),
  ).toEqual(['address undefined', 'key a-key'])
})

test('what is not mined in time is answered with a warning', async () => {
  const { post } = serve({ compiler: compilerOf(async () => bare) })
  expect(await post({ code: 'x', id: 'd' })).toMatchObject({
    status: 200,
    body: {
      success: true,
      errorCode: 'NOT_MINED_YET',
      hash: expect.any(String),
      queueId: expect.any(String),
      id: 'd',
    },
  })
})

const refusals: readonly (readonly [
  string,
  Compiler['compile'],
  readonly unknown[] | undefined,
  object,
])[] = [
  [
    'a source that does not compile',
    () => Promise.reject(new CompilationError('ParserError: Expected ";" but got "}" (line 4)')),
    [],
    {
      error: 'the source does not compile',
      errorCode: 'COMPILATION_FAILED',
      details: 'ParserError: Expected ";" but got "}" (line 4)',
    },
  ],
  [
    'a source that takes too long',
    () => Promise.reject(new CompilerLimit('the source takes more than 10 s to compile')),
    [],
    {
      error: 'the source is too much for this compiler',
      errorCode: 'COMPILATION_FAILED',
      details: 'the source takes more than 10 s to compile',
    },
  ],
  [
    'a constructor without its arguments',
    async () => tally,
    undefined,
    { error: 'the constructor takes 1 argument, none was given', errorCode: 'ARGUMENTS_MISMATCH' },
  ],
  [
    'arguments without a constructor',
    async () => bare,
    [1],
    { error: 'the constructor takes 0 arguments, 1 was given', errorCode: 'ARGUMENTS_MISMATCH' },
  ],
  [
    'an argument that does not fit',
    async () => tally,
    ['many'],
    {
      error:
        'arguments.0 of the constructor takes uint256, an integer from 0 to 2^256-1 as a number or as a string of decimal or 0x digits',
      errorCode: 'ARGUMENTS_MISMATCH',
      details: [{ pointer: '/arguments/0' }],
    },
  ],
]

test.each(refusals)('%s is refused', async (_, compile, given, want) => {
  const { post, accepted } = serve({ compiler: compilerOf(compile) })
  const answer = await post({ code: 'x', arguments: given, id: 4 })
  expect(answer).toMatchObject({ status: 400, body: { success: false, ...want, id: 4 } })
  expect(accepted).toEqual([])
})

test('a constructor that reverts is refused with its reason, its own errors by name', async () => {
  const data = encodeErrorResult({ abi: tally.abi, errorName: 'Low', args: [7n] })
  const error = new RpcError({ code: 3, message: 'execution reverted', data })
  const { post, accepted } = serve({
    compiler: compilerOf(async () => tally),
    chain: chainOf({ estimateGas: () => Promise.reject(error) }),
  })
  expect(await post({ code: 'x', arguments: [1] })).toMatchObject({
    status: 400,
    body: {
      error: 'the contract reverted its own creation',
      errorCode: 'EXECUTION_REVERTED',
      details: 'Low(7)',
    },
  })
  expect(accepted).toEqual([])
})

test('what is mined and fails is no success', async () => {
  const outbox = outboxOf({
    settled: async () => ({ status: 'error', errorMessage: 'out of gas' }),
  })
  const chain = chainOf({
    receipt: async (hash) => ({ ...receiptOf(hash), status: '0x0' }),
  })
  const { post } = serve({ compiler: compilerOf(async () => bare), outbox, chain })
  expect(await post({ code: 'x' })).toMatchObject({
    status: 400,
    body: {
      success: false,
      error: 'out of gas',
      errorCode: 'EXECUTION_REVERTED',
      details: { queueId: expect.any(String) },
    },
  })
})

test('while the compiler is busy, nothing is taken', async () => {
  const { post } = serve({
    compiler: compilerOf(() => Promise.reject(new NoTurn('32 wait'))),
  })
  const answer = await post({ code: 'x', id: 0 })
  expect(answer).toMatchObject({
    status: 503,
    body: {
      success: false,
      error: 'the compiler is busy, try again later',
      errorCode: 'UNAVAILABLE',
      id: 0,
    },
  })
  expect(answer.headers.get('retry-after')).toBe('5')
})

test('a type that Solidity declares and cannot compute with leads nowhere', async () => {
  const fixed = { name: 'x', type: 'fixed128x18', internalType: 'fixed128x18' }
  const abi: CompiledContract['abi'] = [
    { type: 'constructor', inputs: [fixed], stateMutability: 'nonpayable' },
    { type: 'error', name: 'E', inputs: [fixed] },
  ]
  const data: Hex = `${toFunctionSelector('E(fixed128x18)')}${'0'.repeat(64)}`
  const error = new RpcError({ code: 3, message: 'execution reverted', data })
  const chain = chainOf({ estimateGas: () => Promise.reject(error) })
  const given = (some: CompiledContract['abi']) =>
    serve({ chain, compiler: compilerOf(async () => ({ ...bare, abi: some })) })
  expect(await given(abi).post({ code: 'x', arguments: [1] })).toMatchObject({
    status: 400,
    body: { error: 'arguments.0 of the constructor takes fixed128x18, which has no values' },
  })
  expect(await given(abi.slice(1)).post({ code: 'x' })).toMatchObject({
    status: 400,
    body: { errorCode: 'EXECUTION_REVERTED', details: data },
  })
})
