import type { Exchange } from './exchange.js'
import { isUnreachable } from './wire.js'

/** The server was met, and takes no connections any more: whatever else is asked would only say that again. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone'
  /** The last one that somebody took: what it asks may be what ended the server. */
  readonly exchange: Exchange

  constructor(exchange: Exchange) {
    super('the server takes no connections any more')
    this.exchange = exchange
  }
}

/** Sends again while nobody takes the connection, in case somebody starts the server anew. Rejects with ServerGone. */
export const watchServer = (sleep: (milliseconds: number) => Promise<void>) => {
  let last: Exchange | undefined
  return async (send: () => Promise<Exchange>): Promise<Exchange> => {
    for (const pause of PAUSES) {
      const exchange = await send()
      if (!isUnreachable(exchange)) {
        last = exchange
        return exchange
      }
      // Nobody has been met before: what is wrong is the address.
      if (last === undefined) return exchange
      await sleep(pause)
    }
    throw new ServerGone(last as Exchange)
  }
}

/** Milliseconds. */
const PAUSES = [500, 2_000, 5_000, 0]
