import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompiler } from '../../../src/service/compiler/create-compiler.js'
import { createOutbox } from '../../../src/service/outbox/create-outbox.js'
import type { Outbox } from '../../../src/service/outbox/outbox.js'
import { openStore } from '../../../src/service/store/open-store.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'
import { type Anvil, startAnvil } from '../anvil.js'
import { processesWith } from '../embedded-chain/running.js'
import { account, sign } from '../methods/seed.js'
import { type Service, scriptNode, startMethods } from '../methods/service.js'
import { type Served, serve } from '../zkt/fixture.js'

const log = pino({ level: 'silent' })
const wallets = createWallets('test test test test test test test test test test test junk')
const word = (rounds: number): Hex => `0x${rounds.toString(16).padStart(64, '0')}`

/** As often as its first word says, calls nobody with the first 100,000 bytes of its memory. */
const loop = '5f355b5f5f620186a05f5f61dead5af1506001900380600257'
/** Creates a contract with the code. */
const creating = (code: string): Hex => {
  const size = (code.length / 2).toString(16).padStart(4, '0')
  return `0x61${size}600d5f3961${size}5ff3${code}`.replace('600d', '600c') as Hex
}
/** Does the same 20,000 times in its constructor. */
const bomb: Hex = `0x614e20${loop.slice(4).replace(/02(57)$/, '03$1')}`

let anvil: Anvil
let pid: number
let service: Service
let zkt: Served
let outbox: Outbox
let looper: Hex
let nonce = 0
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  closers.push(anvil.stop)
  pid = processesWith(`--port\0${new URL(anvil.url).port}\0`)[0] ?? 0
  service = startMethods({ url: anvil.url, settings: { upstream: undefined } })
  const store = await openStore({ log })
  closers.push(store.close)
  const { chain } = service.node
  outbox = createOutbox({ store, wallets, chain, log })
  closers.push(outbox.stop)
  const compiler = createCompiler({ processes: 1, seconds: 20, megabytes: 700, log })
  closers.push(compiler.close)
  zkt = serve({ outbox, chain, compiler, wallets, waitMilliseconds: 20_000 })
  looper = (await mined({ data: creating(loop) })).contractAddress
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

type Request = Parameters<typeof sign>[0]

const mined = async (request: Request) => {
  const raw = await sign({ nonce, ...request })
  const answer = await service.call('eth_sendRawTransactionSync', [raw])
  expect(answer).toMatchObject({ result: { status: '0x1' } })
  nonce += 1
  return answer.result as { readonly contractAddress: Hex }
}

/** Megabytes that the chain has in memory. */
const memory = () => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}

const message = 'transaction too large: it makes the chain remember more than 32 MB of inner calls'

const heavy = (): readonly Request[] => [
  { to: looper, data: word(35_000), gas: 10_000_000n },
  // Whatever becomes of it in the end.
  { to: looper, data: word(0), gas: 3_000_000n },
  { data: bomb, gas: 10_000_000n },
]

test('what would fill the memory of the chain is sent in no way', async () => {
  const consent = (raw: Hex) =>
    account.signMessage({
      message: `I consent to be a sponsor of transaction: ${keccak256(raw)}`,
    })
  for (const request of heavy()) {
    const raw = await sign({ nonce, ...request })
    for (const method of ['eth_sendRawTransaction', 'eth_sendRawTransactionSync'])
      expect(await service.call(method, [raw])).toEqual({ error: { code: -32000, message } })
    const sponsored = [raw, account.address, await consent(raw)]
    expect(await service.call('chain_sendSponsoredTransaction', sponsored)).toEqual({
      error: { code: 1, message },
    })
  }
  const call = await zkt.post({
    to: looper,
    abi: ['function f()'],
    method: 'f',
    arguments: [],
  })
  expect(call).toMatchObject({ status: 400, body: { errorCode: 'EXECUTION_REVERTED' } })
  expect(memory()).toBeLessThan(500)
})

test('a contract that fills it is neither deployed nor called without a key', async () => {
  const code = (where: string) => `
    // SPDX-License-Identifier: MIT
    pragma solidity ^0.8.0;
    contract Bomb {
      ${where} {
        assembly {
          for { let i := 0 } lt(i, 8000) { i := add(i, 1) } {
            pop(call(gas(), 0xdead, 0, 0, 100000, 0, 0))
          }
        }
      }
    }`
  const deploy = (where: string) => zkt.post({ code: code(where), arguments: [] })
  const refusal = {
    status: 400,
    body: { errorCode: 'EXECUTION_REVERTED', details: expect.stringContaining(message) },
  }
  expect(await deploy('constructor()')).toMatchObject(refusal)
  const { body } = await deploy('function go() external')
  expect(body).toMatchObject({ success: true })
  const to = body.contractAddress
  expect(await zkt.post({ to, abi: ['function go()'], method: 'go', arguments: [] })).toMatchObject(
    refusal,
  )
  expect(memory()).toBeLessThan(500)
})

test('what is in the store already ends there, and what follows it is mined', async () => {
  const wallet = 3
  const bad = await outbox.enqueue({ kind: 'deploy', wallet, data: bomb, gas: 10_000_000n })
  const { address: to } = wallets.wallet(wallet)
  const good = await outbox.enqueue({ kind: 'message', wallet, to, data: '0xab', gas: 22_000n })
  const status = async (queueId: string) => (await zkt.look(queueId)).body
  await expect
    .poll(() => status(bad.queueId), { timeout: 120_000 })
    .toMatchObject({
      status: 'error',
      errorMessage: `the node rejected the transaction: ${message}`,
    })
  await expect
    .poll(() => status(good.queueId), { timeout: 120_000 })
    .toMatchObject({
      status: 'completed',
    })
  expect(memory()).toBeLessThan(500)
})

test('the largest contract, a megabyte of data and ordinary calls pass', async () => {
  await mined({ data: creating(`00${'5b'.repeat(24_575)}`), gas: 10_000_000n })
  await mined({ to: looper, data: word(100), gas: 1_000_000n })
  // So little gas makes nothing large, whatever it was meant to do.
  const raw = await sign({ nonce, to: looper, data: word(35_000), gas: 60_000n })
  expect(await service.call('eth_sendRawTransaction', [raw])).toEqual({ result: keccak256(raw) })
  nonce += 1
  const { chain } = service.node
  const data: Hex = `${word(1)}${'cd'.repeat(1_000_000)}`
  // One of them has code, so that it is run before it is sent.
  for (const to of [account.address, looper]) {
    expect(await chain.estimateGas({ from: account.address, to, data })).toBeGreaterThan(
      40_000_000n,
    )
    const large = await sign({ nonce, to, data, gas: 42_000_000n })
    expect(await chain.send(large)).toBe(keccak256(large))
    nonce += 1
    const look = () => chain.receipt(keccak256(large))
    await expect.poll(look, { timeout: 120_000 }).toMatchObject({ status: '0x1' })
  }
})

test("somebody else's node is sent it without a question", async () => {
  const { calls, fetch } = scriptNode(({ params }) => ({ result: keccak256(params[0] as Hex) }))
  const raw = await sign({ to: looper, data: word(35_000), gas: 10_000_000n })
  const answer = await startMethods({ fetch }).call('eth_sendRawTransaction', [raw])
  expect(answer).toEqual({ result: keccak256(raw) })
  expect(calls).toEqual([{ method: 'eth_sendRawTransaction', params: [raw] }])
})
