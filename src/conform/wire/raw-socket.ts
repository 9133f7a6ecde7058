import { connect as plainly, type Socket } from 'node:net'
import { connect as securely } from 'node:tls'
import { type Answer, decode, LARGE_WORDS, MOST_BYTES, type Sent } from './exchange.js'
import { failureOf, requestPath } from './wire.js'

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
    const socket: Socket = isSecure
      ? securely({ host, port, servername: host, ALPNProtocols: ['http/1.1'] })
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
  /** The complete responses so far, and the remaining bytes. */
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
  const chunks: Buffer[] = []
  let size = 0
  const listeners = new Set<() => void>()
  let isClosed = false
  let failure: string | undefined
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }
  const read = () => readAnswers(Buffer.concat(chunks), isClosed)
  /** Resolves with the first defined result of `look`, which runs on each event, and with false when the time is up. */
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
    notify()
  })
  socket.on('error', (error) => {
    failure = failureOf(error).failure
  })
  // The peer sends nothing more, so there is no reason to continue writing.
  socket.on('end', () => socket.destroy())
  socket.on('close', () => {
    isClosed = true
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

/** The responses in the bytes of a connection (RFC 9112, 6), in order; interim ones (1xx) are omitted. */
export const readAnswers = (bytes: Buffer, isClosed: boolean): RawResponses => {
  const answers: Answer[] = []
  let at = 0
  while (at < bytes.length) {
    const read = readResponse(bytes.subarray(at), isClosed)
    if (read === 'broken') return { answers, rest: bytes.subarray(at), isBroken: true }
    if (read === undefined) break
    if (read.answer.status >= 200) answers.push(read.answer)
    at += read.length
  }
  return { answers, rest: bytes.subarray(at), isBroken: false }
}

type RawResponses = {
  readonly answers: readonly Answer[]
  /** The bytes after the last complete response. */
  readonly rest: Uint8Array
  /** The bytes are not HTTP. */
  readonly isBroken: boolean
}

type Read = { readonly answer: Answer; readonly length: number }

const readResponse = (bytes: Buffer, isClosed: boolean): Read | 'broken' | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  const isHttp = bytes.subarray(0, 5).equals(HTTP.subarray(0, Math.min(5, bytes.length)))
  if (!isHttp) return 'broken'
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/\d\.\d (\d{3})/.exec(first)?.[1])
  if (Number.isNaN(status)) return 'broken'
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const of = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1]
  const from = end + 4
  const body = bytes.subarray(from)
  const whole = (content: Uint8Array, length: number): Read => ({
    answer: decode({ status, headers, body: content, milliseconds: 0 }),
    length: from + length,
  })
  if (status < 200 || status === 204 || status === 304) return whole(new Uint8Array(), 0)
  if (/chunked/i.test(of('transfer-encoding') ?? '')) {
    const chunked = readChunks(body)
    return chunked && (chunked === 'broken' ? chunked : whole(chunked.content, chunked.length))
  }
  const length = of('content-length')
  if (length === undefined) return isClosed ? whole(body, body.length) : undefined
  if (!/^\d+$/.test(length)) return 'broken'
  const size = Number(length)
  return body.length < size ? undefined : whole(body.subarray(0, size), size)
}

const HTTP = Buffer.from('HTTP/')

const readChunks = (
  bytes: Buffer,
): { readonly content: Uint8Array; readonly length: number } | 'broken' | undefined => {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const [digits] = /^[\da-f]+(?=[\t ]*(?:;|$))/i.exec(bytes.toString('latin1', at, line)) ?? []
    if (digits === undefined) return 'broken'
    const size = Number.parseInt(digits, 16)
    at = line + 2
    if (size === 0) {
      const end = bytes.indexOf('\r\n\r\n', line)
      return end < 0 ? undefined : { content: Buffer.concat(parts), length: end + 4 }
    }
    if (bytes.length < at + size + 2) return undefined
    parts.push(bytes.subarray(at, at + size))
    at += size + 2
  }
}
