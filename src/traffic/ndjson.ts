import { cached } from '../runtime/shared/cached.js'
import { isObject } from '../runtime/validate/json-value.js'
import { type HeaderPairs, headerOf } from '../runtime/wire/headers.js'
import { withoutMark } from '../runtime/wire/text.js'
import { membersOf, textsOf, tryParseJson } from '../text/json-text.js'
import { type ConnectionReader, createConnectionReader, frameText } from './connection.js'
import {
  type CreateReader,
  createLineReader,
  lazy,
  NO_HOST,
  parseRecorded,
  type Recording,
  RecordingError,
  recordingOf,
  rpcRecording,
} from './recording.js'
import { readSpans } from './spans.js'

/**
 * Reads one exchange a line:
 * `{"request":{"method":"GET","url":"…","headers":{…},"body":…},"response":{"status":200,"headers":{…},
 * "body":…}}`, or JSON-RPC alone, `{"request":{"jsonrpc":"2.0",…},"response":{"jsonrpc":"2.0",…}}`. A body that is a string is
 * the text on the wire; any other is the JSON that was sent. The optional member `time` or `startedDateTime` is when the request
 * was sent. A line `{"resourceSpans":[…]}` has spans of OpenTelemetry. A line `{"connection":"1","send":…}` has a message of a
 * client over a connection of both sides, and `receive` one of the server; the first line of a connection may have its `url` and
 * `headers`.
 */
export const createNdjsonReader: CreateReader = (file, report) => {
  const connections = createConnections(file)
  return createLineReader(
    file,
    ({ text, number }) => {
      const value = parseRecorded(file, number, text)
      if (isObject(value) && Array.isArray(value.resourceSpans))
        return readSpans(file, number, value.resourceSpans)
      return isObject(value) && value.connection !== undefined
        ? connections.read(number, text, value)
        : [readLine(file, number, text, value)]
    },
    connections.end,
    report,
  )
}

/** The connections of a file, each with the messages that it has so far. */
const createConnections = (file: string) => {
  const open = new Map<string, ConnectionReader>()
  const end = (name: string | undefined): readonly Recording[] => {
    const reader = open.get(name ?? '')
    open.delete(name ?? '')
    return reader?.end() ?? []
  }
  return {
    read: (line: number, text: string, value: Json): readonly Recording[] => {
      const fail = (message: string): never => {
        throw new RecordingError(file, line, message)
      }
      const { connection: id, url, headers = {}, opcode } = value
      const senders = SENDERS.filter(([name]) => Object.hasOwn(value, name))
      const [[name, sender] = fail(FRAME)] = senders
      if (typeof id !== 'string' || senders.length > 1) return fail(FRAME)
      const time = timeOf(value.time)
      if (time === 'unreadable') return fail(TIME)
      const pairs = pairsOf(headers) ?? fail(HEADERS)
      const isKnown = open.has(id)
      const ended = !isKnown && open.size >= MOST_OPEN ? end(open.keys().next().value) : []
      const reader = cached(open, id, () =>
        createConnectionReader({
          ...{ name: `${file}, connection ${id}`, file, headers: pairs },
          url: typeof url === 'string' ? absolute(url) : undefined,
          lacksHeaders: value.headers === undefined || isLeftOut(value, 'headers'),
        }),
      )
      const message = value[name]
      const written = typeof message === 'string' ? message : textsOf(membersOf(text), name).at(-1)
      const content = frameText(opcode, written)
      if (content === undefined) return ended
      const frame = { line, time, sender, text: content }
      return [...ended, ...reader.read(frame)]
    },
    end: () => [...open.keys()].flatMap(end),
  }
}

const SENDERS = [
  ['send', 'client'],
  ['receive', 'server'],
] as const

const FRAME =
  'a message of a connection must say who sent it: write {"connection":"1","send":…} for one of the client, or "receive" for one of the server'

/** Connections of a file. The oldest one ends when there are more. */
const MOST_OPEN = 10_000

type Json = Readonly<Record<string, unknown>>

const readLine = (file: string, line: number, text: string, value: unknown): Recording => {
  const fail = (message: string): never => {
    throw new RecordingError(file, line, message)
  }
  if (!isObject(value) || !('request' in value))
    return fail('an exchange must have a request and a response: write {"request":…,"response":…}')
  const time = timeOf(value.time ?? value.startedDateTime)
  if (time === 'unreadable') return fail(TIME)
  const place = { file, line, time }
  const { request, response: received } = value
  // Only the text preserves all digits of numbers, and repeated names.
  const members = lazy(() => membersOf(text))
  const textOf = (name: string) => () => textsOf(members(), name)[0] ?? ''
  const isSilent = received === undefined || received === null
  if (!isObject(request) || typeof request.url !== 'string') {
    return rpcRecording(
      place,
      { text: textOf('request'), value: () => request },
      isSilent ? undefined : { text: textOf('response'), value: () => received },
    )
  }
  const { body } = request
  const url = absolute(request.url)
  if (typeof request.method !== 'string')
    return fail('a request with a url must have a method: add it')
  const method = request.method.toUpperCase()
  const headers = pairsOf(request.headers)
  if (!headers) return fail(HEADERS)
  return recordingOf(
    place,
    {
      ...{ method, url, headers, hasBody: body !== undefined || hasBodyBy(method, headers) },
      ...{ json: jsonValue(body), isValue: body !== undefined && typeof body !== 'string' },
      lacksHeaders: request.headers === undefined || isLeftOut(request, 'headers'),
      wire: () => bodyText(textOf('request'), body),
    },
    isSilent ? undefined : readResponse(textOf('response'), received, fail),
  )
}

/** Servers and proxies record paths without a host. */
const absolute = (url: string): string => (url.startsWith('/') ? `${NO_HOST}${url}` : url)

const readResponse = (text: () => string, received: unknown, fail: (message: string) => never) => {
  const parts = isObject(received) ? received : {}
  const { status, headers: recorded, body } = parts
  if (typeof status !== 'number' || !Number.isInteger(status))
    return fail(
      'a response to a request with a url must have a status, as {"status":200,…}: add it',
    )
  const pairs = pairsOf(recorded)
  if (!pairs) return fail(HEADERS)
  // If there are no headers at all, the recording omitted them.
  const headers = recorded === undefined && body !== undefined && body !== '' ? [JSON_TYPE] : pairs
  const lacksHeaders = recorded === undefined || isLeftOut(parts, 'headers')
  const isPartial =
    recorded === undefined || (body === undefined && (lacksHeaders || !isBodyless(pairs)))
  const wire = () => bodyText(text, body) ?? ''
  const isValue = body !== undefined && typeof body !== 'string'
  const read = typeof body === 'string' ? withoutMark(body) : body
  return { status, headers, lacksHeaders, isPartial, json: jsonValue(read), isValue, wire }
}

/** Whether the headers of a response say that it has no body; otherwise, a recording without one has left it out. */
const isBodyless = (headers: HeaderPairs): boolean =>
  headers.length > 0 &&
  headers.every(
    ([name, value]) =>
      !/^(content-type|transfer-encoding)$/i.test(name) &&
      (!/^content-length$/i.test(name) || Number(value) === 0),
  )

/** `omitted` of a request or a response lists the parts that the recording does not have, or only in part. */
const isLeftOut = ({ omitted }: Readonly<Record<string, unknown>>, part: string): boolean =>
  Array.isArray(omitted) && omitted.includes(part)

/** Whether a request without a recorded body had one, by its method and headers; undefined if they do not show it. */
export const hasBodyBy = (method: string, headers: HeaderPairs): boolean | undefined => {
  const length = headerOf(headers, 'content-length')
  if (length !== undefined) return Number(length) !== 0
  if (headerOf(headers, 'transfer-encoding') !== undefined) return true
  // RFC 9110, 9.3: the content of other methods has no defined meaning.
  const isUsual = /^(POST|PUT|PATCH|QUERY)$/.test(method)
  return isUsual || headerOf(headers, 'content-type') !== undefined ? undefined : false
}

const TIME =
  'its time is not a date: write "2026-10-01T10:00:00Z", or seconds or milliseconds since 1970'
const JSON_TYPE = ['content-type', 'application/json'] as const
const HEADERS = 'headers must be an object of strings, such as {"content-type":"application/json"}'

const bodyText = (holder: () => string, body: unknown): string | undefined => {
  if (typeof body === 'string') return body
  return body === undefined ? undefined : textsOf(membersOf(holder()), 'body').at(-1)
}

const jsonValue = (body: unknown): (() => unknown) =>
  typeof body === 'string' ? lazy(() => tryParseJson(body)?.value) : () => body

const pairsOf = (headers: unknown = {}): HeaderPairs | undefined => {
  if (!isObject(headers)) return undefined
  const pairs: (readonly [string, string])[] = []
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== 'string') return undefined
      pairs.push([name, one])
    }
  }
  return pairs
}

/** A date as text, or milliseconds or seconds since 1970. */
const timeOf = (time: unknown): number | undefined | 'unreadable' => {
  if (time === undefined || time === null) return undefined
  const date = typeof time === 'string' ? Date.parse(time) : Number.NaN
  const milliseconds = typeof time === 'number' ? (time > 1e11 ? time : time * 1000) : date
  return Math.abs(milliseconds) <= LATEST ? milliseconds : 'unreadable'
}

/** ECMAScript, 21.4.1.1: the last time that a Date can be. */
const LATEST = 8.64e15
