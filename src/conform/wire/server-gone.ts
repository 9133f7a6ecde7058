import { type Exchange, isLate, isUnreachable, type Sent } from './exchange.js'

/** The server accepts no connection any more, or answers nothing any more: whatever else is sent would only show that again. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone'
  readonly rule: 'server-unreachable' | 'server-stopped-responding'
  /** The request that most likely ended the server: the first one without a response, else the last one that had a response. */
  readonly exchange: Exchange

  constructor(rule: ServerGone['rule'], exchange: Exchange) {
    super(
      rule === 'server-unreachable'
        ? 'the server accepts no connections any more'
        : 'the server answers no requests any more',
    )
    this.rule = rule
    this.exchange = exchange
  }
}

/** Watches whether the server is still there. */
export const watchServer = ({ sleep, control }: Watching): Watch => {
  let suspect: Exchange | undefined
  const note = (exchange: Exchange) => {
    if (isUnreachable(exchange)) return
    // Of several requests without a response, the first one is the cause of the others.
    if (exchange.answer !== undefined || suspect === undefined || suspect.answer !== undefined)
      suspect = exchange
  }
  /** Asks for something that was answered before, until it is answered again. */
  const assertAnswers = async (late: Exchange): Promise<void> => {
    for (let attempt = 0; attempt < CONTROLS; attempt++) {
      const exchange = await control(late.sent)
      // Nothing is known of a server that has answered nothing yet. Whether it is gone shows with the next request.
      if (exchange === undefined || !isLate(exchange)) return
    }
    throw new ServerGone('server-stopped-responding', suspect ?? late)
  }
  const watching =
    (afterLate: (late: Exchange) => Promise<void>): Watch['watched'] =>
    async (send) => {
      for (const pause of PAUSES) {
        const exchange = await send()
        if (!isUnreachable(exchange)) {
          note(exchange)
          if (isLate(exchange)) await afterLate(exchange)
          return exchange
        }
        // The server was never reached: the address is wrong.
        if (suspect === undefined) return exchange
        await sleep(pause)
      }
      throw new ServerGone('server-unreachable', suspect as Exchange)
    }
  return { note, watched: watching(assertAnswers), watchedBusy: watching(async () => undefined) }
}

export type Watch = {
  /** Remembers the request that a failure of the server will be blamed on. */
  readonly note: (exchange: Exchange) => void
  /**
   * Sends, and sends again while no connection is accepted, in case somebody restarts the server. Rejects with ServerGone where the
   * server does not come back, or where it answers nothing any more after a late response.
   */
  readonly watched: (send: () => Promise<Exchange>) => Promise<Exchange>
  /** The same where a late response says nothing, because the server is kept busy. */
  readonly watchedBusy: (send: () => Promise<Exchange>) => Promise<Exchange>
}

type Watching = {
  readonly sleep: (milliseconds: number) => Promise<void>
  /** Sends to the same host what was answered there before; undefined where nothing was. */
  readonly control: (late: Sent) => Promise<Exchange | undefined>
}

/** Milliseconds. */
const PAUSES = [500, 2_000, 5_000, 0]

/** A server that is busy for a while is given so many times the time of one response. */
const CONTROLS = 3
