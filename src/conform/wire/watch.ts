import { connect } from 'node:tls'
import type { Api } from '../../model/api.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import { CaseStopped } from '../case.js'
import { isDuplexUrl, originOf, STDIO_URL } from '../duplex/address.js'
import { ownName } from '../operations.js'
import { operationCalled } from '../responses/read.js'
import { type Target, TargetError } from '../target.js'
import { isBroken, isLate, isUnreachable } from './exchange.js'

/** Counts the late responses of each operation. */
export const watchLateness = (api: Api, target: Target) => {
  const late = new Map<string, { times: number; isReported: boolean; first: Exchange }>()
  const nameIn = (sent: Sent): string | undefined => {
    const operation = operationCalled(api, target, { sent })
    return operation && ownName(operation)
  }
  return {
    /** Throws CaseStopped if the operation of a request has been late too often. */
    assertPatient: (sent: Sent): void => {
      // Most servers are never late, so most requests are not parsed here.
      const name = late.size === 0 ? undefined : nameIn(sent)
      const known = name === undefined ? undefined : late.get(name)
      if (name === undefined || known === undefined || known.times < MOST_LATE) return
      late.set(name, { ...known, isReported: true })
      throw new CaseStopped({
        kind: 'operation late',
        message: `it was late ${MOST_LATE} times`,
        exchange: known.isReported ? undefined : known.first,
      })
    },
    note: (exchange: Exchange): void => {
      const name = isLate(exchange) ? nameIn(exchange.sent) : undefined
      if (name === undefined) return
      const known = late.get(name) ?? { times: 0, isReported: false, first: exchange }
      late.set(name, { ...known, times: known.times + 1 })
    },
  }
}

const MOST_LATE = 3

/** Watches whether the servers of a run still respond, each host separately. */
export const watchServer = ({ sleep, controls }: Watching) => {
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
    /** Remembers the request that is reported if the server fails. */
    note,
    /**
     * Sends, and retries while no connection is accepted, in case the server is being restarted. Rejects with CaseStopped if the
     * server stays unreachable.
     */
    watched: async (send: () => Promise<Exchange>): Promise<Exchange> => {
      for (const pause of PAUSES) {
        const exchange = await send()
        // The server was never reached: the address is wrong.
        if (!isUnreachable(exchange) || !suspects.has(hostOf(exchange))) return exchange
        await sleep(pause)
      }
      const exchange = await send()
      const suspect = suspects.get(hostOf(exchange))
      if (!isUnreachable(exchange) || suspect === undefined) return exchange
      throw serverGone('server-unreachable', suspect)
    },
    /** Rejects with CaseStopped if a request got no response, and requests that had a response before now get none either. */
    assertResponds: async (failed: Exchange): Promise<void> => {
      const known = controls(failed.sent)
      const [first] = known
      // The host has never responded, so there is nothing to compare. The next request shows whether it is gone.
      if (first === undefined) return
      // Each late control takes the whole time limit. A broken one takes no time, so the server gets time to restart.
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
      throw serverGone('server-stopped-responding', suspects.get(hostOf(failed)) ?? failed)
    },
  }
}

type Watching = {
  readonly sleep: (milliseconds: number) => Promise<void>
  /** Requests of different operations that the same host responded to before; each call sends one again. */
  readonly controls: (failed: Sent) => readonly (() => Promise<Exchange>)[]
}

const serverGone = (
  rule: 'server-unreachable' | 'server-stopped-responding',
  exchange: Exchange,
): CaseStopped =>
  new CaseStopped({
    kind: 'server gone',
    message:
      rule === 'server-unreachable'
        ? 'the server no longer accepts connections'
        : 'the server no longer responds to requests',
    rule,
    exchange,
  })

const hostOf = ({ sent }: Exchange): string => originOf(sent.url)

/** Milliseconds after each attempt but the last. */
const PAUSES = [500, 2_000, 5_000]

/** Milliseconds before each round of controls. */
const LATE_ROUNDS = [0, 0, 0]
const BROKEN_ROUNDS = [0, 500, 2_000]

/**
 * Watches whether the servers of a run give any whole HTTP response at all. A server that never gave one was not tested, so its
 * silence is no finding.
 */
export const watchSilence = (origins: ReadonlySet<string>, { nameOf, hide }: Naming): Silence => {
  const silent = new Map<string, Exchange[]>()
  const responded = new Set<string>()
  return {
    note: async (exchange) => {
      const origin = originOf(exchange.sent.url)
      if (exchange.answer !== undefined || (exchange.isBegun && !isEndless(exchange)))
        return void responded.add(origin)
      if (NEVER_SENT.has(exchange.cause ?? '') || responded.has(origin)) return
      if (!origins.has(origin)) return
      const all = [...(silent.get(origin) ?? []), exchange]
      silent.set(origin, all)
      const most = isLate(exchange) || isEndless(exchange) ? FEW : MOST
      const isEnough = all.length >= most || new Set(all.map(nameOf)).size >= FEW
      if (isEnough) throw await neverResponded(origin, all, hide)
    },
    assertResponded: async () => {
      for (const [origin, all] of silent)
        if (!responded.has(origin) && !all.some(isTooLarge))
          throw await neverResponded(origin, all, hide)
    },
  }
}

type Naming = {
  /** The subject of a request. Four requests with different subjects are enough. */
  readonly nameOf: (exchange: Exchange) => string
  /** Redacts keys in text from a server. */
  readonly hide: (text: string) => string
}

export type Silence = {
  /** Rejects with TargetError if none of the first requests to a server got a response. */
  readonly note: (exchange: Exchange) => Promise<void>
  /** Rejects with TargetError if requests were sent to a server and it never responded. */
  readonly assertResponded: () => Promise<void>
}

/** A response began, and its body did not end within the limits of time and size. */
const isEndless = (exchange: Exchange): boolean =>
  exchange.isBegun === true && (isLate(exchange) || isTooLarge(exchange))

/** A few such responses are findings. */
const isTooLarge = ({ cause }: Exchange): boolean => cause === 'too large'

const NEVER_SENT: ReadonlySet<string> = new Set(['unsent', 'ended'])

/**
 * Requests without a response after which the server is given up: `MOST` for one subject, `FEW` if they are late or have
 * different subjects.
 */
const MOST = 12
const FEW = 4

const neverResponded = async (
  origin: string,
  silent: readonly Exchange[],
  hide: Naming['hide'],
): Promise<TargetError> => {
  const failures = [...new Set(silent.map(({ failure = 'no response arrived' }) => hide(failure)))]
  const times = silent.length === 1 ? 'the only request' : `any of ${silent.length} requests`
  const isBegun = silent.some(isEndless)
  return new TargetError(
    `${origin === STDIO_URL ? 'the program' : origin} gave no ${isBegun ? 'whole ' : isDuplexUrl(origin) ? '' : 'HTTP '}response to ${times}, so nothing was tested: ${failures.slice(0, 2).join(', and ')}; ${await adviceOn(origin, isBegun)}`,
  )
}

const adviceOn = async (origin: string, isBegun: boolean): Promise<string> => {
  const log = 'read the log of the server'
  if (isBegun) return `it sent only the beginning of a response: ${log}`
  if (origin === STDIO_URL)
    return 'check that it reads messages from standard input, and that --framing is how it divides them'
  if (isDuplexUrl(origin)) return `check that this is the URL of a JSON-RPC server, and ${log}`
  return (await speaksTls(origin))
    ? `it speaks TLS, so give its URL as ${origin.replace('http:', 'https:')}`
    : `check that this is the URL of an HTTP/1.1 server, and ${log}`
}

/** Whether a server that was called by plain HTTP takes part in a TLS handshake. */
const speaksTls = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { protocol, hostname, port } = new URL(origin)
    if (protocol !== 'http:') return resolve(false)
    // No data is sent, so the certificate need not be valid.
    const options = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
    const socket = connect({ ...options, rejectUnauthorized: false, timeout: HANDSHAKE })
    const end = (isTls: boolean) => {
      socket.destroy()
      resolve(isTls)
    }
    socket.once('secureConnect', () => end(true))
    // An alert is TLS too: the server rejects this client, for example for its name or its ciphers.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code?.includes('ALERT') === true))
    socket.once('close', () => end(false))
    socket.once('timeout', () => end(false))
  })

/** Milliseconds for a TLS handshake. */
const HANDSHAKE = 2_000
