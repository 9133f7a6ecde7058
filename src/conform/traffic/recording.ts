import { isObject } from '../../runtime/validate/json-value.js'
import { itemsOf, membersOf, textsOf } from '../responses/json-text.js'
import type { Answer, Sent } from '../wire/exchange.js'

/** One request as it was recorded, and what came of it. */
export type Recording = {
  readonly file: string
  /** 1-based: where it begins. */
  readonly line: number
  /** Of an entry of one large value, which may stand on a line with all the others: `/log/entries/3`. */
  readonly pointer?: string
  /** Without an address where only JSON-RPC was recorded, and not where it went. */
  readonly sent: Omit<Sent, 'url'> & { readonly url: string | undefined }
  /** Undefined where none was recorded. */
  readonly answer: Answer | undefined
}

/** A recording that cannot be read: one sentence with its file and line, and what to do. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  readonly file: string
  readonly line: number

  constructor(file: string, line: number, message: string, options: ErrorOptions = {}) {
    super(`${file}:${line}: ${message}`, options)
    this.file = file
    this.line = line
  }
}

/** The line of a place in a text, 1-based. */
const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Parses a text that begins at a line of a file. Throws RecordingError where it is no JSON. */
const parseRecorded = (file: string, line: number, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const [, position = '0'] = /position (\d+)/.exec(String(cause)) ?? []
    const place = line + lineAt(text, Number(position)) - 1
    const advice = 'it is cut short or edited by hand: record it again, or leave it out'
    throw new RecordingError(file, place, `this is no JSON, so ${advice}`, { cause })
  }
}

/** An answer of JSON-RPC of which nothing but its text was recorded. */
const plainAnswer = (text: string): Answer => ({
  status: 200,
  headers: [['content-type', 'application/json']],
  body: new TextEncoder().encode(text),
  milliseconds: 0,
})

const plainRequest = (text: string): Recording['sent'] => ({
  method: 'POST',
  url: undefined,
  headers: { 'content-type': 'application/json' },
  body: text,
})

/** Round trips as text: `//` a comment, `>>` a request, `<<` the answer to the request before it; one line each. */
export const readIo = (file: string, text: string): readonly Recording[] => {
  const found: Recording[] = []
  let waiting: { readonly line: number; readonly request: string } | undefined
  const end = (answer: string | undefined) => {
    if (!waiting) return
    found.push({
      file,
      line: waiting.line,
      sent: plainRequest(waiting.request),
      answer: answer === undefined ? undefined : plainAnswer(answer),
    })
    waiting = undefined
  }
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.trim()
    if (line === '' || line.startsWith('//')) continue
    const rest = line.slice(2).trim()
    if (line.startsWith('>>')) {
      end(undefined)
      waiting = { line: index + 1, request: rest }
    } else if (!line.startsWith('<<')) {
      const kinds = '// (a comment), >> (a request) or << (its answer)'
      throw new RecordingError(
        file,
        index + 1,
        `a line begins with ${kinds}: mend it or leave it out`,
      )
    } else if (waiting) end(rest)
    else {
      const message = 'this answer has no request: write the line with >> before it'
      throw new RecordingError(file, index + 1, message)
    }
  }
  end(undefined)
  return found
}

/**
 * One exchange a line: `{"request":{"method":"GET","url":"…","headers":{…},"body":…},"response":{"status":200,"headers":{…},
 * "body":…}}`, or JSON-RPC alone, `{"request":{"jsonrpc":"2.0",…},"response":{"jsonrpc":"2.0",…}}`. A body that is a string is the text on
 * the wire; any other is the JSON that was sent.
 */
export const readNdjson = (file: string, text: string): readonly Recording[] =>
  text.split('\n').flatMap((whole, index) => {
    if (whole.trim() === '') return []
    return [readLine(file, index + 1, whole)]
  })

const readLine = (file: string, line: number, text: string): Recording => {
  const value = parseRecorded(file, line, text)
  const fail = (message: string): never => {
    throw new RecordingError(file, line, message)
  }
  const members = membersOf(text)
  const [request] = textsOf(members, 'request')
  const [response] = textsOf(members, 'response')
  if (!isObject(value) || request === undefined)
    return fail('an exchange has a request and a response: write {"request":…,"response":…}')
  const isSilent = response === undefined || response === 'null'
  const { request: sent, response: received } = value
  if (!isObject(sent) || typeof sent.url !== 'string') {
    return {
      ...{ file, line, sent: plainRequest(request) },
      answer: isSilent ? undefined : plainAnswer(response),
    }
  }
  if (typeof sent.method !== 'string') return fail('a request with a url has a method: name it')
  const body = bodyText(request, sent.body)
  const headers = pairsOf(sent.headers)
  if (!headers) return fail(HEADERS)
  return {
    ...{ file, line },
    sent: {
      method: sent.method.toUpperCase(),
      url: sent.url,
      headers: Object.fromEntries(headers),
      ...(body === undefined ? {} : { body }),
    },
    answer: isSilent ? undefined : readResponse(response, received, fail),
  }
}

const readResponse = (
  text: string,
  received: unknown,
  fail: (message: string) => never,
): Answer => {
  const { status, headers, body } = isObject(received) ? received : {}
  if (typeof status !== 'number' || !Number.isInteger(status))
    return fail('a response to a request with a url has a status, as {"status":200,…}: write it')
  const pairs = pairsOf(headers)
  if (!pairs) return fail(HEADERS)
  const written = bodyText(text, body) ?? ''
  // Without any headers nobody meant to record them.
  const typed = headers === undefined && written !== '' ? [JSON_TYPE] : pairs
  return { status, headers: typed, body: new TextEncoder().encode(written), milliseconds: 0 }
}

const JSON_TYPE = ['content-type', 'application/json'] as const
const HEADERS = 'headers are an object of texts, {"content-type":"application/json"}: write them so'

const bodyText = (holder: string, body: unknown): string | undefined => {
  if (typeof body === 'string') return body
  return textsOf(membersOf(holder), 'body').at(-1)
}

const pairsOf = (headers: unknown = {}): readonly (readonly [string, string])[] | undefined => {
  if (!isObject(headers)) return undefined
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  )
  return pairs.every((pair): pair is readonly [string, string] => typeof pair[1] === 'string')
    ? pairs
    : undefined
}

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
      headers: Object.fromEntries(harPairs(request.headers)),
      ...(body === undefined ? {} : { body }),
    },
    answer: readHarResponse(response),
  }
}

/** Undefined where a request was blocked, or its body was left out of the file. */
const readHarResponse = (response: unknown): Answer | undefined => {
  if (!isObject(response) || typeof response.status !== 'number' || response.status < 100)
    return undefined
  const content = isObject(response.content) ? response.content : {}
  const body = bytesOf(content)
  if (body === undefined && typeof content.size === 'number' && content.size > 0) return undefined
  const pairs = harPairs(response.headers)
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
const harPairs = (headers: unknown): readonly (readonly [string, string])[] =>
  (Array.isArray(headers) ? headers : []).flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.name !== 'string' || typeof one.value !== 'string') return []
    return NOT_KEPT.test(one.name) ? [] : [[one.name, one.value] as const]
  })

const NOT_KEPT = /^(:|content-encoding$|content-length$|transfer-encoding$)/i
