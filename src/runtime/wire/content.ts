import { codecOf } from '../shared/codecs.js'
import { isBytes, isFile } from '../shared/file.js'

/**
 * The declared media type that describes a body with a Content-Type: the same type with the same parameters, then without
 * parameters that it contradicts, then a range of the suffix (`application/*+json`), of the type (`text/*`) or of all types.
 * Names are case-insensitive (RFC 9110, 8.3.1), and JSON has no charset (RFC 8259, 11). Each JSON type is a type of its own.
 *
 * Without a Content-Type, the only declared type is assumed (RFC 9110, 8.3). Undefined if no declared type is meant, or if
 * several are alike: `application/json` of `application/json;version=1` and `application/json;version=2`.
 *
 * @example
 * contentFor(['application/json', 'text/*'], 'text/csv; header=present') // 'text/*'
 */
export const contentFor = <Type extends string>(
  types: readonly Type[],
  sent: string | undefined,
): Type | undefined => {
  const [only] = types
  if (!sent?.trim()) return types.length === 1 ? only : undefined
  const same = types.find((type) => type === sent)
  if (same !== undefined) return same
  const name = parseMediaType(sent)
  let best: Type | undefined
  let most = 0
  for (const type of types) {
    const fit = fitOf(parseMediaType(type), name)
    if (fit === most && fit > SUFFIX && fit < CERTAIN) best = undefined
    if (fit <= most) continue
    most = fit
    best = type
  }
  return best
}

/** The declared content that describes a body with a Content-Type, as `contentFor` finds it. */
export const declaredContent = <Content extends { readonly type: string }>(
  content: readonly Content[],
  sent: string | undefined,
): Content | undefined => {
  const found = contentFor(
    content.map(({ type }) => type),
    sent,
  )
  return found === undefined ? undefined : content.find(({ type }) => type === found)
}

/**
 * Compares declared media types by an Accept header: the most wanted first (RFC 9110, 12.5.1). Of the ranges that include a type,
 * the most specific one decides. Among equals, a type is before a range, and a narrow range before a wide one. Without a header,
 * all are equally wanted.
 *
 * @example
 * ['application/json', 'text/*', 'text/csv'].sort(byAccept('text/*, application/json;q=0.5')) // ['text/csv', 'text/*', 'application/json']
 */
export const byAccept = (accept: string | undefined): ((one: string, other: string) => number) => {
  const weightOf = createWeights(accept)
  return (one, other) => weightOf(other) - weightOf(one) || wildcards(one) - wildcards(other)
}

const wildcards = (type: string): number => type.split('*').length - 1

/** The weight of a media type in an Accept header: from 0, not acceptable, to 1. */
export const acceptWeight = (accept: string | undefined, type: string): number =>
  createWeights(accept)(type)

const createWeights = (accept: string | undefined): ((type: string) => number) => {
  if (!accept?.trim()) return () => 1
  const ranges = splitOutsideQuotes(accept, ',').map((text) => {
    const { name, parameters } = parseMediaType(text)
    const at = parameters.findIndex((parameter) => parameter.startsWith('q='))
    const weight = at === -1 ? 1 : Number(parameters[at]?.slice(2))
    // What follows the weight is no parameter of the media type.
    const own = at === -1 ? parameters : parameters.slice(0, at)
    return { range: { name, parameters: own }, weight: weight >= 0 ? Math.min(weight, 1) : 1 }
  })
  return (type) => {
    const wanted = parseMediaType(type)
    let weight = 0
    let most = 0
    for (const one of ranges) {
      // A declared range is allowed if one of its types is.
      const fit = fitOf(one.range, wanted) || (isRange(type) ? fitOf(wanted, one.range) : 0)
      if (fit < most || fit === 0) continue
      weight = fit === most ? Math.max(weight, one.weight) : one.weight
      most = fit
    }
    return weight
  }
}

/** Whether a declared media type is a range: the type of a body is then the one that was sent. */
export const isRange = (type: string): boolean => type.includes('*')

/**
 * The media type to send a body as: the declared one, or a type that its range includes. Where no known type is in the range, its
 * subtype is `x`. Undefined for an object if the range has no JSON, and for a file whose own type the range excludes.
 *
 * @example
 * concreteOf('application/*+json', { a: 1 }) // 'application/x+json'
 */
export const concreteOf = (type: string, body: unknown): string | undefined => {
  if (!isRange(type)) return type
  const own = isFile(body) ? body.type : undefined
  if (own) return contentFor([type], own) === undefined ? undefined : own
  const isRaw = typeof body === 'string' || isBytes(body)
  const known = isBytes(body)
    ? ['application/octet-stream', 'text/plain']
    : [...(isRaw ? ['text/plain'] : []), 'application/json']
  const found = known.find((one) => contentFor([type], one) !== undefined)
  return found ?? (isRaw || codecOf(type) === 'json' ? type.replace('*', 'x') : undefined)
}

/** The parts of a header between separators that are not within quotes. */
const splitOutsideQuotes = (header: string, separator: string): readonly string[] => {
  if (!header.includes('"')) return header.split(separator)
  const parts: string[] = []
  let held: string | undefined
  for (const part of header.split(separator)) {
    const isOpen = held !== undefined
    const whole: string = held === undefined ? part : held + separator + part
    held = isOpen !== (part.split('"').length % 2 === 0) ? whole : undefined
    if (held === undefined) parts.push(whole)
  }
  return held === undefined ? parts : [...parts, held]
}

type ParsedType = { readonly name: string; readonly parameters: readonly string[] }

const parseMediaType = (text: string): ParsedType => {
  const [name = '', ...parameters] = splitOutsideQuotes(text.toLowerCase(), ';').map((part) =>
    part.replace(/[\s"]/g, ''),
  )
  // The boundary says nothing about the content.
  const without = name.endsWith('json') ? /^(boundary=|charset=|$)/ : /^(boundary=|$)/
  return { name, parameters: parameters.filter((one) => !without.test(one)) }
}

/**
 * The normal form of a declared media type, in which two declarations are compared: as `contentFor` reads it, with its parameters
 * in one order.
 */
export const mediaTypeName = (type: string): string => {
  const { name, parameters } = parseMediaType(type)
  return [name, ...[...parameters].sort()].join(';')
}

/** How closely a declared type, or a range, describes another type: 0 if it does not. */
const fitOf = (declared: ParsedType, { name, parameters }: ParsedType): number => {
  const missing = declared.parameters.filter((one) => !parameters.includes(one))
  const contradicts = missing.some((one) => {
    const start = `${one.split('=', 1)[0]}=`
    return parameters.some((other) => other.startsWith(start))
  })
  if (contradicts) return 0
  if (declared.name === name)
    return missing.length === 0 ? CERTAIN + declared.parameters.length : CERTAIN - missing.length
  const [type, subtype = '*'] = declared.name.split('/')
  if (type === '*' && subtype === '*') return 1
  if (!subtype.startsWith('*') || !name.startsWith(`${type}/`)) return 0
  return subtype === '*' ? 2 : name.endsWith(subtype.slice(1)) ? SUFFIX : 0
}

/** The fit of `application/*+json`, the narrowest range. */
const SUFFIX = 3

/** A fit of this number or more has no parameter that was not sent. */
const CERTAIN = 1e6
