import { itemsOfText } from '../model/streams.js'
import { codecOf, isSequential } from '../runtime/shared/codecs.js'
import { type HeaderPairs, headerOf } from '../runtime/wire/headers.js'
import type { SentBody } from '../runtime/wire/read-body.js'
import type { UnreadReason } from '../runtime/wire/unread.js'
import { type ReceivedResponse, type Sent, textOf } from './exchange.js'

/** One recorded request with its response. Body texts are created on demand, because usage counts need only the values. */
export type Recording = {
  readonly file: string
  /** The first line of the recording, 1-based. */
  readonly line: number
  /** The position of an entry that may share one line with all others: `/log/entries/3`. */
  readonly pointer?: string | undefined
  /** When the request was sent, in milliseconds since 1970; undefined if unknown. */
  readonly time: number | undefined
  /** The url is undefined for JSON-RPC that was recorded without its address. */
  readonly sent: () => Omit<Sent, 'url'> & { readonly url: string | undefined }
  /** Undefined if no response was recorded, or not its body. */
  readonly answer: () => ReceivedResponse | undefined
  readonly facts: Facts
  /** Of a message over a connection of both sides. */
  readonly connection?: RecordedConnection
  /** Who sent the request; a client if undefined. */
  readonly sender?: 'client' | 'server'
  /** Of a message that is no exchange. */
  readonly unread?: UnreadFrame
}

/** A connection over which both sides sent messages. Its recordings share one object. */
export type RecordedConnection = {
  /** For messages: `a.har#/log/entries/3`. */
  readonly name: string
  readonly file: string
  /** Undefined if the recording does not say where it was opened. */
  readonly url: string | undefined
  /** Of the request that opened it. */
  readonly headers: HeaderPairs
  readonly lacksHeaders: boolean
}

/** Why a frame is no exchange. `words` follow its place: `it is binary`. */
export type UnreadFrame = { readonly reason: UnreadReason; readonly words: string }

/** The same request and response as values. */
export type Facts = {
  readonly method: string
  readonly url: string | undefined
  readonly headers: HeaderPairs
  /** The body as a JSON value, or the list of its items in JSON Lines; undefined if there is none, or it is not JSON. */
  readonly body: () => unknown
  /** Whether a body was sent; undefined if unknown. */
  readonly hasBody: boolean | undefined
  /** The body as it was recorded; undefined if it was left out. */
  readonly content: () => SentBody['content'] | undefined
  /** The size of the body on the wire in bytes, if the recording has it. */
  readonly size?: number | undefined
  /** The recording lacks headers, so that an absent one may have been sent. */
  readonly lacksHeaders: boolean
  readonly response: ResponseFacts | undefined
  /** A JSON-RPC call without bodies, of which only the method and the error code are known: `rpc.method` of a span. */
  readonly call?: { readonly method: string; readonly code: number | undefined }
}

export type ResponseFacts = {
  readonly status: number
  readonly headers: HeaderPairs
  /** The recording lacks headers, so that an absent one may have been received. */
  readonly lacksHeaders: boolean
  /** The JSON value; undefined if there is none, or it is not JSON. */
  readonly body: () => unknown
  /** The body as it was recorded; undefined if it was left out. */
  readonly content: () => SentBody['content'] | undefined
  /** Whether the body is in the recording, if one was received. */
  readonly hasBody: () => boolean
}

/** Reads one file chunk by chunk. Complete recordings are returned; the rest is kept for the next chunk. */
export type RecordingReader = {
  readonly push: (text: string) => Iterable<Recording>
  readonly end: () => Iterable<Recording>
}

/** Creates a reader of one file. A line that cannot be read is reported; if `report` returns, reading continues after it. */
export type CreateReader = (
  file: string,
  report: (error: RecordingError) => void,
) => RecordingReader

/** A recording that cannot be read. The message has its file and line, and what to do. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  /** `file:line`. */
  readonly place: string
  /** The message without the place. */
  readonly reason: string

  constructor(file: string, line: number, reason: string, options: ErrorOptions = {}) {
    super(`${file}:${line}: ${reason}`, options)
    this.place = `${file}:${line}`
    this.reason = reason
  }
}

/** The host of a request that was recorded without one: a reserved name (RFC 2606). */
export const NO_HOST = 'http://recorded.invalid'

/** Parses a text that begins at a line of a file. Throws RecordingError if it is not JSON. */
export const parseRecorded = (file: string, line: number, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const [, position = '0'] = /position (\d+)/.exec(String(cause)) ?? []
    const place = line + text.slice(0, Number(position)).split('\n').length - 1
    const advice = 'it was truncated or edited: record it again, or remove it'
    throw new RecordingError(file, place, `this is not JSON, so ${advice}`, { cause })
  }
}

/** A line with its number, 1-based, as `createLineReader` reads it. */
export type Line = { readonly text: string; readonly number: number }

/**
 * Creates a reader for files of lines. `read` returns the recordings that a line completes; it throws RecordingError for an
 * invalid line.
 */
export const createLineReader = (
  file: string,
  read: (line: Line) => readonly Recording[],
  last: () => readonly Recording[],
  report: (error: RecordingError) => void,
): RecordingReader => {
  let rest: string[] = []
  let length = 0
  let number = 0
  const tooLong = () => report(new RecordingError(file, number + 1, TOO_LONG))
  const readOne = (text: string): readonly Recording[] => {
    number += 1
    if (text.trim() === '') return []
    try {
      return read({ text, number })
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error
      report(error)
      return []
    }
  }
  return {
    push: function* (text) {
      let from = 0
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        const piece = text.slice(from, at)
        const isLong = length + piece.length > LONGEST_LINE
        if (isLong && length <= LONGEST_LINE) tooLong()
        const line = rest.length === 0 ? piece : [...rest, piece].join('')
        rest = []
        length = 0
        from = at + 1
        if (isLong) number += 1
        else yield* readOne(line)
      }
      if (from === text.length) return
      const wasLong = length > LONGEST_LINE
      length += text.length - from
      if (length <= LONGEST_LINE) rest.push(text.slice(from))
      else if (!wasLong) {
        rest = []
        tooLong()
      }
    },
    end: function* () {
      if (rest.length > 0) yield* readOne(rest.join(''))
      rest = []
      length = 0
      yield* last()
    },
  }
}

/** Characters. A line is in memory several times, and strings are limited to some hundred million. */
const LONGEST_LINE = 64 * 2 ** 20

const TOO_LONG = 'this line has more than 64 MiB, and is not read: write one exchange per line'

/** Calls `make` once, when the value is first needed. */
export const lazy = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A recorded body. Both forms are created on demand. */
type RecordedBody = {
  /** As it was on the wire; undefined if there was none, or it was not recorded. */
  readonly wire: () => string | Uint8Array | undefined
  /** The JSON value; undefined if it is not JSON. */
  readonly json: () => unknown
  /** The recording has the value of the body, and not its text. */
  readonly isValue?: boolean | undefined
}

/** A recording of a request and its response; the response is undefined if none was recorded. */
export const recordingOf = (
  place: Pick<Recording, 'file' | 'line' | 'pointer' | 'time'>,
  {
    method,
    url,
    headers,
    hasBody,
    wire,
    json,
    isValue,
    lacksHeaders,
    size,
  }: Omit<Facts, 'body' | 'content' | 'response'> & RecordedBody,
  response:
    | (Omit<ResponseFacts, 'body' | 'content' | 'hasBody'> & RecordedBody & { isPartial?: boolean })
    | undefined,
): Recording => ({
  file: place.file,
  line: place.line,
  pointer: place.pointer,
  time: place.time,
  sent: () => {
    const body = wire()
    const head = { method, url, headers: Object.fromEntries(headers) }
    return body === undefined ? head : { ...head, body }
  },
  answer: () => {
    const body = response?.wire()
    if (!response || body === undefined) return undefined
    const { status } = response
    const { headers, isPartial, lacksHeaders } = response
    return {
      ...{ status, headers, body: Buffer.from(body), milliseconds: 0 },
      // Recordings have decoded bodies, also if Content-Encoding names the coding that was on the wire.
      isDecoded: true,
      ...(isPartial === true && { isPartial }),
      ...(lacksHeaders && { lacksHeaders }),
    }
  },
  facts: {
    method,
    url,
    headers,
    hasBody,
    lacksHeaders,
    size,
    content: () => contentOf({ wire, json, isValue }),
    body: itemsIn(headers, wire, json) ?? json,
    response: response && {
      status: response.status,
      headers: response.headers,
      lacksHeaders: response.lacksHeaders,
      body: response.json,
      content: () => contentOf(response),
      hasBody: () => response.wire() !== undefined && response.isPartial !== true,
    },
  },
})

const contentOf = ({ wire, json, isValue }: RecordedBody): SentBody['content'] | undefined => {
  if (isValue === true) return { json: json() }
  const raw = wire()
  return raw === undefined ? undefined : { raw }
}

/** The items of a request body in JSON Lines or json-seq; undefined for other types. */
const itemsIn = (
  headers: HeaderPairs,
  wire: RecordedBody['wire'],
  json: () => unknown,
): (() => unknown) | undefined => {
  const type = headerOf(headers, 'content-type')
  const codec = codecOf(type ?? '')
  return isSequential(codec)
    ? lazy(() => (Array.isArray(json()) ? json() : itemsOfText(textOf(wire()), codec)))
    : undefined
}

/** A JSON-RPC exchange of which only the two messages were recorded. Texts and values are created on demand. */
export const rpcRecording = (
  place: Pick<Recording, 'file' | 'line' | 'time'>,
  request: Message,
  response: Message | undefined,
): Recording =>
  recordingOf(
    place,
    { method: 'POST', url: undefined, hasBody: true, lacksHeaders: true, ...messageOf(request) },
    response && { status: 200, lacksHeaders: true, ...messageOf(response) },
  )

const messageOf = ({ text, value }: Message) => ({
  headers: [['content-type', 'application/json']] as const,
  ...{ wire: text, json: value },
})

export type Message = { readonly text: () => string; readonly value: () => unknown }
