import type { Chain } from 'viem'
import type { Server } from '../operation.js'

/** The documented server of a chain, by its id; undefined where there is none, or no chain. */
export const serverOfChain = (
  servers: readonly Server[],
  chain: Chain | undefined,
): string | undefined => chain && servers.find(({ chainId }) => chainId === chain.id)?.name
