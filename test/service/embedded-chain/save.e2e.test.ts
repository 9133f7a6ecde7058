import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAnvilRpc } from '../../../src/service/embedded-chain/anvil.js'
import {
  type RunningAnvil,
  runAnvil,
  statePath,
} from '../../../src/service/embedded-chain/run-anvil.js'
import { createSaver, isConsistentState } from '../../../src/service/embedded-chain/save.js'
import { readState } from '../../../src/service/embedded-chain/state-file.js'
import { createStuckWatch } from '../../../src/service/embedded-chain/stuck-transactions.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'
import { minedOn } from '../../trials/mined.js'
import { startAnvil } from '../anvil.js'

const chainId = 20180427
const { wallet } = createWallets('test test test test test test test test test test test junk')
const senders = Array.from({ length: 8 }, (_, index) => index)
const each = Array.from({ length: 200 }, (_, nonce) => nonce)

let folder: string
let anvil: RunningAnvil
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'twinspec-test-'))
  anvil = await runAnvil({ chainId, folder })
})
afterEach(async () => {
  await anvil.stop()
  rmSync(folder, { recursive: true })
})

const sign = (index: number, nonce: number) =>
  wallet(index).sign({
    ...{ chainId, nonce, gas: 100_000n, to: wallet(index).address },
    data: `0x${nonce.toString(16).padStart(8, '0')}`,
  })

const send = (raw: string) => anvil.rpc.call('eth_sendRawTransaction', raw)

const saverOf = (given: RunningAnvil) => createSaver(given, { folder, log: () => undefined })

/** What a chain says of itself: the nonces of the senders, and how many of their transactions are in its blocks. */
const booksOf = async (url: string) => {
  const transactions = await minedOn(url)
  const rpc = createAnvilRpc(url)
  const addresses = senders.map((index) => wallet(index).address)
  const nonces = await rpc.batch(addresses.map((one) => ['eth_getTransactionCount', one, 'latest']))
  const mined = addresses.map(
    (address) => transactions.filter(({ from }) => from === address.toLowerCase()).length,
  )
  return { mined, nonces: nonces.map(Number) }
}

test('whatever is mined meanwhile, a state that is saved is of one moment', async () => {
  const raws = await Promise.all(
    senders.map((index) => Promise.all(each.map(async (nonce) => (await sign(index, nonce)).raw))),
  )
  const saver = saverOf(anvil)
  const watch = createStuckWatch(anvil.rpc)
  const looking = setInterval(() => void saver.besides(watch).catch(() => undefined), 50)
  let over = false
  const sending = Promise.all(
    raws.map(async (own) => {
      for (let at = 0; at < own.length; at += 5) {
        const few = own.slice(at, at + 5)
        await anvil.rpc.batch(few.map((raw) => ['eth_sendRawTransaction', raw]))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }),
  ).finally(() => {
    over = true
  })
  const states: string[] = []
  while (!over) {
    await saver.save()
    const state = await readState(statePath(folder), chainId)
    states.push(Buffer.from(state?.json ?? '').toString())
  }
  await sending
  expect(states.length).toBeGreaterThan(1)
  for (const state of states) {
    const { accounts, blocks, transactions, best_block_number } = JSON.parse(state)
    const mined: Record<string, number> = {}
    for (const { info } of transactions) mined[info.from] = (mined[info.from] ?? 0) + 1
    const nonces = Object.entries(accounts as Record<string, { nonce: number }>)
    expect(Object.fromEntries(nonces.map(([from, { nonce }]) => [from, nonce]))).toMatchObject(
      mined,
    )
    const inBlocks = (blocks as { transactions: string[] }[]).map(
      (block) => block.transactions.length,
    )
    expect(inBlocks.reduce((sum, count) => sum + count, 0)).toBe(transactions.length)
    expect(blocks).toHaveLength(best_block_number + 1)
  }
  // What is said of a file is seen of a chain.
  const stateFile = join(folder, 'copy.json')
  writeFileSync(stateFile, String(states.at(-1)))
  const copy = await startAnvil(chainId, { stateFile, timestamp: anvil.about.born })
  const { mined, nonces } = await booksOf(copy.url)
  expect(nonces).toEqual(mined)
  await copy.stop()
  const all = senders.map(() => each.length)
  await expect
    .poll(() => booksOf(anvil.url), { timeout: 90_000 })
    .toEqual({ mined: all, nonces: all })
  clearInterval(looking)
})

test('a chain that is started again and again has one first block', async () => {
  const { genesis } = anvil.about
  for (let starts = 0; starts < 6; starts += 1) {
    await send((await sign(0, starts)).raw)
    await expect
      .poll(() => anvil.rpc.call('eth_blockNumber'), { timeout: 120_000, interval: 5 })
      .toBe(`0x${starts + 1}`)
    await saverOf(anvil).save()
    const state = JSON.parse(String((await readState(statePath(folder), chainId))?.json))
    expect(state.blocks).toHaveLength(starts + 2)
    await anvil.stop()
    // In the second in which it was born, nothing would be seen.
    await new Promise((resolve) => setTimeout(resolve, 100))
    anvil = await runAnvil({ chainId, folder })
    expect(anvil.about.genesis).toBe(genesis)
  }
})

test('one anvil does not take another for itself', async () => {
  const other = await startAnvil(chainId)
  const started = mkdtempSync(join(tmpdir(), 'twinspec-test-'))
  const port = Number(new URL(other.url).port)
  await expect(runAnvil({ chainId, folder: started, port })).rejects.toThrow(
    /ended at its start \(1\): .*[Aa]ddress already in use/,
  )
  expect(await createAnvilRpc(other.url).call('eth_blockNumber')).toBe('0x0')
  await other.stop()
  rmSync(started, { recursive: true })
})

const account = (digit: string, nonce: number) =>
  `"0x${digit.repeat(40)}":{"nonce":${nonce},"balance":"0x0"}`
const sentBy = (digit: string) =>
  `{"info":{"transaction_hash":"0x${'0'.repeat(64)}","transaction_index":0,"from":"0x${digit.repeat(40)}"}}`
const packed = (accounts: readonly string[], sent: readonly string[], more = '') =>
  gzipSync(`{"accounts":{${accounts}},"blocks":[${more}],"transactions":[${sent}]}`)

test.each([
  ['nothing was ever sent', packed([account('a', 0)], []), true],
  ['all is there', packed([account('a', 2), account('b', 9)], [sentBy('a'), sentBy('a')]), true],
  ['a transaction is missing', packed([account('a', 2)], [sentBy('a')]), false],
  ['an account is behind', packed([account('a', 1)], [sentBy('a'), sentBy('a')]), false],
  ['an account is missing', packed([account('b', 1)], [sentBy('a')]), false],
  [
    'an authorisation took a nonce',
    packed([account('a', 2)], [sentBy('a')], '{"authorizationList":[{"chainId":"0x1"}]}'),
    true,
  ],
  [
    'it is long',
    packed(
      Array.from({ length: 5 }, (_, i) => account(String(i), 10_000)),
      Array.from({ length: 50_000 }, (_, i) => sentBy(String(i % 5))),
    ),
    true,
  ],
])('a state is whole or torn: %s', async (_, state, whole) => {
  expect(await isConsistentState(state)).toBe(whole)
})
