import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { acceptedSocket } from './link/socket.js'
import type { Socket } from './link/web-socket.js'
import type { LinkOptions, ServedLink } from './server/link-options.js'
import { isAllowedOrigin } from './server/origin.js'
import type { ServerCore, ServerReply } from './server/request.js'
import { rpcOf, serveAdmitted } from './server/serve-link.js'

/**
 * Serves JSON-RPC over WebSocket at the path of the document, on the connections that a server of node:http upgrades. It needs
 * the package ws. The option `admit` of the server can reject a connection before it is upgraded.
 *
 * ```ts
 * const http = createHttpServer(toNodeListener(server)).listen(8080)
 * const sockets = serveWebSockets(server, http, { origins: ['https://app.example'] })
 * ```
 */
export const serveWebSockets = <Peer = unknown>(
  server: ServerCore<Peer>,
  http: UpgradeSource,
  options: WebSocketOptions<Peer> = {},
): ServedSockets => {
  const rpc = rpcOf(server)
  const { connections = 10_000, connectionsPerCaller = 100, origins, onError } = options
  const { callerOf = (request: IncomingMessage) => request.socket.remoteAddress ?? '' } = options
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: rpc.payloadBytes,
  })
  const open = new Set<{ readonly close: () => void; readonly closed: Promise<unknown> }>()
  const byCaller = new Map<string, number>()
  let total = 0
  let isStopped = false

  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const ended = new AbortController()
    const { url = '/', headers } = request
    const { remoteAddress } = request.socket
    const state = options.stateOf?.(request)
    const signal = ended.signal
    const opening = { method: 'GET', url, headers, remoteAddress, state, signal }
    const admitted = await rpc.admit(opening)
    if (!('answer' in admitted)) {
      const isOthers = admitted.status === 404 && http.listenerCount('upgrade') > 1
      return isOthers ? undefined : reject(socket, admitted)
    }
    if (!isAllowedOrigin(headers.origin, headers.host, origins))
      return reject(socket, replyOf(403, 'This Origin may not connect'))
    if (isStopped) return reject(socket, replyOf(503, 'The server stops'))
    const caller = callerOf(request)
    const count = byCaller.get(caller) ?? 0
    if (total >= connections || count >= connectionsPerCaller)
      return reject(socket, replyOf(429, 'Too many connections'))
    total += 1
    byCaller.set(caller, count + 1)
    socket.once('close', () => {
      total -= 1
      const left = (byCaller.get(caller) ?? 1) - 1
      if (left > 0) byCaller.set(caller, left)
      else byCaller.delete(caller)
    })
    acceptor.handleUpgrade(request, socket, head, (accepted) => {
      const link = acceptedSocket(accepted as unknown as Socket, options)
      const { calls, waiting, subscriptions } = options
      const closed = new Promise((resolve) => accepted.once('close', resolve))
      const one = { close: () => accepted.close(GOING_AWAY, 'the server stops'), closed }
      open.add(one)
      void closed.then(() => open.delete(one))
      serveAdmitted({ rpc, admitted, ended, calls, waiting, subscriptions }, link)
        .then((served) => options.onConnection?.(served, request))
        .catch((error) => {
          onError?.(error)
          accepted.terminate()
        })
    })
  }
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy())
    accept(request, socket, head).catch((error) => {
      onError?.(error)
      socket.destroy()
    })
  }
  http.on('upgrade', upgrade)
  return {
    close: async () => {
      isStopped = true
      http.off('upgrade', upgrade)
      const all = [...open]
      for (const { close } of all) close()
      await Promise.all(all.map(({ closed }) => closed))
    },
    connections: () => total,
  }
}

/** RFC 6455, 7.4.1. */
const GOING_AWAY = 1001

export type WebSocketOptions<Peer = unknown> = Omit<LinkOptions, 'request'> & {
  /**
   * The origins whose pages may connect, such as `https://app.example`, or `*` for all. By default the origin of the server
   * itself. A connection without the header `Origin`, which is not from a browser, is not checked.
   */
  readonly origins?: readonly string[] | undefined
  /** The maximum number of open connections; 10,000 by default. More get 429. */
  readonly connections?: number | undefined
  /** The same for one caller; 100 by default. */
  readonly connectionsPerCaller?: number | undefined
  /** The caller of a connection; by default its address. Behind a proxy, read the header that the proxy sets. */
  readonly callerOf?: ((request: IncomingMessage) => string) | undefined
  /** The `state` of hooks and handlers. */
  readonly stateOf?: ((request: IncomingMessage) => unknown) | undefined
  /** Milliseconds of silence before a ping; 30,000 by default. After as many more without a pong, the connection is ended. */
  readonly heartbeat?: number | undefined
  /** The maximum number of bytes that wait to be sent over a connection; 16 MiB by default. */
  readonly maxBufferedBytes?: number | undefined
  /** Called for each connection, with what the server may send over it. */
  readonly onConnection?:
    | ((connection: ServedLink<Peer>, request: IncomingMessage) => void)
    | undefined
  /** Receives errors of a connection. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The WebSockets of a server. */
export type ServedSockets = {
  /** Accepts no more connections, closes those that are open with 1001, and resolves when they have ended. */
  readonly close: () => Promise<void>
  /** The number of open connections. */
  readonly connections: () => number
}

/** A server of node:http or node:https. */
type UpgradeSource = {
  readonly on: (event: 'upgrade', listener: Upgrade) => unknown
  readonly off: (event: 'upgrade', listener: Upgrade) => unknown
  readonly listenerCount: (event: 'upgrade') => number
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const replyOf = (status: number, error: string): ServerReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error }),
})

/** Responds to a request that is not upgraded, and closes its connection. */
const reject = (socket: Duplex, { status, headers, body }: ServerReply): void => {
  const text = typeof body === 'string' ? body : ''
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(text)),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  // The reason phrase may be empty (RFC 9112, 4).
  socket.end(`HTTP/1.1 ${status} \r\n${lines.join('')}\r\n${text}`)
}
