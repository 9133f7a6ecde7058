import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAnvilRpc } from '../../../src/service/embedded-chain/anvil.js'
import { createStuckWatch } from '../../../src/service/embedded-chain/stuck-transactions.js'
import { createNode } from '../../../src/service/node/node.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'
import { type Anvil, startAnvil } from '../anvil.js'

const chainId = 20180427
const { wallet } = createWallets('test test test test test test test test test test test junk')

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil(chainId)
})
afterAll(() => anvil.stop())

const sign = (index: number, nonce: number) =>
  wallet(index).sign({ chainId, nonce, gas: 100_000n, to: wallet(index).address, data: '0xab' })

/** Clients send in bursts, over many connections: their order of arrival is nobody's. */
const burst = async (raws: readonly `0x${string}`[]) => {
  const { chain } = createNode({ url: anvil.url, chainId, timeout: 30_000 })
  await Promise.all(
    raws.map(async (raw, index) => {
      await new Promise((resolve) => setTimeout(resolve, index % 97))
      await chain.send(raw)
    }),
  )
}

test('ready transactions that nobody mines are mined', async () => {
  const rpc = createAnvilRpc(anvil.url)
  await rpc.call('evm_setAutomine', false)
  const { raw, hash } = await sign(1, 0)
  await rpc.call('eth_sendRawTransaction', raw)
  const watch = createStuckWatch(rpc)
  expect(await watch.look()).toEqual({ mined: false, freed: 0 })
  expect(await watch.look()).toEqual({ mined: true, freed: 0 })
  expect(await rpc.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  expect(await watch.look()).toEqual({ mined: false, freed: 0 })
  await rpc.call('evm_setAutomine', true)
})

test('transactions that wait for a nonce that is mined are freed, a gap is left alone', async () => {
  let now = 0
  const rpc = createAnvilRpc(anvil.url)
  const watch = createStuckWatch(rpc, () => now)
  const sent = await Promise.all([5, 6, 7, 9].map((nonce) => sign(2, nonce)))
  const gap = await sign(3, 4)
  for (const { raw } of [...sent, gap]) await rpc.call('eth_sendRawTransaction', raw)
  // What the race within anvil comes to: nonce 4 is mined, and the one that waits for it was not notified.
  await rpc.call('anvil_setNonce', wallet(2).address, '0x5')
  const freed: number[] = []
  for (; now < 3_000; now += 100) freed.push((await watch.look()).freed)
  expect(freed.filter((count) => count > 0)).toEqual([4])
  const nonce = () => rpc.call('eth_getTransactionCount', wallet(2).address, 'latest')
  await expect.poll(nonce, { timeout: 120_000 }).toBe('0x8')
  expect(await rpc.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x2' })
  await rpc.call('eth_sendRawTransaction', (await sign(2, 8)).raw)
  await expect.poll(nonce, { timeout: 120_000 }).toBe('0xa')
  await rpc.call('anvil_dropAllTransactions')
})

test('bursts from many wallets are mined to the last', async () => {
  const rpc = createAnvilRpc(anvil.url)
  const wallets = Array.from({ length: 20 }, (_, index) => 10 + index)
  const all = await Promise.all(
    wallets.flatMap((index) => Array.from({ length: 30 }, (_, nonce) => sign(index, nonce))),
  )
  const watch = createStuckWatch(rpc)
  const looking = setInterval(() => void watch.look().catch(() => undefined), 200)
  await burst(all.map(({ raw }) => raw))
  const left = async () => {
    const nonces = await rpc.batch(
      wallets.map((index) => ['eth_getTransactionCount', wallet(index).address, 'latest']),
    )
    return nonces.filter((nonce) => nonce !== '0x1e').length
  }
  await expect.poll(left, { timeout: 120_000, interval: 200 }).toBe(0)
  clearInterval(looking)
  expect(await rpc.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
})
