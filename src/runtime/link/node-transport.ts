import { constants as bufferLimits } from 'node:buffer'
import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import { offEnd, onEnd } from '../shared/deadline.js'
import { incoming, isEventStream, ResponseTooLarge } from './http-exchange.js'
import { redirected } from './redirects.js'
import type { IncomingResponse, Transport, TransportRequest } from './transport.js'
import { transport as fetchTransport } from './web-transport.js'

/**
 * Sends plain requests for JSON through the dispatcher of Node's own `fetch`: the same connections, proxies and limits in a
 * sixth of the time. `fetch` sends every other request, and all requests if a program has replaced it.
 */
export const transport: Transport = (request) => {
  const dispatcher = findDispatcher()
  const target = dispatcher && request.fetchOptions === undefined ? targetOf(request) : undefined
  const body = target && plainBody(request)
  return dispatcher && target && body !== undefined
    ? dispatch(dispatcher, target, body, request)
    : fetchTransport(request)
}

const findDispatcher = (): Dispatcher | undefined => {
  if (!IS_NODES_OWN || globalThis.fetch !== FETCH) return undefined
  // Node creates it at the first use of any part of `fetch`.
  const dispatcher = globalWithDispatcher()[KEY] ?? (new Headers() && globalWithDispatcher()[KEY])
  return typeof dispatcher?.dispatch === 'function' ? dispatcher : undefined
}

const FETCH = globalThis.fetch

/** The source of Node's `fetch` contains the name undici; a replacement from before this module was loaded does not. */
const IS_NODES_OWN = String(FETCH).includes('internal/deps/undici')

/** Documented with undici's `setGlobalDispatcher`, with which programs set a proxy for Node's `fetch`. */
const KEY = Symbol.for('undici.globalDispatcher.1')

const globalWithDispatcher = () => globalThis as { readonly [KEY]?: Dispatcher | undefined }

type Dispatcher = { readonly dispatch: (request: object, handler: Handler) => unknown }

/**
 * undici's handler of one exchange. `onError` ends it at any time; `headers` alternates names and values. After `onData` has
 * returned false, the next chunk follows when `resume` was called.
 */
type Handler = {
  readonly onConnect: (abort: (reason?: unknown) => void) => void
  readonly onHeaders: (status: number, headers: readonly Buffer[], resume: () => void) => boolean
  readonly onData: (chunk: Bytes) => boolean
  readonly onComplete: () => void
  readonly onError: (error: unknown) => void
}

type Bytes = Uint8Array<ArrayBuffer>

/** The target of a plain request, with the additional headers of `fetch`. */
type Target = {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

/** Undefined for a request that `fetch` must send. The calls of a JSON-RPC client have one target, which is cached. */
const targetOf = (request: TransportRequest): Target | undefined => {
  const { url, method, headers } = request
  const isSame = kept?.url === url && kept.method === method && kept.headers === headers
  if (!isSame) kept = { url, method, headers, target: createTarget(request) }
  return kept?.target
}

let kept:
  | (Pick<TransportRequest, 'url' | 'method' | 'headers'> & {
      readonly target: Target | undefined
    })
  | undefined

const createTarget = ({
  url: href,
  method,
  headers: pairs,
}: TransportRequest): Target | undefined => {
  if (!METHOD.test(method) || !/^https?:\/\/[^@]*$/.test(href) || !URL.canParse(href))
    return undefined
  // Other responses may be long, so `fetch` streams them.
  if (!pairs.accept?.includes('json')) return undefined
  const headers: Record<string, string> = {
    'accept-language': '*',
    'user-agent': 'node',
    'accept-encoding': 'gzip',
  }
  for (const [name, value] of Object.entries(pairs)) {
    if (UNUSUAL.test(name)) return undefined
    headers[name] = value
  }
  headers['sec-fetch-mode'] = 'cors'
  const { origin, pathname, search } = new URL(href)
  return { origin, path: `${pathname}${search}`, method, headers }
}

const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/

/** For conditions and ranges, `fetch` sends more headers; it handles the others specially. */
const UNUSUAL =
  /^(if-.*|range|host|connection|expect|content-length|(accept|transfer)-encoding|__proto__)$/

/** Text or bytes for a dispatcher, null for no body; undefined for a body that `fetch` must send. */
const plainBody = ({
  method,
  headers,
  body,
}: TransportRequest): string | Uint8Array | null | undefined => {
  if (body === undefined) return null
  if (method === 'GET' || method === 'HEAD') return undefined
  // `fetch` adds a missing content type.
  if (typeof body === 'string') return headers['content-type'] === undefined ? undefined : body
  return body instanceof Uint8Array ? body : undefined
}

const dispatch = (
  dispatcher: Dispatcher,
  { origin, path, method, headers }: Target,
  body: string | Uint8Array | null,
  request: TransportRequest,
): Promise<IncomingResponse> =>
  new Promise((resolve, reject) => {
    const { deadline, maxResponseBytes } = request
    const chunks: Bytes[] = []
    let left = maxResponseBytes
    let status = 0
    let raw: readonly Buffer[] = []
    let abort: ((reason?: unknown) => void) | undefined
    let stream: ReadableStreamDefaultController<Bytes> | undefined
    let hasFailed = false
    let failure: unknown
    const fail = (error: unknown): void => {
      if (hasFailed) return
      hasFailed = true
      failure = error
      offEnd(deadline, stop)
      reject(error)
      stream?.error(error)
      abort?.(error)
    }
    const stop = (): void => fail(deadline.reason)
    const handler: Handler = {
      onConnect: (pairs) => {
        abort = pairs
        if (hasFailed) pairs(failure)
      },
      onHeaders: (code, pairs, resume) => {
        if (code < 200) return true
        status = code
        raw = pairs
        const head = buffered(code, pairs, EMPTY)
        if (!isEventStream(head)) return true
        const body = new ReadableStream<Bytes>({
          start: (controller) => {
            stream = controller
          },
          pull: resume,
          cancel: () => fail(new TypeError('terminated')),
        })
        resolve(incoming(streamed(head, body), maxResponseBytes))
        return true
      },
      onData: (chunk) => {
        if (hasFailed) return true
        if (stream) {
          stream.enqueue(chunk)
          return (stream.desiredSize ?? 0) > 0
        }
        left -= chunk.byteLength
        if (left < 0) fail(new ResponseTooLarge(maxResponseBytes))
        else chunks.push(chunk)
        return true
      },
      onComplete: () => {
        if (hasFailed) return
        offEnd(deadline, stop)
        if (stream) return stream.close()
        try {
          const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
          resolve(finish(buffered(status, raw, bytes ?? EMPTY), request))
        } catch (error) {
          reject(error)
        }
      },
      onError: (cause) =>
        fail(new TypeError(status === 0 ? 'fetch failed' : 'terminated', { cause })),
    }
    dispatcher.dispatch({ origin, path, method, headers, body }, handler)
    onEnd(deadline, stop)
  })

const EMPTY: Bytes = new Uint8Array()

/** Only gzip is requested; a body in another coding is unchanged, like an unknown one in `fetch`. */
const finish = (
  response: Buffered,
  request: TransportRequest,
): IncomingResponse | Promise<IncomingResponse> => {
  const next = request.redirect === 'follow' && redirected(response, request, [])
  if (next) return fetchTransport(next)
  const { status, raw, bytes } = response
  if (bytes.length === 0 || !isGzip(response)) return response
  return decompress(bytes, request.maxResponseBytes).then((all) => buffered(status, raw, all))
}

const isGzip = (response: Buffered): boolean =>
  /^(x-)?gzip$/i.test(response.header('content-encoding') ?? '')

/** The response with an event stream, which is read as it arrives. */
const streamed = (head: Buffered, body: ReadableStream<Bytes>): Response => {
  const { status } = head
  const plain = isGzip(head) ? body.pipeThrough(new DecompressionStream('gzip')) : body
  return new Response(plain, { status, headers: head.headers() })
}

const decompress = async (bytes: Bytes, limit: number): Promise<Bytes> => {
  try {
    // `fetch` keeps the received part of a truncated body.
    const options = { finishFlush: constants.Z_SYNC_FLUSH }
    return await unzip(bytes, {
      ...options,
      maxOutputLength: Math.min(limit, bufferLimits.MAX_LENGTH),
    })
  } catch (cause) {
    if (Object(cause).code === 'ERR_BUFFER_TOO_LARGE') throw new ResponseTooLarge(limit)
    throw new TypeError('terminated', { cause })
  }
}

const unzip = promisify(gunzip) as (bytes: Bytes, options: object) => Promise<Bytes>

/** A completely received response: a `Response` would read it through a stream, which takes as long as the request. */
type Buffered = IncomingResponse & {
  readonly raw: readonly Buffer[]
  readonly bytes: Bytes
}

const buffered = (status: number, raw: readonly Buffer[], bytes: Bytes): Buffered => ({
  status,
  raw,
  bytes,
  header,
  headers,
  text,
  chunks,
  discard: () => undefined,
  response,
})

function header(this: Buffered, name: string): string | null {
  const { raw } = this
  let found: string | null = null
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.length !== name.length || latin1(raw[at]).toLowerCase() !== name) continue
    const value = latin1(raw[at + 1])
    found = found === null ? value : `${found}, ${value}`
  }
  return found
}

function headers(this: Buffered): Headers {
  const { raw } = this
  const all = new Headers()
  for (let at = 0; at < raw.length; at += 2) all.append(latin1(raw[at]), latin1(raw[at + 1]))
  return all
}

function text(this: Buffered): string {
  return UTF8.decode(this.bytes)
}

async function chunks(this: Buffered): Promise<Bytes[]> {
  return [this.bytes]
}

function response(this: Buffered): Response {
  const { status, bytes } = this
  return new Response(bytes.length > 0 ? bytes : null, { status, headers: this.headers() })
}

const latin1 = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? ''

const UTF8 = new TextDecoder()
