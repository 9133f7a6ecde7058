import { connect as connectOnPlatform } from '#socket'
import { type ClientSettings, PACKAGE_HEADER } from '../client-options.js'
import type { Server } from '../operation.js'
import { createFindAddress, findServer } from '../shared/address.js'
import { type Clock, systemClock } from '../shared/deadline.js'
import { messageOf } from '../shared/message-of.js'
import { type Redact, redactor } from '../shared/redact.js'
import { redactCause } from '../shared/redact-value.js'
import { backOff, type Retry } from '../shared/retry.js'
import { addressSecrets, headerSecrets, urlSecrets } from '../shared/written-secrets.js'
import type { DuplexLink, LinkConnection, LinkEvents } from './link.js'
import type { Connect, Socket } from './web-socket.js'

export type { DuplexLink } from './link.js'
export type { Connect, Socket, SocketEvent } from './web-socket.js'

/**
 * The link over a WebSocket: that of the platform, or of the package ws on Node 20. A function as `url` is called for each
 * opening, so that it may return a new token. Opening is tried again with a growing delay; a connection that ended soon after it
 * opened delays the next one. Errors contain no secret of the URL and the headers.
 *
 * ```ts
 * const rpc = createRpcClient({ link: socketLink('wss://node.example/ws') })
 * ```
 */
export const socketLink = (url: SocketUrl, options: SocketOptions = {}): DuplexLink => {
  const findTarget = async (): Promise<Target> => {
    const address = String(await (typeof url === 'function' ? url() : url))
    const secrets = [...urlSecrets(address, [], []), ...hiddenIn(address)]
    return { address, headers: options.headers ?? {}, secrets }
  }
  return createLink(findTarget, options)
}

/**
 * The link of a client whose server is a WebSocket; undefined if its server is one of HTTP. Generated clients of documents with
 * such servers pass it to `createRpc`. Throws a TypeError for invalid options.
 */
export const serverSocket = (
  { servers, path }: { readonly servers: readonly Server[]; readonly path: string },
  settings: ClientSettings,
): DuplexLink | undefined => {
  const place = { servers, path, names: [] }
  if (!SOCKET_URL.test(findServer(place, settings).url)) return undefined
  const findAddress = createFindAddress(place, settings, SOCKET_URL)
  const { [PACKAGE_HEADER]: _, ...headers } = settings.headers
  const findTarget = async (): Promise<Target> => {
    const { url, secrets, hidden } = await findAddress()
    return { address: url, headers, secrets: [...secrets(), ...hidden()] }
  }
  const { retry, clock } = settings
  return createLink(findTarget, { retry, clock })
}

/**
 * The link over a WebSocket that is open, or opens: one that a server accepted, from `Deno.upgradeWebSocket` or a `WebSocketPair`
 * of a worker. It is opened once.
 */
export const acceptedSocket = (
  socket: Socket,
  options: Pick<SocketOptions, 'heartbeat' | 'maxBufferedBytes' | 'timeout'> = {},
): DuplexLink => {
  let isOpened = false
  return createLink(async () => ACCEPTED, {
    ...options,
    retry: { attempts: 1 },
    connect: () => {
      if (isOpened) throw new TypeError('the socket was closed, or has another owner')
      isOpened = true
      return socket
    },
  })
}

const ACCEPTED = { address: 'ws:accepted', headers: {}, secrets: [] }

type SocketUrl = string | URL | (() => string | URL | Promise<string | URL>)

export type SocketOptions = {
  /** Subprotocols, of which the server selects one. */
  readonly protocols?: readonly string[] | undefined
  /** Headers of the opening request. Browsers cannot send any. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The first call of each connection, for servers that authenticate by one. The link is open when it has a result. */
  readonly login?: SocketLogin | undefined
  /** How often an opening is tried, and the delays. */
  readonly retry?: Retry | undefined
  /** Milliseconds until an opening counts as failed; 10,000 by default. */
  readonly timeout?: number | undefined
  /**
   * Milliseconds of silence after which the server is asked for a sign of life; 30,000 by default. After as many without one, the
   * connection is lost. It needs a socket with ping frames (ws, Bun), or `heartbeatMethod`.
   */
  readonly heartbeat?: number | undefined
  /** A method without params that is called in place of a ping frame. Any response is a sign of life, an error too. */
  readonly heartbeatMethod?: string | undefined
  /** The maximum number of bytes that wait to be sent; 16,777,216 (16 MiB) by default. Further texts are rejected. */
  readonly maxBufferedBytes?: number | undefined
  /** Opens each socket, in place of the platform. */
  readonly connect?: Connect | undefined
  readonly clock?: Partial<Clock> | undefined
}

export type SocketLogin = {
  readonly method: string
  /** A function is called for each connection. */
  readonly params?: object | (() => object | Promise<object>)
}

type Target = {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Texts that no error may contain. */
  readonly secrets: readonly string[]
}

const SOCKET_URL = /^wss?:/i

const createLink = (findTarget: () => Promise<Target>, options: SocketOptions): DuplexLink => {
  const { retry = {} } = options
  const clock = { ...systemClock, ...retry.clock, ...options.clock }
  const pause = (attempt: number) => clock.sleep(backOff(attempt, retry, clock), NEVER)
  let secrets: readonly string[] = []
  let openedAt = Number.NEGATIVE_INFINITY
  let soonEnded = 0

  const openOnce = async (events: LinkEvents): Promise<LinkConnection> => {
    const target = await findTarget()
    secrets = [...target.secrets, ...headerSecrets(Object.entries(target.headers))]
    const { method, params } = options.login ?? {}
    const sent = typeof params === 'function' ? await params() : params
    const login = method === undefined ? undefined : requestText(LOGIN, method, sent)
    secrets = [...secrets, ...textsIn(sent)]
    return await connect(target, events, redactor(secrets), login, { ...options, clock })
  }

  return {
    kind: 'duplex',
    secrets: () => secrets,
    open: async (events) => {
      soonEnded = clock.now() - openedAt < SOON ? soonEnded + 1 : 0
      if (soonEnded > 0) await pause(soonEnded)
      for (let attempt = 1; ; attempt += 1) {
        try {
          const connection = await openOnce(events)
          openedAt = clock.now()
          return connection
        } catch (cause) {
          const isLast = cause instanceof TypeError || attempt >= (retry.attempts ?? 3)
          if (isLast) throw redactCause(cause, redactor(secrets))
          await pause(attempt)
        }
      }
    },
  }
}

/** Milliseconds. A server that ends connections sooner is not asked again immediately. */
const SOON = 5_000

const NEVER = new AbortController().signal

/** Opens one socket. Rejects if that fails; later ends are reported to `events`. */
const connect = async (
  { address, headers }: Target,
  { text, closed }: LinkEvents,
  redact: Redact,
  login: string | undefined,
  options: SocketOptions & { readonly clock: Clock },
): Promise<LinkConnection> => {
  if (!SOCKET_URL.test(address)) throw new TypeError('the URL of a socket begins with ws: or wss:')
  const { heartbeat = 30_000, heartbeatMethod, timeout = 10_000, protocols = [] } = options
  const { maxBufferedBytes = 16 * 2 ** 20, clock } = options
  const socket = await (options.connect ?? connectOnPlatform)(address, { protocols, headers })
  socket.binaryType = 'arraybuffer'
  let isOver = false
  let isHeard = true
  let isAwaited = false
  const timers: ReturnType<typeof setTimeout>[] = []

  const send = async (message: string): Promise<void> => {
    if (isOver || socket.readyState !== OPEN) throw new Error('the connection is closed')
    // A character has at most three bytes in UTF-8. Above the limit, the texts before this one are counted only.
    if (socket.bufferedAmount > maxBufferedBytes)
      throw new RangeError(`more than ${maxBufferedBytes} bytes wait to be sent (maxBufferedBytes)`)
    socket.send(message)
    while (!isOver && socket.bufferedAmount > HIGH_WATER) await clock.sleep(DRAIN, NEVER)
  }

  return await new Promise((resolve, reject) => {
    let end = (why: string, cause?: unknown): void => reject(new Error(why, { cause }))
    const finish = (why: string, cause?: unknown): void => {
      if (isOver) return
      isOver = true
      for (const timer of timers) clearTimeout(timer)
      end(redact(why), cause)
      if (socket.terminate) socket.terminate()
      else socket.close()
    }
    const opened = (): void => {
      if (end === closed) return
      end = closed
      clearTimeout(timers[0])
      const isPossible = socket.ping !== undefined || heartbeatMethod !== undefined
      if (isPossible && heartbeat > 0 && heartbeat < Number.POSITIVE_INFINITY)
        timers.push(setInterval(beat, heartbeat))
      const { pause, resume } = socket
      resolve({
        send,
        close: async () => socket.close(NORMAL),
        ...(pause &&
          resume && { pause: () => pause.call(socket), resume: () => resume.call(socket) }),
      })
    }
    const beat = (): void => {
      if (isAwaited) finish(`no sign of life within ${heartbeat} ms`)
      else if (!isHeard) {
        isAwaited = true
        if (heartbeatMethod === undefined) socket.ping?.()
        else send(requestText(HEARTBEAT, heartbeatMethod)).catch(() => undefined)
      }
      isHeard = false
    }
    const alive = (): void => {
      isHeard = true
      isAwaited = false
    }
    timers.push(setTimeout(() => finish(`no connection within ${timeout} ms`), timeout))
    socket.on?.('pong', alive)
    socket.addEventListener('open', () => {
      if (login === undefined) opened()
      else socket.send(login)
    })
    socket.addEventListener('message', ({ data }) => {
      if (isOver) return
      alive()
      const message =
        typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer)
      const own = (login ?? heartbeatMethod) ? ownResponse(message) : undefined
      if (own?.id === LOGIN) {
        if (own.error === undefined) opened()
        else finish(`the login was rejected: ${JSON.stringify(own.error)}`)
      } else if (own === undefined) text(message)
    })
    if (socket.readyState === OPEN && login === undefined) opened()
    let failure: unknown
    socket.addEventListener('error', ({ error }) => {
      failure = error && redactCause(error, redact)
      // Node 22 reports no `close` of a socket that could not connect.
      timers.push(
        setTimeout(
          () => finish(`the socket failed${failure ? `, ${messageOf(failure)}` : ''}`, failure),
          GRACE,
        ),
      )
    })
    socket.addEventListener('close', ({ code, reason }) => {
      const why = failure === undefined ? '' : `, ${messageOf(failure)}`
      finish(`code ${code}${reason ? ` ${reason}` : ''}${why}`, failure)
    })
  })
}

const OPEN = 1

/** RFC 6455, 7.4.1. */
const NORMAL = 1_000

/** Milliseconds from the event `error` until nothing is expected of a socket. */
const GRACE = 100

/** Bytes. While more wait, a text that was sent is not yet passed on. */
const HIGH_WATER = 2 ** 20

/** Milliseconds. Sockets have no event for a buffer that is empty again. */
const DRAIN = 10

/** The ids of the link's own calls. Those of clients are numbers. */
const LOGIN = 'twinspec-login'
const HEARTBEAT = 'twinspec-heartbeat'

const requestText = (id: string, method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** The response to a call of the link itself. */
const ownResponse = (
  message: string,
): { readonly id: unknown; readonly error?: unknown } | undefined => {
  if (!(message.includes(LOGIN) || message.includes(HEARTBEAT))) return undefined
  try {
    const response = JSON.parse(message)
    return response?.id === LOGIN || response?.id === HEARTBEAT ? response : undefined
  } catch {
    return undefined
  }
}

/** All texts of params: each may be a credential. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : typeof value === 'string'
      ? [value]
      : []

const hiddenIn = (address: string): readonly string[] =>
  URL.canParse(address) ? addressSecrets(address) : [address]
