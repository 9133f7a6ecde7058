import type { HttpError } from '../errors.js'
import type { HttpOperation, StreamContent } from '../operation.js'
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
import type { Checks, Fault } from '../validate.js'
import type { Failures } from './failure.js'
import type { CheckItem } from './item-stream.js'
import type { HttpChecks, Rejection } from './request.js'

/** An answer read; `error` is what a call throws for it. */
export type ReadResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly error: HttpError | undefined
}

type ReadingTerms = {
  readonly variant: string | undefined
  readonly reading: 'tolerant' | 'strict' | 'off'
  readonly integers: 'number' | 'bigint'
  readonly fail: Failures
  readonly explain: (rejection: Rejection) => Promise<Explained>
  /** The media type that the caller chose. */
  readonly accept: string | undefined
  /** Reports what the tolerant reading accepts. */
  readonly warn: (message: string, issues: readonly Fault[]) => void
  /** Reads a stream; undefined where no operation of the client has one. */
  readonly openStream: ((response: Response, items: StreamItems) => unknown) | undefined
}

/** The items of a response that streams. */
export type StreamItems = {
  readonly format: StreamFormat
  readonly content: StreamContent
  readonly check: CheckItem
}

/** Reads an answer by status, content type and schema. Throws a CallError where it is none of the documented ones. */
export const readResponse = async (
  operation: HttpOperation,
  validators: HttpChecks,
  response: Response,
  how: ReadingTerms,
): Promise<ReadResponse> => {
  const { status, headers } = response
  const refused = (body: unknown, faults: readonly Fault[]): ReadResponse => {
    const error = how.fail.http({ status, headers, body, faults })
    return { status, headers: error.headers, body: error.body, error }
  }
  const key = documentedKey(operation, status)
  if (!response.ok) {
    const text = operation.method === 'HEAD' ? '' : await response.text()
    const parsed = parseJson(text, how.fail.clean)
    // JSON or text, whatever its content type says.
    const body = 'value' in parsed ? parsed.value : text || undefined
    if (key === undefined) return refused(body, [UNDOCUMENTED])
    const pick = (own: HttpChecks) => own.responses[key]
    return refused(body, await validate(validators, body, pick, how))
  }
  if (key === undefined && promisesAnswer(operation))
    throw how.fail.call('malformed-answer', `answered ${status}, which is not documented`)
  const { accept } = how
  const declaredTypes = key === undefined ? ['*/*'] : (operation.responses[key] ?? [])
  const chosen = declaredTypes.filter((type) => accept !== undefined && covers(type, accept))
  const types = chosen.length > 0 ? chosen : declaredTypes
  const sent = headers.get('content-type') ?? types[0] ?? ''
  const format = operation.method === 'HEAD' ? undefined : streamFormat(sent)
  const declared = Object.entries(operation.streams?.[key ?? ''] ?? {})
  const content = declared.find(([type]) => covers(type, sent))?.[1]
  if (format !== undefined && content !== undefined && how.openStream !== undefined) {
    const check = checkItem(content, validators, (own) => own.items?.[key ?? ''], how)
    const body = how.openStream(response, { format, content, check })
    return { status, headers, body, error: undefined }
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
      throw how.fail.call('invalid-answer', `the answer (${status}) does not fit`, { faults })
  }
  const body = hasLongNumber(text) ? await readIntegers(text, value, how) : value
  return { status, headers, body: copyAliases(body, operation.sameAs), error: undefined }
}

/** The value of a text with long integers: with bigints on request, else as it is, and what was rounded is reported. */
const readIntegers = async (
  text: string,
  value: unknown,
  { integers, reading, fail, warn }: ReadingTerms,
): Promise<unknown> => {
  if (integers === 'number' && reading === 'off') return value
  const { parseExactly, roundedIn } = await import('../shared/exact-integers.js')
  const exact = parseExactly(text)
  if (integers === 'bigint') return exact
  const faults = roundedIn(exact, pointerStep)
  if (faults.length === 0) return value
  const message = 'the response has integers that a number cannot hold'
  if (reading === 'strict') throw fail.call('invalid-answer', message, { faults })
  warn(message, fail.clean(faults))
  return value
}

/** The key of `responses` that a status belongs to; `default` answers for 2xx only where nothing else does. */
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
  /** Of JSON. */
  readonly text?: string
}

const readBody = async (
  response: Response,
  method: string,
  types: readonly string[],
  { fail, reading, warn }: ReadingTerms,
): Promise<ReadBody> => {
  if (types.length === 0 || method === 'HEAD' || response.status === 204) {
    discard(response)
    return { value: undefined, isDeclared: true }
  }
  const wantsJson = types.some(isJson)
  const sent = response.headers.get('content-type') ?? (wantsJson ? 'application/json' : types[0])
  const type = sent ?? 'application/octet-stream'
  // Bytes may be anything: a document that says so is not broken by a server that says which.
  const takesBytes = types.some((one) => essence(one) === OCTET_STREAM)
  const isDeclared =
    (wantsJson ? isJson(type) : types.some((declared) => covers(declared, type))) || takesBytes
  if (!isDeclared) {
    const wanted = wantsJson ? 'JSON' : types.join(' or ')
    const message = `answered ${type} where ${wanted} is documented`
    if (reading === 'strict') {
      discard(response)
      throw fail.call('malformed-answer', message)
    }
    if (reading === 'tolerant') warn(message, [])
  }
  if (takesBytes && !wantsJson) return { value: await readFile(response), isDeclared }
  // Nobody waits for the end of a stream.
  if (streamFormat(type) !== undefined) return { value: response.body, isDeclared: false }
  if (isText(type)) return { value: await response.text(), isDeclared }
  if (!isJson(type)) return { value: await readFile(response), isDeclared }
  const text = await response.text()
  const parsed = parseJson(text, fail.clean)
  if ('value' in parsed) return { value: parsed.value, isDeclared, text }
  const what = text === '' ? 'nothing' : 'text that is not JSON'
  throw fail.call('malformed-answer', `answered ${what} where JSON is documented`, parsed)
}

/** Validates the items of a stream, which may come long after the call has returned. */
const checkItem = (
  { item: kind, data }: StreamContent,
  validators: HttpChecks,
  pick: (own: HttpChecks) => Checks | undefined,
  how: ReadingTerms,
): CheckItem => {
  const check = how.reading === 'off' ? undefined : pick(validators)
  const read = async (item: unknown, place: number, text: string): Promise<unknown> => {
    const faults = await validate(validators, item, pick, how)
    if (faults.length > 0)
      throw how.fail.call('invalid-answer', `item ${place} of the stream does not fit`, { faults })
    if (data === 'text' || !hasLongNumber(text)) return item
    if (kind === 'data') return await readIntegers(text, item, how)
    const event = item as { readonly data: unknown }
    return { ...event, data: await readIntegers(text, event.data, how) }
  }
  return (item, place, text) =>
    (check === undefined || fits(check, item, how)) && !hasLongNumber(text)
      ? undefined
      : read(item, place, text)
}

const OCTET_STREAM = 'application/octet-stream'

/** The bytes of a response; a File where Content-Disposition names it. */
const readFile = async (response: Response): Promise<Blob> => {
  const blob = await response.blob()
  const disposition = response.headers.get('content-disposition')
  if (disposition === null) return blob
  const { fileNameOf } = await import('../shared/file-name.js')
  const name = fileNameOf(disposition)
  return name === undefined || name === '' ? blob : new File([blob], name, { type: blob.type })
}

/** The errors of a body that is rejected; none where they are tolerated, and reported. */
const validate = async (
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

/** A service may add properties; only the strict reading rejects them. */
const fits = ({ check, open = check }: Checks, body: unknown, { reading }: ReadingTerms): boolean =>
  (reading === 'strict' ? check : open)(body)

/** Frees the connection; not awaited, for half of a cloned body is cancelled only with its other half. */
const discard = (response: Response): void => {
  response.body?.cancel().catch(() => undefined)
}

/** `x-same-as`: where one of two properties is absent or null, it gets the value of the other. */
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
