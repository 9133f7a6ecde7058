import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { setupServer } from 'msw/node'
import { createPublicClient, http as viemHttp } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient, isHttpError } from '../../generated/http.client.js'
import { createHandlers } from '../../generated/msw.js'
import { createRpcClient } from '../../generated/rpc.client.js'

const server = setupServer()
const wrong: unknown[] = []
const unhandled: string[] = []
const mock = (options: Parameters<typeof createHandlers>[0] = {}) =>
  server.use(...createHandlers({ onError: (error) => wrong.push(error), ...options }))

beforeEach(() => {
  wrong.length = 0
  unhandled.length = 0
  server.listen({
    onUnhandledRequest: ({ url }) => {
      unhandled.push(url)
      throw new TypeError('nobody is there')
    },
  })
})
afterEach(() => {
  server.resetHandlers()
  server.close()
})

const RPC = 'https://rpc.testnet.example/zgt/my-key'
const ZKT = 'https://rpc.testnet.example/zkt/my-key'
const STATUS = 'https://api.testnet.example/gtn/v1/zkt/transaction'
const QUEUED = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'

const send = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const call = (method: string, params: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

describe('the documents’ own examples', () => {
  beforeEach(() => mock())

  it.each([
    ['a result', call('eth_chainId', []), { jsonrpc: '2.0', id: 1, result: '0x133edcb' }],
    ['an id that is a text', call('eth_chainId', [], 'a'), { id: 'a', result: '0x133edcb' }],
    ['an id that is null', call('eth_chainId', [], null), { id: null, result: '0x133edcb' }],
    ['an id of zero', call('eth_chainId', [], 0), { id: 0 }],
    ['a method that nobody knows', call('eth_nope', []), { id: 1, error: { code: -32601 } }],
    [
      'params that break their schema',
      call('eth_getBalance', ['0x1']),
      { error: { code: -32602, message: expect.stringContaining('Invalid params: address') } },
    ],
    ['no JSON', '{', { id: null, error: { code: -32700 } }],
    ['an empty batch', [], { error: { code: -32600 } }],
  ])('JSON-RPC: %s', async (_, body, want) => {
    expect(await send(RPC, body)).toMatchObject({ status: 200, body: want })
  })

  it('a batch keeps its order and ids, and does not answer notifications', async () => {
    const { jsonrpc, method } = call('eth_chainId', [])
    const batch = [call('eth_chainId', [], 7), { jsonrpc, method }, call('eth_nope', [], '8')]
    expect((await send(RPC, batch)).body).toMatchObject([
      { id: 7, result: '0x133edcb' },
      { id: '8', error: { code: -32601 } },
    ])
    expect(await send(RPC, { jsonrpc, method })).toEqual({ status: 204, body: undefined })
    const many = Array.from({ length: 41 }, (_, id) => call('eth_chainId', [], id))
    expect((await send(RPC, many)).body[40]).toMatchObject({ id: 40, error: { code: -32010 } })
  })

  it('the pairing whose params are the caller’s, also where that is an error', async () => {
    const found = await send(RPC, call('chain_getSupportedTokens', []))
    expect(found.body.result.value).toEqual(['0x5bA1e12693Dc8F9c48aAD8770482f4739bEeD696'])
    const prefer = { prefer: 'example=no-tokens' }
    const wished = await send(RPC, call('chain_getSupportedTokens', []), prefer)
    expect(wished.body.result.value).toEqual([])
  })

  it.each([
    ['a message the answer of its form', { arguments: 'hi' }, 200, { queueId: QUEUED }],
    [
      'the documented request its own answer',
      {
        abi: ['function sum() view returns (uint256)'],
        to: '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1',
        method: 'sum',
        arguments: [],
        id: 1,
      },
      200,
      { id: 1, output: expect.anything() },
    ],
    [
      'a deployment the answer of its form',
      { code: 'contract A {}' },
      200,
      { contractAddress: expect.stringMatching(/^0x/) },
    ],
    [
      'a mixture a refusal',
      { arguments: 'hi', code: 'contract A {}' },
      400,
      { error: expect.any(String) },
    ],
    ['half a body a refusal', '{"arguments"', 400, { error: expect.any(String) }],
  ])('HTTP: %s', async (_, body, status, want) => {
    expect(await send(ZKT, body)).toMatchObject({ status, body: want })
  })

  it('HTTP refuses what the documents refuse', async () => {
    const plain = await fetch(ZKT, {
      method: 'POST',
      body: 'hi',
      headers: { 'content-type': 'text/plain' },
    })
    expect(plain.status).toBe(415)
    const got = await fetch(ZKT)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    const large = await send(ZKT, { arguments: 'x'.repeat(1_048_576) })
    expect(large.status).toBe(413)
    expect((await fetch(`${STATUS}/none`)).status).toBe(400)
    expect((await fetch(RPC)).status).toBe(405)
  })

  it('example and status by Prefer', async () => {
    const prefer = { prefer: 'code=429' }
    expect((await send(ZKT, { arguments: 'hi' }, prefer)).status).toBe(429)
    const named = { prefer: 'example=executionReverted' }
    expect((await send(ZKT, { arguments: 'hi' }, named)).body).toHaveProperty('error')
  })

  it('polling goes from state to state, for each transaction by itself', async () => {
    const status = async (id: string) => (await (await fetch(`${STATUS}/${id}`)).json()).status
    const other = 'c1f6e0d8-2b7a-45e9-b3d4-07a98f5c6e21'
    expect([await status(QUEUED), await status(QUEUED), await status(other)]).toEqual([
      'pending',
      'processing',
      'pending',
    ])
    expect([await status(QUEUED), await status(QUEUED)]).toEqual(['completed', 'completed'])
  })

  it('what no operation is at is not theirs', async () => {
    const others = ['https://rpc.testnet.example/elsewhere', 'https://other.example/zkt/my-key']
    for (const url of others) await fetch(url)
    expect(unhandled).toEqual(others)
    expect(wrong).toEqual([])
  })
})

describe('the generated clients and viem', () => {
  it('call what is mocked', async () => {
    mock({ overrides: { submitZkt: { variants: { deploy: { status: 503 } } } } })
    const http = createHttpClient({ auth: { apiKey: 'my-key' } })
    const { queueId } = await http.submitZkt({ body: { arguments: 'hello' } })
    expect(queueId).toBe(QUEUED)
    const states: string[] = []
    const pause = { interval: 1 }
    for await (const record of http.getZktTransaction.poll({ path: { queueId: QUEUED } }, pause))
      states.push(record.status)
    expect(states).toEqual(['pending', 'processing', 'completed'])
    const refused = await http
      .submitZkt({ body: { code: 'contract A {}' } })
      .catch((error) => error)
    expect(isHttpError(refused, 'submitZkt', 503) && refused.body.error).toEqual(expect.any(String))
    const rpc = createRpcClient({ auth: { apiKey: 'my-key' } })
    const [id, height] = await rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()]))
    expect([id, height]).toEqual(['0x133edcb', expect.stringMatching(/^0x/)])
    const transport = viemHttp(RPC, { batch: true, retryCount: 0 })
    const viem = createPublicClient({ transport })
    expect(await Promise.all([viem.getChainId(), viem.getBlockNumber()])).toEqual([
      20180427,
      BigInt(height),
    ])
  })
})

describe('an override', () => {
  const balance = call('eth_getBalance', [`0x${'00'.repeat(20)}`, 'latest'])
  const asked = async () => (await send(RPC, balance)).body

  it('is a result, an error by code or message, or any error: one for each request, and the last one stays', async () => {
    mock({
      overrides: {
        ethGetBalance: [
          { result: '0x7' },
          { error: -32000 },
          { error: 'header not found' },
          { error: { code: 7, message: 'out of order', data: { until: 'noon' } } },
        ],
      },
    })
    expect(await asked()).toMatchObject({ result: '0x7' })
    const declared = { error: { code: -32000, message: 'header not found' } }
    expect([await asked(), await asked()]).toMatchObject([declared, declared])
    const last = { error: { code: 7, message: 'out of order', data: { until: 'noon' } } }
    expect([await asked(), await asked()]).toMatchObject([last, last])
  })

  it('is a function of the params, and leaves what it does not answer to the documents', async () => {
    mock({
      overrides: {
        ethGetBalance: ([address]) => (/^0x0+$/.test(address) ? { result: '0x1' } : undefined),
        ethBlockNumber: { example: 'newestBlock' },
      },
    })
    expect(await asked()).toMatchObject({ result: '0x1' })
    const other = call('eth_getBalance', [`0x${'11'.repeat(20)}`, 'latest'])
    expect((await send(RPC, other)).body.result).toMatch(/^0x[^1]/)
  })

  it('of an operation is an answer, a status, an example, or a function, for each form or for all', async () => {
    mock({
      overrides: {
        submitZkt: {
          variants: {
            message: ({ body }) => ({
              status: 200,
              body: { success: true, hash: null, queueId: body.arguments },
            }),
            deploy: { example: 'compilationFailed' },
          },
        },
        tryZkt: { status: 429, headers: { 'retry-after': 7 } },
        getZktTransaction: ({ path }) => ({ status: 404, body: { error: `no ${path.queueId}` } }),
      },
    })
    expect((await send(ZKT, { arguments: QUEUED })).body).toMatchObject({
      success: true,
      queueId: QUEUED,
    })
    expect((await send(ZKT, { code: 'contract A {}' })).body).toHaveProperty('error')
    const limited = await fetch('https://rpc.testnet.example/zkt/try-it-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"arguments":"hi"}',
    })
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
    const lost = await fetch(`${STATUS}/${QUEUED}`)
    expect([lost.status, await lost.json()]).toEqual([404, { error: `no ${QUEUED}` }])
    expect(wrong).toEqual([])
  })

  it.each([
    [
      { ethChainId: { result: '0xZZ' } },
      /^eth_chainId: the override's result does not match its schema: must match .*: correct the override, or pass validate: false$/,
    ],
    [
      { ethChainId: { example: 'nowhere' } },
      /^the document has no example 'nowhere' of eth_chainId: it has 'testnet', 'mainnet'$/,
    ],
    [{ ethGetBalance: { error: 5 } }, /^eth_getBalance declares no error 5: it declares -32602/],
    [
      { getZktTransaction: { status: 200, body: { status: 'lost' } } },
      /^getZktTransaction: the override's body for 200 does not match its schema: .*status/,
    ],
    [
      { getZktTransaction: { status: 299 } },
      /^getZktTransaction declares no response 299: it declares 200, 400, 404/,
    ],
    [
      { submitZkt: { variants: { letter: { status: 400 } } } },
      /^submitZkt has no variant 'letter': it has 'message', 'call', 'deploy'$/,
    ],
    [{ ethChainID: { result: '0x1' } }, /^there is no operation 'ethChainID'/],
  ])('that cannot be right is refused where it is written: %j', (overrides, sentence) => {
    expect(() => createHandlers({ overrides: overrides as never })).toThrow(sentence)
  })

  it('that answers wrongly is reported in the answer and to the author of the test', async () => {
    mock({
      overrides: {
        ethChainId: () => ({ result: '0x' }),
        getZktTransaction: () => ({ status: 200, body: { status: 'lost' } as never }),
      },
    })
    const error = (await send(RPC, call('eth_chainId', []))).body.error
    expect(error.code).toBe(-32603)
    expect(error.message).toMatch(
      /^eth_chainId: the override's result does not match its schema: must /,
    )
    const answer = await fetch(`${STATUS}/${QUEUED}`)
    expect(answer.status).toBe(500)
    expect((await answer.json()).error).toMatch(/^getZktTransaction: the override's body for 200/)
    expect(wrong.map(String)).toEqual([
      expect.stringContaining('eth_chainId: '),
      expect.stringContaining('getZktTransaction: '),
    ])
  })

  it('that answers wrongly fails a run whose code swallows what it is answered', async () => {
    const run = `
      import test from 'node:test'
      import { setupServer } from 'msw/node'
      import { createHandlers } from './generated/msw.js'
      test('a page', async () => {
        const overrides = { ethChainId: () => ({ result: 'wrong' }) }
        setupServer(...createHandlers({ overrides })).listen()
        const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
        const headers = { 'content-type': 'application/json' }
        await fetch('${RPC}', { method: 'POST', headers, body }).catch(() => undefined)
      })`
    const flags = ['--import', 'tsx', '-C', 'twinspec-source', '--input-type=module']
    const failed = await promisify(execFile)(process.execPath, [...flags, '--eval', run]).then(
      () => undefined,
      (error) => error,
    )
    expect(failed.stdout).toContain("eth_chainId: the override's result does not match its schema")
    expect(failed.code).toBe(1)
  })

  it('may be wrong where nobody validates', async () => {
    mock({ validate: false, overrides: { ethChainId: { result: '0x' } } })
    expect((await send(RPC, call('eth_chainId', []))).body.result).toBe('0x')
    expect(wrong).toEqual([])
  })
})

describe('the place', () => {
  const chainId = (url: string) => send(url, call('eth_chainId', []))

  it('is every documented server, or one by its name', async () => {
    mock()
    expect((await chainId('https://rpc.mainnet.example/zgt/other-key')).status).toBe(200)
    server.resetHandlers()
    mock({ server: 'mainnet' })
    expect((await chainId('https://rpc.mainnet.example/zgt/other-key')).status).toBe(200)
    await chainId(RPC)
    expect(unhandled).toEqual([RPC])
  })

  it('is a URL, or one of each document, or a host of their variables', async () => {
    mock({ server: 'http://127.0.0.1:4010' })
    expect((await chainId('http://127.0.0.1:4010/zgt/a')).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:4010/gtn/v1/zkt/transaction/${QUEUED}`)).status).toBe(200)
    server.resetHandlers()
    mock({ server: { http: 'http://web.example/v2/', rpc: 'http://node.example/rpc' } })
    expect((await chainId('http://node.example/rpc/zgt/a?x=1')).status).toBe(200)
    expect((await fetch(`http://web.example/v2/gtn/v1/zkt/transaction/${QUEUED}`)).status).toBe(200)
    server.resetHandlers()
    mock({ variables: { rpcHost: 'Node.Example' } })
    await chainId('http://node.example/zgt/a')
    expect(unhandled).toEqual(['http://node.example/zgt/a'])
    expect((await chainId('https://node.example/zgt/a')).status).toBe(200)
  })

  it('is said where there is none', () => {
    expect(() => createHandlers({ server: 'nowhere' })).toThrow(
      /^there is no server URL to mock: give `server` a URL, or one of testnet, mainnet$/,
    )
  })
})
