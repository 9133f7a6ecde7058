import { createServer, notOffered } from './generated/sui/server.js'

const COINS = ['0xa', '0xb', '0xc'].map((coinObjectId, index) => ({
  coinObjectId,
  balance: `${(index + 1) * 1000}`,
  digest: '11111111111111111111111111111111',
}))

export const server = createServer({
  ...notOffered,
  suixGetCoins: ([, , cursor, limit = 50]) => {
    const from = Number(cursor ?? 0)
    const to = from + limit
    return { data: COINS.slice(from, to), nextCursor: `${to}`, hasNextPage: to < COINS.length }
  },
})
