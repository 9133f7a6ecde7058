import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNode, type NodeOptions } from '../../../src/service/node/node.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'
import { type Anvil, startAnvil } from '../anvil.js'

const chainId = 20180427
const wallet = createWallets('test test test test test test test test test test test junk').wallet(
  3,
)
/** Its constructor returns code that reverts with the 2 bytes 0xabcd when it is called. */
const reverting = '0x6a61abcd6000526002601efd600052600b6015f3' as const

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil(chainId)
})
afterAll(() => anvil.stop())

const nodeOf = (options: Partial<NodeOptions> = {}) =>
  createNode({ url: anvil.url, chainId, timeout: 5_000, ...options })

test('a node tells its chain and its genesis, which differ from node to node', async () => {
  const other = await startAnvil(chainId, { timestamp: 1_700_000_000 })
  const one = await nodeOf().identity()
  const two = await nodeOf({ url: new URL(other.url) }).identity()
  await other.stop()
  expect(one).toEqual({ chainId, genesis: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  expect(two.genesis).not.toBe(one.genesis)
})

test('the chain sends, finds, counts, calls and estimates', async () => {
  const { chain } = nodeOf()
  const draft = { chainId, nonce: 0, gas: 200_000n, data: reverting } as const
  const { raw, hash } = await wallet.sign(draft)
  expect(await chain.receipt(hash)).toBeNull()
  expect(await chain.knows(hash)).toBe(false)
  expect(await chain.nonce(wallet.address, 'pending')).toBe(0)
  const before = await chain.blockNumber()
  expect(await chain.send(raw)).toBe(hash)
  expect(await chain.knows(hash)).toBe(true)
  await expect
    .poll(() => chain.receipt(hash), { timeout: 120_000 })
    .toMatchObject({ status: '0x1' })
  expect(await chain.nonce(wallet.address, 'latest')).toBe(1)
  expect(await chain.blockNumber()).toBe(before + 1)
  const { blockHash, contractAddress } = (await chain.receipt(hash)) ?? {}
  expect(await chain.blockHash(before + 1)).toBe(blockHash)
  expect(await chain.blockHash(before + 2)).toBeNull()
  const to = contractAddress as `0x${string}`
  expect(await chain.code(to)).toBe('0x61abcd6000526002601efd')

  const call = { from: wallet.address, to, data: '0x' } as const
  await expect(chain.call(call)).rejects.toMatchObject({ code: 3, data: '0xabcd' })
  await expect(chain.estimateGas(call)).rejects.toMatchObject({ code: 3, data: '0xabcd' })
  expect(await chain.call({ ...call, to: wallet.address })).toBe('0x')
  expect(await chain.estimateGas({ ...call, to: wallet.address, data: '0xff' })).toBe(21_040n)
  await expect(chain.send(raw)).rejects.toMatchObject({ name: 'RpcError', code: -32003 })
})

test('a payload of 1 MB passes', async () => {
  const { chain } = nodeOf()
  const data = `0x${'ab'.repeat(1_048_576)}` as const
  const gas = await chain.estimateGas({ from: wallet.address, to: wallet.address, data })
  const draft = { chainId, nonce: await chain.nonce(wallet.address, 'latest'), gas, data }
  const { raw, hash } = await wallet.sign({ ...draft, to: wallet.address })
  await chain.send(raw)
  await expect
    .poll(() => chain.receipt(hash), { timeout: 120_000 })
    .toMatchObject({ status: '0x1' })
})

test('calls and estimates have bounds, and say so', async () => {
  const asked: {
    readonly method: string
    readonly params: readonly { readonly gas?: string }[]
  }[] = []
  const node = nodeOf({
    mostEstimated: 100_000_000,
    fetch: (url, init) => {
      asked.push(JSON.parse(String(init.body)))
      return fetch(url, init)
    },
  })
  const { chain } = node
  const nonce = await chain.nonce(wallet.address, 'latest')
  // Its constructor returns `for (;;) {}`.
  const data = '0x635b6000566000526004601cf3' as const
  const { raw, hash } = await wallet.sign({ chainId, nonce, gas: 200_000n, data })
  await chain.send(raw)
  await expect
    .poll(() => chain.receipt(hash), { timeout: 120_000 })
    .toMatchObject({ status: '0x1' })
  const to = (await chain.receipt(hash))?.contractAddress as `0x${string}`
  const call = { from: wallet.address, to, data: '0x' } as const
  await expect(chain.call(call)).rejects.toThrow('gas required exceeds allowance (50000000)')
  await expect(chain.estimateGas(call)).rejects.toThrow('gas required exceeds allowance: 100000000')
  const gas = asked.flatMap(({ method, params }) =>
    /^eth_(call|estimate)/.test(method) ? [params[0]?.gas] : [],
  )
  // An estimate begins with little gas, and calls once with all of it.
  expect(gas).toEqual(['0x2faf080', '0x2dc6c0', '0x5f5e100', '0x5f5e100'])
})

test('calls of one turn go out together, 40 at most', async () => {
  const sizes: number[] = []
  const node = nodeOf({
    fetch: (url, init) => {
      const sent = JSON.parse(String(init.body))
      sizes.push(Array.isArray(sent) ? sent.length : 0)
      return fetch(url, init)
    },
  })
  await Promise.all(Array.from({ length: 50 }, () => node.rpc.ethChainId()))
  expect(sizes).toEqual([40, 10])
})

test('nothing is sent twice, whatever the node answers', async () => {
  for (const status of [503, 429]) {
    let asked = 0
    const answering = async () => {
      asked += 1
      return new Response('busy', { status, headers: { 'retry-after': '0' } })
    }
    await expect(nodeOf({ fetch: answering }).rpc.ethChainId()).rejects.toMatchObject({ status })
    expect(asked).toBe(1)
  }
})

test('a node that is silent is given up after its time, or when the caller leaves', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const node = nodeOf({ url, timeout: 60 })
  await expect(node.chain.blockNumber()).rejects.toMatchObject({ reason: 'timeout' })
  const early = node.chain.blockNumber({ timeout: 20 })
  await expect(early).rejects.toThrow('within 20 ms')
  const signal = AbortSignal.timeout(10)
  await expect(node.chain.blockNumber({ signal })).rejects.toMatchObject({ reason: 'aborted' })
  silent.closeAllConnections()
  silent.close()
})

test('the address of the node, its secrets included, is in no error', async () => {
  const secret = 'k3yOfTheOperator'
  const url = `http://operator:pa55word@127.0.0.1:1/v3/${secret}?token=t0kenOfTheOperator`
  const echo = async (address: string) =>
    Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: address } })
  const failing = async (address: string) => {
    throw new TypeError(`cannot reach ${address}`)
  }
  const denying = async () => new Response(`denied for ${url}`, { status: 403 })
  for (const given of [{}, { fetch: echo }, { fetch: failing }, { fetch: denying }]) {
    const { rpc } = nodeOf({ url, ...given })
    const error = await rpc.ethChainId().then(String, (caught: unknown) => caught)
    expect(error).toBeInstanceOf(Error)
    const shown = inspect(error, { depth: 9 }) + JSON.stringify(error)
    expect(shown).not.toMatch(/k3yOf|pa55word|t0kenOf/)
  }
})

test('an estimate of a call that takes much gas suffices, and is close', async () => {
  const { chain } = nodeOf({ mostEstimated: 100_000_000, timeout: 60_000 })
  // Its constructor counts down from 300,000.
  const data = '0x620493e05b600190038060045700' as const
  const gas = await chain.estimateGas({ from: wallet.address, data })
  const nonce = await chain.nonce(wallet.address, 'latest')
  const { raw, hash } = await wallet.sign({ chainId, nonce, gas, data })
  await chain.send(raw)
  await expect
    .poll(() => chain.receipt(hash), { timeout: 120_000 })
    .toMatchObject({ status: '0x1' })
  const used = Number((await chain.receipt(hash))?.gasUsed)
  expect(used).toBeGreaterThan(7_000_000)
  expect(Number(gas)).toBeLessThan(used * 1.02)
})
