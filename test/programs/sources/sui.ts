import { createRpcClient } from './generated/sui/rpc.client.js'

const OWNER = '0x1a7e4a8f5a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5'

/** All coins of an owner, page by page; the type of coin is skipped. */
export async function run(server: string, print: (line: string) => void): Promise<void> {
  const sui = createRpcClient({ server })
  let cursor: string | undefined
  do {
    const page = await sui.suixGetCoins(OWNER, undefined, cursor, 2)
    for (const coin of page.data ?? []) print(`${coin.coinObjectId}: ${coin.balance}`)
    // A mock answers every page alike.
    const isLast = page.hasNextPage !== true || page.nextCursor === cursor
    cursor = isLast ? undefined : (page.nextCursor ?? undefined)
  } while (cursor !== undefined)
}
