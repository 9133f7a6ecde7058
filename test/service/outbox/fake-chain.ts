import { createHash } from 'node:crypto'
import { CallError, RpcError } from 'twinspec/runtime/errors'
import type { Hex } from 'viem'
import type { Chain, Receipt } from '../../../src/service/node/chain.js'
import type { Unsigned } from '../../../src/service/wallet/sign-legacy.js'
import type { Wallets } from '../../../src/service/wallet/wallets.js'

/** Signs without cryptography: the bytes are the transaction itself, so that the fake chain can read them back. */
export const fakeWallets: Wallets = {
  wallet: (index) => {
    const address: Hex = `0x${index.toString(16).padStart(40, '0')}`
    return {
      index,
      address,
      sign: async (transaction) => {
        if (transaction.data === '0xdead') throw new Error('this cannot be signed')
        const raw = encode({ ...transaction, from: address })
        return { raw, hash: hashOf(raw) }
      },
    }
  },
}

export type FakeTransaction = Unsigned & { readonly from: Hex }

const encode = (transaction: FakeTransaction): Hex => {
  const text = JSON.stringify({ ...transaction, gas: String(transaction.gas) })
  return `0x${Buffer.from(text).toString('hex')}`
}

export const decode = (raw: Hex): FakeTransaction => {
  const read = JSON.parse(Buffer.from(raw.slice(2), 'hex').toString()) as FakeTransaction
  return { ...read, gas: BigInt(read.gas) }
}

export const hashOf = (raw: Hex): Hex => `0x${createHash('sha256').update(raw).digest('hex')}`

/**
 * A node in this process: a chain with an account's nonces in strict order, and a pool that keeps what has a gap before it.
 * It mines when it is asked to, or at once.
 */
export function createFakeChain(options: FakeOptions = {}): FakeChain {
  let blocks: Block[] = []
  let made = 0
  const add = (transactions: readonly Mined[]) =>
    blocks.push({ hash: hashOf(`0x${(made++).toString(16)}`), transactions })
  add([])
  let pool = new Map<Hex, Hex>()
  const sent: Hex[] = []
  const mined = () => blocks.flatMap(({ transactions }) => transactions)
  const nonceOf = (address: Hex) => mined().filter(({ from }) => from === address).length
  const counts = new Map<Hex, number>()
  const count = (address: Hex) => {
    if (!counts.has(address)) counts.set(address, nonceOf(address))
    return counts.get(address) as number
  }
  const byHash = new Map<Hex, Mined & { block: number }>()

  const mine = (): number => {
    const block: Mined[] = []
    let found = true
    while (found) {
      found = false
      for (const [hash, raw] of pool) {
        const { from, nonce } = decode(raw)
        if (nonce < count(from)) pool.delete(hash)
        if (nonce !== count(from)) continue
        pool.delete(hash)
        block.push({ hash, from, nonce, raw })
        byHash.set(hash, { hash, from, nonce, raw, block: blocks.length })
        counts.set(from, nonce + 1)
        found = true
      }
    }
    if (block.length > 0) add(block)
    return block.length
  }

  const take = (raw: Hex): Hex => {
    const hash = hashOf(raw)
    const transaction = decode(raw)
    sent.push(hash)
    const refusal = options.refuse?.(transaction, raw)
    if (refusal) throw refused(refusal)
    if (transaction.nonce < count(transaction.from)) throw refused('nonce too low')
    if (pool.has(hash)) throw refused('already known')
    for (const other of pool.values()) {
      const { from, nonce } = decode(other)
      if (from === transaction.from && nonce === transaction.nonce) {
        throw refused('replacement transaction underpriced')
      }
    }
    pool.set(hash, raw)
    if (options.mining !== 'manual') mine()
    return hash
  }

  const answer = async <T>(name: keyof Chain, run: () => T): Promise<T> => {
    await options.before?.(name)
    const value = run()
    await options.after?.(name)
    return value
  }
  const receiptOf = (hash: Hex): Receipt | null => {
    const found = byHash.get(hash)
    if (!found) return null
    const reverted = options.reverts?.(decode(found.raw)) ?? false
    return {
      transactionHash: hash,
      blockNumber: `0x${found.block.toString(16)}`,
      blockHash: blocks[found.block]?.hash,
      status: reverted ? '0x0' : '0x1',
    } as unknown as Receipt
  }

  return {
    id: 20180427,
    send: (raw) => answer('send', () => take(raw)),
    receipt: (hash) => answer('receipt', () => receiptOf(hash)),
    knows: (hash) => answer('knows', () => pool.has(hash) || byHash.has(hash)),
    nonce: (address, block) =>
      answer('nonce', () => {
        let next = count(address)
        if (block === 'latest') return next
        const pooled = [...pool.values()].map(decode).filter(({ from }) => from === address)
        while (pooled.some(({ nonce }) => nonce === next)) next++
        return next
      }),
    blockNumber: () => answer('blockNumber', () => blocks.length - 1),
    blockHash: (height) => answer('blockHash', () => blocks[height]?.hash ?? null),
    code: async () => '0x',
    call: async () => '0x',
    estimateGas: async () => 21_000n,
    mine,
    mineEmpty: (count) => {
      for (let i = 0; i < count; i++) add([])
    },
    mined,
    sent: () => sent,
    pooled: () => pool.size,
    put: (raw) => take(raw),
    forgetPool: () => {
      pool = new Map()
    },
    goBackTo: (height) => {
      blocks = blocks.slice(0, height + 1)
      counts.clear()
      for (const [hash, { block }] of byHash) if (block > height) byHash.delete(hash)
    },
    height: () => blocks.length - 1,
  }
}

export type FakeOptions = {
  readonly mining?: 'instant' | 'manual'
  /** The words with which a transaction is refused. */
  readonly refuse?: (transaction: FakeTransaction, raw: Hex) => string | undefined
  readonly reverts?: (transaction: FakeTransaction) => boolean
  /** May throw, or never resolve: the node got nothing of the call. */
  readonly before?: (name: keyof Chain) => unknown
  /** May throw, or never resolve: the node did what it was asked, and its answer is lost. */
  readonly after?: (name: keyof Chain) => unknown
}

/** Two blocks of one height have different hashes. */
type Block = { readonly hash: Hex; readonly transactions: readonly Mined[] }

export type Mined = {
  readonly hash: Hex
  readonly from: Hex
  readonly nonce: number
  readonly raw: Hex
}

export type FakeChain = Chain & {
  /** Mines what can be mined; answers how many that were. */
  readonly mine: () => number
  /** Mines blocks without transactions, whatever the pool has. */
  readonly mineEmpty: (count: number) => void
  /** In the order of the chain. */
  readonly mined: () => readonly Mined[]
  /** Hashes of all that was ever handed over. */
  readonly sent: () => readonly Hex[]
  readonly pooled: () => number
  /** A transaction from elsewhere. */
  readonly put: (raw: Hex) => Hex
  readonly forgetPool: () => void
  readonly goBackTo: (height: number) => void
  readonly height: () => number
}

const refused = (message: string) =>
  new RpcError({ code: -32000, message, method: 'eth_sendRawTransaction' })

export const noAnswer = () =>
  new CallError({ reason: 'network', operation: 'eth_sendRawTransaction', message: 'no answer' })
