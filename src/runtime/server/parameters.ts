import type { HttpOperation, Parameter } from '../operation.js'
import { cached } from '../shared/cached.js'
import { isDeepField, readDeep } from '../shared/deep-object.js'
import { isForm, isJson } from '../shared/media-type.js'
import { pointerOf } from '../shared/pointer.js'
import { decodePercent } from '../shared/template.js'
import type { Fault, Validator } from '../validate.js'
import { readUrlEncoded } from './forms.js'
import { decodeQuery, fitReading, type QueryPair, readMedia, readStyled } from './readings.js'
import { type HeaderRecord, headerOf } from './request.js'

/**
 * The parameters of a request, by location and name, parsed by their `style` and `explode`. Faults have pointers such as
 * `/query/limit`. An undeclared query parameter is a fault.
 */
export const readParameters = (
  operation: HttpOperation,
  validators: Readonly<Record<string, Validator>>,
  wire: WireParameters,
): { readonly values: ParameterValues; readonly faults: readonly ParameterFault[] } => {
  const read = operation.parameters.map((parameter) => {
    const outcome = readOne(parameter, operation, validators, wire)
    const faults = (outcome.faults ?? []).map(({ pointer, ...fault }) => ({
      pointer: pointerOf(parameter.in, parameter.name) + pointer,
      ...fault,
      parameter,
    }))
    return { parameter, value: outcome.value, faults }
  })
  const valuesIn = (location: Parameter['in']): Record<string, unknown> =>
    Object.fromEntries(
      read
        .filter(({ parameter, value }) => parameter.in === location && value !== undefined)
        .map(({ parameter, value }) => [parameter.name, value]),
    )
  return {
    values: {
      path: valuesIn('path'),
      query: valuesIn('query'),
      header: valuesIn('header'),
      cookie: valuesIn('cookie'),
    },
    faults: [
      ...read.flatMap(({ faults }) => faults),
      ...undeclared(operation, validators, wire).map((name) => ({
        pointer: pointerOf('query', name),
        keyword: 'additionalProperties',
        message: 'is not a parameter of this operation',
      })),
    ],
  }
}

type ParameterValues = Readonly<Record<Parameter['in'], Readonly<Record<string, unknown>>>>

type ParameterFault = Fault & { readonly parameter?: Parameter }

/** Parameters of the request, still percent-encoded. */
export type WireParameters = {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly QueryPair[]
  readonly headers: HeaderRecord
  /** A duplicate name has all its values, in their order. */
  readonly cookies: ReadonlyMap<string, readonly string[]>
}

export const readCookies = (headers: HeaderRecord): WireParameters['cookies'] => {
  const cookies = new Map<string, string[]>()
  for (const part of (headerOf(headers, 'cookie') ?? '').split(';')) {
    const [name = '', ...rest] = part.split('=')
    if (rest.length === 0) continue
    const value = rest
      .join('=')
      .trim()
      .replace(/^"(.*)"$/s, '$1')
    cached(cookies, name.trim(), () => []).push(value)
  }
  return cookies
}

type One = { readonly value?: unknown; readonly faults?: readonly Fault[] }

const readOne = (
  parameter: Parameter,
  operation: HttpOperation,
  validators: Readonly<Record<string, Validator>>,
  wire: WireParameters,
): One => {
  try {
    const key = `${parameter.in}.${parameter.name}`
    const validator = validators[key]
    const { named, parameters } = operation.bigints ?? {}
    const places = parameters?.[key]
    const bigints = places && { named, places }
    if (parameter.isWholeQuery && wire.query.length > 0) {
      const text = restOfQuery(operation, wire)
      if (text !== '' && isForm(parameter.mediaType ?? ''))
        return readUrlEncoded(text, validator, { bigints })
      if (text !== '') {
        const readings = readContent(parameter, decodeQuery(text))
        return fitReading(readings, validator, bigints, isOfJson(parameter))
      }
    }
    const readings = readingsOf(parameter, operation, validator, wire)
    if (readings !== undefined) return fitReading(readings, validator, bigints, isOfJson(parameter))
    if (!parameter.required) return {}
    return { faults: [{ pointer: '', keyword: 'required', message: 'is required' }] }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    const message = 'is not valid percent-encoding'
    return { faults: [{ pointer: '', keyword: 'encoding', message }] }
  }
}

/** A text in the media type that the parameter declares. */
const readContent = ({ mediaType = '' }: Parameter, text: string): readonly unknown[] =>
  isJson(mediaType) ? readMedia(text) : [text]

const isOfJson = ({ mediaType }: Parameter) => {
  const isExact = mediaType !== undefined && isJson(mediaType)
  return () => isExact
}

/** The query without the parameters that are credentials. */
const restOfQuery = (operation: HttpOperation, wire: WireParameters): string => {
  const isClaimed = claimedNames(operation)
  return wire.query
    .filter((pair) => !isClaimed(pair.name))
    .map(({ name, raw, isPair }) => encodeURIComponent(name) + (isPair ? `=${raw}` : ''))
    .join('&')
}

/** The possible values of a parameter's text; undefined if it is absent. */
const readingsOf = (
  parameter: Parameter,
  operation: HttpOperation,
  validator: Validator | undefined,
  wire: WireParameters,
): readonly unknown[] | undefined => {
  if (parameter.isWholeQuery) return undefined
  if (parameter.in === 'query') return queryReadings(parameter, operation, validator, wire)
  const { name, style } = parameter
  const decode = style === 'cookie' ? asItIs : DECODERS[parameter.in]
  const all = parameter.in === 'cookie' ? (wire.cookies.get(name) ?? []) : []
  const raw =
    parameter.in === 'path'
      ? wire.path[name]
      : parameter.in === 'cookie'
        ? all.at(-1)
        : headerOf(wire.headers, name.toLowerCase())
  if (raw === undefined) return undefined
  if (parameter.mediaType !== undefined) return readContent(parameter, decode(raw))
  return parameter.explode && all.length > 1
    ? [decode(raw), all.map(decode)]
    : readStyled(parameter, raw, decode)
}

const asItIs = (text: string): string => text

const DECODERS = {
  path: decodeURIComponent,
  // A header is not percent-encoded; the blanks around its commas are not part of its values (RFC 9110 §5.6.1).
  header: (text: string) => text.trim(),
  // Cookies have no defined encoding, but many are percent-encoded.
  cookie: (text: string) => decodePercent(text) ?? text,
} as const

const queryReadings = (
  parameter: Parameter,
  operation: HttpOperation,
  validator: Validator | undefined,
  wire: WireParameters,
): readonly unknown[] | undefined => {
  const { name, style, explode } = parameter
  const own = wire.query.filter((pair) => pair.name === name).map((pair) => pair.raw)
  const [raw] = own
  if (parameter.mediaType !== undefined)
    return raw === undefined ? undefined : readContent(parameter, decodeQuery(raw))
  if (style === 'deepObject') {
    const deep = wire.query.filter((pair) => isDeepField(name, pair.name))
    const readings = readDeep(
      name,
      deep.map((pair) => [pair.name, decodeQuery(pair.raw)]),
    )
    return readings.length === 0 ? undefined : readings
  }
  if (own.length > 1) return [own.map(decodeQuery)]
  // An exploded list of one item is the item itself, which may contain a comma.
  if (raw !== undefined)
    return explode
      ? [decodeQuery(raw), [decodeQuery(raw)], ...(raw === '' ? [[]] : [])]
      : readStyled(parameter, raw, decodeQuery)
  return wire.query.length > 0 && style === 'form' && explode && acceptsObjects(validator)
    ? readLoose(operation, wire)
    : undefined
}

/** An exploded object in `form` style: each member is a query parameter. */
const readLoose = (
  operation: HttpOperation,
  wire: WireParameters,
): readonly unknown[] | undefined => {
  const isClaimed = claimedNames(operation)
  const loose = new Map<string, string[]>()
  for (const { name, raw } of wire.query)
    if (!isClaimed(name)) cached(loose, name, () => []).push(decodeQuery(raw))
  const entries = [...loose].map(([name, all]) => [name, all.length === 1 ? all[0] : all] as const)
  return entries.length === 0 ? undefined : [Object.fromEntries(entries)]
}

/** Whether a name of the query belongs to a declared parameter or to a security scheme. */
const claimedNames = (operation: HttpOperation): ((name: string) => boolean) => {
  const query = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && !parameter.isWholeQuery,
  )
  // OpenAPI 3.1, Style Values: deepObject writes `filter[a]=1`, so `filter=1` belongs to no parameter.
  const isDeep = ({ style, mediaType }: Parameter) =>
    style === 'deepObject' && mediaType === undefined
  const deep = query.filter(isDeep)
  const plain = query.filter((parameter) => !isDeep(parameter))
  const keys = Object.values(operation.schemes).flatMap((scheme) =>
    scheme.kind === 'key' && scheme.in === 'query' ? [scheme.parameter] : [],
  )
  const names = new Set([...plain.map((parameter) => parameter.name), ...keys])
  return (name) => names.has(name) || deep.some((parameter) => isDeepField(parameter.name, name))
}

const undeclared = (
  operation: HttpOperation,
  validators: Readonly<Record<string, Validator>>,
  wire: WireParameters,
): readonly string[] => {
  if (wire.query.length === 0) return []
  const isClaimed = claimedNames(operation)
  const unknown = wire.query.map((pair) => pair.name).filter((name) => !isClaimed(name))
  if (unknown.length === 0) return []
  const takesLoose = operation.parameters.some(
    ({ name, style, explode, isWholeQuery, ...parameter }) =>
      isWholeQuery ||
      (parameter.in === 'query' &&
        style === 'form' &&
        explode &&
        acceptsObjects(validators[`query.${name}`])),
  )
  return takesLoose ? [] : [...new Set(unknown)]
}

/** Whether a schema accepts objects: `{}` is valid, or has only faults about missing properties. */
const acceptsObjects = (validator: Validator | undefined): boolean =>
  validator
    ?.explain({})
    .every(({ keyword }) => keyword === 'required' || keyword === 'minProperties') ?? false
