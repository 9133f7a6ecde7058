import { CallError, RpcError } from 'twinspec/runtime/errors'
import { type Hex, keccak256 } from 'viem'
import type { Chain } from '../node/chain.js'
import type { Send } from './method-parts.js'

/**
 * Throws geth's refusal of a transaction that is signed for another chain: anvil answers its hash and drops it. On our own
 * chain one that is signed for no chain is refused too, as geth does unless it is configured otherwise; the owner of another node
 * has done that. What cannot be read is left to the node.
 */
export const refuseForeign = (raw: unknown, { id, embedded }: ChainTerms): void => {
  const signed = chainIdOf(Buffer.from(String(raw).slice(2), 'hex'))
  if (signed === 'none') {
    if (embedded) throw rejected('only replay-protected (EIP-155) transactions allowed over RPC')
  } else if (signed !== undefined && signed !== BigInt(id))
    throw rejected(`invalid sender: invalid chain id for signer: have ${signed} want ${id}`)
}

type ChainTerms = { readonly id: number; readonly embedded: boolean }

/** Reads no more than leads to it: a transaction may have a megabyte. */
const chainIdOf = (bytes: Buffer): bigint | 'none' | undefined => {
  const [type = 0] = bytes
  const list = itemAt(bytes, type < 0x80 ? 1 : 0)
  if (list?.isList !== true) return undefined
  const first = itemAt(bytes, list.start)
  if (type >= LIST) return ofLegacy(bytes, first)
  if (type < 1 || type > 4) return undefined
  // Blobs travel in a list with their transaction before them (EIP-4844).
  const id = first?.isList ? itemAt(bytes, first.start) : first
  return id && numberIn(bytes, id)
}

/** EIP-155: the seventh item is 27 or 28 where no chain is named, else twice its id and 35 or 36. */
const ofLegacy = (bytes: Buffer, first: Item | undefined): bigint | 'none' | undefined => {
  let item = first
  for (let index = 0; index < 6 && item !== undefined; index += 1) item = itemAt(bytes, item.end)
  const v = item && numberIn(bytes, item)
  if (v === undefined) return undefined
  if (v === 27n || v === 28n) return 'none'
  return v < 35n ? undefined : (v - 35n) / 2n
}

type Item = { readonly isList: boolean; readonly start: number; readonly end: number }

/** Where the RLP item that begins at `at` has its content; undefined where there is none or not all of it. */
const itemAt = (bytes: Buffer, at: number): Item | undefined => {
  const prefix = bytes[at]
  if (prefix === undefined) return undefined
  if (prefix < 0x80) return { isList: false, start: at, end: at + 1 }
  const isList = prefix >= LIST
  const short = prefix - (isList ? LIST : 0x80)
  const sizeOfLength = Math.max(short - 55, 0)
  const start = at + 1 + sizeOfLength
  if (sizeOfLength > 4 || start > bytes.length) return undefined
  const length = sizeOfLength === 0 ? short : bytes.readUIntBE(at + 1, sizeOfLength)
  return start + length > bytes.length ? undefined : { isList, start, end: start + length }
}

const LIST = 0xc0

const numberIn = (bytes: Buffer, { isList, start, end }: Item): bigint | undefined =>
  isList || end - start > 32 ? undefined : BigInt(`0x0${bytes.toString('hex', start, end)}`)

const rejected = (message: string): RpcError => new RpcError({ code: -32000, message })

/**
 * eth_sendRawTransactionSync on nodes that take no timeout: it is kept here. Rejects with error 4 and the hash where the
 * transaction waits in the pool when the time is over. A caller who asks for more than `longest` milliseconds is given these.
 */
export const sendAndWait =
  (send: Send, chain: Pick<Chain, 'knows'>, longest: number): Send =>
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

/** Milliseconds for a node that keeps the time itself to say so. */
const GRACE = 1_000

const waitHere = async (
  send: Send,
  chain: Pick<Chain, 'knows'>,
  raw: unknown,
  options: Parameters<Send>[1],
): Promise<unknown> => {
  try {
    return await send([raw], options)
  } catch (error) {
    return lateOrLost(error, chain, raw)
  }
}

/** A node that says nothing in time may have the transaction all the same. */
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
