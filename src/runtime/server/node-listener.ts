import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from '../server.js'
import type { ServerReply } from './request.js'

/**
 * The server as a listener of node:http: `createServer(toNodeListener(server)).listen(8080)`. A caller who goes away aborts
 * the signal of the context. A connection whose request was not read to its end is closed after the answer.
 */
export const toNodeListener =
  (server: Server): NodeListener =>
  (request, response) => {
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('The caller has gone'))
    })
    // Without a listener, the reset of a connection would be an uncaught exception.
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    // One iterator for the server and for what is thrown away after it: a second would see nothing.
    const chunks = request[Symbol.asyncIterator]()
    server
      .handle({
        method: request.method ?? 'GET',
        url: request.url ?? '/',
        headers: request.headers,
        body: { [Symbol.asyncIterator]: () => chunks },
        signal: gone.signal,
        remoteAddress: request.socket.remoteAddress,
      })
      .then((reply) => send(reply, request, response, chunks))
      // Only a `refuse` of the service can bring what cannot be written. Nothing sensible is left to say.
      .catch(() => response.destroy())
  }

/** Only the types of node:http are named here, so that a worker can load this file. */
type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** How long and how much a request may go on after its answer: long enough for the caller to stop and read it. */
const LINGER_MILLISECONDS = 2_000
const LINGER_BYTES = 16 * 1024 * 1024

const SHORT_CHARACTERS = 16_384

const send = (
  reply: ServerReply,
  request: IncomingMessage,
  response: ServerResponse,
  chunks: AsyncIterator<Uint8Array>,
): void => {
  if (response.destroyed) return
  const body = typeof reply.body === 'string' ? new TextEncoder().encode(reply.body) : reply.body
  const isBodiless = reply.status === 204 || reply.status === 304 || request.method === 'HEAD'
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(!isBodiless && { 'content-length': String(body?.byteLength ?? 0) }),
    ...(!request.complete && { connection: 'close' }),
  })
  if (request.complete) {
    // A short text goes out in one piece with the head; bytes would be a second write, which costs more than the rest.
    const isShort = typeof reply.body === 'string' && reply.body.length <= SHORT_CHARACTERS
    response.end(isShort ? reply.body : body)
    return
  }
  // Closing while the caller still sends resets the connection, and the answer is lost with it. So it is sent in full
  // first, what still comes is thrown away for a while, and then the connection is closed.
  if (body !== undefined && !isBodiless) response.write(body)
  else response.flushHeaders()
  const timer = setTimeout(() => response.end(), LINGER_MILLISECONDS)
  drain(chunks, LINGER_BYTES).finally(() => {
    clearTimeout(timer)
    response.end()
  })
}

/** Throws away what comes, up to a number of bytes; settles at the end, or when the connection breaks. */
const drain = async (chunks: AsyncIterator<Uint8Array>, most: number): Promise<void> => {
  try {
    let size = 0
    for (let step = await chunks.next(); !step.done; step = await chunks.next()) {
      size += step.value.byteLength
      if (size > most) return
    }
  } catch {
    // The caller has gone, so there is nothing to wait for.
  }
}
