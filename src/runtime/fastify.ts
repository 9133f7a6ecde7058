import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { contentOf } from './server/fetch-handler.js'
import { callerGone, drained, nodeBody } from './server/node-listener.js'
import {
  type BodyStream,
  encoded,
  isStream,
  type ReplyStream,
  type Server,
} from './server/request.js'

/**
 * A generated server as a plugin of Fastify: `app.register(toFastifyPlugin(server), { prefix: '/v1' })`. It takes all
 * methods on the paths of the documents, and no other path. Bodies reach the server unread, in a scope of their own,
 * so that its limits and its validation apply. Hooks of the app run as for any route; handlers get the request as
 * `state`.
 * Logs contain the template of a path, because the path itself may hold a key. Fastify's router answers in its own
 * words what it rejects earlier: a parameter of more than `maxParamLength` characters, or a broken escape.
 */
export const toFastifyPlugin =
  (server: Server): FastifyPluginCallback =>
  (app, _, done) => {
    const above = app.prefix.split('/').length - 1
    const answer = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      send(server, request, reply, above)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    // A media type that Fastify cannot read is one that the documents do not have: the server says so in their words.
    app.setErrorHandler((error: { readonly code?: string }, request, reply) => {
      if (error.code !== UNREADABLE_TYPE) throw error
      return answer(request, reply)
    })
    for (const method of server.methods ?? []) addMethod(app, method)
    for (const [url, template] of routesOf(server)) {
      const path = app.prefix + template
      app.all(url, { logSerializers: { req: (request) => logged(request, path) } }, answer)
    }
    done()
  }

/** Fastify knows the usual methods. One that Node cannot receive, which Fastify rejects, is no route of it. */
const addMethod = (app: FastifyInstance, method: string): void => {
  if (app.supportedMethods.includes(method)) return
  try {
    app.addHttpMethod(method, { hasBody: true })
  } catch (error) {
    if ((error as { readonly code?: string }).code !== UNKNOWN_METHOD) throw error
  }
}

const UNKNOWN_METHOD = 'FST_ERR_ROUTE_METHOD_INVALID'

const UNREADABLE_TYPE = 'FST_ERR_CTP_INVALID_MEDIA_TYPE'

/** A route in Fastify's spelling -> the template. A segment that is more than a parameter is a whole one there. */
const routesOf = ({ paths = ['/*'] }: Server): ReadonlyMap<string, string> =>
  new Map(
    paths.map((path) => {
      const segments = path
        .split('/')
        .map((text, index) => (/\{/.test(text) ? `:p${index}` : text.replaceAll(':', '::')))
      return [segments.join('/'), path]
    }),
  )

const logged = ({ method, host, ip }: FastifyRequest, url: string) => ({
  method,
  url,
  host,
  remoteAddress: ip,
})

const send = async (
  server: Server,
  request: FastifyRequest,
  reply: FastifyReply,
  above: number,
): Promise<FastifyReply> => {
  const { method, headers, ip, raw } = request
  const {
    status,
    headers: named,
    body,
  } = await server.handle({
    method,
    url: withoutPrefix(request.url, above),
    headers,
    body: bodyOf(request),
    signal: () => callerGone(reply.raw),
    remoteAddress: ip,
    state: request,
  })
  reply.code(status).headers(named)
  if (isStream(body))
    return reply.send(contentOf({ status, headers: named, body: headFirst(body, reply.raw) }))
  const bytes = body === undefined ? undefined : encoded(body)
  if (raw.complete) return reply.send(bytes && Buffer.from(bytes))
  reply.headers({ connection: 'close', 'content-length': bytes?.byteLength ?? 0 })
  return reply.send(lingering(bytes, raw))
}

/** A stream before whose first piece the head is sent: a reader waits for that. Fastify has set the headers by then. */
const headFirst = (pieces: ReplyStream, response: ServerResponse): ReplyStream => ({
  [Symbol.asyncIterator]() {
    const iterator = pieces[Symbol.asyncIterator]()
    return {
      next: () => {
        if (!response.headersSent) response.flushHeaders()
        return iterator.next()
      },
      return: async () => (await iterator.return?.()) ?? { value: undefined, done: true },
    }
  },
})

/**
 * Path and query behind as many segments as the prefix has, which may hold parameters. The target may begin with scheme and
 * host (RFC 9112 §3.2.2).
 */
const withoutPrefix = (url: string, above: number): string => {
  const [, path = '', query = ''] =
    /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?]*)(.*)$/is.exec(url) ?? []
  const own = path.split('/').slice(above + 1)
  return `/${own.join('/')}${query}`
}

/** What a `preParsing` hook made of it, or the request itself, of which nothing has been read. */
const bodyOf = ({ body, raw }: FastifyRequest): BodyStream =>
  body === undefined || body === raw ? nodeBody(raw) : (body as BodyStream)

/**
 * A response to a request that is still being received. It is sent at once; the connection is closed when the rest of
 * the request, or enough of it, has come. Closing at once would reset the connection and lose the response.
 */
const lingering = (
  bytes: Uint8Array | undefined,
  request: IncomingMessage,
): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: async (controller) => {
      if (bytes !== undefined && bytes.byteLength > 0) controller.enqueue(bytes)
      await drained(nodeBody(request))
      controller.close()
    },
  })
