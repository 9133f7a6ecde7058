import { isIP, connect as plainly, type Socket } from 'node:net'
import { connect as securely } from 'node:tls'
import type { Sent } from '../../traffic/exchange.js'
import { LARGE_WORDS, MOST_BYTES } from './exchange.js'
import { failureOf } from './failure.js'
import { createResponseReader, type RawResponses } from './raw-responses.js'
import { requestPath } from './wire.js'

/**
 * Opens a raw connection for requests that no HTTP client would send: half a request, one byte a second, two requests at once.
 * Resolves with a closed socket if none can be opened in time, or `signal` ends it; never rejects.
 */
export const openSocket = (
  address: string,
  { milliseconds = 10_000, signal }: SocketOptions = {},
): Promise<RawSocket> =>
  new Promise((resolve) => {
    const url = new URL(address)
    const isSecure = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(url.port) || (isSecure ? 443 : 80)
    // RFC 6066, 3: the name in a handshake is not an IP address.
    const servername = isIP(host) === 0 ? host : ''
    const socket: Socket = isSecure
      ? securely({ host, port, servername, ALPNProtocols: ['http/1.1'] })
      : plainly({ host, port })
    const raw = watch(socket)
    const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), milliseconds)
    const ready = () => {
      clearTimeout(timer)
      resolve(raw)
    }
    const end = () => socket.destroy(new Error('the run was stopped'))
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
    socket.once(isSecure ? 'secureConnect' : 'connect', ready)
    socket.once('close', () => {
      signal?.removeEventListener('abort', end)
      ready()
    })
  })

type SocketOptions = {
  readonly milliseconds?: number
  readonly signal?: AbortSignal | undefined
}

export type RawSocket = {
  /**
   * Resolves when the bytes are sent, the peer stops reading, or a new response has arrived: a server that has responded need
   * not read on. False if none of these happens in time.
   */
  readonly write: (bytes: string | Uint8Array, milliseconds?: number) => Promise<boolean>
  /** The complete responses so far. */
  readonly read: () => RawResponses
  readonly isClosed: () => boolean
  /** Why it closed; undefined if the peer closed it normally. */
  readonly failure: () => string | undefined
  /** Resolves with true as soon as `holds` does; with false when the time is up or the connection has closed. */
  readonly until: (holds: (raw: RawResponses) => boolean, milliseconds: number) => Promise<boolean>
  readonly close: () => void
}

/** The head of a request with exactly these headers, and Host. */
export const headText = ({ method, url, headers }: Sent): string => {
  const { host } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${requestPath(url)} HTTP/1.1\r\n${lines.join('')}\r\n`
}

const watch = (socket: Socket): RawSocket => {
  const { push, end, read } = createResponseReader()
  let size = 0
  const listeners = new Set<() => void>()
  let isClosed = false
  let failure: string | undefined
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }
  /** Resolves with the first defined result of `look`, which runs on each event, and with false when the time is up. */
  const waited = (look: () => boolean | undefined, milliseconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      const finish = (value: boolean) => {
        clearTimeout(timer)
        listeners.delete(listener)
        resolve(value)
      }
      const listener = () => {
        const value = look()
        if (value !== undefined) finish(value)
      }
      const timer = setTimeout(() => finish(false), milliseconds)
      listeners.add(listener)
      listener()
    })
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MOST_BYTES) return void socket.destroy(new Error(LARGE_WORDS))
    push(chunk)
    notify()
  })
  socket.on('error', (error) => {
    failure = failureOf(error).failure
  })
  // The peer sends nothing more, so there is no reason to continue writing.
  socket.on('end', () => socket.destroy())
  socket.on('close', () => {
    isClosed = true
    end()
    notify()
  })
  return {
    write: async (bytes, milliseconds = 10_000) => {
      if (isClosed || socket.destroyed) return true
      const before = read().answers.length
      let isOut = false
      socket.write(bytes, () => {
        isOut = true
        notify()
      })
      const isOver = () => isOut || isClosed || read().answers.length > before
      return waited(() => isOver() || undefined, milliseconds)
    },
    read,
    isClosed: () => isClosed,
    failure: () => failure,
    until: (holds, milliseconds) =>
      waited(() => holds(read()) || (isClosed ? false : undefined), milliseconds),
    close: () => socket.destroy(),
  }
}
