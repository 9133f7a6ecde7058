import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { contentOf } from './server/fetch-handler.js'
import { callerGone, drained, nodeBody } from './server/node-listener.js'
import {
  type BodyStream,
  encoded,
  isStream,
  type ReplyStream,
  type ServerCore,
} from './server/request.js'
import { splitUrl } from './wire/routes.js'

/**
 * A Fastify plugin for a generated server: `app.register(toFastifyPlugin(server), { prefix: '/v1' })`. It handles all methods
 * on the documented paths, and no other path. Bodies reach the server unparsed, in the plugin's own scope, so that the server's
 * limits and validation apply. Hooks of the app run as for any route; handlers receive the Fastify request as `state`.
 * Logs contain the template of a path, because the path itself may contain a key. Fastify's router sends its own error for a
 * parameter of more than `maxParamLength` characters, for an invalid percent-encoding, and for an encoded reserved character in
 * a literal part of a path: `/orders%3Acancel`.
 */
export const toFastifyPlugin =
  (server: ServerCore): FastifyPluginCallback =>
  (app, _, done) => {
    const above = app.prefix.split('/').length - 1
    const answer = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      send(server, request, reply, above)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    // A media type that Fastify cannot parse is undocumented: the server sends its documented error.
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

/** Fastify supports the usual methods; others are added. A method that Node cannot receive, and Fastify rejects, is skipped. */
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

/**
 * Route in Fastify's syntax -> template. A segment that contains a parameter and other text becomes one parameter. Fastify decodes
 * the path of a request before it looks for the route.
 */
const routesOf = ({ paths = ['/*'] }: ServerCore): ReadonlyMap<string, string> =>
  new Map(
    paths.map((path) => {
      const segments = path
        .split('/')
        .map((text, index) =>
          /\{/.test(text) ? `:p${index}` : decoded(text).replaceAll(':', '::'),
        )
      return [segments.join('/'), path]
    }),
  )

/** As Fastify decodes it: without reserved characters. */
const decoded = (segment: string): string => {
  try {
    return decodeURI(segment)
  } catch {
    return segment
  }
}

const logged = ({ method, host, ip }: FastifyRequest, url: string) => ({
  method,
  url,
  host,
  remoteAddress: ip,
})

const send = async (
  server: ServerCore,
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

/**
 * A stream that sends the response head before its first chunk, because readers wait for it. Fastify has set the headers by
 * then.
 */
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

/** Path and query without the segments of the prefix, which may contain parameters. */
const withoutPrefix = (url: string, above: number): string => {
  const [path, query] = splitUrl(url)
  const own = path.split('/').slice(above + 1)
  return `/${own.join('/')}${query && `?${query}`}`
}

/** The stream of a `preParsing` hook, or the request itself, which is unread. */
const bodyOf = ({ body, raw }: FastifyRequest): BodyStream =>
  body === undefined || body === raw ? nodeBody(raw) : (body as BodyStream)

/**
 * A response to a request that is still being received. It is sent at once; the connection is closed when the rest of the
 * request, or enough of it, was received. Closing at once would reset the connection and lose the response.
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
