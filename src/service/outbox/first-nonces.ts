import type { Chain } from '../node/chain.js'
import type { Store } from '../store/store.js'
import type { Wallets } from '../wallet/wallets.js'
import { createGroup } from './group.js'

/**
 * Asks the chain for the nonce of a wallet that never sent, once for all who wait for it; undefined where the store has one. It
 * is asked before anything is locked, so that a node that does not answer holds up the new wallet alone.
 */
export function createFirstNonces({ store, wallets, chain }: FirstNoncesOptions): FirstNonces {
  /** Wallets that are known to have a nonce in the store; it is never taken back. */
  const begun = new Set<number>()
  const asking = new Map<number, Promise<number>>()
  const lookUp = createGroup<number, boolean>(
    async (indices) => {
      const rows = await store.query<{ index: number }>(
        'select index from wallet where index = any($1::int[]) and next_nonce is not null',
        [[...new Set(indices)]],
      )
      for (const { index } of rows) begun.add(index)
      return indices.map((index) => begun.has(index))
    },
    { atMost: 256 },
  )
  return async (index) => {
    if (begun.has(index) || (await lookUp.ask(index))) return undefined
    const asked =
      asking.get(index) ??
      chain.nonce(wallets.wallet(index).address, 'pending').finally(() => asking.delete(index))
    asking.set(index, asked)
    return asked
  }
}

type FirstNoncesOptions = {
  readonly store: Store
  readonly wallets: Wallets
  readonly chain: Chain
}

type FirstNonces = (wallet: number) => Promise<number | undefined>
