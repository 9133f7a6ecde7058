import type { FormEncoding, HttpOperation, HttpValidators } from '../operation.js'
import { readBigints } from '../shared/bigints.js'
import {
  type Codec,
  codecNamed,
  isImported,
  isSequential,
  requestCodec,
  sentCodec,
} from '../shared/codecs.js'
import { type BigintTerms, markNumbers } from '../shared/exact-integers.js'
import { type ExactJson, keysOf, LOSS_MESSAGES, memberLimit } from '../shared/exact-json.js'
import { pointerStep } from '../shared/pointer.js'
import { splitItems } from '../streams/pieces.js'
import type { ValueRepair } from '../validate/validator.js'
import type { Fault, Validator } from '../validate.js'
import { declaredContent } from '../wire/content.js'
import { acceptsNoString, explainFaults, MOST_FAULTS } from '../wire/faults.js'
import { readUrlEncoded } from '../wire/forms.js'
import { headerOf } from '../wire/headers.js'
import { decodeText } from '../wire/text.js'
import type { ServerCall, ServerPolicy } from './call.js'
import {
  breakAfterLarge,
  ItemError,
  listText,
  parseItems,
  parseLargeJson,
} from './parse-in-parts.js'
import {
  type ReadResult,
  type RejectionCause,
  type RequestRejection,
  readBody,
  readMediaType,
} from './request.js'
import { readFileBody, readMultipartBody } from './upload-body.js'
import type { Uploads } from './uploads.js'

/** Reads and validates the body of a request; returns it, or the rejection. */
export const readInputBody = async (
  operation: HttpOperation,
  validators: HttpValidators,
  { call, policy, uploads, tolerance }: ReceivedBody,
): Promise<ReadResult<Body>> => {
  if (operation.body === undefined) return { value: { body: undefined, variant: undefined } }
  const mediaType = readMediaType(call.headers)
  // Without a Content-Type nothing is assumed, because browsers send such a body to other origins without a preflight.
  const declared =
    mediaType === undefined
      ? undefined
      : declaredContent(operation.body.content, headerOf(call.headers, 'content-type'))
  const types = operation.body.content.map((one) => one.type)
  const unsupported: RequestRejection = {
    status: 415,
    message: `Content-Type must be ${types.join(' or ')}`,
    cause: 'content-type',
    headers: { accept: types.join(', ') },
  }
  if (mediaType !== undefined && declared === undefined) return { rejection: unsupported }
  const { request, headers } = call
  const isAny = declared?.codec === 'any'
  const codec =
    declared && mediaType !== undefined ? sentCodec(declared, mediaType, requestCodec) : undefined
  const own = validators.requests?.[declared?.type ?? '']
  const encodings = declared?.encoding
  const { named, request: places } = operation.bigints ?? {}
  const bigints = places && { named, places }
  const schema = own ?? validators.request
  const exact = own ?? (isAny ? schema : validators.fields)
  const fields = exact && tolerance ? tolerance.relax(exact) : exact
  if (codec === 'multipart' || codec === 'bytes' || codec === 'parts') {
    // Bytes are no JSON value, but they may be a string by its schema.
    if (isAny && codec !== 'multipart' && schema && acceptsNoString(schema.explain('')))
      return { rejection: unsupported }
    const upload = { request, headers, policy, uploads }
    const read =
      codec === 'multipart'
        ? await readMultipartBody(upload, fields, { encodings, bigints })
        : await readFileBody(upload, mediaType ?? '')
    if ('faults' in read) return invalid(read.faults)
    return read.rejection ? read : { value: { body: read.value, variant: undefined } }
  }
  const read = await readBody(request, headers, policy.payloadBytes)
  if (read.rejection) return read
  if (mediaType === undefined && read.value.byteLength === 0 && !operation.body.required)
    return { value: { body: undefined, variant: undefined } }
  if (codec === undefined) return { rejection: unsupported }
  const { variants } = validators
  const terms = { schema, fields, variants, isAny, policy, encodings, bigints, codec, tolerance }
  return parseBody(read.value, terms)
}

export type ReceivedBody = {
  readonly call: ServerCall
  readonly policy: ServerPolicy
  readonly uploads: Uploads
  /** Undefined for requests of callers, which are validated strictly. */
  readonly tolerance?: Tolerance | undefined
}

/** How the requests of a service to its subscribers are validated: as responses, which may differ from the document. */
export type Tolerance = {
  /** The validator of texts that may be values of several types: parameters, and the fields of forms. */
  readonly relax: (validator: Validator) => Validator
  /** For a value that its schema rejects: what makes it one of its type, or its faults. */
  readonly judge: (
    validator: Validator,
    value: unknown,
  ) => Promise<{ readonly repair: ValueRepair } | { readonly faults: readonly Fault[] }>
  /** Reports numbers that lose digits. */
  readonly warn: (faults: readonly Fault[]) => void
}

type Body = { readonly body: unknown; readonly variant: string | undefined }

const parseBody = async (bytes: Uint8Array, terms: BodyTerms): Promise<ReadResult<Body>> => {
  const { schema, fields, isAny, policy, encodings, bigints, codec } = terms
  if (isImported(codec)) {
    const { decode } = codecNamed(codec, policy.codecs)
    let body: unknown
    try {
      body = decode(bytes, policy.mostMembers)
    } catch (error) {
      const limit = memberLimit(error)
      return limit === undefined
        ? malformed(`The body is not valid ${codec}`, 'invalid-bytes')
        : malformed(`The body cannot be read: ${limit}`, 'too-many-members')
    }
    return acceptValue(body, terms, (variant, repair) => ({
      value: { body: repair(body), variant },
    }))
  }
  const text = decodeText(bytes)
  if (text === undefined) return malformed('The body is not UTF-8', 'invalid-utf8')
  if (codec === 'form') {
    const { mostMembers } = policy
    const most = Number.isFinite(mostMembers) ? mostMembers : MOST_FIELDS
    if (text.split('&').length > most)
      return malformed(
        `The body cannot be read: it has more than ${most} fields`,
        'too-many-members',
      )
    try {
      const fitted = readUrlEncoded(text, fields, { encodings, bigints })
      return 'value' in fitted
        ? { value: { body: fitted.value, variant: undefined } }
        : invalid(fitted.faults)
    } catch (error) {
      if (!(error instanceof URIError)) throw error
      return malformed('The body is not valid percent-encoding', 'invalid-form')
    }
  }
  if (codec === 'json' || isSequential(codec)) return parseJsonBody(text, terms)
  return isAny && schema?.check(text) === false
    ? invalid(explainFaults(schema, text), text)
    : { value: { body: text, variant: undefined } }
}

type BodyTerms = {
  /** Of the declared media type: of a JSON value, or of the fields of a form. */
  readonly schema: Validator | undefined
  readonly fields: Validator | undefined
  readonly variants: HttpValidators['variants']
  /** Whether the document declares any media type. */
  readonly isAny: boolean
  readonly policy: ServerPolicy
  readonly encodings: FormEncoding | undefined
  readonly bigints: BigintTerms | undefined
  readonly codec: Codec
  readonly tolerance: Tolerance | undefined
}

/** More than any real form has. A field costs more than a member of JSON, because its text has several possible values. */
const MOST_FIELDS = 10_000

const parseJsonBody = async (text: string, terms: BodyTerms): Promise<ReadResult<Body>> => {
  const { policy, bigints, codec, tolerance } = terms
  const { mostMembers } = policy
  let parsed: ExactJson
  const pieces = isSequential(codec) ? splitItems(text, codec) : undefined
  try {
    parsed = pieces
      ? await parseItems(pieces, mostMembers)
      : await parseLargeJson(text, mostMembers)
  } catch (error) {
    const limit = memberLimit(error)
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
    token.loss && !(bigints && token.loss === 'precision') ? [{ ...token, loss: token.loss }] : [],
  )
  if (lost.length > 0) {
    const faults = lost.slice(0, MOST_FAULTS).map(({ path, loss }) => ({
      pointer: keysOf(path).map(pointerStep).join(''),
      keyword: loss,
      message: LOSS_MESSAGES[loss],
    }))
    if (tolerance === undefined) return invalid(faults, body)
    tolerance.warn(faults)
  }
  await breakAfterLarge(text)
  return acceptValue(body, terms, async (variant, repair): Promise<ReadResult<Body>> => {
    if (bigints === undefined) return { value: { body: repair(body), variant } }
    const marked = markNumbers(pieces ? listText(pieces) : text, 'large')
    const exact = marked && (await parseLargeJson(marked.text, mostMembers)).value
    const { value, faults } = marked
      ? readBigints(exact, { ...bigints, mark: marked.mark })
      : readBigints(body, bigints)
    return faults.length > 0 ? invalid(faults, body) : { value: { body: repair(value), variant } }
  })
}

/** Validates a value by its schema, or by those of its variants. */
const acceptValue = (
  body: unknown,
  { schema, variants: declared = {}, tolerance }: BodyTerms,
  accepted: (
    variant: string | undefined,
    repair: ValueRepair,
  ) => ReadResult<Body> | Promise<ReadResult<Body>>,
): ReadResult<Body> | Promise<ReadResult<Body>> => {
  const variants = Object.entries(declared)
  const variant = variants.find(([, parts]) => parts.request.check(body))?.[0]
  if (variant !== undefined) return accepted(variant, asIs)
  if (variants.length > 0) {
    const candidates = variants.map(([, parts]) => explainFaults(parts.request, body))
    const nearest = candidates.reduce((best, one) =>
      remoteness(one) < remoteness(best) ? one : best,
    )
    return invalid(nearest, body)
  }
  if (schema === undefined || schema.check(body)) return accepted(undefined, asIs)
  if (tolerance === undefined) return invalid(explainFaults(schema, body), body)
  return tolerance
    .judge(schema, body)
    .then((judged) =>
      'faults' in judged ? invalid(judged.faults, body) : accepted(undefined, judged.repair),
    )
}

const asIs: ValueRepair = (value) => value

/** A variant that does not declare a property is unlikely, even if other variants lack more properties. */
const remoteness = (faults: readonly Fault[]): number =>
  faults.length + 100 * faults.filter(({ keyword }) => FORBIDDING.has(keyword)).length

const FORBIDDING = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
])

const malformed = (message: string, cause: RejectionCause): { rejection: RequestRejection } => ({
  rejection: { status: 400, message, cause },
})

const invalid = (faults: readonly Fault[], body?: unknown): { rejection: RequestRejection } => ({
  rejection: {
    status: 400,
    message: 'The body does not match its schema',
    faults: faults.map(({ pointer, ...fault }) => ({ pointer: `/body${pointer}`, ...fault })),
    body,
  },
})
