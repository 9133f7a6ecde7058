import { expect, it } from 'vitest'
import { createRpcClient } from '../../generated/rpc.client.js'

const HASH = `0x${'12'.repeat(32)}`
const ADDRESS = `0x${'00'.repeat(20)}`

/** The first transaction of each block of Arbitrum. */
const START_BLOCK = {
  blockHash: HASH,
  blockNumber: '0xa',
  chainId: '0xa4b1',
  from: ADDRESS,
  gas: '0x0',
  gasPrice: '0x0',
  hash: HASH,
  input: '0x6bf6a42d',
  nonce: '0x0',
  r: '0x0',
  s: '0x0',
  to: ADDRESS,
  transactionIndex: '0x0',
  type: '0x6a',
  v: '0x0',
  value: '0x0',
}

const BLOCK = {
  ...Object.fromEntries(
    ['difficulty', 'gasLimit', 'gasUsed', 'number', 'size', 'timestamp', 'l1BlockNumber'].map(
      (name) => [name, '0x1'],
    ),
  ),
  ...Object.fromEntries(
    ['hash', 'mixHash', 'parentHash', 'receiptsRoot', 'sha3Uncles', 'stateRoot'].map((name) => [
      name,
      HASH,
    ]),
  ),
  extraData: '0x',
  logsBloom: `0x${'00'.repeat(256)}`,
  miner: ADDRESS,
  nonce: '0x0000000000000001',
  transactionsRoot: HASH,
  transactions: [START_BLOCK],
  uncles: [],
}

const answering = (result: unknown) => ({
  server: 'http://127.0.0.1:1',
  auth: { apiKey: 'k' },
  validate: { response: 'strict' } as const,
  fetch: async () => Response.json({ jsonrpc: '2.0', id: 1, result }),
})

it('a block of Arbitrum, whose first transaction has the type 0x6a, is read strictly', async () => {
  const block = await createRpcClient(answering(BLOCK)).ethGetBlockByNumber('0xa', true)
  expect(block?.transactions[0]).toMatchObject({ type: '0x6a' })
})

it('a transaction of a type of Ethereum needs its own fields all the same', async () => {
  const transactions = [{ ...START_BLOCK, type: '0x2' }]
  const call = createRpcClient(answering({ ...BLOCK, transactions })).ethGetBlockByNumber(
    '0xa',
    true,
  )
  await expect(call).rejects.toMatchObject({ reason: 'invalid-answer' })
})
