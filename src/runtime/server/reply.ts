import { CallError } from '../errors.js'
import type {
  Content,
  DeclaredResponse,
  HttpOperation,
  HttpValidators,
  Operation,
} from '../operation.js'
import {
  type Codec,
  codecNamed,
  holdsValue,
  isImported,
  responseCodec,
  sentCodec,
  type ValueCodecs,
} from '../shared/codecs.js'
import { isBytes } from '../shared/file.js'
import { writeJson } from '../shared/json.js'
import { JSON_TYPE } from '../shared/media-type.js'
import { segmentsOf } from '../shared/pointer.js'
import { redactor } from '../shared/redact.js'
import type { Fault } from '../validate.js'
import { concreteOf, declaredContent, isRange } from '../wire/content.js'
import { type ErrorSample, makeErrorBody } from '../wire/error-body.js'
import { MOST_FAULTS } from '../wire/faults.js'
import type { HeaderRecord } from '../wire/headers.js'
import { declaredResponse, isSuccessOf, ofContent } from '../wire/status.js'
import { encodeBytes } from './bytes-reply.js'
import type { RequestAuth } from './handlers.js'
import {
  encoded,
  isStream,
  type RejectionCause,
  type RequestRejection,
  type ServerReply,
} from './request.js'

/** The reply of a handler before serialization. */
export type LooseReply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

/**
 * Serializes a handler's reply. Throws for values that HTTP or JSON cannot represent: a header with a line break, an undeclared
 * bigint.
 */
export const encodeReply = (
  reply: LooseReply,
  operation: HttpOperation,
  codecs: ValueCodecs,
  requestHeaders: HeaderRecord = {},
): ServerReply => {
  if (!(Number.isInteger(reply.status) && reply.status >= 200 && reply.status <= 599))
    throw new RangeError(`The handler returned the status ${reply.status}`)
  const entries = Object.entries(reply.headers ?? {}).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    String(value),
  ])
  // Throws for an invalid header while an error response is still possible.
  if (entries.length > 0) new Headers(entries)
  const headers: Record<string, string> = { ...DEFAULT_HEADERS, ...Object.fromEntries(entries) }
  const { body, status } = reply
  if (body === undefined) return { status, headers }
  const declared = contentOf(operation, status)
  if (isBytes(body)) {
    const hasRanges = operation.method === 'GET' && contentOf(operation, 206).length > 0
    const has416 = declaredResponse(operation.responses, 416) !== undefined
    return encodeBytes(
      body,
      { status, headers, declared, has416 },
      hasRanges ? requestHeaders : undefined,
    )
  }
  const type = headers['content-type'] ?? chooseType(body, declared)
  const withType = { ...headers, 'content-type': type }
  const codec = codecIn(declared, type)
  if (isImported(codec))
    return { status, headers: withType, body: codecNamed(codec, codecs).encode(body) }
  if (typeof body === 'string' && codec !== 'json') return { status, headers: withType, body }
  return { status, headers: withType, body: replyJson(body, operation) }
}

const codecIn = (declared: readonly Content[], type: string): Codec =>
  sentCodec(declaredContent(declared, type), type, responseCodec)

/** Bigints are written if the document has some; otherwise they throw. */
export const replyJson = (value: unknown, { bigints }: Pick<Operation, 'bigints'>): string =>
  bigints === undefined ? JSON.stringify(value) : writeJson(value)

/** The error of a response whose status or body the document does not declare. `source` names the producer of the response. */
export const checkReply = (
  reply: ServerReply,
  operation: HttpOperation,
  validators: HttpValidators,
  variant: string | undefined,
  codecs: ValueCodecs,
  source = 'The handler',
): CallError | undefined => {
  const wrong = (message: string, faults: readonly Fault[] = []): CallError =>
    new CallError({ reason: 'invalid-answer', operation: operation.id, message, issues: faults })
  const response = declaredResponse(operation.responses, reply.status)
  if (response === undefined)
    return wrong(`${source} returned ${reply.status}, which is not declared`)
  const type = reply.headers['content-type'] ?? ''
  if (reply.body !== undefined && response.content.length === 0)
    return wrong(`${source} returned ${reply.status} with a body, but none is declared`)
  const isText = typeof reply.body === 'string'
  const media = declaredContent(response.content, type)
  if (reply.body !== undefined && media === undefined) {
    const types = response.content.map((one) => one.type)
    return wrong(`${source} returned ${type}, but ${types.join(' or ')} is declared`)
  }
  const isAny = media?.codec === 'any'
  const codec = sentCodec(media, type, responseCodec)
  const parts = variant === undefined ? undefined : validators.variants?.[variant]
  const accepted =
    parts && isSuccessOf(operation.responses, reply.status)
      ? [parts.response, parts.error]
      : present(ofContent(validators.responses, response.status, media?.type))
  const isChecked = reply.body === undefined || holdsValue(codec) || (isAny && isText)
  if (accepted.length === 0 || !isChecked) return undefined
  const body = writtenValue(reply.body, codec, codecs)
  if (accepted.some((validator) => validator.check(body))) return undefined
  const faults = accepted[0]?.explain(body) ?? []
  const [first] = faults
  const detail = first === undefined ? '' : `: ${describeFault(first)}`
  const key = response.status
  const schema = key === String(reply.status) ? 'its schema' : `the schema of ${key}`
  return wrong(`${source}'s body for ${reply.status} does not match ${schema}${detail}`, faults)
}

/** The value of a body that was written. */
const writtenValue = (body: ServerReply['body'], codec: Codec, codecs: ValueCodecs): unknown => {
  if (codec === 'json') return typeof body === 'string' ? JSON.parse(body) : body
  return isImported(codec) && body instanceof Uint8Array
    ? codecNamed(codec, codecs).decode(body)
    : body
}

/** Responses are not cached, and their types not sniffed; headers of the handler can override this. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

const contentOf = (operation: HttpOperation | undefined, status: number): readonly Content[] =>
  (operation && declaredResponse(operation.responses, status))?.content ?? []

const chooseType = (body: unknown, declared: readonly Content[]): string => {
  const concrete = declared.filter(({ type }) => !isRange(type))
  const json = concrete.find(({ codec }) => codec === 'json')
  const value = json ?? concrete.find(({ codec }) => holdsValue(codec))
  const other = concrete.find(({ codec }) => !holdsValue(codec))
  const ranges = declared.filter(({ type }) => isRange(type))
  const ranged = ranges.flatMap(({ type }) => present(concreteOf(type, body)))
  const own = value ?? (typeof body === 'string' ? other : undefined)
  return own?.type ?? ranged[0] ?? JSON_TYPE
}

/**
 * The response to a rejected request. Its body follows the declared content of its status; without content, there is no body. A
 * status that is not declared takes the shape of another declared error, so that all errors of an operation look alike.
 */
export const shapeError = (
  rejection: RequestRejection,
  operation: HttpOperation | undefined,
  validators: HttpValidators | undefined,
  { samples = {}, codecs = {} }: ErrorTerms = {},
): ServerReply => {
  const { status, message, faults = [], headers = {} } = rejection
  const declared = operation && declaredResponse(operation.responses, status)
  if (declared?.content.length === 0) return { status, headers: { ...DEFAULT_HEADERS, ...headers } }
  const facts = { status, message, faults: faults.map(faultData) }
  const made = declaredBody(facts, operation, validators, samples) ?? {
    type: JSON_TYPE,
    body: makeErrorBody(facts, JSON_TYPE, undefined)?.body,
  }
  const codec = codecIn(declared?.content ?? [], made.type)
  const body = isImported(codec)
    ? codecNamed(codec, codecs).encode(made.body)
    : codec === 'json'
      ? JSON.stringify(made.body)
      : String(made.body)
  return { status, headers: { ...DEFAULT_HEADERS, 'content-type': made.type, ...headers }, body }
}

type ErrorTerms = {
  /** By key of a response. */
  readonly samples?: Readonly<Record<string, ErrorSample>> | undefined
  readonly codecs?: ValueCodecs
}

/** The status of an invalid request: 422 if that is declared and 400 is not. */
export const invalidStatus = (responses: readonly DeclaredResponse[]): 400 | 422 => {
  const has = (status: string) => responses.some((one) => one.status === status)
  return has('422') && !has('400') ? 422 : 400
}

/** The statuses of requests that a server rejects before the handler of the operation runs. */
export const rejectionStatuses = ({
  body,
  security,
  parameters,
  responses,
}: Pick<HttpOperation, 'security' | 'parameters' | 'responses'> & {
  readonly body?: object | undefined
}): readonly number[] => {
  const isOpen = security.length === 0 || security.some((names) => names.length === 0)
  return [
    // Any request may have a query parameter that is not declared.
    invalidStatus(responses),
    ...(isOpen && !parameters.some(({ secret }) => secret === true) ? [] : [401]),
    ...(body === undefined ? [] : [413, 415]),
  ]
}

/** The error responses that a server sends itself, and for which no body can be made that the document allows. */
export const unmadeErrors = (
  operation: HttpOperation,
  validators: HttpValidators,
  samples: Readonly<Record<string, ErrorSample>> = {},
): readonly UnmadeError[] => {
  return [...rejectionStatuses(operation), 500].flatMap((status) => {
    const content = contentOf(operation, status)
    const facts = { status, message: 'Rejected' }
    const isMade = declaredBody(facts, operation, validators, samples) !== undefined
    return content.length === 0 || isMade ? [] : [{ status, content }]
  })
}

export type UnmadeError = { readonly status: number; readonly content: readonly Content[] }

/** `400 (text/plain) and 401 (application/json)`, for messages. */
export const listUnmade = (errors: readonly UnmadeError[]): string =>
  errors
    .map(({ status, content }) => `${status} (${content.map(({ type }) => type).join(', ')})`)
    .join(' and ')

type Facts = {
  readonly status: number
  readonly message: string
  readonly faults?: readonly Fault[]
}

/** The body of an error as the document declares it, JSON before text; undefined if it declares none, or none can be made. */
const declaredBody = (
  facts: Facts,
  operation: HttpOperation | undefined,
  validators: HttpValidators | undefined,
  samples: Readonly<Record<string, ErrorSample>>,
): { readonly type: string; readonly body: unknown } | undefined => {
  const { responses = [] } = operation ?? {}
  const made = (key: string, type: string, written: string, check: Check | undefined) => {
    const one = makeErrorBody(facts, written, check, ofContent(samples, key, type))
    return one === undefined ? [] : [{ type: written, body: one.body }]
  }
  const bodyOf = ({ status: key, content }: DeclaredResponse) => {
    const values = content.filter(({ codec }) => holdsValue(codec) || codec === 'any')
    const texts = content.filter(({ codec, type }) => codec === 'text' && isTextType(type))
    return [
      ...values.flatMap(({ type }) => {
        const check = validators && ofContent(validators.responses, key, type)?.check
        return made(key, type, concreteOf(type, {}) ?? type, check)
      }),
      ...texts.flatMap(({ type }) => {
        // The validator of a status without a type is that of JSON.
        const check = validators?.responses?.[`${key} ${type}`]?.check
        return made(key, type, concreteOf(type, '') ?? type, check)
      }),
    ][0]
  }
  const own = declaredResponse(responses, facts.status)
  if (own !== undefined) return bodyOf(own)
  const others = responses.filter(({ status }) => /^[45]/.test(status))
  return others.flatMap((one) => present(bodyOf(one)))[0]
}

const isTextType = (type: string): boolean => type === 'text/*' || !isRange(type)

type Check = (body: unknown) => boolean

/** The same rejection with secrets redacted in its texts. */
export const cleanRejection = (
  rejection: RequestRejection,
  secrets: readonly string[],
): RequestRejection => {
  const redact = redactor(secrets)
  const faults = (rejection.faults ?? []).slice(0, MOST_FAULTS).map((fault) => ({
    pointer: redact(fault.pointer),
    keyword: fault.keyword,
    message: redact(fault.message),
    ...(fault.params && { params: { property: redact(fault.params.property) } }),
  }))
  return { ...rejection, message: redact(rejection.message), faults }
}

/**
 * The data of an error without secrets, as a JSON value. In property names, only secrets of 8 characters or more are removed: a
 * key `k` must not change `keyword`. Throws for data that JSON cannot represent.
 */
export const cleanData = (data: unknown, secrets: readonly string[]): unknown => {
  const redact = redactor(secrets)
  const redactName = redactor(secrets.filter((secret) => secret.length >= 8))
  const text: string | undefined = JSON.stringify(data, (_, value: unknown) => {
    if (typeof value === 'string') return redact(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [redactName(name), item]))
  })
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * The response to HEAD is that to GET without its body (RFC 9110 §9.3.2). Some statuses have no body, and a `Response` of them
 * cannot be created with one.
 */
export const withoutBody = (method: string, reply: ServerReply): ServerReply => {
  const isBodiless = BODILESS.has(reply.status)
  if (reply.body === undefined || !(isBodiless || method === 'HEAD')) return reply
  const { body, ...head } = reply
  if (isStream(body)) {
    body[Symbol.asyncIterator]()
      .return?.()
      .catch(() => undefined)
    return head
  }
  if (isBodiless) return head
  const bytes = encoded(body)
  return { ...head, headers: { ...head.headers, 'content-length': String(bytes.byteLength) } }
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

export const secretsOf = (auth: RequestAuth): readonly string[] =>
  Object.values(auth).filter((secret) => secret !== undefined)

/**
 * The error that the option `formatError` turns into a response; `faults` are validation errors, with pointers such as
 * `/body/arguments`.
 */
export type ShapedError = {
  readonly status: number
  readonly message: string
  readonly faults: readonly Fault[]
  /** Whether there are more faults than `faults` lists. */
  readonly hasMoreFaults?: boolean
  /** Undefined if no operation was found. */
  readonly operation: HttpOperation | undefined
  /** The parsed body; undefined if it was not JSON, or not read. */
  readonly body?: unknown
  /** Set if the body could not be read, or its headers were rejected. */
  readonly cause?: RejectionCause
  /** The maximum size of a body in bytes; set if the body is larger. */
  readonly limit?: number
}

const present = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])

/** The members of a fault that responses contain. */
export const faultData = ({ pointer, keyword, message }: Fault): Fault => ({
  pointer,
  keyword,
  message,
})

/** The end of the message of a response that does not list all faults. */
export const moreFaults = (faults: readonly Fault[]): string =>
  faults.length > MOST_FAULTS ? ` (the first of more than ${MOST_FAULTS} errors)` : ''

/** A fault as text, with its place: `body.arguments is required`. */
export const describeFault = ({ pointer, message }: Fault): string =>
  pointer === '' ? message : `${segmentsOf(pointer).join('.')} ${message}`
