import type { Content, HttpOperation, HttpValidators, Limits, Parameter } from '../operation.js'
import type { ValueCodecs } from '../shared/codecs.js'
import { type ResolvedSecrets, textSecrets } from '../shared/credentials.js'
import type { Rejection as Rejected } from '../shared/explain.js'
import { jsonCopy, writeJson } from '../shared/json.js'
import { pointerOf } from '../shared/pointer.js'
import { fillTemplate } from '../shared/template.js'
import type { Checks, Fault } from '../validate.js'
import { hasBracketInKey } from '../wire/deep-object.js'
import {
  serializeParameter,
  sharedDelimiter,
  type WrittenBody,
  writtenText,
} from '../wire/serialize.js'
import type { plainFields, sentContent, writeBody } from '../wire/write-body.js'
import { authorize } from './security.js'

/** Any input of a caller; the types of `Input` do not exist at run time. */
export type AnyInput = {
  readonly [Place in Parameter['in']]?: Readonly<Record<string, unknown>> | undefined
} & {
  readonly body?: unknown
  readonly contentType?: string | undefined
  /** One of several media types of the response. */
  readonly accept?: string | undefined
}

/** A request ready to be sent, apart from the server's address. */
export type WrittenRequest = {
  /** The path with its parameters. */
  readonly path: string
  readonly query: string
  /** Lower case name -> value. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyInit | undefined
  /** Lower case names of the headers that contain a key. */
  readonly secretHeaders: readonly string[]
  /** The request variant of the body, if the operation has variants. */
  readonly variant: string | undefined
}

/** The checks or validators of an operation's values; `validators.ts` has checks, `explanations.ts` validators. */
export type HttpChecks = HttpValidators<Checks>

export type InputRejection = Rejected<HttpChecks>

/** The errors of a part of an input: faults, or a value that was rejected. Pointers are relative to the input. */
export type Problem =
  | { readonly faults: readonly Fault[] }
  | (InputRejection & { readonly pointer: string })

export type RequestSettings = {
  readonly accept: string
  readonly limits: Limits
  /** By lower case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly checks: boolean
  /** The errors of names in the input that are no parameters. */
  readonly undocumented?: readonly Problem[] | undefined
  readonly integers?: 'number' | 'bigint' | undefined
  /** Writes bodies that are not JSON. It is loaded only for calls that send one. */
  readonly bodies: BodyWriter | undefined
  readonly codecs?: ValueCodecs | undefined
}

type BodyWriter = {
  readonly sentContent: typeof sentContent
  readonly plainFields: typeof plainFields
  readonly writeBody: typeof writeBody
}

/** Whether a call has a body that is not JSON, or whose media type is not written as in the document. */
export const hasOtherBody = ({ body: declared }: HttpOperation, input: AnyInput): boolean => {
  if (declared === undefined || input.body === undefined) return false
  const content = chooseContent(declared.content, input.contentType)
  return content?.codec !== 'json' || content.type.includes('*')
}

/** The content of a request body: of the caller's media type, else the first that is JSON, else the first. */
export const chooseContent = (
  declared: readonly Content[],
  asked: string | undefined,
): Content | undefined =>
  asked === undefined
    ? (declared.find(({ codec }) => codec === 'json') ?? declared[0])
    : declared.find(({ type }) => type === asked)

const JSON_CONTENT: Content = { type: 'application/json', codec: 'json' }

/** Converts an input to a request, or lists all its errors. */
export const writeRequest = (
  operation: HttpOperation,
  validators: HttpChecks | undefined,
  input: AnyInput,
  settings: RequestSettings & { readonly credentials: ResolvedSecrets },
): { readonly request: WrittenRequest } | { readonly problems: readonly Problem[] } => {
  const secrets = textSecrets(settings.credentials)
  const problems: Problem[] = []
  const texts: Record<Parameter['in'], [name: string, text: string][]> = {
    path: [],
    query: [],
    header: [],
    cookie: [],
  }
  const own = settings.checks ? validators : undefined
  const integers = integersOf(operation, settings.integers)
  for (const parameter of operation.parameters) {
    const { name, in: place } = parameter
    const passed = ownOf(input[place], name)
    if (passed === undefined && place === 'header' && name === operation.idempotencyKey) continue
    const value = passed ?? (parameter.secret === true ? ownOf(secrets, name) : undefined)
    const written = writeParameter(parameter, value, own, integers)
    if (typeof written === 'string') texts[place].push([name, written])
    else if (written !== undefined) problems.push(written)
  }
  if (settings.checks) problems.push(...(settings.undocumented ?? []))
  const body = writeInputBody(operation, validators, input, settings)
  const authorization = authorize(operation, settings.credentials)
  if ('problem' in body) problems.push(body.problem)
  if (authorization.faults.length > 0) problems.push(authorization)
  if (problems.length > 0 || 'problem' in body) return { problems }
  const path = fillTemplate(
    operation.path,
    (name, whole) => texts.path.find(([one]) => one === name)?.[1] ?? whole,
  )
  if (climbs(operation.path, path)) return { problems: [CLIMBS] }
  const cookies = [...texts.cookie.map(([, text]) => text), ...authorization.cookies]
  // The caller's own cookies are last, because servers read the first one of a name.
  if (settings.headers.cookie) cookies.push(settings.headers.cookie)
  const type = body.written?.contentType
  const headers: Record<string, string> = {
    accept: settings.accept,
    ...(operation.idempotencyKey !== undefined && {
      [operation.idempotencyKey.toLowerCase()]: randomKey(),
    }),
    ...settings.headers,
    ...(type !== undefined && { 'content-type': type }),
    ...Object.fromEntries(texts.header.map(([name, text]) => [name.toLowerCase(), text])),
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
    ...authorization.headers,
  }
  const invalid = Object.keys(headers).filter((name) => !HEADER_VALUE.test(headers[name] ?? ''))
  if (invalid.length > 0) return { problems: invalid.map((name) => notAHeader(operation, name)) }
  return {
    request: {
      path,
      query: [...texts.query.map(([, text]) => text), ...authorization.query].join('&'),
      headers,
      body: body.written?.body,
      secretHeaders: secretHeaders(operation),
      variant: body.variant,
    },
  }
}

/** Bigints are sent if the document has some, or on request. */
const integersOf = ({ bigints }: HttpOperation, asked: 'number' | 'bigint' | undefined) =>
  bigints === undefined ? asked : 'bigint'

/** The text of a parameter, undefined if it is omitted, or its errors. */
const writeParameter = (
  parameter: Parameter,
  passed: unknown,
  validators: HttpChecks | undefined,
  integers: 'number' | 'bigint' | undefined,
): string | undefined | Problem => {
  const { name, in: place } = parameter
  const pointer = pointerOf(place, name)
  if (passed === undefined || passed === null) {
    if (!parameter.required) return undefined
    const where = parameter.secret === true ? `, here or as auth.${name}` : ''
    return problem(pointer, 'required', `is required${where}`)
  }
  const { value, exact, faults } = jsonCopy(passed, integers)
  if (faults.length > 0) return { faults: below(pointer, faults) }
  const pick = (own: HttpChecks) => own.parameters?.[`${place}.${name}`]
  const check = validators && pick(validators)
  if (check?.check(value) === false)
    return { pointer, check, value, shown: value, pick, reading: 'strict' }
  const delimiter = sharedDelimiter(parameter, exact)
  if (delimiter !== undefined)
    return problem(pointer, 'style', `contains '${delimiter}', which separates values here`)
  if (parameter.style === 'deepObject' && hasBracketInKey(exact))
    return problem(pointer, 'style', 'has a key with a bracket, which deepObject cannot write')
  const text = serializeParameter(parameter, exact)
  // RFC 6570, 2.3: a list or an object without members is undefined, so it cannot be sent.
  const isEmpty = text === undefined || (text === '' && place !== 'header')
  return isEmpty && parameter.required ? problem(pointer, 'minLength', 'must not be empty') : text
}

const writeInputBody = (
  operation: HttpOperation,
  validators: HttpChecks | undefined,
  { body, contentType }: AnyInput,
  { limits, checks, bodies, codecs = {}, integers }: RequestSettings,
):
  | { readonly written?: WrittenBody; readonly variant?: string | undefined }
  | { readonly problem: Problem } => {
  const reject = (keyword: string, message: string) => ({
    problem: problem('/body', keyword, message),
  })
  const declared = operation.body
  if (body === undefined) return declared?.required ? reject('required', 'is required') : {}
  if (declared === undefined) return reject('additionalProperties', 'is not documented')
  const own = chooseContent(declared.content, contentType)
  // Without `bodies`, it is JSON that is written as in the document.
  const { known, ...content } = bodies?.sentContent(
    declared.content,
    contentType ?? own?.type,
    body,
  ) ?? {
    ...JSON_CONTENT,
    ...own,
    known: own,
  }
  if (checks && known === undefined) {
    const types = declared.content.map((one) => one.type)
    return reject('contentType', `must be sent as ${types.join(' or ')}`)
  }
  const { type, codec } = content
  const isForm = codec === 'form' || codec === 'multipart'
  const pick = (own: HttpChecks) =>
    own.requests?.[known?.type ?? ''] ?? (isForm ? own.fields : own.request)
  const check = checks && validators ? pick(validators) : undefined
  const plain = check && bodies?.plainFields(body, content)
  const checked = codec === 'json' || codec in codecs ? body : plain?.fields
  const { value, exact, faults } =
    checked === undefined
      ? { value: body, exact: body, faults: [] }
      : jsonCopy(checked, integersOf(operation, integers))
  if (faults.length > 0) return { problem: { faults: below('/body', faults) } }
  const all = checked === undefined ? [] : plain ? [value, plain.sent(value)] : [value]
  for (const one of all)
    if (check?.check(one) === false)
      return {
        problem: { pointer: '/body', check, value: one, shown: one, pick, reading: 'strict' },
      }
  const variant = Object.entries(validators?.variants ?? {}).find(([, one]) =>
    one.request.check(value),
  )
  try {
    const sent = plain ? plain.restore(exact) : exact
    const written = bodies
      ? bodies.writeBody(sent, content, codecs)
      : writtenText(writeJson(sent), type)
    const limit = operation.limits?.payloadBytes ?? limits.payloadBytes
    if (limit !== undefined && written.size !== undefined && written.size > limit)
      return reject('payloadBytes', `has ${written.size} bytes, more than the ${limit} allowed`)
    return { written, variant: variant?.[0] }
  } catch (error) {
    return reject(
      'contentType',
      error instanceof Error ? error.message : `cannot be sent as ${type}`,
    )
  }
}

/** Unique for each call; a page without TLS has no `randomUUID`. */
const randomKey = (): string =>
  globalThis.isSecureContext === false
    ? Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')
    : crypto.randomUUID()

/** The characters that RFC 9110 §5.5 allows and `fetch` can write. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const notAHeader = ({ parameters }: HttpOperation, name: string): Problem => {
  const documented = parameters.find((one) => one.name.toLowerCase() === name)?.name ?? name
  const message = 'has a character that HTTP does not allow in a header'
  return problem(pointerOf('header', documented), 'format', message)
}

const secretHeaders = ({ parameters, schemes }: HttpOperation): readonly string[] =>
  [
    ...Object.values(schemes).flatMap((one) =>
      one.kind === 'key' && one.in === 'header' ? [one.parameter] : [],
    ),
    ...parameters.flatMap((one) => (one.secret === true && one.in === 'header' ? [one.name] : [])),
  ].map((name) => name.toLowerCase())

/** A member of its own: a parameter may be called `constructor`, which every object inherits. */
export const ownOf = <T>(
  values: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined => (values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined)

/** Whether every name in an input is that of a parameter. */
export const isDocumented = ({ parameters }: HttpOperation, input: AnyInput): boolean =>
  PLACES.every((place) =>
    Object.keys(input[place] ?? {}).every((name) =>
      parameters.some((one) => one.in === place && one.name === name),
    ),
  )

export const PLACES = ['path', 'query', 'header', 'cookie'] as const

/**
 * Whether a parameter adds a segment `..` or `.`, which would reach another operation: URLs resolve it, percent-encoded or not.
 */
const climbs = (template: string, path: string): boolean => {
  if (!/\/(\.|%2e)/i.test(path)) return false
  const documented = new Set(template.split('/'))
  return path
    .split('/')
    .some((segment) => /^(\.|%2e){1,2}$/i.test(segment) && !documented.has(segment))
}

const problem = (pointer: string, keyword: string, message: string): Problem => ({
  faults: [{ pointer, keyword, message }],
})

const CLIMBS = problem('/path', 'pattern', 'must not produce a path segment . or ..')

const below = (pointer: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }))
