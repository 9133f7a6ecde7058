import type { Parameter } from '../operation.js'
import { writeJson } from '../shared/json.js'
import { encodeStrictly, percentEncoded, wellFormed } from '../shared/template.js'
import { deepFields, type Field } from './deep-object.js'

/**
 * Serializes one parameter for its location, by the styles of OpenAPI (based on RFC 6570). It is the text of `{name}` in a
 * path, `a=1&b=2` of a query, a header's value, or `a=1; b=2` of a cookie. Undefined if the value, or every member of it, is
 * null or undefined. Header values are not percent-encoded.
 */
export const serializeParameter = (parameter: Parameter, value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined
  const encode = encoderFor(parameter)
  const name =
    parameter.in === 'header'
      ? ''
      : parameter.style === 'cookie'
        ? parameter.name
        : encodeStrictly(parameter.name)
  if (parameter.codec !== undefined) {
    if (parameter.isWholeQuery && parameter.codec === 'form') {
      const fields = Object.entries(Object(value)).flatMap(([key, one]) => plainFieldsOf(key, one))
      return new URLSearchParams(fields.map(([key, text]) => [key, text])).toString()
    }
    const text = parameter.codec === 'json' ? writeJson(value) : plain(value)
    const takesName =
      parameter.in === 'cookie' || (parameter.in === 'query' && !parameter.isWholeQuery)
    return takesName ? `${name}=${encode(text)}` : encode(text)
  }
  if (!isComposite(value)) return whole(parameter, name, encode(plain(value)))
  const entries = Array.isArray(value)
    ? value.map((item) => ['', item] as const)
    : Object.entries(value)
  const members = entries.filter(([, member]) => member !== undefined && member !== null)
  if (members.length === 0) return undefined
  // Delimiters that `encode` does not encode.
  const delimiter = parameter.style === 'label' ? /\./g : /,/g
  const within = (text: string) =>
    parameter.in === 'header' || parameter.style === 'cookie'
      ? text
      : encode(text).replace(delimiter, percentEncoded)
  const texts = members.map(([key, member]): Member => [within(key), within(plain(member))])
  const kind = Array.isArray(value) ? 'array' : 'object'
  if (parameter.style === 'deepObject') {
    const fields = deepFields(parameter.name, value)
    return (
      fields.map(([key, text]) => `${encodeStrictly(key)}=${encode(text)}`).join('&') || undefined
    )
  }
  return parameter.explode
    ? exploded(parameter, name, texts, kind)
    : whole(
        parameter,
        name,
        (kind === 'object' ? texts.flat() : texts.map(([, text]) => text)).join(
          SEPARATOR[parameter.style] ?? ',',
        ),
      )
}

/**
 * The delimiter of a parameter's style, if its value or one of its items contains it and no encoding distinguishes the two;
 * otherwise undefined.
 */
export const sharedDelimiter = (parameter: Parameter, value: unknown): string | undefined => {
  const { in: place, style, explode, codec } = parameter
  const isSplit = isComposite(value) && codec === undefined
  const keys = isSplit && !Array.isArray(value) ? Object.keys(value) : []
  const texts = [...keys, ...(isSplit ? Object.values(value) : [value])].map(plain)
  const between = place === 'header' ? ',' : explode ? undefined : DELIMITER[style]
  const delimiters = [style === 'cookie' ? ';' : undefined, isSplit ? between : undefined]
  return delimiters.find((one) => one && texts.some((text) => text.includes(one)))
}

const DELIMITER: { readonly [Style in Parameter['style']]?: string } = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  cookie: ',',
}

type Encode = (text: string) => string
type Member = readonly [key: string, value: string]

const SEPARATOR: { readonly [Style in Parameter['style']]?: string } = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
}

const whole = ({ style, in: place }: Parameter, name: string, text: string): string => {
  if (style === 'label') return `.${text}`
  if (style === 'matrix') return text === '' ? `;${name}` : `;${name}=${text}`
  return place === 'query' || place === 'cookie' ? `${name}=${text}` : text
}

const exploded = (
  { style, in: place }: Parameter,
  name: string,
  members: readonly Member[],
  kind: 'array' | 'object',
): string => {
  const pairs = members.map(([key, value]) => (kind === 'object' ? `${key}=${value}` : value))
  const named = members.map(([key, value]) => `${kind === 'object' ? key : name}=${value}`)
  if (style === 'simple') return pairs.join(',')
  if (style === 'label') return `.${pairs.join('.')}`
  if (style === 'matrix') return `;${named.join(';')}`
  return named.join(place === 'cookie' ? '; ' : '&')
}

const encoderFor = (parameter: Parameter): Encode => {
  // OpenAPI 3.2, Style Values: a cookie of the style `cookie` is not percent-encoded.
  if (parameter.in === 'header' || parameter.style === 'cookie') return (text) => text
  return parameter.allowReserved === true && parameter.in === 'query'
    ? encodeUnreserved
    : encodeStrictly
}

/**
 * Reserved characters and what is percent-encoded already are not encoded (RFC 6570, 3.2.3), except those that would end the
 * value or change the parsing of the query.
 */
const encodeUnreserved: Encode = (text) =>
  encodeURI(wellFormed(text))
    .replace(/%25(?=[\da-f]{2})/gi, '%')
    .replace(/[#&+[\]]/g, percentEncoded)

const isComposite = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

/** A scalar as text; a value nested deeper than the styles allow becomes JSON. */
const plain = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return isComposite(value) ? writeJson(value) : String(value)
}

/** The fields of a property without a style: a list is repeated, and an object becomes JSON. */
export const plainFieldsOf = (name: string, value: unknown): readonly Field[] =>
  [value]
    .flat()
    .filter((item) => item !== undefined && item !== null)
    .map((item): Field => [name, plain(item)])

/** A request body for `fetch`. */
export type WrittenBody = {
  readonly body: BodyInit
  readonly contentType: string | undefined
  /** The size in bytes; undefined for a stream, and for a form that `fetch` writes. */
  readonly size: number | undefined
}

export const writtenText = (text: string, contentType: string): WrittenBody => ({
  body: text,
  contentType,
  size: new TextEncoder().encode(text).byteLength,
})
