import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import { redirected } from './redirect.js'
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
  readonly redirect: RequestRedirect
}

const plainRequest = (
  href: string,
  {
    method = 'GET',
    headers: given = {},
    body = null,
    signal = null,
    redirect = 'follow',
    ...rest
  }: RequestInit,
): PlainRequest | undefined => {
  const isPlain = body === null || typeof body === 'string' || body instanceof Uint8Array
  if (!isPlain || !(body === null ? METHOD : METHOD_WITH_BODY).test(method)) return undefined
  if (redirect === 'error' || Object.keys(rest).length > 0 || !/^https?:\/\/[^@]*$/.test(href))
    return undefined
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
  return { url, method, headers, body: body as PlainRequest['body'], signal, redirect }
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
    let head: Head | undefined
    let abort: (reason?: unknown) => void = () => undefined
    const fail = (error: unknown): void => {
      signal?.removeEventListener('abort', onAbort)
      reject(error)
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
        if (status >= 200) head = { status, headers: readPairs(raw) }
        return true
      },
      onData: (chunk) => {
        chunks.push(chunk)
        return true
      },
      onComplete: () => {
        signal?.removeEventListener('abort', onAbort)
        if (head !== undefined) finish(head, Buffer.concat(chunks), request).then(resolve, reject)
      },
      onError: (cause) =>
        fail(new TypeError(head === undefined ? 'fetch failed' : 'terminated', { cause })),
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

/** Only gzip is requested; a body in another coding stays as it is, as one that `fetch` does not know. */
const finish = async (
  head: Head,
  bytes: Bytes,
  { url: { href: url }, redirect, ...init }: PlainRequest,
): Promise<Response> => {
  const response = new BufferedResponse(await decoded(head, bytes), head)
  const next = redirect === 'follow' ? redirected(response, { url, init }, []) : undefined
  return next === undefined ? response : await fetchTransport(next.url, next.init)
}

const decoded = async ({ headers }: Head, bytes: Bytes): Promise<Bytes> => {
  const coding = headers.find(([name]) => name === 'content-encoding')?.[1] ?? ''
  if (!/^(x-)?gzip$/i.test(coding) || bytes.length === 0) return bytes
  try {
    // `fetch` keeps what has arrived of a body that was cut short.
    return await unzip(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (cause) {
    throw new TypeError('terminated', { cause })
  }
}

const unzip = promisify(gunzip) as (bytes: Bytes, options: object) => Promise<Bytes>

/**
 * A response whose bytes have all arrived. Reading its text needs no stream: through the stream of a `Response` that
 * takes as long as the request.
 */
class BufferedResponse extends Response {
  readonly #bytes: Uint8Array<ArrayBuffer>
  #streamed: Response | undefined
  #isRead = false

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(null, init)
    this.#bytes = bytes
  }

  override get bodyUsed() {
    return this.#isRead || this.#streamed?.bodyUsed === true
  }
  override get body() {
    return this.#isRead ? null : this.#stream().body
  }
  override async text() {
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read')
    this.#isRead = true
    return UTF8.decode(this.#bytes)
  }
  override async json() {
    return JSON.parse(await this.text())
  }
  override arrayBuffer() {
    return this.#stream().arrayBuffer()
  }
  override blob() {
    return this.#stream().blob()
  }
  override bytes() {
    return this.#stream().bytes()
  }
  override formData() {
    return this.#stream().formData()
  }
  override clone() {
    return this.#stream().clone()
  }

  #stream(): Response {
    if (this.#isRead) throw new TypeError('Body is unusable: Body has already been read')
    this.#streamed ??= new Response(this.#bytes.length > 0 ? this.#bytes : null, this)
    return this.#streamed
  }
}

const UTF8 = new TextDecoder()
