import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { ServerReply } from 'twinspec/runtime/server'
import { toNodeListener } from '../../../generated/server.js'
import { countedAddress } from '../access/limits.js'
import { MOST_WAITING, processesWithoutKey } from '../compiler/compiler.js'
import type { Settings } from '../setting-rows.js'
import { targetPath } from './endpoints.js'
import { jsonReply } from './error-responses.js'
import { createHealth, type Probes, STOPPING } from './health.js'
import type { Metrics } from './metrics.js'
import { isOfReference, type ServePage } from './reference.js'

/**
 * The HTTP server: connections, CORS, the reference and the pages for operators. Every other request is passed to the listener
 * before its body is read.
 */
export const createHost = (options: HostOptions): Host => {
  const { settings, listener, reference } = options
  const { host, port, corsOrigin, stopSeconds } = settings
  const connections = { ...CONNECTION_LIMITS, ...options.connections }
  const addressOf = callerAddress(settings)
  const pages = operatorPages(options)
  const pageOf = (method: string, path: string): ServePage | undefined => {
    if (reference && isOfReference(path)) return reference
    const page = pages.get(path)
    if (page === undefined || method === 'GET' || method === 'HEAD') return page
    return method === 'OPTIONS' ? nothing : undefined
  }
  const server = createServer(
    {
      requestTimeout: connections.requestMilliseconds,
      keepAliveTimeout: connections.keepAliveMilliseconds,
      headersTimeout: connections.headersMilliseconds,
      connectionsCheckingInterval: connections.checkMilliseconds,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
      noDelay: true,
    },
    (request, response) => {
      const { method = '', headers } = request
      const path = targetPath(request.url ?? '/')
      const page = pageOf(method, path)
      if (page) {
        const handle = async () => withLength(method, await page(method, path, headers))
        return toNodeListener({ handle })(request, response)
      }
      response.setHeader('access-control-allow-origin', corsOrigin)
      response.setHeader('access-control-expose-headers', EXPOSED)
      if (corsOrigin !== '*') response.setHeader('vary', 'origin')
      // An OPTIONS request that is not a preflight has a wrong method.
      if (method === 'OPTIONS' && headers.origin && headers['access-control-request-method']) {
        const handle = async () => preflight(headers['access-control-request-headers'])
        return toNodeListener({ handle })(request, response)
      }
      listener(request, response, addressOf(request))
    },
  )
  server.timeout = 1_000 * longestSilence(settings)
  server.maxConnections = connections.most
  server.on('clientError', onClientError)
  limitConnections(server, settings)

  return {
    server,
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          const address = server.address()
          const bound = typeof address === 'object' && address !== null ? address.port : port
          resolve({ url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` })
        })
      }),
    close: async (requests) => {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.race([requests.empty(), pause(1_000 * stopSeconds)])
      const interrupted = requests.open()
      server.closeAllConnections()
      await closed
      return interrupted
    },
  }
}

type Host = {
  readonly server: Server
  readonly listen: () => Promise<{ readonly url: string }>
  /** Resolves with the number of requests that were interrupted. */
  readonly close: (requests: RequestCount) => Promise<number>
}

export type RequestCount = {
  /** Requests whose response is not complete. */
  readonly open: () => number
  /** The number of requests that have ended since the start. */
  readonly left: () => number
  /** Resolves when none is open. */
  readonly empty: () => Promise<void>
}

type HostOptions = {
  readonly settings: GatewaySettings
  readonly listener: (raw: IncomingMessage, response: ServerResponse, address: string) => void
  readonly metrics: Metrics
  readonly probes: Probes
  readonly isStopping: () => boolean
  readonly reference?: ServePage | undefined
  readonly connections?: Partial<Connections> | undefined
}

export type GatewaySettings = Pick<
  Settings,
  | 'host'
  | 'port'
  | 'addressConnections'
  | 'trustProxy'
  | 'corsOrigin'
  | 'checkAnswers'
  | 'stopSeconds'
  | 'waitSeconds'
  | 'nodeSeconds'
  | 'compilerProcesses'
  | 'compilerSeconds'
>

/** Limits of one connection in milliseconds, and the maximum number of connections. */
export type Connections = {
  readonly headersMilliseconds: number
  readonly requestMilliseconds: number
  readonly keepAliveMilliseconds: number
  readonly checkMilliseconds: number
  readonly most: number
}

export const CONNECTION_LIMITS: Connections = {
  headersMilliseconds: 15_000,
  requestMilliseconds: 60_000,
  // Longer than in usual proxies, so that the proxies close connections.
  keepAliveMilliseconds: 72_000,
  checkMilliseconds: 5_000,
  most: 10_000,
}

/**
 * Seconds for which a connection may be idle while its request is processed. They exceed the time of any response, so only
 * connections end whose callers do not read. A source waits for those before it, and is compiled at most twice.
 */
const longestSilence = (settings: GatewaySettings): number => {
  const turns = Math.ceil(MOST_WAITING / processesWithoutKey(settings.compilerProcesses)) + 2
  return turns * settings.compilerSeconds + settings.waitSeconds + settings.nodeSeconds + 60
}

const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'

/** The maximum time that browsers cache a preflight response. */
const PREFLIGHT_SECONDS = '7200'

const preflight = (requested: string | undefined): ServerReply => ({
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET,HEAD,POST',
    ...(requested !== undefined && { 'access-control-allow-headers': requested }),
    'access-control-max-age': PREFLIGHT_SECONDS,
    'cache-control': `max-age=${PREFLIGHT_SECONDS}`,
  },
})

/** The response to HEAD has no body, but the content length of a GET response. */
const withLength = (method: string, reply: ServerReply): ServerReply =>
  method === 'HEAD' && (typeof reply.body === 'string' || reply.body instanceof Uint8Array)
    ? { ...reply, headers: { ...reply.headers, 'content-length': lengthOf(reply.body) } }
    : reply

const lengthOf = (body: string | Uint8Array): string => String(Buffer.byteLength(body))

const isTrusting = ({ trustProxy }: GatewaySettings): boolean =>
  typeof trustProxy === 'number' ? trustProxy > 0 : trustProxy.length > 0

/** The address of a caller. A proxy's header may contain any text; for an invalid address, the proxy's own is used. */
const callerAddress = (settings: GatewaySettings): ((request: IncomingMessage) => string) => {
  const { trustProxy } = settings
  const own = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? ''
  if (!isTrusting(settings)) return own
  // A number is the count of proxies in front of the service.
  const trust =
    typeof trustProxy === 'number'
      ? (_: string, hop: number) => hop < trustProxy
      : proxyAddr.compile([...trustProxy])
  return (request) => {
    const named = proxyAddr(request, trust)
    return isIP(named) === 0 ? own(request) : named
  }
}

/** Limits the connections of one address, so that no caller uses all of them. A trusted proxy connects for many callers. */
const limitConnections = (server: Server, settings: GatewaySettings): void => {
  const most = settings.addressConnections
  if (most === 0 || isTrusting(settings)) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = countedAddress(socket.remoteAddress ?? '')
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
    if (count > most) socket.destroy()
  })
}

const operatorPages = ({
  probes,
  metrics,
  isStopping,
}: HostOptions): ReadonlyMap<string, ServePage> => {
  const health = createHealth(probes)
  metrics.watchParts(async () =>
    Object.entries((await health()).parts).map(([part, { ready }]) => [part, ready] as const),
  )
  return new Map<string, ServePage>([
    ['/health', async () => jsonReply(200, { status: 'ok' })],
    [
      '/ready',
      async () => {
        const found = isStopping() ? STOPPING : await health()
        return jsonReply(found.ready ? 200 : 503, found)
      },
    ],
    [
      '/metrics',
      async () => ({
        status: 200,
        headers: { 'cache-control': 'no-store', 'content-type': metrics.registry.contentType },
        body: await metrics.registry.metrics(),
      }),
    ],
  ])
}

const nothing: ServePage = async () => jsonReply(404, { error: 'there is nothing at this path' })

/** Invalid HTTP, or a request that is too slow: no documented response is possible. */
const onClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null }
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent) {
    socket.destroy()
    return
  }
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  // A caller who does not close the connection is not awaited.
  socket.setTimeout(2_000, () => socket.destroy())
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
