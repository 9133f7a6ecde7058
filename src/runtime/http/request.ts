import type { HttpOperation, HttpValidators, Limits, Parameter } from '../operation.js'
import { type Credentials, textSecrets } from '../shared/credentials.js'
import { jsonCopy } from '../shared/json-copy.js'
import { covers, isJson } from '../shared/media-type.js'
import type { Checks, Fault } from '../validate.js'
import { chooseMediaType, plainFields, type WrittenBody, writeBody } from './body.js'
import { fillPath } from './fill-path.js'
import { authorize } from './security.js'
import { serializeParameter } from './serialize.js'

/** Whatever a caller gave; the types of `Input` are not there at run time. */
export type AnyInput = {
  readonly [Place in Parameter['in']]?: Readonly<Record<string, unknown>> | undefined
} & { readonly body?: unknown; readonly contentType?: string | undefined }

/** A request ready to be sent, apart from the server's address. */
export type WrittenRequest = {
  /** Parameter name -> the text that stands for it in the path. */
  readonly path: Readonly<Record<string, string>>
  readonly query: string
  /** Lower case name -> value. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyInit | undefined
  /** The request variant that the body has, where the operation has variants. */
  readonly variant: string | undefined
}

/** What an operation's values are held against; `validators.ts` has checks, `explanations.ts` validators. */
export type HttpChecks = HttpValidators<Checks>

/** Why a value was refused: of the validators of the operation that can explain, the one that is picked. */
export type Explain = (
  refusing: Checks,
  value: unknown,
  pick: (own: HttpChecks) => Checks | undefined,
) => Promise<readonly Fault[]>

type RequestSettings = {
  readonly accept: string
  readonly limits: Limits
  readonly headers: Readonly<Record<string, string>>
  readonly checks: boolean
}

/** Turns an input into a request, or says everything that is wrong with it; pointers go into the input. */
export const writeRequest = async (
  operation: HttpOperation,
  validators: HttpChecks | undefined,
  input: AnyInput,
  settings: RequestSettings & { readonly credentials: Credentials; readonly explain: Explain },
): Promise<{ readonly request: WrittenRequest } | { readonly faults: readonly Fault[] }> => {
  const secrets = textSecrets(settings.credentials)
  const writing = operation.parameters.map((parameter) => {
    const given = input[parameter.in]?.[parameter.name]
    const value = given ?? (parameter.secret === true ? secrets[parameter.name] : undefined)
    const own = settings.checks ? validators : undefined
    return writeParameter(parameter, value, own, settings.explain)
  })
  const parameters = await Promise.all(writing)
  const body = await writeInputBody(operation, validators, input, settings)
  const authorization = authorize(operation, settings.credentials)
  const faults = [
    ...parameters.flatMap((written) => written.faults),
    ...(settings.checks ? undocumented(operation, input) : []),
    ...body.faults,
    ...('faults' in authorization ? authorization.faults : []),
  ]
  if (faults.length > 0 || 'faults' in authorization) return { faults }
  const texts = (place: Parameter['in']): (readonly [name: string, text: string])[] =>
    parameters.flatMap(({ parameter, text }) =>
      parameter.in === place && text !== undefined ? [[parameter.name, text] as const] : [],
    )
  const path = Object.fromEntries(texts('path'))
  const upward = climbs(operation.path, path)
  if (upward !== undefined) return { faults: [upward] }
  const cookies = [...texts('cookie').map(([, text]) => text), ...authorization.cookies]
  const request: WrittenRequest = {
    path,
    query: [...texts('query').map(([, text]) => text), ...authorization.query].join('&'),
    headers: {
      accept: settings.accept,
      ...lowerCase(settings.headers),
      ...(body.written?.contentType === undefined
        ? {}
        : { 'content-type': body.written.contentType }),
      ...lowerCase(Object.fromEntries(texts('header'))),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...authorization.headers,
    },
    body: body.written?.body,
    variant: body.variant,
  }
  return { request }
}

const writeParameter = async (
  parameter: Parameter,
  value: unknown,
  validators: HttpChecks | undefined,
  explain: Explain,
): Promise<{
  readonly parameter: Parameter
  readonly text: string | undefined
  readonly faults: readonly Fault[]
}> => {
  const pointer = `/${parameter.in}/${parameter.name}`
  const refuse = (keyword: string, message: string) => ({
    parameter,
    text: undefined,
    faults: [{ pointer, keyword, message }],
  })
  if (value === undefined || value === null) {
    if (!parameter.required) return { parameter, text: undefined, faults: [] }
    const where = parameter.secret === true ? `, here or as auth.${parameter.name}` : ''
    return refuse('required', `is required${where}`)
  }
  const { value: json, faults: unfit } = jsonCopy(value)
  const pick = (own: HttpChecks) => own.parameters?.[`${parameter.in}.${parameter.name}`]
  const check = validators && pick(validators)
  const isRefused = unfit.length === 0 && check?.check(json) === false
  const faults = isRefused ? await explain(check, json, pick) : unfit
  if (faults.length > 0) return { parameter, text: undefined, faults: below(pointer, faults) }
  const text = serializeParameter(parameter, json)
  if (parameter.in === 'path' && (text === undefined || text === ''))
    return refuse('minLength', 'must not be empty')
  return { parameter, text, faults: [] }
}

const writeInputBody = async (
  operation: HttpOperation,
  validators: HttpChecks | undefined,
  input: AnyInput,
  { limits, checks, explain }: RequestSettings & { readonly explain: Explain },
): Promise<{
  readonly written?: WrittenBody
  readonly variant?: string | undefined
  readonly faults: readonly Fault[]
}> => {
  const refuse = (keyword: string, message: string) => ({
    faults: [{ pointer: '/body', keyword, message }],
  })
  const { body, contentType } = input
  const declared = operation.body
  if (body === undefined)
    return declared?.required === true ? refuse('required', 'is required') : { faults: [] }
  if (declared === undefined) return refuse('additionalProperties', 'is not documented')
  const type = chooseMediaType(declared.mediaTypes, contentType, body)
  if (checks && !declared.mediaTypes.some((one) => covers(one, type)))
    return refuse('contentType', `must be sent as ${declared.mediaTypes.join(' or ')}`)
  const pick = (own: HttpChecks) => (isJson(type) ? own.request : own.fields)
  const check = checks && validators ? pick(validators) : undefined
  const fields = check && plainFields(body, type)
  const told = isJson(type) ? body : fields
  const { value, faults: unfit } = told === undefined ? { value: body, faults: [] } : jsonCopy(told)
  const isRefused = unfit.length === 0 && told !== undefined && check?.check(value) === false
  const invalid = isRefused ? await explain(check, value, pick) : unfit
  if (invalid.length > 0) return { faults: below('/body', invalid) }
  const variant = Object.entries(validators?.variants ?? {}).find(([, one]) =>
    one.request.check(value),
  )
  try {
    const written = writeBody(value, type)
    const limit = operation.limits?.payloadBytes ?? limits.payloadBytes
    if (limit !== undefined && written.size !== undefined && written.size > limit)
      return refuse('payloadBytes', `has ${written.size} bytes, more than the ${limit} allowed`)
    return { written, variant: variant?.[0], faults: [] }
  } catch (error) {
    return refuse('contentType', error instanceof Error ? error.message : `is no ${type}`)
  }
}

const undocumented = (operation: HttpOperation, input: AnyInput): readonly Fault[] =>
  (['path', 'query', 'header', 'cookie'] as const).flatMap((place) =>
    Object.keys(input[place] ?? {})
      .filter((name) => !operation.parameters.some((one) => one.in === place && one.name === name))
      .map((name) => ({
        pointer: `/${place}/${name}`,
        keyword: 'additionalProperties',
        message: 'is not documented',
      })),
  )

/** A parameter of `..` would reach another operation: URLs resolve it, percent-encoded or not. */
const climbs = (template: string, path: Readonly<Record<string, string>>): Fault | undefined => {
  const segments = template.split('/').map((segment) => fillPath(segment, path))
  const dots = segments.findIndex((segment) => /^(\.|%2e){1,2}$/i.test(segment))
  return dots === -1 || template.split('/')[dots] === segments[dots]
    ? undefined
    : { pointer: '/path', keyword: 'pattern', message: 'must not make a segment of dots alone' }
}

const below = (pointer: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }))

const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
