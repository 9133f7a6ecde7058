import { isObject } from '../../runtime/validate/json-value.js'
import type { Answer } from '../wire/exchange.js'
import { createEntrySplitter } from './har-entries.js'
import {
  type CreateReader,
  jsonIn,
  lazy,
  type Pairs,
  parseRecorded,
  type Recording,
  RecordingError,
} from './recording.js'

/** The entries of an HTTP Archive 1.2, as browsers and proxies save them, read one by one. */
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
          yield readEntry({ file, line, pointer }, value)
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
        ? 'a HAR file holds {"log":{"entries":[…]}}, and this one does not: save it again'
        : 'this is no JSON, so it is cut short or edited by hand: record it again, or leave it out'
      report(new RecordingError(file, isWhole ? 1 : line, message))
      return []
    },
  }
}

type Place = Required<Pick<Recording, 'file' | 'line' | 'pointer'>>

const readEntry = (place: Place, entry: unknown): Recording => {
  const { request, response, startedDateTime } = isObject(entry) ? entry : {}
  if (!isObject(request) || typeof request.method !== 'string' || typeof request.url !== 'string') {
    const message = 'an entry has a request with a method and a url: save the file again'
    throw new RecordingError(place.file, place.line, message)
  }
  const { url, postData } = request
  const method = request.method.toUpperCase()
  const data = isObject(postData) ? postData : {}
  const headers = harPairs(request.headers)
  const time = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN
  return {
    ...place,
    time: Number.isNaN(time) ? undefined : time,
    sent: () => {
      const body = bytesOf(data)
      return {
        ...{ method, url, headers: Object.fromEntries(headers) },
        ...(body === undefined ? {} : { body }),
      }
    },
    answer: () => readResponse(response),
    facts: {
      ...{ method, url, headers },
      body: lazy(() => jsonOf(data)),
      // A body that was sent may have been left out of the file.
      hasBody: isObject(postData) ? true : request.bodySize === 0 ? false : undefined,
      response: factsOf(response),
    },
  }
}

const factsOf = (response: unknown): Recording['facts']['response'] => {
  const headers = headersOf(response)
  if (!isObject(response) || typeof response.status !== 'number' || !headers) return undefined
  const content = isObject(response.content) ? response.content : {}
  return { status: response.status, headers, body: lazy(() => jsonOf(content)) }
}

const headersOf = (response: unknown): Pairs | undefined => {
  if (!isObject(response) || typeof response.status !== 'number' || response.status < 100)
    return undefined
  const { mimeType } = isObject(response.content) ? response.content : {}
  const pairs = harPairs(response.headers)
  const isTyped = pairs.length > 0 || typeof mimeType !== 'string' || mimeType === ''
  return isTyped ? pairs : [['content-type', mimeType]]
}

/** Undefined where a request was blocked, or its body was left out of the file. */
const readResponse = (response: unknown): Answer | undefined => {
  const headers = headersOf(response)
  if (!isObject(response) || typeof response.status !== 'number' || !headers) return undefined
  const content = isObject(response.content) ? response.content : {}
  const body = bytesOf(content)
  if (body === undefined && typeof content.size === 'number' && content.size > 0) return undefined
  return { status: response.status, headers, body: body ?? new Uint8Array(), milliseconds: 0 }
}

type Json = Readonly<Record<string, unknown>>

const bytesOf = ({ text, encoding }: Json): Uint8Array | undefined => {
  if (typeof text !== 'string') return undefined
  return encoding === 'base64' ? Buffer.from(text, 'base64') : new TextEncoder().encode(text)
}

const jsonOf = ({ text, encoding }: Json): unknown => {
  if (typeof text !== 'string') return undefined
  return jsonIn(encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text)
}

/** What a file holds is decoded already, and HTTP/2 names the request line among the headers. */
const harPairs = (headers: unknown): Pairs =>
  (Array.isArray(headers) ? headers : []).flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.name !== 'string' || typeof one.value !== 'string') return []
    return NOT_KEPT.test(one.name) ? [] : [[one.name, one.value] as const]
  })

const NOT_KEPT = /^(:|content-encoding$|content-length$|transfer-encoding$)/i
