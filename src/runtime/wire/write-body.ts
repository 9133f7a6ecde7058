import type { Content, FieldEncoding, FormEncoding } from '../operation.js'
import {
  codecNamed,
  codecOf,
  holdsFields,
  isImported,
  isSequential,
  sentCodec,
  type ValueCodecs,
} from '../shared/codecs.js'
import { type Bytes, isBuffer, isBytes, isFile, unshared } from '../shared/file.js'
import { streamOf } from '../shared/file-stream.js'
import { writeJson } from '../shared/json.js'
import { essence, JSON_TYPE } from '../shared/media-type.js'
import { writeItems } from '../streams/pieces.js'
import { concreteOf, declaredContent } from './content.js'
import { deepFields, type Field, hasBracketInKey } from './deep-object.js'
import {
  plainFieldsOf,
  serializeParameter,
  sharedDelimiter,
  type WrittenBody,
  writtenText,
} from './serialize.js'
import { type FormPart, type Part, writeMultipart } from './write-multipart.js'

/**
 * The content that a body is sent as in a media type or range, JSON by default. `known` is the declared content; undefined if the
 * document does not declare the type.
 */
export const sentContent = (
  declared: readonly Content[],
  wanted = 'application/json',
  body: unknown,
): Content & { readonly known: Content | undefined } => {
  // A body that the range excludes is rejected, or sent as what it is.
  const type = concreteOf(wanted, body) ?? concreteOf('*/*', body) ?? wanted
  const known = declaredContent(declared, type)
  return { ...known, type, codec: sentCodec(known, type), known }
}

/**
 * Writes a body in a media type, which is no range. By default, a list in a form is repeated, an object becomes JSON, and bytes
 * become a file. Throws a TypeError for a body that the media type cannot represent, or whose codec is not in `codecs`.
 */
export const writeBody = (
  body: unknown,
  { type, codec, encoding = {} }: Content,
  codecs: ValueCodecs = {},
): WrittenBody => {
  if (codec === 'multipart' && body instanceof FormData)
    // Without a type here, `fetch` sends the boundary that it chooses.
    return { body, contentType: undefined, size: sizeOfForm(body) }
  if (codec === 'multipart' && !isBytes(body)) {
    assertKeys(body, encoding)
    return writeMultipart(formParts(body, encoding), 'multipart/form-data')
  }
  if (codec === 'form' && body instanceof URLSearchParams) return writtenText(`${body}`, type)
  if (codec === 'form' && !isBytes(body) && typeof body !== 'string') {
    assertKeys(body, encoding)
    const texts = formFields(body, encoding).map((field) =>
      'raw' in field ? field.raw : new URLSearchParams([[field.name, field.text]]).toString(),
    )
    return writtenText(texts.join('&'), type)
  }
  if (isSequential(codec) && Array.isArray(body)) return writtenText(writeItems(body, codec), type)
  if (codec === 'parts' && Array.isArray(body))
    return writeMultipart(listParts(body, encoding), type.replace(/;\s*boundary=[^;]*/i, ''))
  if (codec === 'json') return writtenText(writeJson(body), type)
  if (isImported(codec)) {
    const bytes = codecNamed(codec, codecs).encode(body)
    return { body: bytes, contentType: type, size: bytes.byteLength }
  }
  if (isBytes(body)) return { ...streamed(body), contentType: type }
  if (typeof body === 'object')
    throw new TypeError(`must be text or bytes, because it is sent as ${essence(type)}`)
  return writtenText(String(body), type)
}

const streamed = (body: Bytes): Omit<WrittenBody, 'contentType'> => {
  if (body instanceof Blob) return { body, size: body.size }
  if (isBuffer(body)) return { body: unshared(body), size: body.byteLength }
  return { body: streamOf(body), size: undefined }
}

const assertKeys = (body: unknown, encodings: FormEncoding): void => {
  for (const [name, { style, explode = false }] of Object.entries(encodings)) {
    const value = Object(body)[name]
    if (style === 'deepObject' && hasBracketInKey(value))
      throw new TypeError(`${name} has a key with a bracket, which deepObject cannot write`)
    const delimiter =
      style &&
      value &&
      sharedDelimiter({ name, in: 'query', required: false, style, explode }, value)
    if (delimiter)
      throw new TypeError(`${name} contains '${delimiter}', which separates values here`)
  }
}

/** The parts of a multipart body by the rules of OpenAPI, Encoding Object; the items of a list are parts with the same name. */
export const formParts = (body: unknown, encodings: FormEncoding = {}): readonly FormPart[] =>
  fieldsOf(body).flatMap(([name, value]): readonly FormPart[] => {
    const encoding = encodings[name] ?? encodings['*']
    const { headers, contentType } = encoding ?? {}
    const styled = encoding && styledFields(name, value, encoding)
    if (styled) return styled.map(([key, text]) => ({ name: key, value: text, headers }))
    return itemsOf(value, contentType).map((item) => ({ ...partOf(item, encoding), name }))
  })

/** The parts of a list, in order (OpenAPI 3.2, Encoding By Position). The encoding of a part is that of its position, or `*`. */
export const listParts = (
  body: readonly unknown[],
  encodings: FormEncoding = {},
): readonly Part[] =>
  body.flatMap((item, position) => {
    if (item === undefined) return []
    const part = partOf(item, encodings[position] ?? encodings['*'])
    return { ...part, type: part.type ?? 'text/plain; charset=utf-8' }
  })

const partOf = (item: unknown, { headers, contentType }: FieldEncoding = {}): Part => {
  const type = [contentType?.split(',')[0]?.trim()].find((one) => one && !one.includes('*'))
  if (isBytes(item) && !(item instanceof ReadableStream)) {
    const own = isFile(item) ? item.type : undefined
    return { value: item, type: own || type || 'application/octet-stream', headers }
  }
  const isComplex = typeof item === 'object' && !(item instanceof Date)
  return {
    value: fieldText(item, type),
    type: type ?? (isComplex ? JSON_TYPE : undefined),
    headers,
  }
}

/**
 * The fields of a form, with a text instead of each file, because no schema validates files; `restore` puts the files back.
 * `sent` omits the fields that the form cannot contain, such as an empty list. For JSON Lines and json-seq, the list of items.
 * Undefined for bytes and for the caller's own encoding, which cannot be validated.
 */
export const plainFields = (
  body: unknown,
  { codec, encoding: encodings = {} }: Content,
): PlainFields | undefined => {
  if (typeof body !== 'object' || body === null || isBytes(body)) return undefined
  if (isSequential(codec) || (holdsFields(codec) && Array.isArray(body)))
    return { fields: body, restore: (checked) => checked, sent: (checked) => checked }
  if (!holdsFields(codec) || body instanceof FormData || body instanceof URLSearchParams)
    return undefined
  const present = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  const files = present.filter(([, value]) => [value].flat().some(isBytes))
  const withoutFile = (value: unknown) => (isBytes(value) ? '' : value)
  const fields = present.map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(withoutFile) : withoutFile(value),
  ])
  const restore = (checked: unknown) => ({ ...Object(checked), ...Object.fromEntries(files) })
  const write = codec === 'multipart' ? formParts : formFields
  const unsent = present.filter(
    (field) => write(Object.fromEntries([field]), encodings).length === 0,
  )
  const sent = (checked: unknown) => {
    const others = { ...Object(checked) }
    for (const [name] of unsent) delete others[name]
    return others
  }
  return { fields: Object.fromEntries(fields), restore, sent }
}

type PlainFields = {
  readonly fields: unknown
  /** Returns the body to send, from the validated fields. */
  readonly restore: (checked: unknown) => unknown
  /** Returns the fields that the body will have, from all fields. */
  readonly sent: (checked: unknown) => unknown
}

/** A field of a url-encoded form. `raw` is already encoded, because its delimiters must not be. */
export type UrlEncodedField =
  | { readonly name: string; readonly text: string }
  | { readonly raw: string }

/** The fields of a url-encoded form by the rules of OpenAPI, Encoding Object. */
export const formFields = (
  body: unknown,
  encodings: FormEncoding = {},
): readonly UrlEncodedField[] =>
  fieldsOf(body).flatMap(([name, value]): readonly UrlEncodedField[] => {
    const {
      style,
      explode = false,
      allowReserved = false,
      contentType = '',
    } = encodings[name] ?? {}
    if (style === undefined && codecOf(contentType) === 'json')
      return [{ name, text: writeJson(value) }]
    if (style === undefined || style === 'deepObject') {
      const fields = style ? deepFields(name, value) : plainFieldsOf(name, value)
      return fields.map(([key, text]) => ({ name: key, text }))
    }
    const parameter = { name, in: 'query', required: false, style, explode, allowReserved } as const
    const raw = serializeParameter(parameter, value)
    return raw === undefined ? [] : [{ raw }]
  })

/** The fields of a property that has a style; undefined if its media type decides. */
const styledFields = (
  name: string,
  value: unknown,
  { style, explode = false }: FieldEncoding,
): readonly Field[] | undefined => {
  if (style === undefined) return undefined
  if (style === 'deepObject') return deepFields(name, value)
  const text = serializeParameter({ name, in: 'query', required: false, style, explode }, value)
  return [...new URLSearchParams(text)]
}

const fieldsOf = (body: unknown): readonly (readonly [name: string, value: unknown])[] => {
  if (typeof body !== 'object' || body === null)
    throw new TypeError('must be an object, because it is sent as a form')
  return Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
}

/** A list is one field if its media type is JSON, and one for each item otherwise. */
const itemsOf = (value: unknown, contentType = ''): readonly unknown[] =>
  Array.isArray(value) && codecOf(contentType) !== 'json'
    ? value.filter((item) => item !== undefined && item !== null)
    : [value]

const fieldText = (value: unknown, contentType = ''): string => {
  if (value instanceof Date && codecOf(contentType) !== 'json') return value.toISOString()
  return typeof value === 'object' || codecOf(contentType) === 'json'
    ? writeJson(value)
    : String(value)
}

const sizeOfForm = (form: FormData): number =>
  [...form.values()].reduce(
    (sum, value) => sum + (typeof value === 'string' ? new Blob([value]).size : value.size),
    0,
  )
