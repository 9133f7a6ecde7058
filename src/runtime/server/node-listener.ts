import type { IncomingMessage, ServerResponse } from 'node:http'
import { callerGone, LINGER_BYTES, LINGER_MILLISECONDS } from './caller-gone.js'
import { type NodeBody, nodeBody } from './node-body.js'
import type { ServerReply } from './request.js'
import { answerOf } from './respond-at-once.js'
import type { Server } from './server.js'

/**
 * The server as a listener of node:http: `createServer(toNodeListener(server)).listen(8080)`. A caller who goes away aborts
 * the signal of the context. A connection whose request was not read to its end is closed after the answer.
 */
export const toNodeListener = (server: Server): NodeListener => {
  const answer = answerOf(server)
  return (request, response) => {
    // Without a listener, the reset of a connection would be an uncaught exception.
    request.on('error', ignore)
    response.on('error', ignore)
    // A tick later, a body that came with its head has been read, and is there at once.
    process.nextTick(serve, answer, request, response)
  }
}

/** Only the types of node:http are named here, so that a worker can load this file. */
type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

const ignore = (): void => undefined

const serve = (
  answer: ReturnType<typeof answerOf>,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const body = nodeBody(request)
  try {
    const reply = answer({
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      headers: request.headers,
      body,
      signal: () => callerGone(response),
      remoteAddress: request.socket.remoteAddress,
    })
    if (reply instanceof Promise)
      reply.then((waited) => send(waited, request, response, body)).catch(() => response.destroy())
    else send(reply, request, response, body)
  } catch {
    // Only a `refuse` of the service can bring what cannot be written. Nothing sensible is left to say.
    response.destroy()
  }
}

const SHORT_CHARACTERS = 16_384

const send = (
  reply: ServerReply,
  request: IncomingMessage,
  response: ServerResponse,
  stream: NodeBody,
): void => {
  if (response.destroyed) return
  // A short text goes out in one piece with the head; bytes would be a second write, which costs more than the rest.
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
  // Closing while the caller still sends resets the connection, and the answer is lost with it. So it is sent in full
  // first, what still comes is thrown away for a while, and then the connection is closed.
  if (body !== undefined && !isBodiless) response.write(body)
  else response.flushHeaders()
  const timer = setTimeout(() => response.end(), LINGER_MILLISECONDS)
  drain(stream[Symbol.asyncIterator](), LINGER_BYTES).finally(() => {
    clearTimeout(timer)
    response.end()
  })
}

/** Bytes, of a text in UTF-8. */
const sizeOf = (body: string | Uint8Array | undefined): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? 0)

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
