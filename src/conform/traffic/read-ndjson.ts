import { isObject } from '../../runtime/validate/json-value.js'
import { membersOf, textsOf } from '../responses/json-text.js'
import type { Answer } from '../wire/exchange.js'
import {
  parseRecorded,
  plainAnswer,
  plainRequest,
  type Recording,
  RecordingError,
} from './recording.js'

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
  const { request: sent, response: came } = value
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
    answer: isSilent ? undefined : readResponse(response, came, fail),
  }
}

const readResponse = (text: string, came: unknown, fail: (message: string) => never): Answer => {
  const { status, headers, body } = isObject(came) ? came : {}
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
