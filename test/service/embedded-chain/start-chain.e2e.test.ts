import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type ChainOptions,
  type EmbeddedChain,
  startChain,
} from '../../../src/service/embedded-chain/start-chain.js'
import { readState } from '../../../src/service/embedded-chain/state-file.js'
import { forkOurs } from '../../../src/service/fork.js'
import { createNode } from '../../../src/service/node/node.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'
import { builtProcess } from '../../built/process.js'
import { commandOf, processesWith } from './running.js'

// A busy machine takes seconds to start an anvil.
vi.setConfig({ testTimeout: 90_000 })

const patience = { timeout: 120_000, interval: 5 }

const chainId = 20180427
const log = pino({ level: 'silent' })
const wallet = createWallets('test test test test test test test test test test test junk').wallet(
  1,
)

let data: string
let chains: EmbeddedChain[]
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'twinspec-test-'))
  chains = []
})
afterEach(async () => {
  await Promise.all(chains.map((chain) => chain.close()))
  expect(processesWith(data)).toEqual([])
  rmSync(data, { recursive: true })
})

const start = async (options: Partial<ChainOptions> = {}) => {
  const chain = await startChain({ chainId, folder: data, log, ...options })
  chains.push(chain)
  return chain
}

const nodeAt = (url: string) => createNode({ url, chainId, timeout: 20_000 })

const write = async (url: string, nonce: number) => {
  const { chain } = nodeAt(url)
  const draft = { chainId, nonce, gas: 100_000n, to: wallet.address, data: '0xabcd' } as const
  const { raw, hash } = await wallet.sign(draft)
  await chain.send(raw)
  await expect.poll(() => chain.receipt(hash), patience).toMatchObject({ status: '0x1' })
  return hash
}

/** All that a user could look up about a transaction. */
const lookUp = async (url: string, hash: `0x${string}`) => {
  const { rpc, identity } = nodeAt(url)
  const receipt = await rpc.ethGetTransactionReceipt(hash)
  return {
    receipt,
    identity: await identity(),
    transaction: await rpc.ethGetTransactionByHash(hash),
    block: await rpc.ethGetBlockByHash(receipt?.blockHash ?? '0x', true),
    nonce: await rpc.ethGetTransactionCount(wallet.address, 'latest'),
    newest: await rpc.ethBlockNumber(),
  }
}

test('gas is free, there are no accounts, and the clock is right', async () => {
  const { rpc } = nodeAt((await start()).url)
  const newest = async () => await rpc.ethGetBlockByNumber('latest', false)
  expect(await rpc.ethAccounts()).toEqual([])
  expect(await rpc.ethGasPrice()).toBe('0x0')
  expect(await newest()).toMatchObject({ baseFeePerGas: '0x0', gasLimit: '0x3b9aca00' })
  const since = Date.now()
  await write(chains[0]?.url ?? '', 0)
  expect(await newest()).toMatchObject({ baseFeePerGas: '0x0' })
  expectMinedSince(since, (await newest())?.timestamp)
  const sent = rpc.ethSendTransaction({ from: wallet.address, to: wallet.address })
  await expect(sent).rejects.toThrow('No Signer available')
})

test('a chain goes on where it was stopped, and another one is another', async () => {
  const first = await start()
  const hashes = [await write(first.url, 0), await write(first.url, 1)] as const
  const before = await lookUp(first.url, hashes[0])
  await first.close()
  expect(processesWith(data)).toEqual([])
  expect(readdirSync(join(data, 'chain')).sort()).toEqual(['lock', 'state'])

  const second = await start()
  expect(await lookUp(second.url, hashes[0])).toEqual(before)
  const since = Date.now()
  await write(second.url, 2)
  const { rpc } = nodeAt(second.url)
  const block = await rpc.ethGetBlockByNumber('latest', false)
  expect(block).toMatchObject({ number: '0x3', baseFeePerGas: '0x0' })
  expectMinedSince(since, block?.timestamp)

  const other = await start({ folder: undefined })
  expect((await nodeAt(other.url).identity()).genesis).not.toBe(before.identity.genesis)
})

test('a chain without a folder leaves nothing behind', async () => {
  const chain = await start({ folder: undefined })
  const [anvil] = processesWith(`--port\0${new URL(chain.url).port}\0`)
  const home = commandOf(anvil ?? 0).match(/[^\0]*twinspec-chain-[^\0/]*/)?.[0] ?? ''
  expect(existsSync(join(home, 'state'))).toBe(true)
  await chain.close()
  expect(existsSync(home)).toBe(false)
  expect(processesWith(home)).toEqual([])
})

test('a gateway that is killed loses nothing', async () => {
  const program = await builtProcess(new URL('gateway-process.ts', import.meta.url))
  const gateway = forkOurs(program, { args: [data] })
  const url = await new Promise<string>((resolve) => {
    gateway.on('message', (message: { kind?: string; url: string }) => {
      if (message.kind === 'chain') resolve(message.url)
    })
  })
  const hash = await write(url, 0)
  const before = await lookUp(url, hash)
  gateway.kill('SIGKILL')
  await once(gateway, 'exit')
  // At once, while the supervisor of the killed one still saves.
  const { url: next } = await start()
  expect(await lookUp(next, hash)).toEqual(before)
})

test('an anvil that is killed is followed by one at the same address', async () => {
  const { url } = await start({ savePause: 20 })
  const hash = await write(url, 0)
  const before = await lookUp(url, hash)
  await expect.poll(() => isSaved(hash), patience).toBe(true)
  const anvil = only(anvils())
  process.kill(anvil, 'SIGKILL')
  await expect.poll(() => followers(anvil), patience).toHaveLength(1)
  await expect.poll(() => lookUp(url, hash).catch(String), patience).toEqual(before)
  await write(url, 1)
})

test('a supervisor that is killed is followed by one at the same address', async () => {
  const { url } = await start({ savePause: 20 })
  const hash = await write(url, 0)
  const before = await lookUp(url, hash)
  await expect.poll(() => isSaved(hash), patience).toBe(true)
  const supervisor = only(supervisors())
  const orphan = only(anvils())
  process.kill(supervisor, 'SIGKILL')
  // The anvil of the killed one answers on until the next supervisor ends it, and nobody saves what it is given meanwhile.
  await expect.poll(() => followers(orphan), patience).toHaveLength(1)
  await expect.poll(() => lookUp(url, hash).catch(String), patience).toEqual(before)
  await write(url, 1)
  expect(followers(orphan)).toEqual(anvils())
  expect(only(supervisors())).not.toBe(supervisor)
})

test('a state that cannot be used is reported and left as it is', async () => {
  await (await start()).close()
  const path = join(data, 'chain', 'state')
  const torn = readFileSync(path).subarray(0, -20)
  writeFileSync(path, torn)
  const error = await start().then(
    () => new Error('it started'),
    (thrown: Error) => thrown,
  )
  expect(error.message).toMatch(new RegExp(`^${path} is damaged: [^\n]*--data$`))
  expect(readFileSync(path)).toEqual(torn)
})

test('two gateways do not share a folder', async () => {
  await start()
  const error = await start({ patience: 100 }).then(
    () => new Error('it started'),
    (thrown: Error) => thrown,
  )
  expect(error.message).toContain(`${join(data, 'chain')} is in use by process`)
})

/** To two seconds: a block is a second after the one before it at least. */
const expectMinedSince = (since: number, timestamp: string | undefined) => {
  expect(Number(timestamp)).toBeGreaterThan(since / 1_000 - 2)
  expect(Number(timestamp)).toBeLessThan(Date.now() / 1_000 + 2)
}

const isSaved = async (hash: `0x${string}`) => {
  const { json = '' } = (await readState(join(data, 'chain', 'state'), chainId)) ?? {}
  return Buffer.from(json).includes(hash)
}

const anvils = () => processesWith('anvil\0--host').filter((one) => ofData(one))

const supervisors = () => processesWith('supervisor').filter((one) => ofData(one))

/** The only process of a kind: a signal to process 0 would end all of the test's group. */
const only = (pids: readonly number[]): number => {
  expect(pids).toHaveLength(1)
  return pids[0] as number
}

const followers = (former: number | undefined) => anvils().filter((pid) => pid !== former)

const ofData = (pid: number) => processesWith(data).includes(pid)
