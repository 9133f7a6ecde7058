import { randomUUID } from 'node:crypto'
import { getAddress, type Hex, keccak256, numberToHex } from 'viem'
import { expect } from 'vitest'
import { createServer, notOffered, toFetchHandler } from '../../../generated/server.js'
import { createLimits } from '../../../src/service/access/limits.js'
import type { Compiler } from '../../../src/service/compiler/compiler.js'
import type { Chain, Receipt } from '../../../src/service/node/chain.js'
import type { AcceptedSubmission, Outbox, Submission } from '../../../src/service/outbox/outbox.js'
import type { Wallets } from '../../../src/service/wallet/wallets.js'
import { createZkt, type ZktParts } from '../../../src/service/zkt/zkt.js'

/** The generated server around the handlers, its parts played by the test unless they are given. Every answer is checked. */
export const serve = (given: Partial<ZktParts> = {}): Served => {
  const accepted: (Submission & AcceptedSubmission)[] = []
  const parts: ZktParts = {
    outbox: outboxInto(accepted),
    chain: chainOf({}),
    compiler: neverCompiles,
    wallets,
    walletOf: ({ auth }) => (auth.apiKey === undefined ? 0 : 7),
    callerOf: ({ auth, remoteAddress }) =>
      auth.apiKey === undefined
        ? { name: `address ${remoteAddress}`, isKeyed: false }
        : { name: `key ${auth.apiKey}`, isKeyed: true },
    limits: createLimits({
      settings: { rpcLimit: 0, zktLimit: 0, tryItOutLimit: 0, statusLimit: 0 },
    }),
    waitMilliseconds: 50,
    ...given,
  }
  const faults: unknown[] = []
  const server = createServer(
    { ...notOffered, ...createZkt(parts) },
    { validateOutput: true, basePath: '', onError: (error) => faults.push(error) },
  )
  const handle = toFetchHandler(server)
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await handle(new Request(`http://127.0.0.1${path}`, init))
    const text = await response.text()
    expect(faults).toEqual([])
    return { status: response.status, body: JSON.parse(text), headers: response.headers }
  }
  const post = (body: unknown, options: { path?: string; signal?: AbortSignal } = {}) =>
    send(options.path ?? '/zkt/try-it-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(options.signal && { signal: options.signal }),
    })
  return { post, look: (id) => send(`/gtn/v1/zkt/transaction/${id}`, {}), accepted }
}

export type Served = {
  readonly post: (
    body: unknown,
    options?: { path?: string; signal?: AbortSignal },
  ) => Promise<Answer>
  readonly look: (queueId: string) => Promise<Answer>
  /** What the outbox of the test was given. */
  readonly accepted: readonly (Submission & AcceptedSubmission)[]
}

export type Answer = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what tests look into as it comes
  readonly body: any
  readonly headers: Headers
}

export const addressOf = (index: number): Hex => getAddress(numberToHex(index + 1, { size: 20 }))

const wallets: Wallets = {
  wallet: (index) => ({
    index,
    address: addressOf(index),
    sign: () => Promise.reject(new Error('the outbox signs')),
  }),
}

const outboxInto = (accepted: (Submission & AcceptedSubmission)[]): Outbox => ({
  enqueue: async (submission) => {
    const queueId = randomUUID()
    const names = {
      queueId,
      hash: keccak256(submission.data),
      from: addressOf(submission.wallet),
      nonce: accepted.length,
    }
    accepted.push({ ...submission, ...names })
    return names
  },
  find: async () => undefined,
  settled: async () => undefined,
  depth: () => Promise.reject(new Error('not asked here')),
  stop: async () => undefined,
})

/** An outbox that takes everything and behaves as said. */
export const outboxOf = (some: Partial<Outbox>): Outbox => ({ ...outboxInto([]), ...some })

/** A chain on which every address has code, and every call takes 50,000 units of gas and returns nothing. */
export const chainOf = (some: Partial<Chain>): Chain => {
  const unasked = () => Promise.reject(new Error('not asked here'))
  return {
    id: 20180427,
    send: unasked,
    receipt: unasked,
    knows: unasked,
    nonce: unasked,
    blockNumber: unasked,
    blockHash: unasked,
    code: async () => '0x60',
    call: async () => '0x',
    estimateGas: async () => 50_000n,
    ...some,
  }
}

const neverCompiles: Compiler = {
  compile: () => Promise.reject(new Error('not asked here')),
  close: async () => undefined,
}

export const receiptOf = (hash: Hex): Receipt => ({
  type: '0x0',
  status: '0x1',
  transactionHash: hash,
  transactionIndex: '0x0',
  blockHash: hash,
  blockNumber: '0x1',
  from: addressOf(0),
  to: addressOf(0),
  contractAddress: null,
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  effectiveGasPrice: '0x0',
  logs: [],
  logsBloom: `0x${'0'.repeat(512)}`,
})
