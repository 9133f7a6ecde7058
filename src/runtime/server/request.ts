import type { DuplexLink } from '../link/link.js'
import { essence } from '../shared/media-type.js'
import type { Fault } from '../validate.js'
import { codingsOf, type HeaderRecord, headerOf } from '../wire/headers.js'
import { hasForeignCharset } from '../wire/text.js'
import type { ServerConnection } from './subscriptions.js'

/** A request, in a form that every HTTP server can provide. */
export type ServerRequest = {
  readonly method: string
  /** Path and query, as sent: `/orders/5?full=true`. */
  readonly url: string
  readonly headers: Headers | HeaderRecord
  /** A stream is read no further than the limit of the operation. */
  readonly body?: Uint8Array | string | BodyStream | undefined
  /** Aborted when the client no longer waits for the response. A function is called at most once, when the signal is needed. */
  readonly signal?: AbortSignal | (() => AbortSignal) | undefined
  readonly remoteAddress?: string | undefined
  /** Any data of the host about the request; `admit`, `authorize`, handlers and `onError` receive it unchanged. */
  readonly state?: unknown
}

/** A stream that may have a cheaper method than iteration. */
export type BodyStream = AsyncIterable<Uint8Array> & {
  /** The whole body. A rejection if it has more bytes than the limit, of which the rest is not read, or breaks off. */
  readonly collect?: (limit: number) => ReadResult<Uint8Array> | Promise<ReadResult<Uint8Array>>
}

export type ServerReply = {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The chunks of a stream are requested one by one; `return` of its iterator is called if its reader cancels it. */
  readonly body?: string | Uint8Array | ReplyStream | undefined
}

/** A body that is sent while it is generated. */
export type ReplyStream = AsyncIterable<Uint8Array>

/** A server without a socket. `handle` never rejects: failures lead to an error response, and are passed to `onError`. */
export type ServerCore<Peer = unknown> = {
  readonly handle: (request: ServerRequest) => Promise<ServerReply>
  /** The path templates of all routes, `/orders/{id}`, for routers that need them in advance. */
  readonly paths?: readonly string[]
  /** The methods of all routes, for routers that need them in advance. */
  readonly methods?: readonly string[]
  /** The methods of JSON-RPC apart from HTTP, for `serveLink`. */
  readonly rpc?: ServedRpc<Peer> | undefined
}

/** The methods of JSON-RPC for links. */
export type ServedRpc<Peer = unknown> = {
  /**
   * Admits a connection that was opened with this request: its URL has the credentials of the endpoint, and is empty for a link
   * without a URL. `admit` is called. A reply rejects it.
   */
  readonly admit: (request: ServerRequest) => Promise<AdmittedConnection | ServerReply>
  readonly payloadBytes: number
  /** Whether a text cancels a call, so that it must not wait for others. */
  readonly isUrgent: (text: string) => boolean
  /** Creates what the server sends over a connection. */
  readonly sideOver: (link: DuplexLink, terms: SideTerms) => ServerSide<Peer>
}

/** A connection for what the server sends over it. */
export type SideTerms = {
  /** The maximum number of subscriptions. */
  readonly subscriptions: number
  /** Several links of one connection share the ids of their calls. */
  readonly ids?: { last: number } | undefined
  readonly send: (text: string) => Promise<unknown>
  /** Whether texts wait to be run. */
  readonly isWaiting?: () => boolean
}

/** What a server sends over a connection. */
export type ServerSide<Peer = unknown> = Omit<ServerConnection, 'peer' | 'responded'> & {
  readonly peer: () => Peer
}

/** A connection whose texts may be run. */
export type AdmittedConnection = {
  /** The text of the response; undefined if there is none. */
  readonly answer: (text: string, connection?: ServerConnection) => Promise<string | undefined>
}

/** Why a request is rejected, before it is turned into a response. */
export type RequestRejection = {
  readonly status: number
  readonly message: string
  readonly faults?: readonly Fault[]
  readonly headers?: Readonly<Record<string, string>>
  /** The parsed body, if it was parsed. */
  readonly body?: unknown
  /** Set if the body could not be read, or its headers were rejected. */
  readonly cause?: RejectionCause
  /** The maximum size of a body in bytes; set if the body is larger. */
  readonly limit?: number
}

/** Why a body was not read, for code that shapes such errors: it must not match their messages. */
export type RejectionCause =
  | 'content-encoding'
  | 'content-type'
  | 'body-too-large'
  | 'incomplete-body'
  | 'invalid-utf8'
  | 'invalid-json'
  | 'invalid-form'
  | 'invalid-bytes'
  | 'too-many-members'

/** A value, or the reason why there is none. */
export type ReadResult<T> =
  | { readonly value: T; readonly rejection?: undefined }
  | { readonly rejection: RequestRejection }

export const isStream = (body: unknown): body is ReplyStream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

export const headerRecord = (headers: Headers | HeaderRecord): HeaderRecord =>
  isHeaders(headers) ? Object.fromEntries(headers) : headers

/** No value of a record is a function, and `instanceof` would cost more. */
const isHeaders = (headers: Headers | HeaderRecord): headers is Headers =>
  typeof headers.get === 'function'

/** The bytes of the body. A body that is too large is rejected with 413, by its headers or as soon as it exceeds the limit. */
export const readBody = (
  request: ServerRequest,
  headers: HeaderRecord,
  limit: number,
): ReadResult<Uint8Array> | Promise<ReadResult<Uint8Array>> => {
  const rejected = rejectByHeaders(headers, limit)
  if (rejected) return rejected
  const { body } = request
  if (body === undefined) return { value: new Uint8Array() }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = encoded(body)
    return bytes.byteLength > limit ? tooLarge(limit) : { value: bytes }
  }
  return body.collect?.(limit) ?? collectChunks(body, limit)
}

/** The rejection of a body by its headers. */
export const rejectByHeaders = (
  headers: HeaderRecord,
  limit: number,
): { readonly rejection: RequestRejection } | undefined => {
  if (codingsOf(headerOf(headers, 'content-encoding')).length > 0)
    return {
      rejection: {
        status: 415,
        message: 'Content-Encoding is not supported',
        cause: 'content-encoding',
        headers: { 'accept-encoding': 'identity' },
      },
    }
  return Number(headerOf(headers, 'content-length') ?? 0) > limit ? tooLarge(limit) : undefined
}

/** The body as chunks, which are not kept. */
export const bodyChunks = ({ body }: ServerRequest): AsyncIterator<Uint8Array> => {
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array))
    return body[Symbol.asyncIterator]()
  const waiting = body === undefined ? [] : [encoded(body)]
  return {
    next: async () => {
      const value = waiting.shift()
      return value === undefined ? { done: true, value } : { done: false, value }
    },
  }
}

/** The bytes of a body, of a text in UTF-8. */
export const encoded = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? UTF8_ENCODER.encode(body) : body

const UTF8_ENCODER = new TextEncoder()

/** `application/json` of `Application/JSON; charset=utf-8`; undefined if there is none or its charset is not UTF-8. */
export const readMediaType = (headers: HeaderRecord): string | undefined => {
  const sent = headerOf(headers, 'content-type') ?? ''
  if (sent === 'application/json') return sent
  const type = essence(sent)
  return type === '' || hasForeignCharset(sent) ? undefined : type
}

// Iterated manually: leaving a `for await` early destroys a node socket before the error response is written to it.
const collectChunks = async (
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<ReadResult<Uint8Array>> => {
  const collector = createCollector()
  try {
    const iterator = body[Symbol.asyncIterator]()
    for (let step = await iterator.next(); !step.done; step = await iterator.next())
      if (collector.add(step.value) > limit) return tooLarge(limit)
  } catch {
    return brokenOff()
  }
  return { value: collector.bytes() }
}

/** Collects the chunks of a body. Small ones are joined early, because each takes a hundred times the memory of one byte. */
export const createCollector = () => {
  const pieces: Uint8Array[] = []
  let recent: Uint8Array[] = []
  let size = 0
  return {
    /** Returns the number of bytes so far. */
    add(chunk: Uint8Array): number {
      size += chunk.byteLength
      recent.push(chunk)
      if (recent.length === MOST_RECENT) {
        pieces.push(joinChunks(recent))
        recent = []
      }
      return size
    },
    bytes: (): Uint8Array => joinChunks([...pieces, ...recent]),
  }
}

const MOST_RECENT = 1_024

const joinChunks = (chunks: readonly Uint8Array[]): Uint8Array => {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

export const brokenOff = (): { rejection: RequestRejection } => ({
  rejection: {
    status: 400,
    message: 'The body ended before it was complete',
    cause: 'incomplete-body',
  },
})

export const tooLarge = (
  limit: number,
  what = 'The body exceeds',
): { rejection: RequestRejection } => ({
  rejection: {
    status: 413,
    message: `${what} ${limit} bytes`,
    cause: 'body-too-large',
    limit,
  },
})
