import { isSocketUrl } from '../model/servers.js'
import { codecOf, isImported } from '../runtime/shared/codecs.js'
import { isObject } from '../runtime/validate/json-value.js'
import type { HeaderPairs } from '../runtime/wire/headers.js'
import { withoutMark } from '../runtime/wire/text.js'
import { tryParseJson } from '../text/json-text.js'
import { createConnectionReader, frameText } from './connection.js'
import { hasBodyBy } from './ndjson.js'
import {
  type CreateReader,
  lazy,
  parseRecorded,
  type RecordedConnection,
  type Recording,
  RecordingError,
  recordingOf,
  type UnreadFrame,
} from './recording.js'

/** Reads the entries of an HTTP Archive 1.2, as browsers and proxies save them, one by one. */
export const createHarReader: CreateReader = (file, report) => {
  const entries = createEntrySplitter()
  let count = 0
  return {
    push: function* (text) {
      for (const { text: entry, line } of entries.push(text)) {
        const pointer = `/log/entries/${count}`
        count += 1
        try {
          const value = parseRecorded(file, line, entry)
          yield* readEntry({ file, line, pointer }, value)
        } catch (error) {
          if (!(error instanceof RecordingError)) throw error
          report(error)
        }
      }
    },
    end: () => {
      const { line, isWhole, hasEntries } = entries.end()
      if (isWhole && hasEntries) return []
      const message = isWhole
        ? 'a HAR file must contain {"log":{"entries":[…]}}, and this one does not: save it again'
        : 'this is not JSON, so it was truncated or edited: record it again, or remove it'
      report(new RecordingError(file, isWhole ? 1 : line, message))
      return []
    },
  }
}

type Place = Required<Pick<Recording, 'file' | 'line' | 'pointer'>>

const readEntry = (place: Place, entry: unknown): readonly Recording[] => {
  const { request, response: received, startedDateTime, ...more } = isObject(entry) ? entry : {}
  if (!isObject(request) || typeof request.method !== 'string' || typeof request.url !== 'string') {
    const message = 'an entry must have a request with a method and a url: save the file again'
    throw new RecordingError(place.file, place.line, message)
  }
  const { url, postData } = request
  const method = request.method.toUpperCase()
  const data = isObject(postData) ? postData : {}
  const began = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN
  const time = Number.isNaN(began) ? undefined : began
  const headers = requestHeaders(request, data)
  const lacksHeaders = !Array.isArray(request.headers) || request.headers.length === 0
  if (isSocketUrl(url) || more._webSocketMessages !== undefined) {
    const { file, line, pointer } = place
    const connection = { name: `${file}#${pointer}`, file, url, headers, lacksHeaders }
    return readFrames(connection, { line, pointer, time }, more._webSocketMessages)
  }
  const recording = recordingOf(
    { ...place, time },
    {
      ...{ method, url, headers },
      // A body that was sent may have been left out of the file.
      hasBody: hasHarBody(method, request),
      size: typeof request.bodySize === 'number' ? request.bodySize : undefined,
      lacksHeaders,
      wire: () => bytesOf(data) ?? formOf(data),
      json: lazy(() => jsonOf(data, String)),
    },
    readResponse(received),
  )
  return [recording]
}

/** The messages of a WebSocket, as browsers add them to the entry of the request that opened it. */
const readFrames = (
  connection: RecordedConnection,
  place: Pick<Recording, 'line' | 'pointer' | 'time'>,
  messages: unknown,
): readonly Recording[] => {
  const reader = createConnectionReader(connection)
  if (!Array.isArray(messages))
    return reader.read({ ...place, sender: 'client', text: NO_MESSAGES })
  const found = messages.flatMap((one: unknown, index) => {
    const { type, time, opcode, data } = isObject(one) ? one : {}
    const frame = {
      ...{ line: place.line, pointer: `${place.pointer}/_webSocketMessages/${index}` },
      // Seconds since 1970.
      time: typeof time === 'number' && time > 0 ? time * 1_000 : place.time,
    }
    if (type !== 'send' && type !== 'receive')
      return reader.read({ ...frame, sender: 'server', text: NO_MESSAGE })
    const text = frameText(opcode, data)
    const sender = type === 'send' ? 'client' : 'server'
    return text === undefined ? [] : reader.read({ ...frame, sender, text })
  })
  return [...found, ...reader.end()]
}

const NO_MESSAGES: UnreadFrame = {
  reason: 'not-recorded',
  words: 'the messages of its WebSocket were not recorded',
}
/** Chromium records an error of a connection as a message of the type `error`. */
const NO_MESSAGE: UnreadFrame = {
  reason: 'not-recorded',
  words: 'it was neither sent nor received: the connection failed, or the file was edited',
}

/** The headers; without a Content-Type among them, the type of the body is the recorded one. */
const requestHeaders = (request: Json, { mimeType }: Json): HeaderPairs => {
  const headers = harPairs(request.headers)
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return isTyped || typeof mimeType !== 'string' || mimeType === ''
    ? headers
    : [...headers, ['content-type', mimeType]]
}

/** HAR 1.2, request: a `bodySize` of -1 is not known. */
const hasHarBody = (method: string, { postData, bodySize, headers }: Json): boolean | undefined => {
  if (isObject(postData) || (typeof bodySize === 'number' && bodySize > 0)) return true
  const known = hasBodyBy(method, harPairs(headers))
  return bodySize === 0 && known !== true ? false : known
}

/**
 * The text of a form of which only the fields were recorded (HAR 1.2, params). Some programs record them as they were encoded,
 * so that a value with a percent sign is ambiguous; undefined for one, and for files.
 */
const formOf = ({ mimeType, params }: Json): string | undefined => {
  if (!Array.isArray(params) || params.length === 0) return undefined
  const isForm = codecOf(String(mimeType)) === 'form'
  const fields = params.map((one: unknown): readonly [string, string] | undefined => {
    if (!isObject(one) || typeof one.name !== 'string' || typeof one.value !== 'string')
      return undefined
    return /[%+]/.test(one.name + one.value) ? undefined : [one.name, one.value]
  })
  if (!isForm || !fields.every((one) => one !== undefined)) return undefined
  return new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
}

/** Undefined if the request was blocked. */
const readResponse = (response: unknown) => {
  if (!isObject(response) || typeof response.status !== 'number' || response.status < 100)
    return undefined
  const content = isObject(response.content) ? response.content : {}
  const { mimeType } = content
  const pairs = harPairs(response.headers)
  const isTyped = pairs.length > 0 || typeof mimeType !== 'string' || mimeType === ''
  const headers: HeaderPairs = isTyped ? pairs : [['content-type', mimeType]]
  const { status } = response
  // HAR 1.2, response, bodySize: the content of an unchanged response is that of the browser's cache.
  const head = { status, headers, lacksHeaders: pairs.length === 0 }
  if (status === NOT_MODIFIED) return { ...head, wire: () => '', json: () => undefined }
  // -1 is an unknown size: Playwright writes it if bodies are kept in other files.
  const isLeftOut = typeof content.size === 'number' && content.size !== 0
  return {
    ...head,
    wire: () => bytesOf(content) ?? (isLeftOut ? undefined : ''),
    json: lazy(() => jsonOf(content, withoutMark)),
  }
}

const NOT_MODIFIED = 304

type Json = Readonly<Record<string, unknown>>

const bytesOf = ({ text, encoding, mimeType }: Json): string | Uint8Array | undefined => {
  if (typeof text !== 'string') return undefined
  if (encoding === 'base64') return Buffer.from(text, 'base64')
  // A text of other bytes than UTF-8 does not show which they were.
  return isImported(codecOf(String(mimeType))) ? text : new TextEncoder().encode(text)
}

const jsonOf = ({ text, encoding }: Json, read: (text: string) => string): unknown => {
  if (typeof text !== 'string') return undefined
  const body = encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text
  return tryParseJson(read(body))?.value
}

/** The headers as pairs. HTTP/2 lists the request line among them. */
const harPairs = (headers: unknown): HeaderPairs =>
  (Array.isArray(headers) ? headers : []).flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.name !== 'string' || typeof one.value !== 'string') return []
    return one.name.startsWith(':') ? [] : [[one.name, one.value] as const]
  })

/**
 * Splits the text of a HAR file, which arrives in chunks, into the values of `log.entries`. At most one entry is in memory. Only
 * the separators of entries are parsed here; the caller parses the entries.
 */
const createEntrySplitter = () => {
  const names: string[] = []
  let depth = 0
  let line = 1
  let isInString = false
  let isEscaped = false
  let hasEntries = false
  /** The depth of `log.entries`, once its list has begun. */
  let listDepth = Number.POSITIVE_INFINITY
  let hasValue = false
  /** The chunks of an entry, or of a string that may be a name. */
  let parts: string[] | undefined
  let entryLine = 0
  let lastText = ''

  const isBetween = () => depth === listDepth && parts === undefined

  return {
    push: (text: string): readonly Entry[] => {
      const found: Entry[] = []
      let from = 0
      const collected = (end: number): string => {
        const whole = [...(parts ?? []), text.slice(from, end)].join('')
        parts = undefined
        return whole
      }
      const endEntry = (end: number) => {
        found.push({ text: collected(end), line: entryLine })
      }
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (code === NEWLINE) line += 1
        if (isInString) {
          if (isEscaped) isEscaped = false
          else if (code === BACKSLASH) isEscaped = true
          else if (code === QUOTE) {
            isInString = false
            if (depth <= 2 && parts) lastText = collected(at + 1)
            else if (depth === listDepth && parts) endEntry(at + 1)
          }
          continue
        }
        if (code === SPACE || code === NEWLINE || code === RETURN || code === TAB) continue
        hasValue = true
        const isOfList = isBetween()
        if (isOfList && code !== COMMA && code !== LIST_END) {
          parts = []
          from = at
          entryLine = line
        }
        if (code === QUOTE) {
          isInString = true
          if (depth <= 2) {
            parts = []
            from = at
          }
        } else if (code === COLON && depth <= 2) names[depth] = nameIn(lastText)
        else if (code === LIST || code === OBJECT) {
          depth += 1
          if (code === LIST && depth === 3 && names[1] === 'log' && names[2] === 'entries') {
            listDepth = depth
            hasEntries = true
          }
        } else if (code === LIST_END || code === OBJECT_END) {
          // A number or a word ends where the list ends.
          if (depth === listDepth && parts) endEntry(at)
          depth -= 1
          if (depth === listDepth && parts) endEntry(at + 1)
          if (depth < listDepth) listDepth = Number.POSITIVE_INFINITY
        } else if (code === COMMA && depth === listDepth && parts) endEntry(at)
      }
      if (parts) {
        parts.push(text.slice(from))
      }
      return found
    },
    /** Whether the value is complete, and has entries. */
    end: () => ({ line, hasEntries, isWhole: hasValue && depth === 0 && !isInString }),
  }
}

type Entry = { readonly text: string; readonly line: number }

const nameIn = (text: string): string => String(tryParseJson(text)?.value ?? '')

const [NEWLINE, RETURN, TAB, SPACE, QUOTE, BACKSLASH, COMMA, COLON] = [
  10, 13, 9, 32, 34, 92, 44, 58,
]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]
