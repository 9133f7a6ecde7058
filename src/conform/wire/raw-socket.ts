import { connect as plainly, type Socket } from 'node:net'
import { connect as securely } from 'node:tls'
import { messageOf } from '../../runtime/shared/message-of.js'
import { LARGE_WORDS, MOST_BYTES, type Sent } from './exchange.js'
import { type RawResponses, readAnswers } from './raw-responses.js'
import { requestPath } from './request-path.js'

/**
 * A connection of one's own, for what a client of HTTP would never send: half a request, one byte a second, two requests at
 * once. Resolves with a socket that is closed already where none can be opened in time, or `signal` ends it; never rejects.
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
    const socket: Socket = isSecure
      ? securely({ host, port, servername: host, ALPNProtocols: ['http/1.1'] })
      : plainly({ host, port })
    const raw = watch(socket)
    const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), milliseconds)
    const ready = () => {
      clearTimeout(timer)
      resolve(raw)
    }
    const end = () => socket.destroy(new Error('the run was ended'))
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
    socket.once(isSecure ? 'secureConnect' : 'connect', ready)
    socket.once('close', () => {
      signal?.removeEventListener('abort', end)
      ready()
    })
  })

export type SocketOptions = {
  /** How long a connection may take. */
  readonly milliseconds?: number
  readonly signal?: AbortSignal | undefined
}

export type RawSocket = {
  /**
   * Resolves when it has gone out, when nobody takes it any more, or when an answer came that was not there before: who has
   * answered need not read on. False where none of that was so in time.
   */
  readonly write: (bytes: string | Uint8Array, milliseconds?: number) => Promise<boolean>
  /** What came so far, whole answers apart from the rest. */
  readonly read: () => RawResponses
  readonly isClosed: () => boolean
  /** Why it closed; undefined where the other side only ended it. */
  readonly failure: () => string | undefined
  /** Resolves with true as soon as it holds, with false when the time is up or nothing more can come. */
  readonly until: (holds: (raw: RawResponses) => boolean, milliseconds: number) => Promise<boolean>
  readonly close: () => void
}

/** The head of a request as it is sent, with these headers and none of others but Host. */
export const headText = ({ method, url, headers }: Sent): string => {
  const { host } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${requestPath(url)} HTTP/1.1\r\n${lines.join('')}\r\n`
}

const watch = (socket: Socket): RawSocket => {
  const chunks: Buffer[] = []
  let size = 0
  const listeners = new Set<() => void>()
  let isClosed = false
  let failure: string | undefined
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  const read = () => readAnswers(Buffer.concat(chunks), isClosed)
  /** `look` says when it is over, and with what. */
  const waited = (look: () => boolean | undefined, milliseconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (value: boolean) => {
        clearTimeout(timer)
        listeners.delete(listener)
        resolve(value)
      }
      const listener = () => {
        const value = look()
        if (value !== undefined) end(value)
      }
      const timer = setTimeout(() => end(false), milliseconds)
      listeners.add(listener)
      listener()
    })
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MOST_BYTES) return void socket.destroy(new Error(LARGE_WORDS))
    chunks.push(chunk)
    tell()
  })
  socket.on('error', (error) => {
    failure = messageOf(error)
  })
  // The other side will say no more, and whoever writes on waits for nothing.
  socket.on('end', () => socket.destroy())
  socket.on('close', () => {
    isClosed = true
    tell()
  })
  return {
    write: async (bytes, milliseconds = 10_000) => {
      if (isClosed || socket.destroyed) return true
      const before = read().answers.length
      let isOut = false
      socket.write(bytes, () => {
        isOut = true
        tell()
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
