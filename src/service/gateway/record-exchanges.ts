import type { IncomingHttpHeaders } from 'node:http'
import type { ServerReply, ServerRequest } from 'twinspec/runtime/server'
import type { UsageRecorder } from '../usage/record-usage.js'
import type { Endpoint } from './endpoints.js'

/** Passes each exchange to the recorder of usage after its response. It stores only data that the handler reads anyway. */
export const recordExchanges =
  (usage: Pick<UsageRecorder, 'add'>) =>
  (
    { method, body }: Pick<ServerRequest, 'method' | 'body'>,
    headers: IncomingHttpHeaders,
    url: string,
    { name, route }: Endpoint,
  ): Exchange => {
    let sent: Uint8Array | undefined
    return {
      body: keeping(body, (bytes) => {
        // A copy, because the bytes are in memory that Node shares among requests.
        sent = new Uint8Array(bytes)
      }),
      end: ({ status, headers: replied, body: reply }) =>
        usage.add({
          ...{ method, route, url, isRpc: name === 'rpc' },
          contentType: headers['content-type'],
          userAgent: headers['user-agent'],
          clientPackage: textOf(headers['x-client-package']),
          body: sent,
          status,
          replyType: replied['content-type'],
          reply: isKept(reply) ? reply : undefined,
        }),
    }
  }

type Exchange = {
  /** The body of the request, to be read in place of the original. */
  readonly body: ServerRequest['body']
  readonly end: (reply: ServerReply) => void
}

/** The same body, which passes the bytes that are read to `keep`. */
const keeping = (
  body: ServerRequest['body'],
  keep: (bytes: Uint8Array) => void,
): ServerRequest['body'] => {
  if (typeof body !== 'object' || body instanceof Uint8Array || !body.collect) return body
  const { collect } = body
  const note = (read: Awaited<ReturnType<typeof collect>>) => {
    if (!read.rejection) keep(read.value)
    return read
  }
  return {
    [Symbol.asyncIterator]: () => body[Symbol.asyncIterator](),
    collect: (limit) => {
      const read = collect.call(body, limit)
      return read instanceof Promise ? read.then(note) : note(read)
    },
  }
}

/** Larger responses, such as traces, are recorded without their content. */
const isKept = (reply: ServerReply['body']): reply is string | Uint8Array =>
  (typeof reply === 'string' || reply instanceof Uint8Array) && reply.length <= MOST_CHARACTERS

const MOST_CHARACTERS = 2 ** 20

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0]
