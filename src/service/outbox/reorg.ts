import type { Chain } from '../node/chain.js'
import type { Wallets } from '../wallet/wallets.js'
import type { Ledger } from './ledger.js'
import type { WalletWorkers } from './wallet-workers.js'

/**
 * Finds the wallets whose transactions the chain had and has no more; their lanes find out what to send again. Those without a
 * lane are asked for until they have one: there may be no room, and of a process that was killed they are free only when its
 * leases end.
 */
export function createReorgWatch({ chain, wallets, ledger, lanes }: ReorgWatchOptions): ReorgWatch {
  let suspected = true
  /** Wallets without a lane that the chain was found behind with, with the nonces that the store has. */
  let behind: ReadonlyMap<number, number> = new Map()

  const find = async (among: ReadonlyMap<number, number>) => {
    const left = new Map<number, number>()
    const spent = [...among]
    for (let at = 0; at < spent.length; at += BATCH) {
      await Promise.all(
        spent.slice(at, at + BATCH).map(async ([wallet, nonce]) => {
          const { address } = wallets.wallet(wallet)
          if ((await chain.nonce(address, 'latest')) >= nonce) return
          if (!lanes.readAnew(wallet)) left.set(wallet, nonce)
        }),
      )
    }
    return left
  }

  return {
    suspect: () => {
      suspected = true
    },
    look: async () => {
      if (!suspected && behind.size === 0) return
      const all = suspected
      suspected = false
      try {
        behind = await find(all ? await ledger.spent() : behind)
      } catch (error) {
        suspected ||= all
        throw error
      }
      lanes.require([...behind.keys()])
    },
  }
}

/** Calls that one request takes. */
const BATCH = 40

type ReorgWatchOptions = {
  readonly chain: Chain
  readonly wallets: Wallets
  readonly ledger: Ledger
  readonly lanes: WalletWorkers
}

type ReorgWatch = {
  /** The chain may have lost blocks: the next look is at all wallets. */
  readonly suspect: () => void
  readonly look: () => Promise<void>
}
