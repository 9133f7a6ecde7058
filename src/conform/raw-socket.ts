import { connect as plainly, type Socket } from 'node:net'
import { connect as securely } from 'node:tls'
import { messageOf } from '../runtime/ground/message-of.js'
import type { Sent } from './exchange.js'
import { type RawAnswers, readAnswers } from './raw-answers.js'

/**
 * A connection of one's own, for what a client of HTTP would never send: half a request, one byte a second, two requests at
 * once. Resolves with a socket that is closed already where none can be opened; never rejects.
 */
export const openSocket = (address: string, milliseconds = 10_000): Promise<RawSocket> =>
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
    socket.once(isSecure ? 'secureConnect' : 'connect', ready)
    socket.once('close', ready)
  })

export type RawSocket = {
  /** Resolves when it has gone out, or nobody takes it any more. */
  readonly write: (bytes: string | Uint8Array) => Promise<void>
  /** What came so far, whole answers apart from the rest; `requests` are the methods that were sent, which a HEAD matters to. */
  readonly read: () => RawAnswers
  readonly isClosed: () => boolean
  /** Why it closed; undefined where the other side only ended it. */
  readonly failure: () => string | undefined
  /** Resolves with true as soon as it holds, with false when the time is up or nothing more can come. */
  readonly until: (holds: (raw: RawAnswers) => boolean, milliseconds: number) => Promise<boolean>
  readonly close: () => void
}

/** The head of a request as it is sent, with these headers and none of others but Host. */
export const headText = ({ method, url, headers }: Sent): string => {
  const { host } = new URL(url)
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/, '') || '/'
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

const watch = (socket: Socket): RawSocket => {
  const chunks: Buffer[] = []
  const listeners = new Set<() => void>()
  let isClosed = false
  let failure: string | undefined
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  const read = () => readAnswers(Buffer.concat(chunks), isClosed)
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
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
    write: (bytes) =>
      new Promise((resolve) => {
        if (isClosed || socket.destroyed) resolve()
        else {
          const done = () => {
            listeners.delete(closed)
            resolve()
          }
          const closed = () => isClosed && done()
          listeners.add(closed)
          socket.write(bytes, done)
        }
      }),
    read,
    isClosed: () => isClosed,
    failure: () => failure,
    until: (holds, milliseconds) =>
      new Promise((resolve) => {
        const end = (value: boolean) => {
          clearTimeout(timer)
          listeners.delete(look)
          resolve(value)
        }
        const look = () => {
          if (holds(read())) end(true)
          else if (isClosed) end(false)
        }
        const timer = setTimeout(() => end(false), milliseconds)
        listeners.add(look)
        look()
      }),
    close: () => socket.destroy(),
  }
}
