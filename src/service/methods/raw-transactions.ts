import { CallError, RpcError } from 'twinspec/runtime/errors'
import { fromRlp, type Hex, keccak256 } from 'viem'
import type { Chain } from '../node/chain.js'
import type { SendCall } from './method-parts.js'

/**
 * Throws geth's error for a transaction that is signed for another chain: anvil would return its hash and drop it. Our own
 * chain also rejects one that is signed for no chain, which is geth's default; the owner of another node has configured that.
 * An invalid transaction is left to the node.
 */
export const rejectForeign = (raw: unknown, { id, embedded }: ChainTerms): void => {
  const signed = chainIdOf(Buffer.from(String(raw).slice(2), 'hex'))
  if (signed === 'none') {
    if (embedded) throw rejected('only replay-protected (EIP-155) transactions allowed over RPC')
  } else if (signed !== undefined && signed !== BigInt(id))
    throw rejected(`invalid sender: invalid chain id for signer: have ${signed} want ${id}`)
}

type ChainTerms = { readonly id: number; readonly embedded: boolean }

/** `none` for a legacy transaction without a chain id (EIP-155); undefined for an invalid transaction. */
const chainIdOf = (bytes: Buffer): bigint | 'none' | undefined => {
  const [type = 0] = bytes
  const fields = fieldsOf(type < 0x80 ? bytes.subarray(1) : bytes)
  if (type >= 0xc0) {
    const v = numberIn(fields[6])
    if (v === 27n || v === 28n) return 'none'
    return v === undefined || v < 35n ? undefined : (v - 35n) / 2n
  }
  if (type < 1 || type > 4) return undefined
  // Blobs are in a list, after their transaction (EIP-4844).
  const [first] = fields
  return numberIn(Array.isArray(first) ? first[0] : first)
}

/** From bytes, viem takes a tenth of the time that hexadecimal text takes. */
const fieldsOf = (rlp: Buffer): readonly unknown[] => {
  try {
    const list: unknown = fromRlp(rlp, 'bytes')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

const numberIn = (item: unknown): bigint | undefined =>
  item instanceof Uint8Array && item.length <= 32
    ? BigInt(`0x0${Buffer.from(item).toString('hex')}`)
    : undefined

const rejected = (message: string): RpcError => new RpcError({ code: -32000, message })

/**
 * eth_sendRawTransactionSync for nodes without a timeout, which is implemented here. Rejects with error 4 and the hash if the
 * transaction is still in the pool after the timeout. The timeout of a caller is at most `longest` milliseconds.
 */
export const sendAndWait =
  (send: SendCall, chain: Pick<Chain, 'knows'>, longest: number): SendCall =>
  async ([raw, asked], options) => {
    const timeout = typeof asked === 'number' ? Math.min(asked, longest) : undefined
    const patience = timeout === undefined ? options : { ...options, timeout: timeout + GRACE }
    try {
      return await send(timeout === undefined ? [raw] : [raw, timeout], patience)
    } catch (error) {
      const misread = error instanceof RpcError && error.code === -32602
      if (misread && timeout !== undefined)
        return waitHere(send, chain, raw, { ...options, timeout })
      return lateOrLost(error, chain, raw)
    }
  }

/** Milliseconds in which a node with its own timeout can respond. */
const GRACE = 1_000

const waitHere = async (
  send: SendCall,
  chain: Pick<Chain, 'knows'>,
  raw: unknown,
  options: Parameters<SendCall>[1],
): Promise<unknown> => {
  try {
    return await send([raw], options)
  } catch (error) {
    return lateOrLost(error, chain, raw)
  }
}

/** A node that does not respond in time may have received the transaction. */
const lateOrLost = async (
  error: unknown,
  chain: Pick<Chain, 'knows'>,
  raw: unknown,
): Promise<never> => {
  if (!(error instanceof CallError) || error.reason !== 'timeout') throw error
  const hash = keccak256(raw as Hex)
  const known = await chain.knows(hash).catch(() => false)
  if (!known) throw error
  const message = 'the transaction was not mined in time'
  throw new RpcError({ code: 4, message, data: hash }, { cause: error })
}
