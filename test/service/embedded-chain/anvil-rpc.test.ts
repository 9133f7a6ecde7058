import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAnvilRpc } from '../../../src/service/embedded-chain/anvil.js'
import { type FakeNode, startFakeNode } from '../node/fake-node.js'

let node: FakeNode
beforeAll(async () => {
  node = await startFakeNode({ txpool_content: 'endless', eth_blockNumber: { result: '0x7' } })
})
afterAll(() => node.close())

test('a response of the chain is counted while it is read, and ends at its bound', async () => {
  const rpc = createAnvilRpc(node.url, { mostBytes: 1_000_000 })
  await expect(rpc.call('txpool_content')).rejects.toThrow('more than 1000000 bytes')
  expect(await rpc.call('eth_blockNumber')).toBe('0x7')
  await expect.poll(() => node.sent.get('txpool_content')).toBeLessThan(50_000_000)
})

test('a call that is not answered in time fails with a TimeoutError', async () => {
  const rpc = createAnvilRpc(node.url)
  const call = rpc.batch([['txpool_content']], 50)
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
})
