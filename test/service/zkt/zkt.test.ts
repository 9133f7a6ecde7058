import {
  encodeAbiParameters,
  encodeErrorResult,
  type Hex,
  parseAbi,
  parseAbiParameters,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { expect, test, vi } from 'vitest'
import { CallError, HttpError, RpcError } from '../../../src/runtime/errors.js'
import { OutboxFull } from '../../../src/service/outbox/outbox.js'
import { StoreUnavailable } from '../../../src/service/store/store.js'
import { addressOf, chainOf, outboxOf, receiptOf, serve } from './fixture.js'

const to = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
const write = { abi: ['function add(uint256 amount)'], to, method: 'add', arguments: ['5'] }
const read = { abi: ['function sum() view returns (uint256)'], to, method: 'sum', arguments: [] }
const one = encodeAbiParameters([{ type: 'uint256' }], [1n])

const reverted = (data: Hex) =>
  new RpcError({ code: 3, message: 'execution reverted', data, method: 'eth_estimateGas' })
const errorText = (text: string): Hex =>
  `0x08c379a0${encodeAbiParameters(parseAbiParameters('string'), [text]).slice(2)}`

test('a message is data that the wallet sends to itself', async () => {
  const { post, accepted } = serve()
  const answer = await post({ arguments: 'Füße\u0000' })
  expect(accepted).toMatchObject([
    {
      kind: 'message',
      wallet: 0,
      to: addressOf(0),
      data: stringToHex('Füße\u0000'),
      gas: 21_000n + 6n * 40n + 10n,
    },
  ])
  const [{ hash, queueId } = {}] = accepted
  expect(answer).toMatchObject({ status: 200, body: { success: true, hash, queueId } })
  expect(Object.keys(answer.body)).toEqual(['success', 'hash', 'queueId'])
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('a key signs with a wallet of its own', async () => {
  const { post, accepted } = serve()
  await post({ arguments: 'x' }, { path: '/zkt/some-key' })
  await post(write, { path: '/zkt/some-key' })
  expect(accepted).toMatchObject([
    { wallet: 7, to: addressOf(7) },
    { wallet: 7, to },
  ])
})

test('a message may be empty, and as long as a body may be', async () => {
  const { post, accepted } = serve()
  expect((await post({ arguments: '' })).status).toBe(200)
  const text = 'x'.repeat(1_048_576 - '{"arguments":""}'.length)
  expect((await post({ arguments: text })).status).toBe(200)
  expect(accepted.map(({ gas }) => gas)).toEqual([21_000n, 21_000n + 40n * BigInt(text.length)])
})

test.each(['view', 'pure'])('a %s function is read, and nothing is sent', async (mutability) => {
  const call = vi.fn(async () => one)
  const { post, accepted } = serve({ chain: chainOf({ call }) })
  const abi = [`function sum() ${mutability} returns (uint256)`]
  expect(await post({ ...read, abi, id: 1 })).toMatchObject({
    status: 200,
    body: { success: true, output: ['1'], id: 1 },
  })
  expect(call).toHaveBeenCalledWith(
    { from: addressOf(0), to, data: '0x853255cc' },
    expect.anything(),
  )
  expect(accepted).toEqual([])
})

test('any other function is written, with gas to spare', async () => {
  const estimateGas = vi.fn(async () => 100_000n)
  const { post, accepted } = serve({ chain: chainOf({ estimateGas }) })
  const { status, body } = await post(write)
  const data = `0x1003e2d2${encodeAbiParameters([{ type: 'uint256' }], [5n]).slice(2)}`
  expect(estimateGas).toHaveBeenCalledWith({ from: addressOf(0), to, data }, expect.anything())
  expect(accepted).toMatchObject([{ kind: 'call', wallet: 0, to, data, gas: 169_200n }])
  const [{ hash, queueId } = {}] = accepted
  expect({ status, body }).toEqual({ status: 200, body: { success: true, hash, queueId } })
})

const margins: readonly (readonly [bigint, bigint])[] = [
  [16_000_000n, 16_777_216n],
  [16_777_216n, 16_777_216n],
  [30_000_000n, 30_000_000n],
]
test.each(margins)('an estimate of %d units is sent with %d', async (estimate, gas) => {
  const { post, accepted } = serve({ chain: chainOf({ estimateGas: async () => estimate }) })
  await post(write)
  expect(accepted).toMatchObject([{ gas }])
})

const ids = [0, -1, 1.5, 1e21, '', 'add-1', '1', 9007199254740991]
test.each(ids)('the id %j comes back as it was sent', async (id) => {
  const { post } = serve({ chain: chainOf({ call: async () => one }) })
  for (const body of [write, read, { ...write, method: 'gone' }])
    expect((await post({ ...body, id })).body.id).toBe(id)
})

test('wait brings the receipt', async () => {
  const hash: Hex = `0x${'ab'.repeat(32)}`
  const receipt = receiptOf(hash)
  const settled = vi.fn(async () => ({ status: 'completed', receipt }) as const)
  const { post } = serve({ outbox: outboxOf({ settled }) })
  const { status, body } = await post({ ...write, wait: true, id: 3 })
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true, receipt, id: 3 } })
  expect(settled).toHaveBeenCalledWith(body.queueId, {
    timeout: 50,
    signal: expect.any(AbortSignal),
  })
  expect((await post({ ...write, wait: false })).body).not.toHaveProperty('receipt')
})

const warned = {
  status: 200,
  body: {
    success: true,
    error: 'the transaction was accepted, and is not mined yet',
    errorCode: 'NOT_MINED_YET',
    hash: expect.stringMatching(/^0x/),
    queueId: expect.any(String),
    id: 3,
  },
}

test('what is not mined in time is answered with a warning', async () => {
  const { status, body } = await serve().post({ ...write, wait: true, id: 3 })
  expect({ status, body }).toEqual(warned)
})

test('what is accepted is never refused because a part went down afterwards', async () => {
  const outbox = outboxOf({ settled: () => Promise.reject(new StoreUnavailable('gone')) })
  const { status, body } = await serve({ outbox }).post({ ...write, wait: true, id: 3 })
  expect({ status, body }).toEqual(warned)
})

test('what is mined and reverted is no success', async () => {
  const settled = async () =>
    ({ status: 'error', errorMessage: 'the contract reverted it' }) as const
  const receipt = async (hash: Hex) => ({ ...receiptOf(hash), status: '0x0' }) as const
  const parts = { outbox: outboxOf({ settled }), chain: chainOf({ receipt }) }
  const { status, body } = await serve(parts).post({ ...write, wait: true, id: 3 })
  expect({ status, body }).toEqual({
    status: 400,
    body: {
      success: false,
      error: 'the contract reverted it',
      errorCode: 'EXECUTION_REVERTED',
      details: { hash: expect.any(String), queueId: expect.any(String) },
      id: 3,
    },
  })
})

test('what was accepted and will never be mined did not revert', async () => {
  const errorMessage = 'the nonce was used by another transaction of the same wallet'
  const outbox = outboxOf({ settled: async () => ({ status: 'error', errorMessage }) })
  const { post } = serve({ outbox, chain: chainOf({ receipt: async () => null }) })
  expect(await post({ ...write, wait: true, id: 3 })).toMatchObject({
    status: 400,
    body: {
      success: false,
      error: errorMessage,
      errorCode: 'NOT_EXECUTED',
      details: { hash: expect.any(String), queueId: expect.any(String) },
      id: 3,
    },
  })
})

test('while the node cannot say whether it was executed, it is not known to be mined', async () => {
  const settled = async () => ({ status: 'error', errorMessage: 'a bad end' }) as const
  const gone = new CallError({ reason: 'network', operation: 'x', message: 'gone' })
  const parts = {
    outbox: outboxOf({ settled }),
    chain: chainOf({ receipt: () => Promise.reject(gone) }),
  }
  const { status, body } = await serve(parts).post({ ...write, wait: true, id: 3 })
  expect({ status, body }).toEqual(warned)
})

test('a caller that goes away releases the wait, and its submission stays', async () => {
  const caller = new AbortController()
  let released = false
  let enqueued = 0
  const outbox = outboxOf({
    enqueue: (submission) => {
      enqueued += 1
      return outboxOf({}).enqueue(submission)
    },
    settled: (_, { signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          released = true
          resolve(undefined)
        })
        setTimeout(() => caller.abort(), 10)
      }),
  })
  await serve({ outbox, waitMilliseconds: 60_000 }).post(
    { ...write, wait: true },
    { signal: caller.signal },
  )
  expect({ released, enqueued }).toEqual({ released: true, enqueued: 1 })
})

test('a caller that went away while the node was asked has submitted nothing', async () => {
  const caller = new AbortController()
  const estimateGas = async () => {
    caller.abort()
    return 1n
  }
  const { post, accepted } = serve({ chain: chainOf({ estimateGas }) })
  await post(write, { signal: caller.signal })
  expect(accepted).toEqual([])
})

type Refusal = readonly [what: string, body: object, want: object]

const refusals: readonly Refusal[] = [
  [
    'an unknown method',
    { ...write, method: 'sharpen' },
    {
      error: 'the ABI has no function sharpen',
      errorCode: 'UNKNOWN_METHOD',
      details: [{ pointer: '/method', message: 'must name a function of the ABI: it has add' }],
    },
  ],
  [
    'a method of Object.prototype',
    { ...write, method: 'toString' },
    { error: 'the ABI has no function toString', errorCode: 'UNKNOWN_METHOD' },
  ],
  [
    'an event as method',
    { ...write, abi: ['event Added(uint256 a)'], method: 'Added' },
    {
      error: 'the ABI has no function Added',
      errorCode: 'UNKNOWN_METHOD',
      details: [
        { pointer: '/method', message: 'must name a function of the ABI: it has none at all' },
      ],
    },
  ],
  [
    'too many arguments',
    { ...write, arguments: [1, 2] },
    {
      error: 'add takes 1 argument, 2 were given',
      errorCode: 'ARGUMENTS_MISMATCH',
      details: [{ pointer: '/arguments', message: 'must hold 1 value' }],
    },
  ],
  [
    'no arguments',
    { ...write, arguments: [] },
    { error: 'add takes 1 argument, none was given', errorCode: 'ARGUMENTS_MISMATCH' },
  ],
  [
    'an argument of another type',
    { ...write, arguments: ['the next but one'] },
    {
      error:
        'arguments.0 of add takes uint256, an integer from 0 to 2^256-1 as a number or as a string of decimal or 0x digits',
      errorCode: 'ARGUMENTS_MISMATCH',
      details: [
        {
          pointer: '/arguments/0',
          message:
            'takes uint256, an integer from 0 to 2^256-1 as a number or as a string of decimal or 0x digits',
        },
      ],
    },
  ],
  [
    'an argument out of range',
    { ...write, arguments: [String(2n ** 256n)] },
    { errorCode: 'ARGUMENTS_MISMATCH', details: [{ pointer: '/arguments/0' }] },
  ],
  [
    'an item of an argument',
    {
      ...write,
      abi: ['function add((uint8 a, bool[] b) t, uint8[] n)'],
      arguments: [{ a: 1, b: [true, 2] }, [1, 'x']],
    },
    {
      errorCode: 'ARGUMENTS_MISMATCH',
      details: [
        { pointer: '/arguments/0/b/1', message: 'takes bool, true or false' },
        { pointer: '/arguments/1/1' },
      ],
    },
  ],
  [
    'lines of the ABI that cannot be read',
    {
      ...write,
      abi: ['function add(uint256)', 'function x(uint7 a)', 'event E(', 'struct S { S a; }'],
    },
    {
      error: 'abi.1 has the unknown type uint7',
      errorCode: 'INVALID_BODY',
      details: [
        { pointer: '/abi/1', message: 'has the unknown type uint7' },
        { pointer: '/abi/2', message: 'expects a name after (' },
        { pointer: '/abi/3', message: 'has S inside itself' },
      ],
    },
  ],
]

test.each(refusals)('%s is refused', async (_, body, want) => {
  const estimateGas = vi.fn(async () => 1n)
  const { post, accepted } = serve({ chain: chainOf({ estimateGas }) })
  const answer = await post({ ...body, id: 12 })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ success: false, ...want, id: 12 })
  expect(accepted).toEqual([])
  expect(estimateGas).not.toHaveBeenCalled()
})

const overloads = [
  'function set(uint256 a)',
  'function set(address a)',
  'function set(uint256 a, bool b)',
  'function set(string a, bool b)',
  'function set(bytes4 a, bytes4 b)',
  'function set()',
]

const chosen: readonly (readonly [method: string, given: readonly unknown[], signature: string])[] =
  [
    ['set', [], 'set()'],
    ['set', [5], 'set(uint256)'],
    ['set', ['5'], 'set(uint256)'],
    ['set', [`0x${'f'.repeat(39)}`], 'set(uint256)'],
    ['set', ['x', true], 'set(string,bool)'],
    ['set', [5, true], 'set(uint256,bool)'],
    ['set', ['0x01020304', '0x01020304'], 'set(bytes4,bytes4)'],
    ['set(address)', [to], 'set(address)'],
    ['set(string,bool)', ['5', true], 'set(string,bool)'],
    [' set ( uint , bool ) ', ['5', true], 'set(uint256,bool)'],
  ]

test.each(chosen)('of overloads, %s of %j is %s', async (method, given, signature) => {
  const { post, accepted } = serve()
  await post({ abi: overloads, to, method, arguments: given })
  expect(accepted[0]?.data.slice(0, 10)).toBe(toFunctionSelector(`function ${signature}`))
})

const overloadRefusals: readonly Refusal[] = [
  [
    'arguments that fit several',
    { method: 'set', arguments: ['5', true] },
    {
      error:
        'the arguments fit more than one set, name one by its signature: set(uint256,bool), set(string,bool)',
      errorCode: 'ARGUMENTS_MISMATCH',
    },
  ],
  [
    'arguments that fit none',
    { method: 'set', arguments: [true] },
    {
      error: 'the arguments fit no set of the ABI: set(uint256), set(address)',
      errorCode: 'ARGUMENTS_MISMATCH',
      details: [
        { pointer: '/arguments/0', message: expect.stringContaining('in set(uint256)') },
        { pointer: '/arguments/0', message: expect.stringContaining('in set(address)') },
      ],
    },
  ],
  [
    'a count that none has',
    { method: 'set', arguments: [1, 2, 3] },
    { error: 'set takes 0, 1 or 2 arguments, 3 were given', errorCode: 'ARGUMENTS_MISMATCH' },
  ],
  [
    'an unknown signature',
    { method: 'set(uint8)', arguments: [1] },
    { error: 'the ABI has no function set(uint8)', errorCode: 'UNKNOWN_METHOD' },
  ],
  [
    'an ABI that contradicts itself',
    { abi: ['function a() view', 'function a()'], method: 'a', arguments: [] },
    { error: 'the ABI contradicts itself on a()', errorCode: 'INVALID_BODY' },
  ],
  [
    'more overloads than are tried',
    {
      abi: Array.from({ length: 20 }, (__, at) => `function a(uint${8 * (at + 1)} x)`),
      method: 'a',
      arguments: [1],
    },
    { errorCode: 'ARGUMENTS_MISMATCH', details: [{ pointer: '/method' }] },
  ],
]

test.each(overloadRefusals)('%s are refused', async (_, body, want) => {
  const { post, accepted } = serve()
  const answer = await post({ abi: overloads, to, ...body })
  expect(answer).toMatchObject({ status: 400, body: { success: false, ...want } })
  expect(accepted).toEqual([])
})

test('an entry written twice is one', async () => {
  const abi = ['function a(uint x)', 'function a(uint256 y)']
  expect((await serve().post({ abi, to, method: 'a', arguments: [1] })).status).toBe(200)
})

test('where no contract lives, nothing is read or written', async () => {
  const { post, accepted } = serve({ chain: chainOf({ code: async () => '0x' }) })
  for (const body of [read, write])
    expect(await post({ ...body, id: 3 })).toMatchObject({
      status: 400,
      body: {
        success: false,
        error: 'there is no contract at that address',
        errorCode: 'NO_CODE_AT_ADDRESS',
        details: [{ pointer: '/to' }],
        id: 3,
      },
    })
  expect(accepted).toEqual([])
})

test('a built-in contract has no code, and can be read', async () => {
  const { post } = serve({ chain: chainOf({ code: async () => '0x', call: async () => one }) })
  expect((await post(read)).body.output).toEqual(['1'])
})

test('what an ABI does not fit is reported', async () => {
  const { post } = serve({ chain: chainOf({ call: async () => '0x' }) })
  expect(await post(read)).toMatchObject({
    status: 400,
    body: {
      success: false,
      error: "what sum() returned is too short, so the ABI is not the contract's",
      errorCode: 'INVALID_BODY',
      details: [{ pointer: '/abi' }],
    },
  })
})

test('a value that is too large to be decoded is reported as what it is', async () => {
  const { post } = serve({ chain: chainOf({ call: async () => `0x${'00'.repeat(1_048_608)}` }) })
  expect(await post(read)).toMatchObject({
    status: 400,
    body: {
      success: false,
      error: 'sum() returned 1048608 bytes, and no more than 1048576 are decoded',
      errorCode: 'INVALID_BODY',
      details: [{ pointer: '/arguments', message: 'must ask for less at a time' }],
    },
  })
})

const custom = parseAbi(['error Short(uint256 left, string why, (bool, address)[] who)'])
const customData = encodeErrorResult({
  abi: custom,
  errorName: 'Short',
  args: [5n, 'say "no"', [[true, '0xFac55168086cfE3284b5874Ae2738a68eE6710D2']]],
})
const panic = (code: number): Hex => `0x4e487b71${code.toString(16).padStart(64, '0')}`

const reasons: readonly (readonly [error: unknown, details: unknown])[] = [
  [reverted(errorText('a slate does not tear')), 'a slate does not tear'],
  [reverted(errorText('')), ''],
  [reverted(errorText('x'.repeat(5000))), `${'x'.repeat(1000)}…`],
  [reverted(panic(0x11)), 'panic: arithmetic overflow or underflow (0x11)'],
  [reverted(panic(0x12)), 'panic: division or modulo by zero (0x12)'],
  [reverted(panic(0x99)), 'panic: for no known reason (0x99)'],
  [
    reverted(customData),
    'Short(5, "say \\"no\\"", [[true, 0xFac55168086cfE3284b5874Ae2738a68eE6710D2]])',
  ],
  [reverted('0xdeadbeef'), '0xdeadbeef'],
  [reverted('0x08c379a0ff'), '0x08c379a0ff'],
  [reverted('0x12'), '0x12'],
  [reverted('0x'), undefined],
  [new RpcError({ code: 3, message: 'execution reverted: out of stock' }), 'out of stock'],
  [new RpcError({ code: -32000, message: 'execution reverted: by an old node' }), 'by an old node'],
  [new RpcError({ code: -32000, message: 'execution reverted' }), undefined],
  [
    new RpcError({
      code: -32015,
      message: 'VM execution error.',
      data: `Reverted ${errorText('parity')}`,
    }),
    'parity',
  ],
  [new RpcError({ code: -32000, message: 'x', data: { data: errorText('nested') } }), 'nested'],
  [new RpcError({ code: -32603, message: 'EVM error InvalidFEOpcode' }), 'invalid opcode'],
  [
    new RpcError({ code: -32603, message: 'EVM error CreateContractSizeLimit' }),
    'create contract size limit',
  ],
  [
    new RpcError({
      code: -32003,
      message: 'Out of gas: gas required exceeds allowance: 1000000000',
    }),
    'ran out of gas: it takes more than 1000000000 units',
  ],
  [
    new RpcError({ code: -32000, message: 'invalid opcode: opcode 0xfe not defined' }),
    'invalid opcode: opcode 0xfe not defined',
  ],
  [
    new RpcError({ code: -32000, message: 'gas required exceeds allowance (50000000)' }),
    'ran out of gas: it takes more than 50000000 units',
  ],
  [new RpcError({ code: -32603, message: 'EVM error OutOfGas' }), 'ran out of gas'],
  [
    new RpcError({ code: -32000, message: 'what no table has, see http://key@node:1/x' }),
    'what no table has, see …',
  ],
]

test.each(reasons)(
  'a write that would fail is refused with its reason: %s',
  async (error, details) => {
    const estimateGas = () => Promise.reject(error)
    const { post, accepted } = serve({ chain: chainOf({ estimateGas }) })
    const abi = ['error Short(uint256 left, string why, (bool, address)[] who)', ...write.abi]
    const answer = await post({ ...write, abi, id: 4 })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body).toEqual({
      success: false,
      error: 'the contract reverted the call',
      errorCode: 'EXECUTION_REVERTED',
      ...(details === undefined || details === '' ? {} : { details }),
      id: 4,
    })
    expect(accepted).toEqual([])
  },
)

test('a read that reverts is refused with its reason', async () => {
  const { post } = serve({
    chain: chainOf({ call: () => Promise.reject(reverted(errorText('closed'))) }),
  })
  expect(await post(read)).toMatchObject({
    status: 400,
    body: { errorCode: 'EXECUTION_REVERTED', details: 'closed' },
  })
})

const away = 'the node does not answer, try again later'
const down: readonly (readonly [error: Error, message: string])[] = [
  [
    new CallError({
      reason: 'network',
      operation: 'eth_call',
      message: 'no route to http://secret@node',
    }),
    away,
  ],
  [new CallError({ reason: 'timeout', operation: 'eth_call', message: 'slow' }), away],
  [new HttpError({ operation: 'eth_call', status: 502, body: 'x', message: 'bad' }), away],
  [new RpcError({ code: -32603, message: 'Internal error' }), away],
  [new RpcError({ code: -32601, message: 'the method does not exist' }), away],
  [new RpcError({ code: -32005, message: 'limit exceeded' }), away],
  [new RpcError({ code: -32000, message: 'header not found' }), away],
  [new RpcError({ code: -32000, message: 'execution timed out' }), away],
  [new RpcError({ code: -32003, message: 'nonce too low' }), away],
]

test.each(down)('while the node is in trouble, nothing is taken: %s', async (error, message) => {
  const fails = () => Promise.reject(error)
  const refused = { success: false, error: message, errorCode: 'UNAVAILABLE', id: 4 }
  for (const [chain, body] of [
    [chainOf({ estimateGas: fails }), write],
    [chainOf({ code: fails }), write],
    [chainOf({ call: fails }), read],
    [chainOf({ code: fails }), read],
  ] as const) {
    const { post, accepted } = serve({ chain })
    const answer = await post({ ...body, id: 4 })
    expect(answer).toMatchObject({ status: 503, body: refused })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(accepted).toEqual([])
  }
})

test('a transaction larger than the node takes is reported', async () => {
  const error = new HttpError({ operation: 'x', status: 413, body: '', message: 'too large' })
  const { post } = serve({ chain: chainOf({ estimateGas: () => Promise.reject(error) }) })
  expect(await post(write)).toMatchObject({ status: 413, body: { errorCode: 'PAYLOAD_TOO_LARGE' } })
})

const queueDown: readonly (readonly [error: Error, message: string])[] = [
  [
    new StoreUnavailable('connect to db.internal failed'),
    'the queue does not answer, try again later',
  ],
  [new OutboxFull('full'), 'the queue is full, try again later'],
  [new CallError({ reason: 'network', operation: 'x', message: 'gone' }), away],
]

test.each(queueDown)('while the queue cannot take it: %s', async (error, message) => {
  const { post } = serve({ outbox: outboxOf({ enqueue: () => Promise.reject(error) }) })
  for (const body of [write, { arguments: 'x' }]) {
    const answer = await post(body)
    expect(answer).toMatchObject({
      status: 503,
      body: { success: false, error: message, errorCode: 'UNAVAILABLE' },
    })
    expect(answer.headers.get('retry-after')).toBe('5')
  }
})
