import { SuiJsonRpcClient } from '@mysten/sui/jsonRpc'

const OWNER = '0x1a7e4a8f5a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5'

export async function run(url, print) {
  const sui = new SuiJsonRpcClient({ url: `${url}/v2`, network: 'mainnet' })
  let cursor
  do {
    const page = await sui.getCoins({ owner: OWNER, cursor, limit: 2 })
    for (const coin of page.data) print(`${coin.coinObjectId}: ${coin.balance}`)
    cursor = page.hasNextPage ? page.nextCursor : undefined
  } while (cursor !== undefined)
}
