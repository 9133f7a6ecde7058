import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { openTelemetry, traceServer } from 'twinspec/runtime/open-telemetry'
import { toFetchHandler } from 'twinspec/runtime/server'
import { createHttpClient } from './generated/http.client.js'
import { createRpcClient } from './generated/rpc.client.js'
import { createServer, notOffered } from './generated/server.js'

const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
)
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator({
  // What a client of ours sends, as the propagator of W3C reads it.
  inject: () => undefined,
  fields: () => [],
  extract: (parent, carrier, getter) => {
    const [, traceId, spanId] = String(getter.get(carrier, 'traceparent')).split('-')
    return traceId === undefined || spanId === undefined
      ? parent
      : trace.setSpanContext(parent, { traceId, spanId, traceFlags: 1, isRemote: true })
  },
})

const tracer = trace.getTracer('shop')
const handlers = {
  ...notOffered,
  stockLevel: ([sku]: readonly [string, ...unknown[]]) => {
    trace.getActiveSpan()?.setAttributes({ handled: sku })
    return 12
  },
}
const handle = toFetchHandler(traceServer(createServer(handlers), { tracer, context, propagation }))
let attempts = 0
const fetch = async (url: string, init: RequestInit): Promise<Response> => {
  if (url.includes('/offline')) throw new TypeError('fetch failed')
  if (url.includes('/search')) {
    attempts += 1
    return attempts === 1 ? new Response('', { status: 503 }) : Response.json([])
  }
  return await handle(new Request(url, init))
}
const options = { fetch, retry: { delay: 1 }, ...openTelemetry({ tracer }) }
const http = createHttpClient({ server: 'http://shop.test', ...options })
const secret = createRpcClient({
  server: 'http://shop.test/{key}/rpc',
  auth: { key: 's3cret' },
  batch: 'auto',
  ...options,
})
const open = createRpcClient({ server: 'http://shop.test/rpc', batch: 'auto', ...options })

/** Prints the spans since the last time, clients before servers. */
const print = (name: string) => {
  const spans = exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    kind: span.kind,
    status: span.status.code,
    parent: span.parentSpanContext?.spanId,
    id: span.spanContext().spanId,
    trace: span.spanContext().traceId,
    attributes: span.attributes,
  }))
  exporter.reset()
  console.log(JSON.stringify([name, spans]))
}

await open.stockLevel('tea-1')
print('single')
await Promise.allSettled([open.stockLevel('tea-1'), open.stockReserve('tea-1', 2)])
print('batch')
await secret.stockLevel('tea-1').catch(() => undefined)
print('secret')
await http.getOrder({ path: { id: 'offline' } }).catch(() => undefined)
print('network')
await http.searchOrders({ body: { text: 'tea' } })
print('http')
await tracer.startActiveSpan('parent', async (span) => {
  await open.stockLevel('tea-1')
  span.end()
})
print('nested')
