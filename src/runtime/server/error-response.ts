import type { HttpOperation, HttpValidators } from '../operation.js'
import { isJson } from '../shared/media-type.js'
import { redactor } from '../shared/redact.js'
import type { Fault, Validator } from '../validate.js'
import { faultData, MOST_FAULTS } from './faults.js'
import type { Auth } from './handlers.js'
import { DEFAULT_HEADERS, declaredKey, mediaTypesOf } from './reply.js'
import type { Refusal, RefusalCause, ServerReply } from './request.js'

/**
 * The answer to a refused request. Its body is the first of the usual shapes of errors that the schema declared for the
 * status accepts (or that of another declared error, so that all errors of an operation look alike), else
 * `{ error, faults }`.
 */
export const shapeError = (
  refusal: Refusal,
  operation: HttpOperation | undefined,
  validators: HttpValidators | undefined,
): ServerReply => {
  const { status, message, faults = [], headers = {} } = refusal
  const declared = errorValidators(status, validators)
  const candidates = errorBodies(status, message)
  const body =
    declared.flatMap((validator) => candidates.filter((shape) => validator.check(shape)))[0] ??
    (faults.length === 0 ? { error: message } : { error: message, faults: faults.map(faultData) })
  const type = mediaTypesOf(operation, status).find(isJson) ?? 'application/json'
  return {
    status,
    headers: { ...DEFAULT_HEADERS, 'content-type': type, ...headers },
    body: JSON.stringify(body),
  }
}

/** The same refusal with secrets blotted out of its texts. */
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
 * Data of a refusal without secrets, as the JSON value that goes out. Names of properties keep what looks like a secret of
 * less than 8 characters, which is more likely a part of a word: a key `k` must not turn `keyword` into something else.
 * Throws where JSON cannot say it.
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

/** What a service may shape by itself: `faults` say what did not fit, with pointers like `/body/arguments`. */
export type ShapedError = {
  readonly status: number
  readonly message: string
  readonly faults: readonly Fault[]
  /** Whether there are more faults than `faults` lists. */
  readonly hasMoreFaults?: boolean
  /** Undefined where no operation was found. */
  readonly operation: HttpOperation | undefined
  /** What the body was parsed as; undefined where it was not even JSON, or not read. */
  readonly body?: unknown
  /** Set where the body could not be read, or its headers were not accepted. */
  readonly cause?: RefusalCause
  /** How many bytes a body may have, where it has more. */
  readonly limit?: number
}

const errorBodies = (status: number, message: string): readonly unknown[] => [
  { error: message },
  { success: false, error: message },
  { message },
  { code: status, message },
  { status, message },
  { error: { message } },
  { error: { code: status, message } },
  { errors: [{ message }] },
  { title: message, status },
  { type: 'about:blank', title: message, status, detail: message },
  message,
]

/** The schemas that a body of this status may follow, nearest first. */
const errorValidators = (
  status: number,
  validators: HttpValidators | undefined,
): readonly Validator[] => {
  if (validators === undefined) return []
  const keys = Object.keys(validators.responses)
  const own = declaredKey(keys, status)
  const others = keys.filter((key) => /^[45]/.test(key))
  return [own, ...others].flatMap(present).flatMap((key) => present(validators.responses[key]))
}

const present = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])
