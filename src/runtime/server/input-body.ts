import type { FormEncoding, HttpOperation, HttpValidators } from '../operation.js'
import type { BigintTerms } from '../shared/exact-integers.js'
import { covers, isJson, isText, type SequentialFormat } from '../shared/media-type.js'
import { pointerStep } from '../shared/pointer.js'
import { sequentialFormat, splitItems } from '../streams/pieces.js'
import type { Fault } from '../validate.js'
import { isInteger, readBigints } from './bigints.js'
import type { ServerCall, ServerPolicy } from './call.js'
import { type ExactJson, keysOf, LOSS_MESSAGES, limitOf } from './exact-json.js'
import { readUrlEncoded } from './forms.js'
import { breakAfterLarge, ItemError, parseItems, parseJson } from './parse-in-parts.js'
import { explainFaults, MOST_FAULTS } from './reply.js'
import {
  decodeText,
  type Outcome,
  type Refusal,
  type RefusalCause,
  readBody,
  readMediaType,
} from './request.js'
import { readFileBody, readMultipartBody } from './upload-body.js'
import type { Uploads } from './uploads.js'

/** Reads and validates the body of a request; returns it, or the refusal. */
export const readInputBody = async (
  operation: HttpOperation,
  validators: HttpValidators,
  { call, policy, uploads }: Received,
): Promise<Outcome<Body>> => {
  if (operation.body === undefined) return { value: { body: undefined, variant: undefined } }
  const mediaType = readMediaType(call.headers)
  const accepted =
    mediaType !== undefined && operation.body.mediaTypes.some((type) => covers(type, mediaType))
  const unsupported: Refusal = {
    status: 415,
    message: `Content-Type must be ${operation.body.mediaTypes.join(' or ')}`,
    cause: 'content-type',
    headers: { accept: operation.body.mediaTypes.join(', ') },
  }
  if (mediaType !== undefined && !accepted) return { refusal: unsupported }
  const { request, headers } = call
  const declared = operation.body.mediaTypes.find((type) => covers(type, mediaType ?? ''))
  const encodings = operation.body.forms?.[declared ?? '']
  const { named, request: places } = operation.bigints ?? {}
  const bigints = places && { named, places }
  const isSequential = operation.body.sequential?.includes(declared ?? '')
  const format = isSequential ? sequentialFormat(mediaType ?? '') : undefined
  if (mediaType !== undefined && !isJson(mediaType) && !isText(mediaType) && !format) {
    const upload = { request, headers, policy, uploads }
    const read =
      mediaType === MULTIPART
        ? await readMultipartBody(upload, validators.fields, { encodings, bigints })
        : await readFileBody(upload, mediaType)
    if ('faults' in read) return invalid(read.faults)
    return read.refusal ? read : { value: { body: read.value, variant: undefined } }
  }
  const read = await readBody(request, headers, policy.payloadBytes)
  if (read.refusal) return read
  if (mediaType === undefined && read.value.byteLength === 0 && !operation.body.required)
    return { value: { body: undefined, variant: undefined } }
  if (mediaType === undefined) return { refusal: unsupported }
  return parseBody(read.value, mediaType, { validators, policy, encodings, bigints, format })
}

type Received = {
  readonly call: ServerCall
  readonly policy: ServerPolicy
  readonly uploads: Uploads
}

type Body = { readonly body: unknown; readonly variant: string | undefined }

const parseBody = async (
  bytes: Uint8Array,
  mediaType: string,
  {
    validators,
    policy,
    encodings,
    bigints,
    format,
  }: {
    readonly validators: HttpValidators
    readonly policy: ServerPolicy
    readonly encodings: FormEncoding | undefined
    readonly bigints: BigintTerms | undefined
    readonly format: SequentialFormat | undefined
  },
): Promise<Outcome<Body>> => {
  const text = decodeText(bytes)
  if (text === undefined) return malformed('The body is not UTF-8', 'invalid-utf8')
  if (mediaType === FORM) {
    const { mostMembers } = policy
    const most = Number.isFinite(mostMembers) ? mostMembers : MOST_FIELDS
    if (text.split('&').length > most)
      return malformed(
        `The body cannot be read: it has more than ${most} fields`,
        'too-many-members',
      )
    const fitted = readUrlEncoded(text, validators.fields, { encodings, bigints })
    return 'value' in fitted
      ? { value: { body: fitted.value, variant: undefined } }
      : invalid(fitted.faults)
  }
  return format !== undefined || isJson(mediaType)
    ? parseJsonBody(text, validators, policy, bigints, format)
    : { value: { body: text, variant: undefined } }
}

/** More than any real form has. A field costs more than a member of JSON, because its text has several possible values. */
const MOST_FIELDS = 10_000

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

const parseJsonBody = async (
  text: string,
  validators: HttpValidators,
  { mostMembers }: ServerPolicy,
  bigints: BigintTerms | undefined,
  format: SequentialFormat | undefined,
): Promise<Outcome<Body>> => {
  let parsed: ExactJson
  try {
    parsed =
      format === undefined
        ? await parseJson(text, mostMembers)
        : await parseItems(splitItems(text, format), mostMembers)
  } catch (error) {
    const limit = limitOf(error)
    // The engine's own message would quote the body.
    return limit === undefined
      ? malformed(
          `${error instanceof ItemError ? error.message : 'The body'} is not valid JSON`,
          'invalid-json',
        )
      : malformed(`The body cannot be read: ${limit}`, 'too-many-members')
  }
  const { value: body } = parsed
  await breakAfterLarge(text)
  const odd = parsed.odd()
  const lost = odd.flatMap((token) =>
    token.loss && !(bigints && isInteger(token.text)) ? [{ ...token, loss: token.loss }] : [],
  )
  if (lost.length > 0)
    return invalid(
      lost.slice(0, MOST_FAULTS).map(({ path, loss }) => ({
        pointer: keysOf(path).map(pointerStep).join(''),
        keyword: loss,
        message: LOSS_MESSAGES[loss],
      })),
      body,
    )
  await breakAfterLarge(text)
  const variants = Object.entries(validators.variants ?? {})
  const accepted = (variant: string | undefined): Outcome<Body> => {
    if (bigints === undefined) return { value: { body, variant } }
    const { value, faults } = readBigints(body, odd, bigints)
    return faults.length > 0 ? invalid(faults, body) : { value: { body: value, variant } }
  }
  const variant = variants.find(([, parts]) => parts.request.check(body))?.[0]
  if (variant !== undefined) return accepted(variant)
  if (variants.length > 0) {
    const candidates = variants.map(([, parts]) => explainFaults(parts.request, body))
    const nearest = candidates.reduce((best, one) =>
      remoteness(one) < remoteness(best) ? one : best,
    )
    return invalid(nearest, body)
  }
  if (validators.request === undefined || validators.request.check(body)) return accepted(undefined)
  return invalid(explainFaults(validators.request, body), body)
}

/** A variant that does not declare a property is unlikely, even if other variants lack more properties. */
const remoteness = (faults: readonly Fault[]): number =>
  faults.length + 100 * faults.filter(({ keyword }) => FORBIDDING.has(keyword)).length

const FORBIDDING = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
])

const malformed = (message: string, cause: RefusalCause): { refusal: Refusal } => ({
  refusal: { status: 400, message, cause },
})

const invalid = (faults: readonly Fault[], body?: unknown): { refusal: Refusal } => ({
  refusal: {
    status: 400,
    message: 'The body does not match its schema',
    faults: faults.map(({ pointer, ...fault }) => ({ pointer: `/body${pointer}`, ...fault })),
    body,
  },
})
