import type { HttpError } from '../errors.js'
import type { IncomingResponse } from '../link/transport.js'
import type { Content, HttpOperation, StreamContent } from '../operation.js'
import type { Codec, ValueCodecs } from '../shared/codecs.js'
import type { BigintTerms, ExactValue } from '../shared/exact-integers.js'
import type { Explained } from '../shared/explain.js'
import { hasLongNumber, parseJson } from '../shared/json.js'
import type { StreamFormat } from '../shared/media-type.js'
import { pointerStep } from '../shared/pointer.js'
import type { ValueRepair } from '../validate/validator.js'
import type { Checks, Fault } from '../validate.js'
import { declaredResponse, isErrorDefault, isSuccessKey, ofContent } from '../wire/status.js'
import type { Choice } from './expected-type.js'
import type { Failures } from './failure.js'
import type { HttpChecks, InputRejection } from './request.js'

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
  readonly explain: (rejection: InputRejection) => Promise<Explained>
  /** The media type that the caller chose. */
  readonly accept: string | undefined
  /** Whether the property `stream` of the request selects a stream; undefined if the operation has no such property. */
  readonly isStreamed: boolean | undefined
  /** Reports the differences that tolerant validation accepts. */
  readonly warn: (message: string, issues: readonly Fault[]) => void
  /** The codecs that are not built in. */
  readonly codecs: ValueCodecs | undefined
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
  const rejected = (body: unknown, faults: readonly Fault[]): ReadResponse => {
    const error = how.fail.http({ status, headers: response.headers(), body, faults })
    return { status, headers: error.headers, body: error.body, error }
  }
  const described = declaredResponse(operation.responses, status)
  const key = described?.status
  const declared = described?.content ?? []
  const { named, responses, items } = operation.bigints ?? {}
  const sent = response.header('content-type') ?? undefined
  if (!isOk(response) || isErrorDefault(operation.responses, described)) {
    const content = await contentFrom(declared, sent)
    const { type, codec = 'any' } = content ?? {}
    // What the document does not declare is read as JSON if it is JSON.
    const isJson = codec === 'any' || codec === 'json'
    const isValue = how.codecs !== undefined && codec in how.codecs
    const isText = !isJson && !isValue
    const read = async (kind: Codec) =>
      operation.method === 'HEAD' ? {} : await readOther(response, kind, how)
    const text = isText
      ? String((await read('text')).value ?? '')
      : isValue || operation.method === 'HEAD'
        ? ''
        : await response.text()
    const parsed = isText ? {} : isValue ? await read(codec) : parseJson(text, how.fail.clean)
    const body = 'value' in parsed ? parsed.value : text || undefined
    if (key === undefined) return rejected(body, [UNDOCUMENTED])
    if (declared.length > 0 && content === undefined)
      return rejected(body, [(await loadExpected()).typeFault(declared, sent)])
    const pick = (own: HttpChecks) => (isText ? undefined : ofContent(own.responses, key, type))
    const { faults, repair } = await validate(validators, body, pick, how)
    if (!('value' in parsed)) return rejected(repair(body), faults)
    const bigints = { named, places: ofContent(responses, key, type) }
    const exact = await readNumbers(text, body, how, bigints)
    return rejected(repair(exact.value), [...faults, ...exact.faults])
  }
  if (key === undefined && operation.responses.some((one) => isSuccessKey(one.status)))
    throw how.fail.call('malformed-answer', `returned ${status}`, { faults: [UNDOCUMENTED] })
  const contents = key === undefined ? ANY : declared
  // RFC 9110, 15.3.5 and 15.3.6: 204 and 205 have no body.
  if (contents.length === 0 || operation.method === 'HEAD' || status === 204 || status === 205) {
    response.discard()
    return ok(response, undefined)
  }
  const faultsOf = async (one: string): Promise<readonly Fault[]> => {
    const pick = (own: HttpChecks) => ofContent(own.responses, key, one)
    const check = pick(validators)
    if (check === undefined || check.check('')) return []
    return (await how.explain({ check, value: '', shown: '', pick, reading: 'strict' })).faults
  }
  const media = await contentFrom(contents, sent, { ...how, faultsOf })
  if (media === undefined)
    throw await (await loadExpected()).createTypeError(response, contents, sent, how)
  const { type, stream: content } = media
  if (content !== undefined && how.openStream !== undefined) {
    const format = media.codec as StreamFormat
    const pick = (own: HttpChecks) => ofContent(own.items, key, type)
    const bigints = { named, places: ofContent(items, key, type) }
    const stream = { format, content, validators, pick, bigints, how }
    return ok(response, how.openStream(response.response(), stream))
  }
  const pick = (own: HttpChecks) =>
    (how.variant === undefined ? undefined : own.variants?.[how.variant]?.response) ??
    (media.codec === 'text' ? undefined : ofContent(own.responses, key, type))
  const codec = media.codec === 'any' ? (await loadExpected()).codecInRange(sent) : media.codec
  const {
    value,
    text = '',
    isRaw = false,
  } = codec === 'json' ? await readJson(response, how) : await readOther(response, codec, how)
  const isVariantError = variantsOf(validators, how.variant).some(
    ([name, variant]) =>
      operation.variants?.find((one) => one.name === name)?.errors.length !== 0 &&
      fits(variant.error, value, how),
  )
  if (isVariantError) return rejected(value, [])
  let repair = asIs
  if (!isRaw) {
    const { faults, repair: found } = await validate(validators, value, pick, how)
    repair = found
    if (faults.length > 0)
      throw how.fail.call(
        'invalid-answer',
        `the response (${status}) does not match ${schemaOf(status, key)}`,
        { faults },
      )
  }
  const bigints = { named, places: ofContent(responses, key, type) }
  // Avoids another promise for most responses.
  const isExact = bigints.places === undefined && !hasLongNumber(text)
  const body = isExact ? value : await readIntegers(text, value, how, bigints)
  return ok(response, copyAliases(repair(body), operation.sameAs))
}

const ANY: readonly Content[] = [{ type: '*/*', codec: 'any' }]

/** The declared content of a body. Most responses have a JSON type as declared, and nothing to choose. */
const contentFrom = async (
  declared: readonly Content[],
  sent: string | undefined,
  { accept, isStreamed, faultsOf }: Choice = {},
): Promise<Content | undefined> => {
  const same = declared.find(({ type, codec }) => type === sent && codec === 'json')
  return same !== undefined && accept === undefined && isStreamed === undefined
    ? same
    : (await loadExpected()).expectedContent(declared, sent, { accept, isStreamed, faultsOf })
}

/** The document may describe a status only by a range or `default`, which a reader has to know to find the schema. */
const schemaOf = (status: number, key: string | undefined): string =>
  key === String(status) ? 'its schema' : `the schema of ${key}`

const loadExpected = () => import('./expected-type.js')

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
 * on request; otherwise the value is unchanged, and rounded numbers are reported.
 */
export const readIntegers = async (
  text: string,
  value: unknown,
  how: ReadingTerms,
  bigints: Pick<BigintTerms, 'places' | 'named'>,
): Promise<unknown> => {
  const { fail, reading, warn } = how
  const exact = await readNumbers(text, value, how, bigints)
  const { faults } = exact
  if (faults.length > 0) {
    const message = 'the response has numbers that are rounded'
    if (reading === 'strict' || exact.isUnreadable)
      throw fail.call('invalid-answer', message, { faults })
    warn(message, fail.clean(faults))
  }
  return exact.value
}

const readNumbers = async (
  text: string,
  value: unknown,
  { integers }: ReadingTerms,
  { places, named }: Pick<BigintTerms, 'places' | 'named'>,
): Promise<ExactValue> => {
  if (places === undefined && (text === '' || !hasLongNumber(text))) return { value, faults: [] }
  const { readExactly } = await import('../shared/exact-integers.js')
  return readExactly(text, value, { places, named, keepsAll: integers === 'bigint' }, pointerStep)
}

const UNDOCUMENTED: Fault = {
  pointer: '',
  keyword: 'responses',
  message: 'has a status that is not documented',
}

const variantsOf = (validators: HttpChecks, variant: string | undefined) =>
  Object.entries(validators.variants ?? {}).filter(
    ([name]) => variant === undefined || name === variant,
  )

export type ReadBody = {
  readonly value?: unknown
  /** The text of a JSON body. */
  readonly text?: string
  /** A stream or bytes, which no schema validates. */
  readonly isRaw?: boolean
}

const readJson = async (response: IncomingResponse, { fail }: ReadingTerms): Promise<ReadBody> => {
  const text = await response.text()
  const parsed = parseJson(text, fail.clean)
  if ('value' in parsed) return { value: parsed.value, text }
  const what = text === '' ? 'an empty body' : 'text that is not JSON'
  throw fail.call('malformed-answer', `returned ${what} where JSON is documented`, parsed)
}

/** Reads a body that is not JSON. The code is loaded on demand, because most responses are JSON. */
const readOther = async (
  response: IncomingResponse,
  codec: Codec,
  how: ReadingTerms,
): Promise<ReadBody> => (await import('./other-body.js')).readOther(response, codec, how)

/** The errors of a rejected body; none for tolerated errors, which are reported, and repaired where the body has another type. */
export const validate = async (
  validators: HttpChecks,
  body: unknown,
  pick: (own: HttpChecks) => Checks | undefined,
  how: ReadingTerms,
): Promise<{ readonly faults: readonly Fault[]; readonly repair: ValueRepair }> => {
  const { explain, fail, reading, warn } = how
  const check = reading === 'off' ? undefined : pick(validators)
  if (check === undefined || reading === 'off' || fits(check, body, how))
    return { faults: [], repair: asIs }
  const shown = fail.clean(body)
  const explained = await explain({ check, value: body, shown, pick, reading })
  const { faults, isTolerated, repair = asIs } = explained
  if (!isTolerated) return { faults, repair: asIs }
  warn('the response differs from the document', fail.clean(faults))
  return { faults: [], repair }
}

const asIs: ValueRepair = (value) => value

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
