import type { Parameter } from '../operation.js'
import { essence, isForm, isJson } from '../shared/media-type.js'
import { encodeStrictly, percent } from '../shared/template.js'

/**
 * One parameter as its place wants it, by the styles of OpenAPI (RFC 6570 beneath them): the text that represents
 * `{name}` in a path, `a=1&b=2` of a query, a header's value, `a=1; b=2` of a cookie. Undefined where the value, or
 * everything in it, is null or undefined. Header values are not percent-encoded.
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
  if (parameter.mediaType !== undefined) {
    if (parameter.isWholeQuery && isForm(parameter.mediaType)) return toSearch(value).toString()
    const text = isJson(parameter.mediaType) ? JSON.stringify(value) : plain(value)
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
  // Delimiters that `encode` leaves as they are.
  const delimiter = parameter.style === 'label' ? /\./g : /,/g
  const within = (text: string) =>
    parameter.in === 'header' || parameter.style === 'cookie'
      ? text
      : encode(text).replace(delimiter, percent)
  const texts = members.map(([key, member]): Member => [within(key), within(plain(member))])
  const kind = Array.isArray(value) ? 'array' : 'object'
  if (parameter.style === 'deepObject') return deep(name, members, encode)
  return parameter.explode
    ? exploded(parameter, name, texts, kind)
    : whole(parameter, name, texts.flatMap(pick(kind)).join(SEPARATOR[parameter.style] ?? ','))
}

/**
 * The delimiter of a parameter's style that one of its items contains, where no encoding would tell the two apart;
 * undefined where there is none.
 */
export const sharedDelimiter = (
  { in: place, style, explode, mediaType }: Parameter,
  value: unknown,
): string | undefined => {
  if (!isComposite(value) || mediaType !== undefined) return undefined
  const delimiter = place === 'header' ? ',' : explode ? undefined : DELIMITER[style]
  const texts = [...Object.values(value), ...(Array.isArray(value) ? [] : Object.keys(value))]
  return texts.some((text) => delimiter && plain(text).includes(delimiter)) ? delimiter : undefined
}

const DELIMITER: { readonly [Style in Parameter['style']]?: string } = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
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

/** `filter[a]=1&filter[b][c]=2`; OpenAPI leaves nesting and arrays open, this is how servers commonly read them. */
const deep = (
  name: string,
  members: readonly (readonly [key: string, value: unknown])[],
  encode: Encode,
): string =>
  members
    .filter(([, member]) => member !== undefined && member !== null)
    .map(([key, member]) => {
      const path =
        key === '' ? name : `${name}${encodeStrictly('[')}${encode(key)}${encodeStrictly(']')}`
      if (!isComposite(member)) return `${path}=${encode(plain(member))}`
      const inner = Array.isArray(member)
        ? member.map((item) => ['', item] as const)
        : Object.entries(member)
      return deep(path, inner, encode)
    })
    .filter((text) => text !== '')
    .join('&')

const pick =
  (kind: 'array' | 'object') =>
  (member: Member): readonly string[] =>
    kind === 'object' ? member : [member[1]]

const encoderFor = (parameter: Parameter): Encode => {
  // OpenAPI 3.2, Style Values: a cookie of the style `cookie` is not percent-encoded.
  if (parameter.in === 'header' || parameter.style === 'cookie') return (text) => text
  return parameter.allowReserved === true && parameter.in === 'query'
    ? encodeUnreserved
    : encodeStrictly
}

/** Reserved characters stay, but for those that would end the value or change how a query is read. */
const encodeUnreserved: Encode = (text) => encodeURI(text).replace(/[#&+[\]]/g, percent)

const isComposite = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

/** A scalar as text; what is nested deeper than the styles reach becomes JSON. */
const plain = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return isComposite(value) ? JSON.stringify(value) : String(value)
}

/** A request body as `fetch` takes it. */
export type WrittenBody = {
  readonly body: BodyInit
  /** Undefined where `fetch` has to write it itself, with the boundary of a form. */
  readonly contentType: string | undefined
  /** Bytes, without the framing of a multipart body; undefined for a stream, which nobody can measure. */
  readonly size: number | undefined
}

/** The media type that a body is sent as: the one asked for, else the first that is JSON, else the first. */
export const chooseMediaType = (
  declared: readonly string[],
  asked: string | undefined,
  body: unknown,
): string => {
  const chosen = asked ?? declared.find(isJson) ?? declared[0] ?? 'application/json'
  if (!chosen.includes('*')) return chosen
  if (body instanceof Blob && body.type !== '') return body.type
  if (typeof body === 'string') return 'text/plain'
  return isBytes(body) ? 'application/octet-stream' : 'application/json'
}

/** Writes a body in its media type. Throws a TypeError where it cannot stand for it. */
export const writeBody = (body: unknown, mediaType: string): WrittenBody => {
  const type = essence(mediaType)
  if (isJson(type)) return written(JSON.stringify(body), mediaType)
  if (type === 'multipart/form-data') {
    const form = body instanceof FormData ? body : toForm(body)
    return { body: form, contentType: undefined, size: sizeOfForm(form) }
  }
  if (type === 'application/x-www-form-urlencoded' && !isBytes(body) && typeof body !== 'string') {
    return written(
      body instanceof URLSearchParams ? body.toString() : toSearch(body).toString(),
      mediaType,
    )
  }
  if (isBytes(body)) return { body, contentType: mediaType, size: sizeOf(body) }
  if (typeof body === 'object') throw new TypeError(`${type} is sent from text or bytes`)
  return written(String(body), mediaType)
}

/** The fields that a form is sent from; undefined where bytes or the caller's own encoding cannot be checked. */
export const plainFields = (body: unknown, mediaType: string): unknown => {
  if (!isForm(mediaType) || typeof body !== 'object' || body === null) return undefined
  if (Array.isArray(body)) return body
  if (isBytes(body) || body instanceof FormData || body instanceof URLSearchParams) return undefined
  const given = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  return given.some(([, value]) => [value].flat().some(isBytes))
    ? undefined
    : Object.fromEntries(given)
}

const written = (text: string, contentType: string): WrittenBody => ({
  body: text,
  contentType,
  size: new TextEncoder().encode(text).byteLength,
})

/** OpenAPI 3.0.3, "Encoding Object": an array is repeated, an object becomes JSON, bytes become a file. */
const toForm = (body: unknown): FormData => {
  const form = new FormData()
  for (const [name, value] of fieldsOf(body)) {
    if (value instanceof Blob) form.append(name, value)
    else if (isBuffer(value)) form.append(name, new Blob([value]))
    else form.append(name, fieldText(value))
  }
  return form
}

/** OpenAPI 3.0.3, "Support for x-www-form-urlencoded Request Bodies": a complex value becomes JSON. */
const toSearch = (body: unknown): URLSearchParams =>
  new URLSearchParams(fieldsOf(body).map(([name, value]) => [name, fieldText(value)]))

const fieldsOf = (body: unknown): readonly (readonly [name: string, value: unknown])[] => {
  if (typeof body !== 'object' || body === null)
    throw new TypeError('a form is sent from an object')
  return Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined && item !== null)
      .map((item) => [name, item] as const),
  )
}

const fieldText = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const isBuffer = (value: unknown): value is ArrayBuffer | ArrayBufferView<ArrayBuffer> =>
  value instanceof ArrayBuffer || ArrayBuffer.isView(value)

const isBytes = (
  value: unknown,
): value is Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream =>
  value instanceof Blob || value instanceof ReadableStream || isBuffer(value)

const sizeOf = (
  body: Blob | ArrayBuffer | ArrayBufferView | ReadableStream,
): number | undefined => {
  if (body instanceof ReadableStream) return undefined
  return body instanceof Blob ? body.size : body.byteLength
}

const sizeOfForm = (form: FormData): number =>
  [...form.values()].reduce(
    (sum, value) => sum + (typeof value === 'string' ? new Blob([value]).size : value.size),
    0,
  )
