import type { HttpContext } from 'twinspec/runtime/server'
import { size } from 'viem'
import type { Submission } from '../outbox/outbox.js'
import { CHAIN_FULL } from '../retry-seconds.js'
import type { ZktParts } from './parts.js'
import { Refused } from './rejected.js'

/**
 * Takes what a submission costs the chain from the budget of its address, where its caller has no key. Throws Refused where
 * nothing is left, or where our own chain has too much in its memory. A budget of which anything is left takes any submission, so none is too large or too expensive by itself.
 */
export const takeFromBudget = async (
  { limits, walletOf, callerOf, isChainFull }: ZktParts,
  context: HttpContext,
  submission: Submission,
  innerBytes: number,
): Promise<void> => {
  if (walletOf(context) !== 0) return
  if (isChainFull?.()) throw new Refused('UNAVAILABLE', CHAIN_FULL)
  const { name } = callerOf(context)
  const costs = [
    ['try-it-out-gas', Number(submission.gas), 'gas'],
    ['try-it-out-bytes', bytesOf(submission) + innerBytes, 'data for the chain to keep'],
  ] as const
  for (const [budget, cost, what] of costs) {
    if (cost === 0) continue
    const { granted, reset } = await limits.take(budget, name, cost)
    if (granted > 0) continue
    const when = `try again in ${reset} ${reset === 1 ? 'second' : 'seconds'}`
    throw new Refused('RATE_LIMITED', `too much ${what} without an API key, ${when}`, {
      retrySeconds: reset,
    })
  }
}

/** What the chain keeps at most: the data, and logs, whose bytes cost 8 units of gas each. */
const bytesOf = ({ kind, data, gas }: Submission): number => {
  const bytes = size(data)
  if (kind === 'message') return bytes
  return bytes + Math.ceil(Math.max(0, Number(gas) - GAS_OF_BYTE * bytes) / GAS_OF_LOG_BYTE)
}

/** EIP-2028 */
const GAS_OF_BYTE = 16

/** The yellow paper's G_logdata */
const GAS_OF_LOG_BYTE = 8
