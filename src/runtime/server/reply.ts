import { CallError } from '../errors.js'
import type { HttpOperation, HttpValidators, Operation } from '../operation.js'
import { isBytes } from '../shared/file.js'
import { writeJson } from '../shared/json.js'
import { covers, isJson } from '../shared/media-type.js'
import { segmentsOf } from '../shared/pointer.js'
import { redactor } from '../shared/redact.js'
import type { Fault, Validator } from '../validate.js'
import { encodeBytes } from './bytes-reply.js'
import type { Auth } from './handlers.js'
import type { HeaderRecord, Refusal, RefusalCause, ServerReply } from './request.js'

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
  requestHeaders: HeaderRecord = {},
): ServerReply => {
  if (!(Number.isInteger(reply.status) && reply.status >= 200 && reply.status <= 599))
    throw new RangeError(`The handler returned the status ${reply.status}`)
  const given = Object.entries(reply.headers ?? {}).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    String(value),
  ])
  // Throws for an invalid header while an error response is still possible.
  if (given.length > 0) new Headers(given)
  const headers: Record<string, string> = { ...DEFAULT_HEADERS, ...Object.fromEntries(given) }
  const { body, status } = reply
  if (body === undefined) return { status, headers }
  const declared = mediaTypesOf(operation, status)
  if (isBytes(body)) {
    const hasRanges = operation.method === 'GET' && mediaTypesOf(operation, 206).length > 0
    const has416 = declaredKey(Object.keys(operation.responses), 416) !== undefined
    return encodeBytes(
      body,
      { status, headers, declared, has416 },
      hasRanges ? requestHeaders : undefined,
    )
  }
  const type = headers['content-type'] ?? chooseType(body, declared)
  const withType = { ...headers, 'content-type': type }
  if (typeof body === 'string' && !isJson(type)) return { status, headers: withType, body }
  return { status, headers: withType, body: jsonText(body, operation) }
}

/** Bigints are written if the document has some; otherwise they throw. */
export const jsonText = (value: unknown, { bigints }: Pick<Operation, 'bigints'>): string =>
  bigints === undefined ? JSON.stringify(value) : writeJson(value)

/** The error of a response whose status or body the document does not declare. `source` names the producer of the response. */
export const checkReply = (
  reply: ServerReply,
  operation: HttpOperation,
  validators: HttpValidators,
  variant: string | undefined,
  source = 'The handler',
): CallError | undefined => {
  const wrong = (message: string, faults: readonly Fault[] = []): CallError =>
    new CallError({ reason: 'invalid-answer', operation: operation.id, message, issues: faults })
  const key = declaredKey(Object.keys(operation.responses), reply.status)
  if (key === undefined) return wrong(`${source} returned ${reply.status}, which is not declared`)
  const type = reply.headers['content-type'] ?? ''
  if (reply.body !== undefined && operation.responses[key]?.length === 0)
    return wrong(`${source} returned ${reply.status} with a body, but none is declared`)
  const declared = operation.responses[key] ?? []
  const isText = reply.body === undefined || typeof reply.body === 'string'
  if (!isText && !declared.some((one) => covers(one, type)))
    return wrong(`${source} returned ${type}, but ${declared.join(' or ')} is declared`)
  const parts = variant === undefined ? undefined : validators.variants?.[variant]
  const success = reply.status >= 200 && reply.status < 300
  const accepted =
    parts && success ? [parts.response, parts.error] : [validators.responses[key]].flatMap(present)
  if (accepted.length === 0 || (reply.body !== undefined && !isJson(type))) return undefined
  const body: unknown = typeof reply.body === 'string' ? JSON.parse(reply.body) : reply.body
  if (accepted.some((validator) => validator.check(body))) return undefined
  const faults = accepted[0]?.explain(body) ?? []
  const [first] = faults
  const detail = first === undefined ? '' : `: ${describeFault(first)}`
  return wrong(`${source}'s body for ${reply.status} does not match its schema${detail}`, faults)
}

/** Responses are not cached, and their types not sniffed; headers of the handler can override this. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** `200`, else `2XX`, else `default`. */
export const declaredKey = (keys: readonly string[], status: number): string | undefined => {
  const range = `${String(status)[0]}XX`
  return [String(status), range, range.toLowerCase(), 'default'].find((key) => keys.includes(key))
}

const mediaTypesOf = (operation: HttpOperation | undefined, status: number): readonly string[] => {
  const responses = operation?.responses ?? {}
  return responses[declaredKey(Object.keys(responses), status) ?? ''] ?? []
}

const chooseType = (body: unknown, declared: readonly string[]): string => {
  const concrete = declared.filter((type) => !type.includes('*'))
  const json = concrete.find((type) => isJson(type))
  const other = concrete.find((type) => !isJson(type))
  return json ?? (typeof body === 'string' ? other : undefined) ?? 'application/json'
}

/**
 * The response to a rejected request. Its body is the first common error shape that the schema of the status accepts. Without
 * such a schema, that of another declared error and its media type are used, so that all errors of an operation have the same
 * shape. Otherwise the body is `{ error, faults }`, or a problem (RFC 9457) if its media type is declared.
 */
export const shapeError = (
  refusal: Refusal,
  operation: HttpOperation | undefined,
  validators: HttpValidators | undefined,
): ServerReply => {
  const { status, message, faults = [], headers = {} } = refusal
  const jsonType = (key: string | undefined) =>
    key === undefined ? undefined : operation?.responses[key]?.find(isJson)
  const own = jsonType(declaredKey(Object.keys(operation?.responses ?? {}), status))
  const fitting = errorValidators(status, validators).flatMap(({ key, validator }) => {
    const type = jsonType(key) ?? JSON_TYPE
    if (own !== undefined && isProblem(own) !== isProblem(type)) return []
    return errorBodies(status, message, type)
      .filter((body) => validator.check(body))
      .map((body) => ({ body, type }))
  })
  const [first] = fitting
  const type = own ?? first?.type ?? JSON_TYPE
  const body =
    first?.body ??
    (isProblem(type)
      ? problemOf(status, message)
      : { error: message, ...(faults.length > 0 && { faults: faults.map(faultData) }) })
  return {
    status,
    headers: { ...DEFAULT_HEADERS, 'content-type': type, ...headers },
    body: JSON.stringify(body),
  }
}

/** The same refusal with secrets redacted in its texts. */
export const cleanRefusal = (refusal: Refusal, secrets: readonly string[]): Refusal => {
  const redact = redactor(secrets)
  const faults = (refusal.faults ?? []).slice(0, MOST_FAULTS).map((fault) => ({
    pointer: redact(fault.pointer),
    keyword: fault.keyword,
    message: redact(fault.message),
    ...(fault.params && { params: { property: redact(fault.params.property) } }),
  }))
  return { ...refusal, message: redact(refusal.message), faults }
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

export const secretsOf = (auth: Auth): readonly string[] =>
  Object.values(auth).filter((secret) => secret !== undefined)

/**
 * The error that the option `refuse` turns into a response; `faults` are validation errors, with pointers such as
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
  readonly cause?: RefusalCause
  /** The maximum size of a body in bytes; set if the body is larger. */
  readonly limit?: number
}

const JSON_TYPE = 'application/json'

const isProblem = (type: string): boolean => /^application\/problem\+json\b/i.test(type)

const problemOf = (status: number, message: string) => ({
  type: 'about:blank',
  title: message,
  status,
  detail: message,
})

const errorBodies = (status: number, message: string, type: string): readonly unknown[] => [
  ...(isProblem(type) ? [problemOf(status, message)] : []),
  { error: message },
  { success: false, error: message },
  { message },
  { code: status, message },
  { status, message },
  { error: { message } },
  { error: { code: status, message } },
  { errors: [{ message }] },
  { title: message, status },
  problemOf(status, message),
  message,
]

/** The schemas that a body of this status may follow, nearest first. */
const errorValidators = (
  status: number,
  validators: HttpValidators | undefined,
): readonly { readonly key: string; readonly validator: Validator }[] => {
  if (validators === undefined) return []
  const keys = Object.keys(validators.responses)
  const own = declaredKey(keys, status)
  const others = keys.filter((key) => /^[45]/.test(key))
  return [own, ...others]
    .flatMap(present)
    .flatMap((key) => present(validators.responses[key]).map((validator) => ({ key, validator })))
}

const present = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])

/**
 * The faults of a value for a client: the place and the expectation, never the value, because error bodies end up in logs. It
 * stops at one fault more than a response lists, which shows that there are more.
 */
export const explainFaults = (
  validator: Validator,
  value: unknown,
  most = MOST_FAULTS + 1,
): readonly Fault[] => validator.explain(value, most, { hideValues: true })

/** The members of a fault that responses contain. */
export const faultData = ({ pointer, keyword, message }: Fault): Fault => ({
  pointer,
  keyword,
  message,
})

/** The maximum number of faults in a response: a body with many faults must not lead to a much larger response. */
export const MOST_FAULTS = 20

/** The end of the message of a response that does not list all faults. */
export const moreFaults = (faults: readonly Fault[]): string =>
  faults.length > MOST_FAULTS ? ` (the first of more than ${MOST_FAULTS} errors)` : ''

/** A fault as text, with its place: `body.arguments is required`. */
export const describeFault = ({ pointer, message }: Fault): string =>
  pointer === '' ? message : `${segmentsOf(pointer).join('.')} ${message}`
