import { connect } from 'node:tls'
import { TargetError } from '../target.js'
import { type Exchange, isLate } from './exchange.js'

/**
 * Watches whether the servers of a run give any HTTP response at all. A server that never gave one was not tested: nothing that
 * its silence seems to show is a finding.
 */
export const watchSilence = (origins: ReadonlySet<string>, { nameOf, hide }: Naming): Silence => {
  const silent = new Map<string, Exchange[]>()
  const responded = new Set<string>()
  return {
    note: async (exchange) => {
      const { origin } = new URL(exchange.sent.url)
      if (exchange.answer !== undefined || exchange.isBegun) return void responded.add(origin)
      if (NEVER_SENT.has(exchange.cause ?? '') || responded.has(origin)) return
      const all = [...(silent.get(origin) ?? []), exchange]
      silent.set(origin, all)
      const most = isLate(exchange) ? FEW : MOST
      const isEnough = all.length >= most || new Set(all.map(nameOf)).size >= FEW
      if (isEnough && origins.has(origin)) throw await neverResponded(origin, all, hide)
    },
    assertResponded: async () => {
      for (const [origin, all] of silent)
        if (origins.has(origin) && !responded.has(origin))
          throw await neverResponded(origin, all, hide)
    },
  }
}

type Naming = {
  /** What a request is about: four that are about different things stand for all. */
  readonly nameOf: (exchange: Exchange) => string
  /** Takes keys out of what a server sent. */
  readonly hide: (text: string) => string
}

export type Silence = {
  /** Rejects with TargetError where none of the first requests to a server got a response. */
  readonly note: (exchange: Exchange) => Promise<void>
  /** Rejects with TargetError where requests were sent to a server and it never responded. */
  readonly assertResponded: () => Promise<void>
}

const NEVER_SENT: ReadonlySet<string> = new Set(['unsent', 'ended'])

/** Requests without a response after which a server is given up: about one thing, and late or about different things. */
const MOST = 12
const FEW = 4

const neverResponded = async (
  origin: string,
  silent: readonly Exchange[],
  hide: Naming['hide'],
): Promise<TargetError> => {
  const failures = [...new Set(silent.map(({ failure = 'no response came' }) => hide(failure)))]
  const times = silent.length === 1 ? 'the only request' : `any of ${silent.length} requests`
  const advice = (await speaksTls(origin))
    ? `it speaks TLS, so give its URL as ${origin.replace('http:', 'https:')}`
    : 'check that this is the URL of an HTTP/1.1 server, and read the log of the server'
  return new TargetError(
    `${origin} gave no HTTP response to ${times}, so nothing was tested: ${failures.slice(0, 2).join(', and ')}; ${advice}`,
  )
}

/** Whether a server that was asked by plain HTTP takes part in a TLS handshake. */
const speaksTls = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { protocol, hostname, port } = new URL(origin)
    if (protocol !== 'http:') return resolve(false)
    // No data is sent, so the certificate is of no interest.
    const options = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
    const socket = connect({ ...options, rejectUnauthorized: false, timeout: HANDSHAKE })
    const end = (isTls: boolean) => {
      socket.destroy()
      resolve(isTls)
    }
    socket.once('secureConnect', () => end(true))
    // An alert is TLS too: the server refuses this client, for example for its name or its ciphers.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code?.includes('ALERT') === true))
    socket.once('close', () => end(false))
    socket.once('timeout', () => end(false))
  })

/** Milliseconds. */
const HANDSHAKE = 2_000
