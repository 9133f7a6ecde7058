import { isPlainJson } from '../ground/plain-json.js'
import { encodeStrictly } from '../ground/spelling.js'
import { fillTemplate } from '../ground/template.js'
import type { HttpOperation, Parameter } from '../operation.js'
import type { AnyInput, HttpChecks, RequestSettings, WrittenRequest } from './request.js'

/**
 * The request of an input that fits and holds nothing unusual: scalar parameters, JSON. Undefined for any other, which
 * `writeRequest` writes or refuses; what both write is the same.
 */
export const ordinaryRequest = (
  operation: HttpOperation,
  validators: HttpChecks | undefined,
  input: AnyInput,
  { auth, limits, headers, checks, accept, json }: OrdinarySettings,
): WrittenRequest | undefined => {
  const { parameters, body: declared } = operation
  if (operation.security.length > 0 || input.contentType !== undefined) return undefined
  if (checks && !isDocumented(parameters, input)) return undefined
  const path: Record<string, string> = {}
  const query: string[] = []
  const written: Record<string, string> = { accept }
  for (const [name, value] of Object.entries(headers)) {
    // openapi-fetch leaves out what is null.
    if (typeof value !== 'string') return undefined
    written[name.toLowerCase()] = value
  }
  for (const parameter of parameters) {
    const { name, in: place } = parameter
    const held = parameter.secret === true ? auth[name] : undefined
    if (held !== undefined && typeof held !== 'string') return undefined
    const value = input[place]?.[name] ?? held
    if (value === undefined || value === null) {
      if (parameter.required) return undefined
      continue
    }
    const check = checks ? validators?.parameters?.[`${place}.${name}`] : undefined
    if (!isScalar(value) || !isSimple(parameter) || check?.check(value) === false) return undefined
    const text = encodeStrictly(String(value))
    if (place === 'query') query.push(`${encodeStrictly(name)}=${text}`)
    else if (text === '' || /^(\.|%2e){1,2}$/i.test(text)) return undefined
    else path[name] = text
  }
  const { body } = input
  let text: string | undefined
  let form: string | undefined
  if (body === undefined) {
    if (declared?.required === true) return undefined
  } else {
    if (json === undefined || !isPlainJson(body)) return undefined
    if (checks && validators?.request?.check(body) === false) return undefined
    const forms = validators?.forms ?? {}
    form = Object.keys(forms).find((name) => forms[name]?.request.check(body))
    text = JSON.stringify(body)
    // A character takes three bytes at most.
    const most = operation.limits?.payloadBytes ?? limits.payloadBytes
    if (most !== undefined && text.length * 3 > most) return undefined
    written['content-type'] = json
  }
  return { path, query: query.join('&'), headers: written, body: text, form }
}

export type OrdinarySettings = RequestSettings & {
  readonly auth: Readonly<Record<string, unknown>>
  readonly accept: string
  /** What a JSON body is sent as; undefined where none is documented. */
  readonly json: string | undefined
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

const isSimple = ({ in: place, style, mediaType, allowReserved }: Parameter): boolean =>
  mediaType === undefined &&
  ((place === 'path' && style === 'simple') ||
    (place === 'query' && style === 'form' && allowReserved !== true))

const isDocumented = (parameters: readonly Parameter[], input: AnyInput): boolean =>
  PLACES.every((place) =>
    Object.keys(input[place] ?? {}).every((name) =>
      parameters.some((one) => one.in === place && one.name === name),
    ),
  )

const PLACES = ['path', 'query', 'header', 'cookie'] as const

/** A path template with its parameters in place. */
export const fillPath = (template: string, path: Readonly<Record<string, string>>): string =>
  fillTemplate(template, (name, whole) =>
    Object.hasOwn(path, name) ? (path[name] ?? whole) : whole,
  )
