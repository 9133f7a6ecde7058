import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type BodyStream,
  brokenOff,
  isStream,
  joinChunks,
  type Outcome,
  type ReplyStream,
  type Server,
  type ServerReply,
  tooLarge,
} from './request.js'

/**
 * The server as a listener of node:http: `createServer(toNodeListener(server)).listen(8080)`. A caller who goes away aborts
 * the signal of the context. A connection whose request was not read to its end is closed after the response.
 */
export const toNodeListener =
  (server: Server): NodeListener =>
  (request, response) => {
    // Without a listener, the reset of a connection would be an uncaught exception.
    request.on('error', ignore)
    response.on('error', ignore)
    // A tick later, a body that came with its head has been read, and needs neither events nor a promise.
    process.nextTick(serve, server, request, response)
  }

const serve = (server: Server, request: IncomingMessage, response: ServerResponse): void => {
  const { method = 'GET', url = '/', headers, socket } = request
  const body = nodeBody(request)
  const signal = (): AbortSignal => callerGone(response)
  const { remoteAddress } = socket
  server
    .handle({ method, url, headers, body, signal, remoteAddress })
    .then((reply) => send(reply, request, response, body))
    // Only a `refuse` of the service can return what cannot be written: there is nothing to respond with.
    .catch(() => response.destroy())
}

/** Only the types of node:http are named here, so that a worker can load this file. */
type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

const ignore = (): void => undefined

/** Aborted when the caller goes before the response has been sent, or has gone already. */
export const callerGone = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController()
  const abort = (): void => {
    if (!response.writableFinished) gone.abort(new Error('The caller has gone'))
  }
  if (response.destroyed) abort()
  else response.once('close', abort)
  return gone.signal
}

/** The body of a request of node:http. What `collect` left unread can still be iterated, to throw it away. */
export const nodeBody = (request: IncomingMessage): NodeBody => {
  let chunks: AsyncIterator<Uint8Array> | undefined
  return {
    isWhole: false,
    [Symbol.asyncIterator]() {
      // One iterator for the server and for what is thrown away after it: a second would see nothing.
      chunks ??= request[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
      return chunks
    },
    collect(limit) {
      // With other readers, what is left to be read is not all of it.
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
  /** Read to its last byte, which node may tell of a little later. */
  isWhole: boolean
}

/** Node tells that a request is complete only after the tick in which its last byte is there to be read. */
const isAllThere = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || (readableLength > 0 && readableLength === Number(headers['content-length']))

const readWhole = (request: IncomingMessage, limit: number): Outcome<Uint8Array> => {
  const bytes: Uint8Array = request.read() ?? new Uint8Array()
  // A host that waits for the end hears of it only where the stream goes on.
  if (request.listenerCount('end') + request.listenerCount('close') > 0) request.resume()
  return bytes.byteLength > limit ? tooLarge(limit) : { value: bytes }
}

const collect = (request: IncomingMessage, limit: number): Promise<Outcome<Uint8Array>> =>
  new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const take = (chunk: Uint8Array): void => {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size <= limit) return
      request.pause()
      request.off('data', take).off('end', finish).off('close', breakOff)
      resolve(tooLarge(limit))
    }
    const finish = (): void => resolve({ value: joinChunks(chunks, size) })
    // It is called after the end as well, when the promise is settled.
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
  // A short text is sent in one piece with the head; bytes would be a second write, which costs more than the rest.
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
  // Closing while the caller still sends resets the connection, and the response is lost with it. So it is sent in full
  // first, what still comes is thrown away for a while, and then the connection is closed.
  if (body !== undefined && !isBodiless) response.write(body)
  else response.flushHeaders()
  drained(stream).then(() => response.end())
}

/**
 * Writes a piece when the connection has room for it, and stops the iterable when the connection closes. An iterable that
 * fails breaks the connection off, so that the caller does not take what came for all.
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

/** Bytes, of a text in UTF-8. */
const sizeOf = (body: string | Uint8Array | undefined): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0)

/** How long and how much a request may go on after its response: long enough for the caller to stop and read it. */
const LINGER_MILLISECONDS = 2_000
const LINGER_BYTES = 16 * 1024 * 1024

/** Throws away what still comes, up to a number of bytes and for a while; settles too when the connection breaks. */
export const drained = (stream: BodyStream): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MILLISECONDS)
    // The caller may have gone, so there is nothing to wait for.
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
