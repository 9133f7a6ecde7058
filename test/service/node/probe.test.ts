import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../../../src/service/embedded-chain/anvil.js'
import { probe } from '../../../src/service/node/connect-node.js'
import { createNode } from '../../../src/service/node/node.js'
import { startAnvil } from '../anvil.js'

const chainId = 20180427

/** A node that answers each call of a batch by its method. */
const answering = (answer: (method: string) => object, asked: string[][] = []) =>
  createNode({
    url: 'http://127.0.0.1:1/secretOfTheOperator',
    chainId,
    timeout: 1_000,
    fetch: async (_, init) => {
      const calls = JSON.parse(String(init.body)) as { id: number; method: string }[]
      asked.push(calls.map(({ method }) => method))
      return Response.json(
        calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, ...answer(method) })),
      )
    },
  })

const refusing = (code: number, message: string) => ({ error: { code, message } })

test('what anvil lacks', async () => {
  const anvil = await startAnvil(chainId)
  const lacking = await probe(createNode({ url: anvil.url, chainId, timeout: 5_000 }))
  await anvil.stop()
  expect([...lacking].sort()).toEqual([
    'debug_getBadBlocks',
    'debug_getRawBlock',
    'debug_getRawHeader',
    'debug_getRawReceipts',
    'debug_storageRangeAt',
    'debug_traceBlock',
    'eth_baseFee',
    'eth_capabilities',
    'eth_getBlockAccessList',
    'eth_getHeaderByHash',
    'eth_getHeaderByNumber',
    'eth_pendingTransactions',
    'net_peerCount',
    'rpc_modules',
    'txpool_contentFrom',
  ])
})

test.each([
  [-32601, 'the method eth_baseFee does not exist/is not available', true],
  [-32601, 'Method not found', true],
  [-32600, 'Unsupported method: eth_baseFee. See the documentation', true],
  [-32004, 'Method eth_baseFee is not supported', true],
  [-32004, 'Method eth_baseFee not supported', true],
  [-32000, 'unknown method eth_baseFee', true],
  [-32000, 'the rpc method eth_baseFee is not available', true],
  [-32602, 'missing value for required argument 0', false],
  [-32000, 'header not found', false],
])('%i %s', async (code, message, lacking) => {
  const node = answering((method) =>
    method === 'eth_baseFee' ? refusing(code, message) : { result: null },
  )
  expect([...(await probe(node))]).toEqual(lacking ? ['eth_baseFee'] : [])
})

test('nothing is asked that could have an effect, nor what no node may lack', async () => {
  const asked: string[][] = []
  await probe(answering(() => ({ result: null }), asked))
  const methods = asked.flat()
  expect(methods).toContain('debug_getRawBlock')
  expect(methods.filter((method) => /send|sign|resend/i.test(method))).toEqual([])
  expect(methods).not.toContain('eth_chainId')
  expect(Math.max(...asked.map((batch) => batch.length))).toBeLessThanOrEqual(40)
})

test('a node that is away is one sentence, without its address', async () => {
  const url = `http://127.0.0.1:${await freePort()}/secretOfTheOperator`
  const error = await probe(createNode({ url, chainId, timeout: 1_000 })).then(String, (e) => e)
  expect(error.message).toMatch(/^\w+ got no response: .*ECONNREFUSED/)
  expect(error.message).not.toContain('\n')
  expect(inspect(error, { depth: 9 })).not.toContain('secretOf')
})
