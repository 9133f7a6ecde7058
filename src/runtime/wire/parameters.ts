import type { HttpBigints, Parameter, SecurityScheme } from '../operation.js'
import { cached } from '../shared/cached.js'
import type { Codec } from '../shared/codecs.js'
import { decodePercent } from '../shared/template.js'
import type { Fault, Validator } from '../validate.js'
import { isDeepField, readDeep } from './deep-object.js'
import { readUrlEncoded } from './forms.js'
import { type HeaderRecord, headerOf } from './headers.js'
import { decodeQuery, fitReading, type QueryPair, readMedia, readStyled } from './readings.js'
import type { UnreadReason } from './unread.js'

/**
 * Reads the parameters of a request by their `style` and `explode`, the inverse of `serializeParameter`. `validatorOf` gives
 * the validator of a parameter's schema, which decides between the possible values of a text.
 *
 * ```ts
 * readParameters(operation, ({ name }) => validators[name], { path, query, headers, cookies })
 * ```
 */
export const readParameters = <P extends Parameter>(
  terms: ParameterTerms<P>,
  validatorOf: (parameter: P) => Validator | undefined,
  wire: WireParameters,
): {
  /** Those that were sent, or are required. */
  readonly parameters: readonly ParameterReading<P>[]
  /** The names in the query that no parameter and no security scheme has. */
  readonly undeclared: readonly string[]
} => {
  const parameters: ParameterReading<P>[] = []
  for (const parameter of terms.parameters) {
    const reading = readOne(parameter, terms, validatorOf(parameter), wire)
    if (reading !== undefined) parameters.push({ parameter, ...reading })
  }
  return { parameters, undeclared: undeclared(terms, validatorOf, wire) }
}

/** Reads the text of a response header as a header parameter is read (OpenAPI, Header Object: style `simple`). */
export const readHeader = (
  { name, explode = false, codec }: HeaderTerms,
  text: string,
  validator: Validator | undefined,
): Reading | undefined => {
  const header = { name, in: 'header', required: false, style: 'simple', explode } as const
  const headers = { [name.toLowerCase()]: text }
  const wire = { path: {}, query: [], headers, cookies: new Map() }
  const terms = { parameters: [], schemes: {} }
  return readOne({ ...header, ...(codec && { codec }) }, terms, validator, wire)
}

/** What a reader of response headers needs of a declared one. */
export type HeaderTerms = {
  readonly name: string
  readonly explode?: boolean
  /** Of a header with `content` instead of `schema`: the codec of its media type. */
  readonly codec?: Codec
}

/** What a reader of parameters needs of an operation; both shapes of operations have it. */
export type ParameterTerms<P extends Parameter = Parameter> = {
  readonly parameters: readonly P[]
  readonly schemes: Readonly<Record<string, SecurityScheme>>
  readonly bigints?: HttpBigints
}

export type ParameterReading<P extends Parameter = Parameter> = { readonly parameter: P } & Reading

type Reading =
  /** `written` is the value before its texts were converted to numbers and booleans. */
  | { readonly kind: 'value'; readonly value: unknown; readonly written: unknown }
  /** The schema does not accept the value. */
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[]; readonly written: unknown }
  /** A required parameter was not sent. */
  | { readonly kind: 'missing'; readonly faults: readonly Fault[] }
  /** The parameter was sent, but its text cannot be read. */
  | { readonly kind: 'unread'; readonly faults: readonly Fault[]; readonly reason: UnreadReason }

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

/**
 * The value of a cookie. Of several with one name it is the first: that of the most specific path (RFC 6265, 5.4), as most
 * servers read it.
 */
export const cookieIn = (cookies: WireParameters['cookies'], name: string): string | undefined =>
  cookies.get(name)?.[0]

/** The text of a key in a request. One with invalid encoding is a wrong key, so it is kept unchanged. */
export const readKey = (
  place: Parameter['in'],
  name: string,
  { path, query, headers, cookies }: WireParameters,
): string | undefined => {
  if (place === 'header') return headerOf(headers, name.toLowerCase())
  if (place === 'cookie') return cookieIn(cookies, name)
  if (place === 'path') {
    const raw = path[name]
    return raw === undefined ? undefined : (decodePercent(raw) ?? raw)
  }
  const raw = query.find((pair) => pair.name === name)?.raw
  if (raw === undefined) return undefined
  try {
    return decodeQuery(raw)
  } catch {
    return raw
  }
}

/** Undefined if an optional parameter was not sent. */
const readOne = <P extends Parameter>(
  parameter: P,
  terms: ParameterTerms<P>,
  validator: Validator | undefined,
  wire: WireParameters,
): Reading | undefined => {
  try {
    const { named, parameters } = terms.bigints ?? {}
    const places = parameters?.[`${parameter.in}.${parameter.name}`]
    const bigints = places && { named, places }
    if (parameter.isWholeQuery && wire.query.length > 0) {
      const text = restOfQuery(terms, wire)
      if (text !== '' && parameter.codec === 'form')
        return fitted(readUrlEncoded(text, validator, { bigints }))
      if (text !== '') {
        const readings = readContent(parameter, decodeQuery(text))
        return fitted(fitReading(readings, validator, bigints, isOfJson(parameter)))
      }
    }
    if (isLooseCookie(parameter, validator, wire)) {
      const object = readLooseCookies(parameter, terms, validator, wire)
      if (object) return fitted(object)
    }
    const readings = readingsOf(parameter, terms, validator, wire)
    if (readings?.length === 0)
      return unread('style', 'cannot be read in the style of the parameter')
    if (readings !== undefined)
      return fitted(fitReading(readings, validator, bigints, isOfJson(parameter)))
    if (!parameter.required) return undefined
    return {
      kind: 'missing',
      faults: [{ pointer: '', keyword: 'required', message: 'is required' }],
    }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return unread('percent-encoding', 'is not valid percent-encoding')
  }
}

const fitted = (found: ReturnType<typeof fitReading>): Reading =>
  'faults' in found ? { kind: 'invalid', ...found } : { kind: 'value', ...found }

const KEYWORDS = { style: 'type', 'percent-encoding': 'encoding' } as const

const unread = (reason: keyof typeof KEYWORDS, message: string): Reading => ({
  kind: 'unread',
  reason,
  faults: [{ pointer: '', keyword: KEYWORDS[reason], message }],
})

/** A text in the media type that the parameter declares. */
const readContent = ({ codec }: Parameter, text: string): readonly unknown[] =>
  codec === 'json' ? readMedia(text) : [text]

const isOfJson =
  ({ codec }: Parameter) =>
  () =>
    codec === 'json'

/** The query without the parameters that are credentials. */
const restOfQuery = (terms: ParameterTerms, wire: WireParameters): string => {
  const isClaimed = claimedNames(terms)
  return wire.query
    .filter((pair) => !isClaimed(pair.name))
    .map(({ name, raw, isPair }) => encodeURIComponent(name) + (isPair ? `=${raw}` : ''))
    .join('&')
}

/** The possible values of a parameter's text; undefined if it is absent. */
const readingsOf = (
  parameter: Parameter,
  terms: ParameterTerms,
  validator: Validator | undefined,
  wire: WireParameters,
): readonly unknown[] | undefined => {
  if (parameter.isWholeQuery) return undefined
  if (parameter.in === 'query') return queryReadings(parameter, terms, validator, wire)
  const { name, style } = parameter
  const decode = style === 'cookie' ? asItIs : DECODERS[parameter.in]
  const all = parameter.in === 'cookie' ? (wire.cookies.get(name) ?? []) : []
  const raw =
    parameter.in === 'path'
      ? wire.path[name]
      : parameter.in === 'cookie'
        ? cookieIn(wire.cookies, name)
        : headerOf(wire.headers, name.toLowerCase())
  if (raw === undefined) return undefined
  if (parameter.codec !== undefined) return readContent(parameter, decode(raw))
  return parameter.in === 'cookie' && parameter.explode
    ? // An exploded list of one item is the item itself, which may contain a comma.
      [decode(raw), all.map(decode), ...readStyled(parameter, raw, decode)]
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
  terms: ParameterTerms,
  validator: Validator | undefined,
  wire: WireParameters,
): readonly unknown[] | undefined => {
  const { name, style, explode } = parameter
  const own = wire.query.filter((pair) => pair.name === name).map((pair) => pair.raw)
  const [raw] = own
  if (parameter.codec !== undefined)
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
  return wire.query.length > 0 && isLoose(parameter) && acceptsObjects(validator)
    ? readLoose(terms, wire)
    : undefined
}

/** Whether each member of an object is a parameter of its own. */
const isLoose = ({ style, explode, codec }: Parameter): boolean =>
  explode && style !== 'deepObject' && codec === undefined

/** An exploded object in the query: each member is a query parameter. */
const readLoose = (terms: ParameterTerms, wire: WireParameters): readonly unknown[] | undefined => {
  const isClaimed = claimedNames(terms)
  const loose = new Map<string, string[]>()
  for (const { name, raw } of wire.query)
    if (!isClaimed(name)) cached(loose, name, () => []).push(decodeQuery(raw))
  const entries = [...loose].map(([name, all]) => [name, all.length === 1 ? all[0] : all] as const)
  return entries.length === 0 ? undefined : [Object.fromEntries(entries)]
}

/** Whether a name of the query belongs to a declared parameter or to a security scheme. */
const claimedNames = ({ parameters, schemes }: ParameterTerms): ((name: string) => boolean) => {
  const query = parameters.filter(
    (parameter) => parameter.in === 'query' && !parameter.isWholeQuery,
  )
  // OpenAPI 3.1, Style Values: deepObject writes `filter[a]=1`, so `filter=1` belongs to no parameter.
  const isDeep = ({ style, codec }: Parameter) => style === 'deepObject' && codec === undefined
  const deep = query.filter(isDeep)
  const plain = query.filter((parameter) => !isDeep(parameter))
  const names = new Set([
    ...plain.map((parameter) => parameter.name),
    ...keyNames(schemes, 'query'),
  ])
  return (name) => names.has(name) || deep.some((parameter) => isDeepField(parameter.name, name))
}

const keyNames = (
  schemes: ParameterTerms['schemes'],
  place: 'query' | 'cookie',
): readonly string[] =>
  Object.values(schemes).flatMap((scheme) =>
    scheme.kind === 'key' && scheme.in === place ? [scheme.parameter] : [],
  )

const isLooseCookie = (
  parameter: Parameter,
  validator: Validator | undefined,
  { cookies }: WireParameters,
): boolean =>
  parameter.in === 'cookie' &&
  isLoose(parameter) &&
  cookies.size > 0 &&
  !cookies.has(parameter.name) &&
  acceptsObjects(validator)

/**
 * An exploded object in cookies: each member is a cookie. A request has other cookies too, so those that the object does not
 * declare are left out, and an object that the schema does not accept then is none. Undefined if there is no such object.
 */
const readLooseCookies = (
  { style }: Parameter,
  { parameters, schemes }: ParameterTerms,
  validator: Validator | undefined,
  { cookies }: WireParameters,
): ReturnType<typeof fitReading> | undefined => {
  const claimed = new Set([
    ...parameters.flatMap((one) => (one.in === 'cookie' ? [one.name] : [])),
    ...keyNames(schemes, 'cookie'),
  ])
  const members = [...cookies].filter(([name]) => !claimed.has(name))
  const decode = style === 'cookie' ? asItIs : DECODERS.cookie
  const all = members.map(([name, texts]) => {
    const values = texts.map(decode)
    return [decode(name), values.length === 1 ? values[0] : values] as const
  })
  const others = new Set(
    validator
      ?.explain(Object.fromEntries(all), Number.POSITIVE_INFINITY)
      .flatMap(({ pointer, keyword, params }) =>
        pointer === '' && CLOSING.has(keyword) ? [params?.property] : [],
      ),
  )
  const own = all.filter(([name]) => !others.has(name))
  if (own.length === 0) return undefined
  const found = fitReading([Object.fromEntries(own)], validator)
  return 'value' in found ? found : undefined
}

/** The keywords that reject a property for its name. */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

const undeclared = <P extends Parameter>(
  terms: ParameterTerms<P>,
  validatorOf: (parameter: P) => Validator | undefined,
  wire: WireParameters,
): readonly string[] => {
  if (wire.query.length === 0) return []
  const isClaimed = claimedNames(terms)
  const unknown = wire.query.map((pair) => pair.name).filter((name) => !isClaimed(name))
  if (unknown.length === 0) return []
  const takesLoose = terms.parameters.some(
    (parameter) =>
      parameter.isWholeQuery ||
      (parameter.in === 'query' && isLoose(parameter) && acceptsObjects(validatorOf(parameter))),
  )
  return takesLoose ? [] : [...new Set(unknown)]
}

/** Whether a schema accepts objects: `{}` is valid, or has only faults about missing properties. */
const acceptsObjects = (validator: Validator | undefined): boolean =>
  validator
    ?.explain({})
    .every(({ keyword }) => keyword === 'required' || keyword === 'minProperties') ?? false
