import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as afterIo, setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ServerCore, ServerReply, ServerRequest } from 'twinspec/runtime/server'
import { createServer, type Handlers, toNodeListener } from '../../../generated/server.js'
import { hasFormOfKey, type Keys } from '../access/keys.js'
import type { RequestCounters } from '../access/limits.js'
import { LARGE } from '../thread/in-thread.js'
import { type Caller, createTurns } from '../turns.js'
import type { UsageRecorder } from '../usage/record-usage.js'
import { endpointOf, withoutTrailingSlash } from './endpoints.js'
import { formatError } from './error-responses.js'
import type { Probes } from './health.js'
import { type Connections, createHost, type GatewaySettings, type RequestCount } from './host.js'
import type { Metrics } from './metrics.js'
import { recordExchanges } from './record-exchanges.js'
import { createReferencePage, type StaticSite } from './reference.js'
import { createRequestContexts, requestContextOf } from './request-context.js'

/**
 * The HTTP server of the service: it identifies callers, counts requests, and passes them to the handlers. Every response is
 * documented. The path contains the key and is never logged.
 */
export const createGateway = (options: GatewayOptions): Gateway => {
  const { handlers, keys, limits, settings, log, metrics, probes, isChainFull } = options
  const core = createServer(handlers, {
    basePath: '',
    validateOutput: settings.checkAnswers,
    formatError,
    mostMembers: MOST_MEMBERS,
    isSecret: hasFormOfKey,
    admit: (request) => requestContextOf(request.state).admit(request),
    authorize: (call) => requestContextOf(call.state).authorize(call),
    onCall: metrics.called,
    onError: (error, { operation, state }) =>
      log.error(
        { request: requestContextOf(state).id, operation: operation?.id, err: error },
        'a request failed',
      ),
  })
  const createContext = createRequestContexts({
    keys,
    limits,
    log,
    onLimited: metrics.limited,
    isChainFull,
  })
  const inTurn = createBodyTurns()
  const inside = createCount()
  const exchanges = options.usage && recordExchanges(options.usage)
  let isStopping = false

  const serve = (address: string, headers: IncomingHttpHeaders): ServerCore => ({
    handle: async (request) => {
      metrics.begin()
      const begun = performance.now()
      const url = withoutTrailingSlash(request.url)
      const endpoint = endpointOf(url)
      const state = createContext(randomUUID(), address, endpoint)
      const exchange = endpoint && exchanges?.(request, headers, url, endpoint)
      const body = exchange ? exchange.body : request.body
      const reply = await state.settle(
        await core.handle({
          ...request,
          url,
          body: inTurn(body, headers, state.caller),
          remoteAddress: address,
          state,
        }),
      )
      exchange?.end(reply)
      const operation = endpoint?.name ?? 'other'
      const milliseconds = performance.now() - begun
      metrics.end(operation, reply.status, milliseconds / 1000)
      if (log.isLevelEnabled('debug'))
        log.debug(
          {
            request: state.id,
            method: request.method,
            route: endpoint?.route ?? 'none',
            status: reply.status,
            milliseconds: Math.round(milliseconds * 10) / 10,
          },
          'answered',
        )
      return withHeaders(reply, state.id, isStopping)
    },
  })

  const listener = (raw: IncomingMessage, response: ServerResponse, address: string): void => {
    inside.enter()
    response.once('close', inside.leave)
    toNodeListener(serve(address, raw.headers))(raw, response)
  }
  const host = createHost({
    settings,
    listener,
    metrics,
    probes,
    isStopping: () => isStopping,
    reference:
      options.reference &&
      createReferencePage({
        read: options.reference,
        onError: (error) => log.error({ err: error }, 'the reference cannot be written'),
      }),
    connections: options.connections,
  })
  let closing: Promise<Closed> | undefined
  const close = async (): Promise<Closed> => {
    isStopping = true
    const before = inside.left()
    const interrupted = await host.close(inside)
    return { finished: inside.left() - before - interrupted, interrupted }
  }
  return {
    listen: host.listen,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

export type Gateway = {
  /** Rejects if the port is in use. */
  readonly listen: () => Promise<{ readonly url: string }>
  /** Stops accepting requests, finishes accepted ones within the time in the settings, then closes every connection. */
  readonly close: () => Promise<Closed>
}

/** Requests that were open at the stop or came after it. */
export type Closed = { readonly finished: number; readonly interrupted: number }

export type GatewayOptions = {
  readonly handlers: Handlers
  readonly keys: Pick<Keys, 'find'>
  readonly limits: RequestCounters
  readonly settings: GatewaySettings
  readonly log: Logger
  readonly metrics: Metrics
  /** Our own chain uses so much memory that callers without a key cannot read logs and traces. */
  readonly isChainFull?: (() => boolean) | undefined
  /** The names of the parts, and whether they respond, are public at `/ready`. */
  readonly probes: Probes
  /** The files for `/docs/`, read for the first visitor; without it, the path does not exist. */
  readonly reference?: (() => Promise<StaticSite>) | undefined
  /** Records the use of the service; without it, nothing is recorded. */
  readonly usage?: Pick<UsageRecorder, 'add'> | undefined
  /** For tests. */
  readonly connections?: Partial<Connections>
}

/** A body of 1 MB cannot have more state overrides of `eth_call`, the largest objects of the documents. */
const MOST_MEMBERS = 25_000

const withHeaders = (reply: ServerReply, id: string, isLast: boolean): ServerReply => ({
  ...reply,
  headers: { ...reply.headers, 'x-request-id': id, ...(isLast && { connection: 'close' }) },
})

const createCount = (): RequestCount & Record<'enter' | 'leave', () => void> => {
  let open = 0
  let left = 0
  let onEmpty: (() => void) | undefined
  return {
    enter: () => {
      open += 1
    },
    leave: () => {
      open -= 1
      left += 1
      if (open === 0) onEmpty?.()
    },
    open: () => open,
    left: () => left,
    empty: () =>
      new Promise((resolve) => {
        onEmpty = resolve
        if (open === 0) resolve()
      }),
  }
}

/**
 * Large bodies are parsed one at a time, with a pause between them. A body of 1 MB takes up to 50 ms, so several together would
 * block every other request for the sum of their times. None is rejected: callers take turns, those with a key first.
 */
export const createBodyTurns = (): BodyTurns => {
  const turns = createTurns({
    atOnce: 1,
    waiting: Number.POSITIVE_INFINITY,
    share: Number.POSITIVE_INFINITY,
    milliseconds: LONGEST_WAIT,
  })
  return (body, headers, caller) => {
    if (!isStream(body) || mostBytes(headers) < LARGE) return body
    const { collect } = body
    if (collect === undefined) return body
    return {
      [Symbol.asyncIterator]: () => body[Symbol.asyncIterator](),
      collect: async (limit) => {
        const read = await collect.call(body, limit)
        if (read.rejection || read.value.byteLength < LARGE) return read
        const { byteLength } = read.value
        const from = caller()
        return new Promise((resolve) => {
          const parse = async (): Promise<void> => {
            resolve(read)
            // The event loop parses first; then it reads sockets and processes their data.
            await afterIo()
            await pause(from.isKeyed ? PAUSE : PAUSE + byteLength / SLOWEST)
          }
          turns(parse, { caller: from }).catch(() => resolve(read))
        })
      },
    }
  }
}

/** The body, or a replacement that waits for its turn after it was read. Calls `caller` only then. */
export type BodyTurns = (
  body: ServerRequest['body'],
  headers: IncomingHttpHeaders,
  caller: () => Caller,
) => ServerRequest['body']

type Stream = Exclude<ServerRequest['body'], Uint8Array | string | undefined>

const isStream = (body: ServerRequest['body']): body is Stream =>
  typeof body === 'object' && !(body instanceof Uint8Array)

/** Infinity if only the end of the body shows its length. */
const mostBytes = (headers: IncomingHttpHeaders): number =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : Number.POSITIVE_INFINITY

/** Milliseconds, enough to serve a small request completely. */
const PAUSE = 10

/**
 * The rate at which parsing of bodies without a key begins, in bytes per millisecond. Parsing, validation and encoding take up
 * to half of that time; the rest is for other callers.
 */
const SLOWEST = 10_000

/** Milliseconds, after which a body is parsed unconditionally. */
const LONGEST_WAIT = 30_000
