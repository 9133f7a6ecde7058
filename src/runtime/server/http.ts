import { HttpError } from '../errors.js'
import type { HttpOperation, HttpValidators } from '../operation.js'
import { covers, isJson, isText } from '../shared/media-type.js'
import { pointerStep } from '../shared/pointer.js'
import type { Fault } from '../validate.js'
import { identify } from './authenticate.js'
import { contextOf, type ServerCall, type ServerPolicy, signalOf } from './call.js'
import { challenge, credentialsOf } from './credentials.js'
import { type ExactJson, keysOf, LOSS_MESSAGES, limitOf } from './exact-json.js'
import type { AnyHandlers, Auth, HttpContext } from './handlers.js'
import { readCookies, readParameters, type WireParameters } from './parameters.js'
import { breakAfterLarge, parseJson } from './parse-in-parts.js'
import { readForm } from './readings.js'
import {
  checkReply,
  cleanData,
  cleanRefusal,
  describeFault,
  encodeReply,
  explainFaults,
  type LooseReply,
  MOST_FAULTS,
  moreFaults,
  shapeError,
} from './reply.js'
import {
  decodeText,
  isStream,
  type Outcome,
  type Refusal,
  type RefusalCause,
  readBody,
  readMediaType,
  type ServerReply,
} from './request.js'
import { streamReply } from './stream.js'
import { readQuery } from './styles.js'

/** What answers one HTTP operation: credentials, `authorize`, parameters and body in this order, then its handler. */
export const createHttpEndpoint =
  (
    operation: HttpOperation,
    validators: HttpValidators,
    handler: AnyHandlers[string] | undefined,
    policy: ServerPolicy,
  ): HttpEndpoint =>
  async (call) => {
    const wire: WireParameters = {
      path: call.path,
      query: readQuery(call.query),
      headers: call.headers,
      cookies: readCookies(call.headers),
    }
    const auth = credentialsOf(operation, wire)
    const refuse = (refusal: Refusal): ServerReply =>
      refuseHttp(refusal, operation, validators, auth, policy)
    const send = (given: LooseReply, variant?: string): ServerReply => {
      if (isStream(given.body)) {
        const report = (error: unknown): void => {
          if (!signalOf(call).aborted) policy.report(error, operation, auth, call.state)
        }
        const checks = policy.validateOutput ? validators : undefined
        return streamReply({ ...given, body: given.body }, operation, {
          validators: checks,
          report,
        })
      }
      const reply = encodeReply(given, operation)
      const fault = policy.validateOutput && checkReply(reply, operation, validators, variant)
      if (fault) throw fault
      return reply
    }
    const answer = async (): Promise<ServerReply> => {
      const { headers, remoteAddress, state } = call
      const request = { operation, auth, headers, remoteAddress, state }
      await policy.admit?.(request)
      const identity = await identify(operation, request, policy.checks)
      if (identity === undefined)
        return refuse({ status: 401, message: 'Unauthorized', headers: challenge(operation) })
      await policy.authorize?.({
        operation,
        method: operation.id,
        auth,
        headers,
        remoteAddress,
        state,
        members: 1,
      })
      const input = await readInput(operation, validators, call, wire, policy)
      if (input.refusal) return refuse(input.refusal)
      const { variant, ...values } = input.value
      const context: HttpContext = Object.assign(contextOf(operation, call, auth), { identity })
      return send(await handlerOf(handler, variant)(values, context), variant)
    }
    try {
      return await answer().catch((error: unknown) => {
        if (!(error instanceof HttpError && isStatus(error.status))) throw error
        const { status, message, body } = error
        const headers = ownHeaders(error.headers)
        if (body === undefined) return refuse({ status, message, headers })
        return send({ status, headers, body: cleanData(body, policy.secretsOf(auth)) })
      })
    } catch (error) {
      if (!signalOf(call).aborted) policy.report(error, operation, auth, call.state)
      return refuse({ status: 500, message: 'Internal error' })
    }
  }

export type HttpEndpoint = (call: ServerCall) => Promise<ServerReply>

/** The answer to a refusal: as the service shapes it, else as the document declares errors. */
export const refuseHttp = (
  refusal: Refusal,
  operation: HttpOperation | undefined,
  validators: HttpValidators | undefined,
  auth: Auth,
  policy: ServerPolicy,
): ServerReply => {
  const clean = cleanRefusal(withDeclaredStatus(refusal, operation), policy.secretsOf(auth))
  if (policy.refuse === undefined) return shapeError(clean, operation, validators)
  const { headers = {}, faults = [], ...shown } = clean
  const hasMoreFaults = (refusal.faults?.length ?? 0) > faults.length
  const shaped = policy.refuse({ ...shown, faults, hasMoreFaults, operation })
  return { ...shaped, headers: { ...headers, ...shaped.headers } }
}

/** An invalid request gets 422 where that is declared and 400 is not. */
const withDeclaredStatus = (refusal: Refusal, operation: HttpOperation | undefined): Refusal => {
  const { responses = {} } = operation ?? {}
  const isUnprocessable =
    refusal.status === 400 && Object.hasOwn(responses, '422') && !Object.hasOwn(responses, '400')
  return isUnprocessable ? { ...refusal, status: 422 } : refusal
}

type Input = {
  readonly path: unknown
  readonly query: unknown
  readonly header: unknown
  readonly cookie: unknown
  readonly body: unknown
  readonly variant: string | undefined
}

const isStatus = (status: number): boolean =>
  Number.isInteger(status) && status >= 200 && status <= 599

/** The types of the generated `Handlers` hold what this takes on trust; a caller without types gets a TypeError. */
const handlerOf = (
  handler: AnyHandlers[string] | undefined,
  variant: string | undefined,
): ((input: unknown, context: HttpContext) => Promise<LooseReply>) => {
  const chosen = typeof handler === 'object' && variant !== undefined ? handler[variant] : handler
  return async (input, context) => (chosen as (...given: unknown[]) => LooseReply)(input, context)
}

/** An error that came from another server brings headers that spoke of that server's body. */
const ownHeaders = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !/^(content-|transfer-encoding|connection|set-cookie)/.test(name),
    ),
  )

const readInput = async (
  operation: HttpOperation,
  validators: HttpValidators,
  call: ServerCall,
  wire: WireParameters,
  policy: ServerPolicy,
): Promise<Outcome<Input>> => {
  const { values, faults } = readParameters(operation, validators.parameters ?? {}, wire)
  // Nobody learns whether a key is unknown or malformed.
  if (faults.some((fault) => fault.parameter?.secret))
    return { refusal: { status: 401, message: 'Unauthorized' } }
  const body = await readInputBody(operation, validators, call, policy)
  if (body.refusal && body.refusal.status !== 400) return body
  const all = [...faults, ...(body.refusal?.faults ?? [])]
  const [first] = all
  if (first)
    return {
      refusal: {
        ...body.refusal,
        status: 400,
        message: describeFault(first) + moreFaults(all),
        faults: all,
      },
    }
  return body.refusal ? body : { value: { ...values, ...body.value } }
}

type Body = { readonly body: unknown; readonly variant: string | undefined }

const readInputBody = async (
  operation: HttpOperation,
  validators: HttpValidators,
  call: ServerCall,
  policy: ServerPolicy,
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
  const read = await readBody(call.request, call.headers, policy.payloadBytes)
  if (read.refusal) return read
  if (mediaType === undefined && read.value.byteLength === 0 && !operation.body.required)
    return { value: { body: undefined, variant: undefined } }
  if (mediaType === undefined) return { refusal: unsupported }
  return parseBody(read.value, mediaType, validators, policy)
}

const parseBody = async (
  bytes: Uint8Array,
  mediaType: string,
  validators: HttpValidators,
  policy: ServerPolicy,
): Promise<Outcome<Body>> => {
  if (!isJson(mediaType) && !isText(mediaType))
    return { value: { body: bytes, variant: undefined } }
  const text = decodeText(bytes)
  if (text === undefined) return malformed('The body is not UTF-8', 'invalid-utf8')
  if (mediaType === FORM) {
    const fitted = readForm(text, validators.fields)
    return 'value' in fitted
      ? { value: { body: fitted.value, variant: undefined } }
      : invalid(fitted.faults)
  }
  return isJson(mediaType)
    ? parseJsonBody(text, validators, policy)
    : { value: { body: text, variant: undefined } }
}

const FORM = 'application/x-www-form-urlencoded'

const parseJsonBody = async (
  text: string,
  validators: HttpValidators,
  { mostMembers }: ServerPolicy,
): Promise<Outcome<Body>> => {
  let parsed: ExactJson
  try {
    parsed = await parseJson(text, mostMembers)
  } catch (error) {
    const limit = limitOf(error)
    // The engine's own message would quote the body.
    return limit === undefined
      ? malformed('The body is not valid JSON', 'invalid-json')
      : malformed(`The body cannot be read: ${limit}`, 'too-many-members')
  }
  const { value: body } = parsed
  await breakAfterLarge(text)
  const lost = parsed.odd.flatMap((token) => (token.loss ? [{ ...token, loss: token.loss }] : []))
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
  const variant = variants.find(([, parts]) => parts.request.check(body))?.[0]
  if (variant !== undefined) return { value: { body, variant } }
  if (variants.length > 0) {
    const candidates = variants.map(([, parts]) => explainFaults(parts.request, body))
    const nearest = candidates.reduce((best, one) =>
      remoteness(one) < remoteness(best) ? one : best,
    )
    return invalid(nearest, body)
  }
  if (validators.request === undefined || validators.request.check(body))
    return { value: { body, variant: undefined } }
  return invalid(explainFaults(validators.request, body), body)
}

/** A variant that does not know a property was not meant, whatever else it lacks. */
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
    message: 'The body does not fit its schema',
    faults: faults.map(({ pointer, ...fault }) => ({ pointer: `/body${pointer}`, ...fault })),
    body,
  },
})
