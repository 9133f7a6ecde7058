import type { IncomingResponse, Send, SendableRequest } from './link/transport.js'
import { matchById, type Packaging } from './rpc/match.js'
import type { ServerCore, ServerReply, ServerRequest } from './server/request.js'
import { headerRecord } from './server/request.js'
import { cached } from './shared/cached.js'
import { isObject, parseJson } from './shared/json.js'
import { withoutNames } from './shared/template.js'
import { headerOf } from './wire/headers.js'
import { createRoutes, splitUrl } from './wire/routes.js'

/** The parts of a tracer of `@opentelemetry/api` that are used. */
export type Tracer<Context = never> = {
  readonly startSpan: (name: string, options: SpanOptions) => Span
  readonly startActiveSpan: {
    <T>(name: string, options: SpanOptions, run: (span: Span) => T): T
    <T>(name: string, options: SpanOptions, context: Context, run: (span: Span) => T): T
  }
}

/** The parts of a span of `@opentelemetry/api` that are used. */
export type Span = {
  readonly spanContext: () => {
    readonly traceId: string
    readonly spanId: string
    readonly traceFlags: number
    readonly traceState?: { readonly serialize: () => string } | undefined
  }
  readonly setAttributes: (attributes: Attributes) => unknown
  readonly setStatus: (status: { code: number }) => unknown
  readonly end: () => void
}

type SpanOptions = { kind: number; attributes: Attributes }
type Attributes = Record<string, string | number>

/**
 * Client options that create a span for each request, retries included, and send its `traceparent`. A JSON-RPC batch has one
 * span, and another one for each call: `createClient({ ...openTelemetry({ tracer }) })`.
 */
export const openTelemetry = ({
  tracer,
}: {
  readonly tracer: Tracer
}): { readonly around: (send: Send) => Send } => ({
  around: (send) => (request) => {
    const { protocol, method, operations, attempt } = request
    const members = protocol === 'rpc' ? membersOf(request.body) : []
    const isBatch = members.length > 1
    const [only] = members
    const target = isBatch ? '' : (operations()[0] ?? '')
    const attributes = {
      ...placeOf(request.shown()),
      'http.request.method': method,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      ...(isBatch ? { 'rpc.system': 'jsonrpc' } : only && rpcAttributes(only)),
    }
    const name = protocol === 'rpc' && !isBatch ? target : `${method} ${target}`.trimEnd()
    return tracer.startActiveSpan(name, { kind: CLIENT, attributes }, async (span) => {
      const calls = members.map((member) => ({
        id: member.id,
        span: isBatch
          ? tracer.startSpan(String(member.method), {
              kind: CLIENT,
              attributes: rpcAttributes(member),
            })
          : span,
      }))
      const spans = new Set([span, ...calls.map((call) => call.span)])
      const endAll = (error?: string) => {
        for (const one of spans) {
          if (error !== undefined) fail(one, error)
          one.end()
        }
        spans.clear()
      }
      try {
        const headers = { ...request.headers, ...propagated(span) }
        const response = await send({ ...request, headers })
        const { status } = response
        span.setAttributes({ 'http.response.status_code': status })
        if (status >= 400) fail(span, String(status))
        if (protocol === 'rpc')
          return observed(response, calls, isBatch ? 'batch' : 'single', endAll)
        // The body may not be read.
        endAll()
        return response
      } catch (error) {
        endAll(error instanceof Error ? error.name : typeof error)
        throw error
      }
    })
  },
})

/**
 * Adds a span for each request to a server; its parent is the `traceparent` of the request. The options are objects of
 * `@opentelemetry/api`: `traceServer(createServer(handlers), { tracer, context, propagation })`.
 */
export const traceServer = <Context>(
  server: ServerCore,
  { tracer, context, propagation }: ServerTelemetry<Context>,
): ServerCore => {
  // Methods may have templates that differ only in names.
  const templates = new Map<string, string>()
  for (const path of server.paths ?? []) cached(templates, withoutNames(path), () => path)
  const find = createRoutes(
    [...templates.values()].map((path) => ({ method: '', path, target: path })),
  )
  const handle = async (request: ServerRequest): Promise<ServerReply> => {
    const { method, url } = request
    const headers = headerRecord(request.headers)
    const carried = Object.fromEntries(
      ['traceparent', 'tracestate', 'baggage'].flatMap((name) => {
        const value = headerOf(headers, name)
        return value === undefined ? [] : [[name, value]]
      }),
    )
    const found = find('', splitUrl(url)[0])
    const route = found.kind === 'found' ? found.target : undefined
    const attributes = {
      'http.request.method': method,
      // The route, as the path itself may contain a key.
      ...(route !== undefined && { 'http.route': route }),
    }
    const parent = propagation.extract(context.active(), carried)
    const name = `${method} ${route ?? ''}`.trimEnd()
    return await tracer.startActiveSpan(
      name,
      { kind: SERVER, attributes },
      parent,
      async (span) => {
        try {
          const reply = await server.handle(request)
          span.setAttributes({ 'http.response.status_code': reply.status })
          if (reply.status >= 500) fail(span, String(reply.status))
          return reply
        } finally {
          span.end()
        }
      },
    )
  }
  return { ...server, handle }
}

type ServerTelemetry<Context> = {
  readonly tracer: Tracer<Context>
  readonly context: { readonly active: () => Context }
  readonly propagation: {
    readonly extract: (context: Context, carrier: Record<string, string>) => Context
  }
}

type Member = { readonly id?: unknown; readonly method?: unknown }
type CallSpan = { readonly id: unknown; readonly span: Span }

/** Numbers of the enumerations SpanKind and SpanStatusCode. */
const SERVER = 1
const CLIENT = 2
const ERROR = 2

const fail = (span: Span, type: string): void => {
  span.setAttributes({ 'error.type': type })
  span.setStatus({ code: ERROR })
}

const membersOf = (body: SendableRequest['body']): readonly Member[] => {
  const parsed: unknown = JSON.parse(String(body))
  return [parsed].flat().filter(isObject)
}

const rpcAttributes = ({ id, method }: Member): Attributes => ({
  'rpc.system': 'jsonrpc',
  'rpc.method': String(method),
  'rpc.jsonrpc.version': '2.0',
  ...(id !== undefined && { 'rpc.jsonrpc.request_id': String(id) }),
})

/** The address without its secrets. */
const placeOf = (shown: string): Attributes => {
  const url = URL.canParse(shown) ? new URL(shown) : undefined
  const port = Number(url?.port || (url?.protocol === 'https:' ? 443 : 80))
  return {
    'url.full': shown,
    ...(url && { 'server.address': url.hostname, 'server.port': port }),
  }
}

/** The headers of W3C Trace Context, §3.2 and §3.3; none for a span that is not recorded. */
const propagated = (span: Span): Readonly<Record<string, string>> => {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  if (/^0*$/.test(traceId)) return {}
  const state = traceState?.serialize()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(state && { tracestate: state }),
  }
}

/** The response to JSON-RPC calls. Their spans end when its text is read, because the text contains the errors. */
const observed = (
  response: IncomingResponse,
  calls: readonly CallSpan[],
  packaging: Packaging,
  endAll: (error?: string) => void,
): IncomingResponse => ({
  ...response,
  text: async () => {
    try {
      const text = await response.text()
      noteErrors(text, calls, packaging)
      endAll()
      return text
    } catch (error) {
      endAll(error instanceof Error ? error.name : typeof error)
      throw error
    }
  },
  discard: () => {
    endAll()
    response.discard()
  },
  response: () => {
    endAll()
    return response.response()
  },
})

/** Notes the error of each call, as the client finds it. A text without an error is not parsed a second time. */
const noteErrors = (text: string, calls: readonly CallSpan[], packaging: Packaging): void => {
  if (!text.includes('"error"')) return
  const body = parseJson(text, String)
  if (!('value' in body)) return
  const matchOf = matchById(
    calls.map(({ id }) => id),
    body.value,
    packaging,
  )
  for (const { id, span } of calls) {
    const match = matchOf(id)
    if (match.kind === 'rejected') {
      span.setAttributes({ 'rpc.jsonrpc.error_code': match.error.code })
      fail(span, String(match.error.code))
    } else if (match.kind === 'unusable' && id !== undefined) fail(span, match.reason)
  }
}
