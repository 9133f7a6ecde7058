import type { Fault } from '../validate.js'

/** What every HTTP server can give of a request. */
export type ServerRequest = {
  readonly method: string
  /** Path and query, as sent: `/orders/5?full=true`. */
  readonly url: string
  readonly headers: Headers | HeaderRecord
  /** A stream is read no further than the limit of the operation. */
  readonly body?: Uint8Array | string | BodyStream | undefined
  /** Aborted when nobody waits for the answer any more. A function is asked once, and only where the signal is wanted. */
  readonly signal?: AbortSignal | (() => AbortSignal) | undefined
  readonly remoteAddress?: string | undefined
  /** What the host keeps of the request: `admit`, `authorize`, handlers and `onError` find it as it is. */
  readonly state?: unknown
}

/** A stream that may know a cheaper way than being iterated. */
export type BodyStream = AsyncIterable<Uint8Array> & {
  /** All of it, or the refusal where it has more bytes than the limit, of which the rest stays unread, or breaks off. */
  readonly collect?: (limit: number) => Outcome<Uint8Array> | Promise<Outcome<Uint8Array>>
}

export type ServerReply = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The pieces of a stream are asked for one by one; `return` of its iterator is called where its reader leaves. */
  readonly body?: string | Uint8Array | ReplyStream | undefined
}

/** A body that is sent while it is made. */
export type ReplyStream = AsyncIterable<Uint8Array>

/** Never rejects: what goes wrong is an answer, and `onError` hears of it. */
export type Server = {
  readonly handle: (request: ServerRequest) => Promise<ServerReply>
  /** The templates of the paths that something answers on, `/orders/{id}`, for routers that ask before. */
  readonly paths?: readonly string[]
  /** The methods that something answers, for routers that ask before. */
  readonly methods?: readonly string[]
}

/** Lower-case names; what occurs more than once may be a list. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

/** Why a request is not served: what an answer is made of before anybody has given it a shape. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly faults?: readonly Fault[]
  readonly headers?: Readonly<Record<string, string>>
  /** The body as it was parsed, where it was. */
  readonly body?: unknown
  /** Set where the body could not be read, or its headers were not accepted. */
  readonly cause?: RefusalCause
  /** How many bytes a body may have, where it has more. */
  readonly limit?: number
}

/** Why a body was not read, for code that shapes such errors: it must not match their messages. */
export type RefusalCause =
  | 'content-encoding'
  | 'content-type'
  | 'body-too-large'
  | 'incomplete-body'
  | 'invalid-utf8'
  | 'invalid-json'
  | 'invalid-form'
  | 'too-many-members'

/** The value, or why there is none. */
export type Outcome<T> =
  | { readonly value: T; readonly refusal?: undefined }
  | { readonly refusal: Refusal }

export const isStream = (body: unknown): body is ReplyStream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

export const headerRecord = (headers: Headers | HeaderRecord): HeaderRecord =>
  isHeaders(headers) ? Object.fromEntries(headers) : headers

/** No value of a record is a function, and `instanceof` would cost more. */
const isHeaders = (headers: Headers | HeaderRecord): headers is Headers =>
  typeof headers.get === 'function'

export const headerOf = (headers: HeaderRecord, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

/** The bytes of the body; refused with 413 as soon as it is known to be too large, and before that by its headers. */
export const readBody = (
  request: ServerRequest,
  headers: HeaderRecord,
  limit: number,
): Outcome<Uint8Array> | Promise<Outcome<Uint8Array>> => {
  const refused = refuseByHeaders(headers, limit)
  if (refused) return refused
  const { body } = request
  if (body === undefined) return { value: new Uint8Array() }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = encoded(body)
    return bytes.byteLength > limit ? tooLarge(limit) : { value: bytes }
  }
  return body.collect?.(limit) ?? collectChunks(body, limit)
}

/** The refusal of a body by its headers. */
export const refuseByHeaders = (
  headers: HeaderRecord,
  limit: number,
): { readonly refusal: Refusal } | undefined => {
  const encoding = headerOf(headers, 'content-encoding')
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    return {
      refusal: {
        status: 415,
        message: 'Content-Encoding is not supported',
        cause: 'content-encoding',
        headers: { 'accept-encoding': 'identity' },
      },
    }
  return Number(headerOf(headers, 'content-length') ?? 0) > limit ? tooLarge(limit) : undefined
}

/** The body in pieces, which are not kept. */
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

/** The text, or undefined where the bytes are no UTF-8. A byte order mark stays, and no JSON begins with one. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    const text = BUFFER?.isBuffer(bytes) ? bytes.toString() : REPLACEMENT
    // A buffer writes this for bytes that are no UTF-8; it may have been sent as well.
    return text.includes(REPLACEMENT) ? UTF8.decode(bytes) : text
  } catch {
    return undefined
  }
}

/** On Node, where its own decoder is much the faster one for short texts. */
const { Buffer: BUFFER } = globalThis as { Buffer?: typeof Buffer }

const REPLACEMENT = '\ufffd'

/** Keeps nothing from one text to the next, as none is given to it in parts. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** `application/json` of `Application/JSON; charset=utf-8`; undefined where there is none or its charset is not UTF-8. */
export const readMediaType = (headers: HeaderRecord): string | undefined => {
  const sent = headerOf(headers, 'content-type') ?? ''
  if (sent === 'application/json') return sent
  const [type = '', ...parameters] = sent.split(';')
  const foreign = parameters
    .map((parameter) => parameter.trim().toLowerCase().split('='))
    .some(([name, value = '']) => name === 'charset' && !/^"?(utf-?8|us-ascii)"?$/.test(value))
  return foreign || type.trim() === '' ? undefined : type.trim().toLowerCase()
}

// Iterated by hand: leaving a `for await` early destroys a node socket before the refusal has been written to it.
const collectChunks = async (
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Outcome<Uint8Array>> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    const iterator = body[Symbol.asyncIterator]()
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
      size += step.value.byteLength
      if (size > limit) return tooLarge(limit)
      chunks.push(step.value)
    }
  } catch {
    return brokenOff()
  }
  return { value: joinChunks(chunks, size) }
}

export const joinChunks = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

export const brokenOff = (): { refusal: Refusal } => ({
  refusal: {
    status: 400,
    message: 'The body ended before it was complete',
    cause: 'incomplete-body',
  },
})

export const tooLarge = (limit: number, what = 'The body exceeds'): { refusal: Refusal } => ({
  refusal: {
    status: 413,
    message: `${what} ${limit} bytes`,
    cause: 'body-too-large',
    limit,
  },
})
