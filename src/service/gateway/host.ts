import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import cors from '@fastify/cors'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { countedAddress } from '../access/limits.js'
import { MOST_WAITING, processesWithoutKey } from '../compiler/compiler.js'
import type { GatewaySettings } from '../settings.js'
import { pathOf } from './endpoints.js'
import type { Metrics } from './metrics.js'
import {
  isOfReference,
  REFERENCE_ROUTE,
  type ReferenceOptions,
  serveReference,
} from './reference.js'

/**
 * Fastify, which keeps the socket, CORS, the reference and the pages for operators. Every other request is handed over before its body is
 * read: Fastify's own routing, parsing, validation and error pages never see one.
 */
export const createHost = (options: HostOptions): Host => {
  const { settings, listener, metrics, isStopping } = options
  const connections = { ...CONNECTIONS, ...options.connections }
  const app = fastify({
    logger: false,
    trustProxy: trust(settings.trustProxy),
    rewriteUrl: (request) => {
      if (options.reference && isOfReference(request.url ?? '/')) return REFERENCE_ROUTE
      return isOwn(request) ? ownPath(request) : '/documented'
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: connections.requestMilliseconds,
    keepAliveTimeout: connections.keepAliveMilliseconds,
    connectionTimeout: 1_000 * longestSilence(settings),
    http: {
      headersTimeout: connections.headersMilliseconds,
      connectionsCheckingInterval: connections.checkMilliseconds,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
      noDelay: true,
    },
    clientErrorHandler,
  })
  app.server.maxConnections = connections.most
  limitConnections(app.server, settings)

  const hand = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    const { raw } = request
    raw.url = request.originalUrl
    listener(raw, reply.raw, addressOf(request))
  }
  const isOurs = ({ routeOptions: { url = '' } }: FastifyRequest): boolean =>
    !OWN.has(url) && url !== REFERENCE_ROUTE

  // An OPTIONS that is no preflight is a wrong method like any other.
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request.raw
    const isPlain = !headers.origin || !headers['access-control-request-method']
    if (method !== 'OPTIONS') done()
    else if (OWN.has(ownPath({ url: request.originalUrl }))) reply.code(404).send()
    else if (isPlain && isOurs(request)) hand(request, reply)
    else done()
  })
  app.register(cors, {
    origin: settings.corsOrigin,
    methods: 'GET,HEAD,POST',
    exposedHeaders: 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
    maxAge: PREFLIGHT_SECONDS,
    cacheControl: PREFLIGHT_SECONDS,
  })
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      if (isOurs(request)) hand(request, reply)
      else done()
    })
    scope.all('/documented', () => undefined)
    scope.setNotFoundHandler(() => undefined)
    serveOperators(scope, options.probes, metrics, isStopping)
    if (options.reference) serveReference(scope, options.reference)
  })
  app.setErrorHandler((_, __, reply) => reply.code(500).send({ error: 'internal error' }))

  return {
    app,
    listen: async () => {
      const { host, port } = settings
      await app.listen({ host, port })
      const address = app.server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` }
    },
    close: async (finished) => {
      const closed = app.close()
      await Promise.race([finished(), pause(1_000 * settings.stopSeconds)])
      app.server.closeAllConnections()
      await closed
    },
  }
}

type Host = {
  readonly app: FastifyInstance
  readonly listen: () => Promise<{ readonly url: string }>
  readonly close: (finished: () => Promise<void>) => Promise<void>
}

type HostOptions = {
  readonly settings: GatewaySettings
  readonly listener: (raw: IncomingMessage, response: ServerResponse, address: string) => void
  readonly metrics: Metrics
  readonly probes: Probes
  readonly isStopping: () => boolean
  readonly reference?: ReferenceOptions
  readonly connections?: Partial<Connections>
}

/** What one connection may take, in milliseconds, and how many there may be. */
export type Connections = {
  readonly headersMilliseconds: number
  readonly requestMilliseconds: number
  readonly keepAliveMilliseconds: number
  readonly checkMilliseconds: number
  readonly most: number
}

const CONNECTIONS: Connections = {
  headersMilliseconds: 15_000,
  requestMilliseconds: 60_000,
  // Longer than what usual proxies keep, so that it is they who close.
  keepAliveMilliseconds: 72_000,
  checkMilliseconds: 5_000,
  most: 10_000,
}

/**
 * Seconds for which a connection may rest while its request is worked on: longer than any answer is held, so that only who does
 * not read what was written to him is let go. A source waits for those before it, and is tried twice at most.
 */
const longestSilence = ({ compiler, waitSeconds, nodeSeconds }: GatewaySettings): number => {
  const turns = Math.ceil(MOST_WAITING / processesWithoutKey(compiler.processes)) + 2
  return turns * compiler.seconds + waitSeconds + nodeSeconds + 60
}

/** As long as browsers keep one at most. */
const PREFLIGHT_SECONDS = 7_200

const OWN = new Set(['/health', '/ready', '/metrics'])

const ownPath = ({ url = '/' }: { readonly url?: string | undefined }): string => pathOf(url)

const isOwn = (request: {
  readonly url?: string | undefined
  readonly method?: string | undefined
}): boolean => (request.method === 'GET' || request.method === 'HEAD') && OWN.has(ownPath(request))

/** By number: so many proxies stand in a row before us. */
const trust = (proxies: GatewaySettings['trustProxy']) => {
  if (typeof proxies === 'number') return (_: string, hop: number) => hop < proxies
  return proxies.length > 0 && [...proxies]
}

/** Of one address, so that no one caller takes the connections of all. A trusted proxy connects for many. */
const limitConnections = (
  server: FastifyInstance['server'],
  { addressConnections: most, trustProxy }: GatewaySettings,
): void => {
  if (most === 0 || (typeof trustProxy === 'number' ? trustProxy > 0 : trustProxy.length > 0))
    return
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

/** A proxy's header may hold anything; what is no address is counted as the proxy's own. */
const addressOf = ({ ip, socket }: FastifyRequest): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip

const serveOperators = (
  app: FastifyInstance,
  probes: Probes,
  metrics: Metrics,
  isStopping: () => boolean,
): void => {
  const health = createHealth(probes)
  const config = { cors: false }
  app.get('/health', { config }, (_, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/ready', { config }, async (_, reply) => {
    const found = isStopping()
      ? { ready: false, parts: { gateway: { ready: false, reason: 'it is being stopped' } } }
      : await health()
    return reply
      .code(found.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(found)
  })
  app.get('/metrics', { config }, async (_, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(metrics.registry.contentType)
      .send(await metrics.registry.metrics()),
  )
}

/** What is no HTTP, or comes too slowly: there is no request to answer in any documented shape. */
const clientErrorHandler = (error: NodeJS.ErrnoException, socket: Socket): void => {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null }
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent) {
    socket.destroy()
    return
  }
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  // A caller who does not close his end is not waited for.
  socket.setTimeout(2_000, () => socket.destroy())
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

/**
 * Whether the service can do its work: each part is asked, all at once, at most once in `freshMilliseconds`, and none is waited
 * for longer than `patienceMilliseconds`.
 */
const createHealth = (
  probes: Probes,
  { freshMilliseconds = 1_000, patienceMilliseconds = 3_000 }: HealthOptions = {},
): (() => Promise<Health>) => {
  let asked: { readonly at: number; readonly health: Promise<Health> } | undefined
  return () => {
    const now = Date.now()
    if (asked === undefined || now - asked.at >= freshMilliseconds)
      asked = { at: now, health: askAll(probes, patienceMilliseconds) }
    return asked.health
  }
}

/** Part of the service -> a question that it answers as long as it works. */
export type Probes = Readonly<Record<string, () => Promise<unknown>>>

/** Part of the service -> whether it works; `reason` says why not, for everyone to read. */
type Readiness = Readonly<Record<string, PartState>>
type PartState = { readonly ready: boolean; readonly reason?: string }

type Health = { readonly ready: boolean; readonly parts: Readiness }

type HealthOptions = {
  readonly freshMilliseconds?: number
  readonly patienceMilliseconds?: number
}

const askAll = async (probes: Probes, patience: number): Promise<Health> => {
  const states = await Promise.all(
    Object.entries(probes).map(
      async ([name, probe]) => [name, await ask(probe, patience)] as const,
    ),
  )
  return { ready: states.every(([, { ready }]) => ready), parts: Object.fromEntries(states) }
}

const ask = async (probe: () => Promise<unknown>, patience: number): Promise<PartState> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<PartState>((resolve) => {
    const state = { ready: false, reason: `no answer within ${patience} ms` }
    timer = setTimeout(() => resolve(state), patience)
  })
  const answered = probe().then(
    () => ({ ready: true }),
    // What a part failed by may contain an address with a password, so it is left out.
    () => ({ ready: false, reason: 'it does not answer' }),
  )
  return Promise.race([late, answered]).finally(() => clearTimeout(timer))
}
