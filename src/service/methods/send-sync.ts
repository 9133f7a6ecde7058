import { CallError, RpcError } from 'twinspec/runtime/errors'
import { type Hex, keccak256 } from 'viem'
import type { Chain } from '../node/chain.js'
import type { Send } from './send.js'

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
