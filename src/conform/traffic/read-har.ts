import { isObject } from '../../runtime/validate/json-value.js'
import { itemsOf, membersOf } from '../responses/json-text.js'
import type { Answer } from '../wire/exchange.js'
import { lineAt, parseRecorded, type Recording, RecordingError } from './recording.js'

/** The entries of an HTTP Archive 1.2, as browsers and proxies save them. */
export const readHar = (file: string, text: string): readonly Recording[] => {
  const value = parseRecorded(file, 1, text)
  const log = isObject(value) ? value.log : undefined
  const entries = isObject(log) ? log.entries : undefined
  if (!Array.isArray(entries)) {
    const message = 'a HAR file holds {"log":{"entries":[…]}}, and this one does not: save it again'
    throw new RecordingError(file, 1, message)
  }
  const lines = entryLines(text)
  return entries.map((entry: unknown, index) => ({
    ...readEntry(file, lines[index] ?? 1, entry),
    pointer: `/log/entries/${index}`,
  }))
}

const entryLines = (text: string): readonly number[] => {
  const log = membersOf(text).findLast(({ name }) => name === 'log')
  const entries = membersOf(log?.text ?? '').findLast(({ name }) => name === 'entries')
  const start = (log?.at ?? 0) + (entries?.at ?? 0)
  const lines: number[] = []
  let line = lineAt(text, start)
  let last = start
  for (const { at } of itemsOf(entries?.text ?? '')) {
    line += text.slice(last, start + at).split('\n').length - 1
    last = start + at
    lines.push(line)
  }
  return lines
}

const readEntry = (file: string, line: number, entry: unknown): Recording => {
  const { request, response } = isObject(entry) ? entry : {}
  if (!isObject(request) || typeof request.method !== 'string' || typeof request.url !== 'string') {
    const message = 'an entry has a request with a method and a url: save the file again'
    throw new RecordingError(file, line, message)
  }
  const data = isObject(request.postData) ? request.postData : {}
  const body = bytesOf(data)
  return {
    ...{ file, line },
    sent: {
      method: request.method.toUpperCase(),
      url: request.url,
      headers: Object.fromEntries(pairsOf(request.headers)),
      ...(body === undefined ? {} : { body }),
    },
    answer: readResponse(response),
  }
}

/** Undefined where a request was blocked, or its body was left out of the file. */
const readResponse = (response: unknown): Answer | undefined => {
  if (!isObject(response) || typeof response.status !== 'number' || response.status < 100)
    return undefined
  const content = isObject(response.content) ? response.content : {}
  const body = bytesOf(content)
  if (body === undefined && typeof content.size === 'number' && content.size > 0) return undefined
  const pairs = pairsOf(response.headers)
  const { mimeType } = content
  const isTyped = pairs.length > 0 || typeof mimeType !== 'string' || mimeType === ''
  return {
    status: response.status,
    headers: isTyped ? pairs : [['content-type', mimeType]],
    body: body ?? new Uint8Array(),
    milliseconds: 0,
  }
}

type Json = Readonly<Record<string, unknown>>

const bytesOf = ({ text, encoding }: Json): Uint8Array | undefined => {
  if (typeof text !== 'string') return undefined
  return encoding === 'base64' ? Buffer.from(text, 'base64') : new TextEncoder().encode(text)
}

/** What a file holds is decoded already, and HTTP/2 names the request line among the headers. */
const pairsOf = (headers: unknown): readonly (readonly [string, string])[] =>
  (Array.isArray(headers) ? headers : []).flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.name !== 'string' || typeof one.value !== 'string') return []
    return NOT_KEPT.test(one.name) ? [] : [[one.name, one.value] as const]
  })

const NOT_KEPT = /^(:|content-encoding$|content-length$|transfer-encoding$)/i
