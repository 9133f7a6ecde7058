import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import { BufferedResponse } from './buffered-response.js'
import { transport as fetchTransport, type Transport } from './web-transport.js'

/**
 * Sends plain requests for JSON through the dispatcher of Node's own `fetch`: the same connections, proxies and limits
 * for a sixth of the time. `fetch` sends every other request, and all of them where a program has replaced it.
 */
export const transport: Transport = (url, init) => {
  const dispatcher = findDispatcher()
  const request = dispatcher && plainRequest(url, init)
  return request ? dispatch(dispatcher, request) : fetchTransport(url, init)
}

const findDispatcher = (): Dispatcher | undefined => {
  if (!IS_NODES_OWN || globalThis.fetch !== FETCH) return undefined
  // Node creates it when something of `fetch` is used for the first time.
  const dispatcher = globalWithDispatcher()[KEY] ?? (new Headers() && globalWithDispatcher()[KEY])
  return typeof dispatcher?.dispatch === 'function' ? dispatcher : undefined
}

const FETCH = globalThis.fetch

/** The source of Node's `fetch` names undici; a replacement that was set before this module was loaded does not. */
const IS_NODES_OWN = String(FETCH).includes('internal/deps/undici')

/** Documented with undici's `setGlobalDispatcher`, by which programs give Node's `fetch` a proxy. */
const KEY = Symbol.for('undici.globalDispatcher.1')

const globalWithDispatcher = () => globalThis as { readonly [KEY]?: Dispatcher | undefined }

type Dispatcher = { readonly dispatch: (request: object, handler: Handler) => unknown }

/** undici's handler of one exchange. `onError` ends it at any time; header names and values come in turn. */
type Handler = {
  readonly onConnect: (abort: (reason?: unknown) => void) => void
  readonly onHeaders: (status: number, headers: readonly Buffer[]) => boolean
  readonly onData: (chunk: Bytes) => boolean
  readonly onComplete: () => void
  readonly onError: (error: unknown) => void
}

type Bytes = Uint8Array<ArrayBuffer>

/** A request of text or bytes, with all that `fetch` would send beside its headers. */
type PlainRequest = {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Bytes | null
  readonly signal: AbortSignal | null
}

const plainRequest = (
  href: string,
  { method = 'GET', headers: given = {}, body = null, signal = null, ...rest }: RequestInit,
): PlainRequest | undefined => {
  const isPlain = body === null || typeof body === 'string' || body instanceof Uint8Array
  if (!isPlain || !(body === null ? METHOD : METHOD_WITH_BODY).test(method)) return undefined
  if (Object.keys(rest).length > 0 || !/^https?:\/\/[^@]*$/.test(href)) return undefined
  if (!URL.canParse(href)) return undefined
  const url = new URL(href)
  const headers: Record<string, string> = {
    'accept-language': '*',
    'user-agent': 'node',
    'accept-encoding': 'gzip',
  }
  for (const [name = '', value = ''] of pairsOf(given)) {
    const key = name.toLowerCase()
    if (UNUSUAL.test(key)) return undefined
    headers[key] = value
  }
  // Other bodies may be long: they are left to the streams of `fetch`.
  if (!headers.accept?.includes('json')) return undefined
  headers['sec-fetch-mode'] = 'cors'
  if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8'
  return { url, method, headers, body: body as PlainRequest['body'], signal }
}

const pairsOf = (headers: HeadersInit): Iterable<readonly string[]> =>
  Symbol.iterator in headers ? headers : Object.entries(headers)

const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/
const METHOD_WITH_BODY = /^(POST|PUT|PATCH|DELETE|OPTIONS)$/

/** `fetch` sends more headers beside a condition or range, and treats the others in its own way. */
const UNUSUAL =
  /^(if-.*|range|host|connection|expect|content-length|(accept|transfer)-encoding|__proto__)$/

const dispatch = (dispatcher: Dispatcher, request: PlainRequest): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { url, method, headers, body, signal } = request
    const chunks: Bytes[] = []
    let begun: Head | undefined
    let stream: ReadableStreamDefaultController<Bytes> | undefined
    let abort: (reason?: unknown) => void = () => undefined
    const fail = (error: unknown): void => {
      signal?.removeEventListener('abort', onAbort)
      reject(error)
      stream?.error(error)
    }
    const onAbort = (): void => {
      fail(signal?.reason)
      abort(signal?.reason)
    }
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort)
    const handler: Handler = {
      onConnect: (given) => {
        abort = given
        if (signal?.aborted) abort(signal.reason)
      },
      onHeaders: (status, raw) => {
        if (status < 200) return true
        const head = { status, headers: readPairs(raw) }
        begun = head
        const redirected = follow(head, request)
        if (redirected !== undefined) {
          resolve(redirected)
          abort()
        } else if (!isBuffered(head)) {
          const start = (controller: ReadableStreamDefaultController<Bytes>): void => {
            stream = controller
          }
          const received = new ReadableStream<Bytes>({ start, cancel: (reason) => abort(reason) })
          const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status)
          resolve(new Response(isEmpty ? null : received, head))
        }
        return true
      },
      onData: (chunk) => {
        if (stream === undefined) chunks.push(chunk)
        else stream.enqueue(chunk)
        return true
      },
      onComplete: () => {
        signal?.removeEventListener('abort', onAbort)
        if (stream !== undefined) stream.close()
        else if (begun !== undefined) finish(begun, Buffer.concat(chunks)).then(resolve, reject)
      },
      onError: (cause) =>
        fail(new TypeError(begun === undefined ? 'fetch failed' : 'terminated', { cause })),
    }
    const { origin, pathname, search } = url
    dispatcher.dispatch({ origin, path: `${pathname}${search}`, method, headers, body }, handler)
  })

type Head = { readonly status: number; readonly headers: [name: string, value: string][] }

const readPairs = (raw: readonly Buffer[]): Head['headers'] => {
  const pairs: Head['headers'] = []
  for (let at = 0; at < raw.length; at += 2)
    pairs.push([latin1(raw[at]).toLowerCase(), latin1(raw[at + 1])])
  return pairs
}

const latin1 = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? ''

const headerOf = ({ headers }: Head, name: string): string | undefined =>
  headers.find(([key]) => key === name)?.[1]

/** JSON is read whole by its reader, so that it needs no stream; nor does what has to be decoded. */
const isBuffered = (head: Head): boolean =>
  headerOf(head, 'content-encoding') !== undefined ||
  /^application\/([^;]+\+)?json\b/i.test(headerOf(head, 'content-type') ?? '')

/** Only gzip is requested; a body in another coding stays as it is, as one that `fetch` does not know. */
const finish = async (head: Head, bytes: Bytes): Promise<Response> => {
  const isCoded = /^(x-)?gzip$/i.test(headerOf(head, 'content-encoding') ?? '')
  if (!isCoded || bytes.length === 0) return new BufferedResponse(bytes, head)
  try {
    // `fetch` keeps what has arrived of a body that was cut short.
    const decoded = await unzip(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    return new BufferedResponse(decoded, head)
  } catch (cause) {
    throw new TypeError('terminated', { cause })
  }
}

const unzip = promisify(gunzip) as (bytes: Bytes, options: object) => Promise<Bytes>

/** Fetch standard, "HTTP-redirect fetch". Undefined where the response is no redirect. */
const follow = (
  response: Head,
  { url, method, headers, body, signal }: PlainRequest,
): Promise<Response> | undefined => {
  const { status } = response
  const location = headerOf(response, 'location')
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined
  if (next === undefined || !/^https?:$/.test(next.protocol))
    return Promise.reject(new TypeError('fetch failed', { cause: new Error('invalid redirect') }))
  const isRead = method === 'GET' || method === 'HEAD'
  const becomesGet = status === 303 ? !isRead : status < 303 && method === 'POST'
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !(becomesGet && name.startsWith('content-')) &&
      (next.origin === url.origin || !/^((proxy-)?authorization|cookie)$/.test(name)),
  )
  const changed = becomesGet ? { method: 'GET' } : { method, body }
  return fetchTransport(next.href, { ...changed, headers: kept, signal })
}
