import { acceptOf } from '../../../runtime/http/accept.js'
import { type AnyInput, type Problem, writeRequest } from '../../../runtime/http/request.js'
import type { FormEncoding, HttpOperation, HttpValidators } from '../../../runtime/operation.js'
import { type Codec, codecOf, holdsFields, isSequential } from '../../../runtime/shared/codecs.js'
import type { ResolvedSecrets } from '../../../runtime/shared/credentials.js'
import { parseExactly } from '../../../runtime/shared/exact-integers.js'
import { pointerOf, segmentsOf } from '../../../runtime/shared/pointer.js'
import type { Fault, Validator } from '../../../runtime/validate.js'
import { concreteOf } from '../../../runtime/wire/content.js'
import { formParts, plainFields, sentContent, writeBody } from '../../../runtime/wire/write-body.js'
import { referredName } from '../../../schema/schema.js'
import { type DocumentChecks, parse, readField } from './checks.js'
import type { HttpTry } from './data.js'
import type { PreparedRequest, RequestFault } from './wire.js'

/** The values that the reader entered. */
export type EnteredInput = {
  /** `path.orderId` -> the text of its field. */
  readonly parameters: Readonly<Record<string, string>>
  readonly type: string | undefined
  readonly body: string
  /** The chosen files: the whole body, or fields of a form by name. */
  readonly files: Readonly<Record<string, File>>
  readonly credentials: ResolvedSecrets
}

/** The kind of field for a body of a media type. */
export const bodyKind = (
  type: string,
  { operation }: Pick<HttpTry, 'operation'>,
): 'json' | 'items' | 'fields' | 'text' | 'file' => {
  const codec = codecIn(operation, type)
  if (codec === 'json') return 'json'
  if (isSequential(codec)) return 'items'
  if (holdsFields(codec)) return 'fields'
  const sent = codec === 'any' ? codecOf(concreteOf(type, '') ?? type) : codec
  return sent === 'text' ? 'text' : 'file'
}

const codecIn = ({ body }: HttpOperation, type: string): Codec =>
  body?.content.find((one) => one.type === type)?.codec ?? codecOf(type)

/** The request as the generated client would send it, and all validation errors; undefined if it cannot be sent at all. */
export function httpRequest(
  data: HttpTry,
  checks: DocumentChecks,
  base: string,
  entered: EnteredInput,
): {
  readonly wire: PreparedRequest | undefined
  readonly complaints: readonly RequestFault[]
  readonly variant: string | undefined
} {
  const { raw, faults: unread = [], ...body } = bodyOf(data, entered)
  const input = { ...inputOf(data, checks, entered), ...body.input }
  const validators = validatorsOf(data, checks, entered.type)
  const settings = {
    credentials: entered.credentials,
    limits: data.limits,
    headers: {},
    accept: acceptOf(data.operation, input),
    bodies: { sentContent, plainFields, writeBody },
    // Integers are sent as typed, even if a number cannot represent them.
    integers: 'bigint' as const,
  }
  const strict = writeRequest(data.operation, validators, input, {
    ...settings,
    checks: true,
  })
  const problems = 'problems' in strict ? strict.problems.flatMap(faultsOf) : []
  const complaints = [
    ...unread,
    // A body that is invalid JSON is not reported as missing too.
    ...problems.filter(({ pointer }) => pointer !== '/body' || unread.length === 0),
  ].map(complaint)
  const open = writeRequest(lenient(data.operation, entered.credentials), validators, input, {
    ...settings,
    limits: {},
    checks: false,
  })
  if ('problems' in open) {
    const why = complaints.length > 0 ? complaints : open.problems.flatMap(faultsOf).map(complaint)
    return { wire: undefined, complaints: why, variant: undefined }
  }
  const { path, query, headers, variant } = open.request
  const isMultipart =
    raw === undefined &&
    body.input.body !== undefined &&
    codecIn(data.operation, entered.type ?? '') === 'multipart'
  return {
    wire: {
      method: data.operation.method,
      url: `${base}${path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...headers,
        ...(raw !== undefined && entered.type !== undefined && { 'content-type': entered.type }),
      },
      body: raw ?? (open.request.body as PreparedRequest['body']),
      ...(isMultipart && { parts: formParts(body.input.body, encodingOf(data, entered.type)) }),
    },
    complaints,
    variant,
  }
}

const encodingOf = ({ operation }: HttpTry, type = ''): FormEncoding | undefined =>
  operation.body?.content.find((one) => one.type === type)?.encoding

const faultsOf = (problem: Problem): readonly Fault[] =>
  'faults' in problem
    ? problem.faults
    : (problem.check as Validator).explain(problem.value).map((fault) => ({
        ...fault,
        pointer: `${problem.pointer}${fault.pointer}`,
      }))

/** The operation without required parts and security, because testers want to see the error of the server. */
const lenient = (operation: HttpOperation, credentials: ResolvedSecrets): HttpOperation => {
  const { body, limits: _, ...rest } = operation
  const isSupplied = operation.security.some((names) =>
    names.every(
      (name) => operation.schemes[name]?.kind === 'outside' || Object.hasOwn(credentials, name),
    ),
  )
  return {
    ...rest,
    ...(body && { body: { ...body, required: false } }),
    parameters: operation.parameters.map((one) => ({ ...one, required: one.in === 'path' })),
    security: isSupplied ? operation.security : [],
  }
}

const inputOf = (data: HttpTry, checks: DocumentChecks, entered: EnteredInput): AnyInput => {
  const places: Record<string, Record<string, unknown>> = {}
  for (const { key, name, place, schema } of data.parameters) {
    const text = entered.parameters[key] ?? ''
    if (text === '') continue
    const read = readField(text, checks.of(schema))
    const value = read === text ? text : parseExactly(text)
    places[place] = { ...places[place], [name]: value }
  }
  return places
}

type Body = {
  readonly input: AnyInput
  readonly raw?: string
  readonly faults?: readonly Fault[]
}

/** The body as typed: JSON is sent unchanged, because a number may be too large to be represented. */
const bodyOf = (data: HttpTry, { type, body, files }: EnteredInput): Body => {
  if (type === undefined || data.bodies.length === 0) return { input: {} }
  const kind = bodyKind(type, data)
  if (kind === 'file') {
    const file = files['']
    return { input: file === undefined ? {} : { body: file, contentType: type } }
  }
  if (kind === 'text') {
    const contentType = concreteOf(type, body) ?? type
    return { input: body === '' ? {} : { body, contentType } }
  }
  if (body.trim() === '' && Object.keys(files).length === 0) return { input: {} }
  const read = body.trim() === '' ? { value: {} } : parse(body)
  if ('problem' in read) {
    const message = `is not JSON: ${read.problem}`
    return { input: {}, raw: body, faults: [{ pointer: '/body', keyword: 'json', message }] }
  }
  if (kind === 'json') return { input: { body: read.value, contentType: type }, raw: body }
  const exact = body.trim() === '' ? read.value : parseExactly(body)
  const fields =
    typeof exact === 'object' && Object.keys(files).length > 0
      ? { ...exact, ...inLists(files, data, type) }
      : exact
  return { input: { body: fields, contentType: type } }
}

/** Each file as its property requires it: alone, or in a list. */
const inLists = (
  files: EnteredInput['files'],
  { bodies, schemas }: HttpTry,
  type: string,
): Readonly<Record<string, unknown>> => {
  const { schema = true } = bodies.find((one) => one.type === type) ?? {}
  const name = referredName(schema)
  const form = name === undefined ? schema : (schemas[name] ?? true)
  const properties = typeof form === 'object' ? (form.properties ?? {}) : {}
  return Object.fromEntries(
    Object.entries(files).map(([key, file]) => {
      const property = properties[key]
      return [key, typeof property === 'object' && property.items !== undefined ? [file] : file]
    }),
  )
}

const validatorsOf = (
  { bodies, parameters, operation }: HttpTry,
  checks: DocumentChecks,
  type: string | undefined,
): HttpValidators => {
  const chosen = bodies.find((one) => one.type === type)
  const check = chosen && checks.of(chosen.schema)
  return {
    parameters: Object.fromEntries(parameters.map(({ key, schema }) => [key, checks.of(schema)])),
    ...(check && { request: check, fields: check }),
    responses: {},
    variants: Object.fromEntries(
      (operation.variants ?? []).map(({ name, request }) => {
        const own = checks.named(request)
        return [name, { request: own, response: own, error: own }]
      }),
    ),
  }
}

/** `/path/orderId/0` belongs to the parameter, at `/0` of its value. */
const complaint = ({ pointer, ...fault }: Fault): RequestFault => {
  const [place = '', name = '', ...below] = segmentsOf(pointer)
  if (place === 'body')
    return { field: 'body', whose: 'the body', pointer: pointer.slice('/body'.length), ...fault }
  if (place === 'auth')
    return { field: `auth.${name}`, whose: 'the request', pointer: '', ...fault }
  // Code can set a secret in two ways, the form only in this field. Errors within a value name the missing property.
  const isAbsent = fault.keyword === 'required' && fault.params === undefined
  return {
    field: `${place}.${name}`,
    whose: name === '' ? 'the path' : name,
    pointer: pointerOf(...below),
    ...fault,
    ...(isAbsent && { message: 'is required' }),
  }
}
