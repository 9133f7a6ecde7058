import { type Exchange, isBroken, isLate, isUnreachable, type Sent } from './exchange.js'

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

/** Watches whether the servers of a run are still there, each host by itself. */
export const watchServer = ({ sleep, controls }: Watching): Watch => {
  const suspects = new Map<string, Exchange>()
  const note = (exchange: Exchange) => {
    if (isUnreachable(exchange)) return
    const host = hostOf(exchange)
    const suspect = suspects.get(host)
    // Of several requests without a response, the first one is the cause of the others.
    if (exchange.answer !== undefined || suspect === undefined || suspect.answer !== undefined)
      suspects.set(host, exchange)
  }
  return {
    note,
    watched: async (send) => {
      for (const pause of PAUSES) {
        const exchange = await send()
        // The server was never reached: the address is wrong.
        if (!isUnreachable(exchange) || !suspects.has(hostOf(exchange))) return exchange
        await sleep(pause)
      }
      const exchange = await send()
      const suspect = suspects.get(hostOf(exchange))
      if (!isUnreachable(exchange) || suspect === undefined) return exchange
      throw new ServerGone('server-unreachable', suspect)
    },
    assertResponds: async (failed) => {
      const known = controls(failed.sent)
      const [first] = known
      // Nothing is known of a server that never responded. Whether it is gone shows with the next request.
      if (first === undefined) return
      // Each late control takes the time of a whole response. One that breaks takes none, so the server gets time to start again.
      const rounds = isLate(failed)
        ? LATE_ROUNDS.map(
            (pause, index) => [pause, [known[index % known.length] ?? first]] as const,
          )
        : BROKEN_ROUNDS.map((pause) => [pause, known] as const)
      for (const [pause, requests] of rounds) {
        if (pause > 0) await sleep(pause)
        for (const request of requests) {
          const exchange = await request()
          if (!isLate(exchange) && !isBroken(exchange)) return
        }
      }
      throw new ServerGone('server-stopped-responding', suspects.get(hostOf(failed)) ?? failed)
    },
  }
}

export type Watch = {
  /** Remembers the request that a failure of the server will be blamed on. */
  readonly note: (exchange: Exchange) => void
  /**
   * Sends, and sends again while no connection is accepted, in case somebody restarts the server. Rejects with ServerGone where the
   * server does not come back.
   */
  readonly watched: (send: () => Promise<Exchange>) => Promise<Exchange>
  /** Rejects with ServerGone where a request got no response, and requests that had one before get none any more. */
  readonly assertResponds: (failed: Exchange) => Promise<void>
}

type Watching = {
  readonly sleep: (milliseconds: number) => Promise<void>
  /** Requests of different operations that the same host answered before; each call sends one again. */
  readonly controls: (failed: Sent) => readonly (() => Promise<Exchange>)[]
}

const hostOf = ({ sent }: Exchange): string => new URL(sent.url).origin

/** Milliseconds before each attempt but the first. */
const PAUSES = [500, 2_000, 5_000]

/** Milliseconds before each round of controls. */
const LATE_ROUNDS = [0, 0, 0]
const BROKEN_ROUNDS = [0, 500, 2_000]
