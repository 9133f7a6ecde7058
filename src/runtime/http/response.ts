import type { HttpError } from '../errors.js'
import type { HttpOperation, StreamContent } from '../operation.js'
import type { BigintTerms } from '../shared/exact-integers.js'
import type { Explained } from '../shared/explain.js'
import { hasLongNumber, parseJson } from '../shared/json.js'
import {
  covers,
  essence,
  isJson,
  isText,
  type StreamFormat,
  streamFormat,
} from '../shared/media-type.js'
import { pointerStep } from '../shared/pointer.js'
import type { IncomingResponse } from '../transport/transport.js'
import type { Checks, Fault } from '../validate.js'
import type { Failures } from './failure.js'
import type { HttpChecks, Rejection } from './request.js'

/** A response that was read; a call throws its `error`. */
export type ReadResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly error: HttpError | undefined
}

export type ReadingTerms = {
  readonly variant: string | undefined
  readonly reading: 'tolerant' | 'strict' | 'off'
  readonly integers: 'number' | 'bigint'
  readonly fail: Failures
  readonly explain: (rejection: Rejection) => Promise<Explained>
  /** The media type that the caller chose. */
  readonly accept: string | undefined
  /** Reports the differences that tolerant validation accepts. */
  readonly warn: (message: string, issues: readonly Fault[]) => void
  /** Reads a stream; undefined if no operation of the client has one. */
  readonly openStream: ((response: Response, items: StreamItems) => unknown) | undefined
}

/** The items of a streaming response, and their validation. */
export type StreamItems = {
  readonly format: StreamFormat
  readonly content: StreamContent
  readonly validators: HttpChecks
  readonly pick: (own: HttpChecks) => Checks | undefined
  readonly bigints: Pick<BigintTerms, 'places' | 'named'>
  readonly how: ReadingTerms
}

/** Reads a response by status, content type and schema. Throws a CallError for an undocumented response. */
export const readResponse = async (
  operation: HttpOperation,
  validators: HttpChecks,
  response: IncomingResponse,
  how: ReadingTerms,
): Promise<ReadResponse> => {
  const { status } = response
  const refused = (body: unknown, faults: readonly Fault[]): ReadResponse => {
    const error = how.fail.http({ status, headers: response.headers(), body, faults })
    return { status, headers: error.headers, body: error.body, error }
  }
  const key = documentedKey(operation, status)
  const { named, responses, items } = operation.bigints ?? {}
  const bigints = { named, places: responses?.[key ?? ''] }
  if (!isOk(response)) {
    const text = operation.method === 'HEAD' ? '' : await response.text()
    const parsed = parseJson(text, how.fail.clean)
    // JSON or text, for any content type.
    const body = 'value' in parsed ? parsed.value : text || undefined
    if (key === undefined) return refused(body, [UNDOCUMENTED])
    const pick = (own: HttpChecks) => own.responses[key]
    const faults = await validate(validators, body, pick, how)
    if (bigints.places === undefined || !('value' in parsed)) return refused(body, faults)
    return refused(await readIntegers(text, body, how, bigints), faults)
  }
  if (key === undefined && promisesAnswer(operation))
    throw how.fail.call('malformed-answer', `returned ${status}, which is not documented`)
  const { accept } = how
  const declaredTypes = key === undefined ? ['*/*'] : (operation.responses[key] ?? [])
  const chosen = declaredTypes.filter((type) => accept !== undefined && covers(type, accept))
  const types = chosen.length > 0 ? chosen : declaredTypes
  const sent = response.header('content-type') ?? types[0] ?? ''
  const format = operation.method === 'HEAD' ? undefined : streamFormat(sent)
  const declared = Object.entries(operation.streams?.[key ?? ''] ?? {})
  const content = declared.find(([type]) => covers(type, sent))?.[1]
  if (format !== undefined && content !== undefined && how.openStream !== undefined) {
    const pick = (own: HttpChecks) => own.items?.[key ?? '']
    const bigints = { named, places: items?.[key ?? ''] }
    const stream = { format, content, validators, pick, bigints, how }
    return ok(response, how.openStream(response.response(), stream))
  }
  const { value, isDeclared, text = '' } = await readBody(response, operation.method, types, how)
  const refusal = variantsOf(validators, how.variant).some(
    ([name, variant]) =>
      operation.variants?.[name]?.errors.length !== 0 && fits(variant.error, value, how),
  )
  if (refusal) return refused(value, [])
  const pick = (own: HttpChecks) =>
    (how.variant === undefined ? undefined : own.variants?.[how.variant]?.response) ??
    (key === undefined ? undefined : own.responses[key])
  const isChecked = isDeclared && types.some((type) => isJson(type) || type === '*/*')
  if (isChecked && !(value instanceof Blob) && operation.method !== 'HEAD') {
    const faults = await validate(validators, value, pick, how)
    if (faults.length > 0)
      throw how.fail.call('invalid-answer', `the response (${status}) does not match its schema`, {
        faults,
      })
  }
  // Avoids another promise for most responses.
  const isExact = bigints.places === undefined && !hasLongNumber(text)
  const body = isExact ? value : await readIntegers(text, value, how, bigints)
  return ok(response, copyAliases(body, operation.sameAs))
}

const ok = (response: IncomingResponse, body: unknown): ReadResponse => ({
  status: response.status,
  // Lazy, because most callers never read them.
  get headers() {
    return response.headers()
  },
  body,
  error: undefined,
})

export const isOk = ({ status }: { readonly status: number }): boolean =>
  status >= 200 && status < 300

/**
 * The value of a JSON text, with bigints at the places that the document marks. Any other integer beyond 2^53 - 1 is a bigint
 * on request; otherwise the value is unchanged, and rounded integers are reported.
 */
export const readIntegers = async (
  text: string,
  value: unknown,
  { integers, reading, fail, warn }: ReadingTerms,
  { places, named }: Pick<BigintTerms, 'places' | 'named'>,
): Promise<unknown> => {
  const isAsIs = !hasLongNumber(text) || (integers === 'number' && reading === 'off')
  if (text === '' || (places === undefined && isAsIs)) return value
  const { readExactly } = await import('../shared/exact-integers.js')
  const keepsAll = integers === 'bigint'
  const read = readExactly(text, { places, named, keepsAll }, pointerStep)
  if (read.faults.length === 0 || reading === 'off') return read.value
  const message = 'the response has integers that a number cannot represent'
  if (reading === 'strict') throw fail.call('invalid-answer', message, { faults: read.faults })
  warn(message, fail.clean(read.faults))
  return read.value
}

/** The key of `responses` for a status; `default` applies to 2xx only if no other key does. */
export const documentedKey = (
  operation: Pick<HttpOperation, 'responses'>,
  status: number,
): string | undefined => {
  const { responses } = operation
  const range = `${Math.floor(status / 100)}XX`
  const candidates = [String(status), range, range.toLowerCase()]
  const found = candidates.find((key) => Object.hasOwn(responses, key))
  if (found !== undefined || !Object.hasOwn(responses, 'default')) return found
  const settled = range === '2XX' && Object.keys(responses).some((key) => key.startsWith('2'))
  return settled ? undefined : 'default'
}

const promisesAnswer = (operation: HttpOperation): boolean =>
  Object.keys(operation.responses).some((key) => key.startsWith('2') || key === 'default')

const UNDOCUMENTED: Fault = {
  pointer: '',
  keyword: 'responses',
  message: 'has a status that is not documented',
}

const variantsOf = (validators: HttpChecks, variant: string | undefined) =>
  Object.entries(validators.variants ?? {}).filter(
    ([name]) => variant === undefined || name === variant,
  )

type ReadBody = {
  readonly value: unknown
  readonly isDeclared: boolean
  /** The text of a JSON body. */
  readonly text?: string
}

const readBody = async (
  response: IncomingResponse,
  method: string,
  types: readonly string[],
  { fail, reading, warn }: ReadingTerms,
): Promise<ReadBody> => {
  if (types.length === 0 || method === 'HEAD' || response.status === 204) {
    response.discard()
    return { value: undefined, isDeclared: true }
  }
  const wantsJson = types.some(isJson)
  const sent = response.header('content-type') ?? (wantsJson ? 'application/json' : types[0])
  const type = sent ?? 'application/octet-stream'
  // `application/octet-stream` allows any bytes: a more specific type of the server does not violate the document.
  const takesBytes = types.some((one) => essence(one) === OCTET_STREAM)
  const isDeclared =
    (wantsJson ? isJson(type) : types.some((declared) => covers(declared, type))) || takesBytes
  if (!isDeclared) {
    const wanted = wantsJson ? 'JSON' : types.join(' or ')
    const message = `returned ${type} where ${wanted} is documented`
    if (reading === 'strict') {
      response.discard()
      throw fail.call('malformed-answer', message)
    }
    if (reading === 'tolerant') warn(message, [])
  }
  if (takesBytes && !wantsJson) return { value: await readFile(response), isDeclared }
  // A stream is not read to its end.
  if (streamFormat(type) !== undefined)
    return { value: response.response().body, isDeclared: false }
  if (isText(type)) return { value: await response.text(), isDeclared }
  if (!isJson(type)) return { value: await readFile(response), isDeclared }
  const text = await response.text()
  const parsed = parseJson(text, fail.clean)
  if ('value' in parsed) return { value: parsed.value, isDeclared, text }
  const what = text === '' ? 'an empty body' : 'text that is not JSON'
  throw fail.call('malformed-answer', `returned ${what} where JSON is documented`, parsed)
}

const OCTET_STREAM = 'application/octet-stream'

/** The bytes of a response. The code is loaded on demand, because most responses are JSON. */
const readFile = async (response: IncomingResponse): Promise<Blob> =>
  (await import('./file-response.js')).readFile(response)

/** The errors of a rejected body; none for tolerated errors, which are reported. */
export const validate = async (
  validators: HttpChecks,
  body: unknown,
  pick: (own: HttpChecks) => Checks | undefined,
  how: ReadingTerms,
): Promise<readonly Fault[]> => {
  const { explain, fail, reading, warn } = how
  const check = reading === 'off' ? undefined : pick(validators)
  if (check === undefined || reading === 'off' || fits(check, body, how)) return []
  const shown = fail.clean(body)
  const { faults, isTolerated } = await explain({ check, value: body, shown, pick, reading })
  if (!isTolerated) return faults
  warn('the response differs from the document', fail.clean(faults))
  return []
}

/** Whether a body is valid. A service may add properties; only strict validation rejects them. */
export const fits = (
  { check, open = check }: Checks,
  body: unknown,
  { reading }: ReadingTerms,
): boolean => (reading === 'strict' ? check : open)(body)

/** `x-same-as`: if one of two properties is absent or null, it gets the value of the other. */
const copyAliases = (body: unknown, pairs: HttpOperation['sameAs'] = []): unknown => {
  if (pairs.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body))
    return body
  const record = body as Readonly<Record<string, unknown>>
  const copies = pairs.flatMap(([one, other]) => {
    const [first, second] = [record[one] ?? undefined, record[other] ?? undefined]
    if (first === undefined && second !== undefined) return [[one, second]]
    return second === undefined && first !== undefined ? [[other, first]] : []
  })
  return copies.length === 0 ? body : { ...record, ...Object.fromEntries(copies) }
}
