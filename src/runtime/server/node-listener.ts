import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type BodyStream,
  brokenOff,
  createCollector,
  isStream,
  type ReadResult,
  type ReplyStream,
  type ServerCore,
  type ServerReply,
  tooLarge,
} from './request.js'

/**
 * Creates a node:http listener for a server: `createServer(toNodeListener(server)).listen(8080)`. A disconnected client aborts
 * the signal of the context. A connection whose request was not read to its end is closed after the response. A request with an
 * invalid Host, or with two, gets 400 without a body (RFC 9112, 3.2).
 */
export const toNodeListener =
  (server: ServerCore): NodeListener =>
  (request, response) => {
    // Without a listener, the reset of a connection would be an uncaught exception.
    request.on('error', ignore)
    response.on('error', ignore)
    // One tick later, a body that arrived with its head is available, and needs neither events nor a promise.
    process.nextTick(serve, hasValidHost(request) ? server : INVALID_HOST, request, response)
  }

/** RFC 9112, 3.2: a request with more than one Host, or an invalid one, gets 400. Node itself rejects one without a Host. */
const hasValidHost = ({ rawHeaders }: IncomingMessage): boolean => {
  let count = 0
  // Names and values alternate. Node keeps only the first Host in `headers`.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    count += 1
    if (count > 1 || !HOST.test(rawHeaders[at + 1] ?? '')) return false
  }
  return true
}

const INVALID_HOST: ServerCore = { handle: async () => ({ status: 400, headers: {} }) }

/** RFC 3986, 3.2.2 and 3.2.3: a name or an address, and a port. It is empty for a URL without a host. */
const HOST = /^(\[[\w.:~!$&'()*+,;=%-]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/

const serve = (server: ServerCore, request: IncomingMessage, response: ServerResponse): void => {
  const { method = 'GET', url = '/', headers, socket } = request
  const body = nodeBody(request)
  const signal = (): AbortSignal => callerGone(response)
  const { remoteAddress } = socket
  server
    .handle({ method, url, headers, body, signal, remoteAddress })
    .then((reply) => send(reply, request, response, body))
    // Only the service's `formatError` can return an invalid reply: there is nothing to respond with.
    .catch(() => response.destroy())
}

/** This file uses only the types of node:http, so that a worker can load it. */
type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

const ignore = (): void => undefined

/** A signal that is aborted if the client disconnects, or has disconnected, before the response has been sent. */
export const callerGone = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController()
  const abort = (): void => {
    if (!response.writableFinished) gone.abort(new Error('The caller closed the connection'))
  }
  if (response.destroyed) abort()
  else response.once('close', abort)
  return gone.signal
}

/** The body of a request of node:http. The part that `collect` did not read can still be iterated, to discard it. */
export const nodeBody = (request: IncomingMessage): NodeBody => {
  let chunks: AsyncIterator<Uint8Array> | undefined
  return {
    isWhole: false,
    [Symbol.asyncIterator]() {
      // One iterator for reading and for discarding: a second one would be empty.
      chunks ??= request[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
      return chunks
    },
    collect(limit) {
      // With other readers, the available bytes are not the whole body.
      if (request.readableFlowing === null && isAllThere(request)) {
        this.isWhole = true
        return readWhole(request, limit)
      }
      // A request that was destroyed before does not emit `close` again.
      return request.destroyed ? brokenOff() : collect(request, limit)
    },
  }
}

type NodeBody = BodyStream & {
  /** Whether the body was read completely; node's own flag may be set later. */
  isWhole: boolean
}

/** Whether the whole body is available: node sets `complete` only after the tick in which the last byte is readable. */
const isAllThere = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || (readableLength > 0 && readableLength === Number(headers['content-length']))

const readWhole = (request: IncomingMessage, limit: number): ReadResult<Uint8Array> => {
  const bytes: Uint8Array = request.read() ?? new Uint8Array()
  // Other listeners receive the end only if the stream is resumed.
  if (request.listenerCount('end') + request.listenerCount('close') > 0) request.resume()
  return bytes.byteLength > limit ? tooLarge(limit) : { value: bytes }
}

const collect = (request: IncomingMessage, limit: number): Promise<ReadResult<Uint8Array>> =>
  new Promise((resolve) => {
    const collector = createCollector()
    const take = (chunk: Uint8Array): void => {
      if (collector.add(chunk) <= limit) return
      request.pause()
      request.off('data', take).off('end', finish).off('close', breakOff)
      resolve(tooLarge(limit))
    }
    const finish = (): void => resolve({ value: collector.bytes() })
    // It is also called after the end, when the promise is already settled.
    const breakOff = (): void => resolve(brokenOff())
    request.on('data', take)
    request.on('end', finish)
    request.on('close', breakOff)
  })

const SHORT_CHARACTERS = 16_384

const send = (
  reply: ServerReply,
  request: IncomingMessage,
  response: ServerResponse,
  stream: NodeBody,
): void => {
  if (isStream(reply.body)) {
    sendStream(reply.status, reply.headers, reply.body, response)
    return
  }
  if (response.destroyed) return
  // A short text is sent in one write with the head; bytes would be a second write, which costs more than the rest.
  const isShort = typeof reply.body !== 'string' || reply.body.length <= SHORT_CHARACTERS
  const body = isShort ? reply.body : new TextEncoder().encode(reply.body)
  const isBodiless = reply.status === 204 || reply.status === 304 || request.method === 'HEAD'
  const headers: string[] = []
  for (const name of Object.keys(reply.headers)) headers.push(name, reply.headers[name] ?? '')
  if (!isBodiless) headers.push('content-length', String(sizeOf(body)))
  if (request.complete || stream.isWhole) {
    response.writeHead(reply.status, headers)
    response.end(body)
    return
  }
  headers.push('connection', 'close')
  response.writeHead(reply.status, headers)
  // Closing while the client still sends resets the connection and loses the response. So the response is sent completely, then
  // the rest of the request is discarded for a limited time, then the connection is closed.
  if (body !== undefined && !isBodiless) response.write(body)
  else response.flushHeaders()
  drained(stream).then(() => response.end())
}

/**
 * Writes a chunk when the connection is ready, and stops the iterable when the connection closes. An error of the iterable
 * destroys the connection, so that the client does not take a partial response as complete.
 */
const sendStream = async (
  status: number,
  headers: ServerReply['headers'],
  pieces: ReplyStream,
  response: ServerResponse,
): Promise<void> => {
  const iterator = pieces[Symbol.asyncIterator]()
  const stop = (): void => void iterator.return?.().catch(ignore)
  if (response.destroyed) return stop()
  response.once('close', stop)
  try {
    response.writeHead(status, headers)
    response.flushHeaders()
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
      if (response.destroyed) return
      if (!response.write(step.value)) await hasRoom(response)
    }
    response.off('close', stop)
    response.end()
  } catch {
    response.destroy()
  }
}

const hasRoom = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle)
      resolve()
    }
    response.once('drain', settle).once('close', settle)
  })

/** The size in bytes; a text is UTF-8. */
const sizeOf = (body: string | Uint8Array | undefined): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0)

/** Limits for the rest of a request after its response: long enough for the client to stop and read it. */
const LINGER_MILLISECONDS = 2_000
const LINGER_BYTES = 16 * 1024 * 1024

/** Discards the rest of a request, up to a number of bytes and for a limited time; settles too when the connection breaks. */
export const drained = (stream: BodyStream): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MILLISECONDS)
    // The client may have disconnected: then there is nothing to wait for.
    drain(stream[Symbol.asyncIterator]())
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(timer)
        resolve()
      })
  })

const drain = async (chunks: AsyncIterator<Uint8Array>): Promise<void> => {
  let size = 0
  for (let step = await chunks.next(); !step.done; step = await chunks.next()) {
    size += step.value.byteLength
    if (size > LINGER_BYTES) return
  }
}
