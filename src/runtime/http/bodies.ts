import type { FieldEncoding, FormEncoding } from '../operation.js'
import { deepFields, type Field, hasBracketInKey } from '../shared/deep-object.js'
import { type Bytes, isBuffer, isBytes, isFile, streamOf } from '../shared/file.js'
import { writeJson } from '../shared/json.js'
import { essence, isForm, isJson } from '../shared/media-type.js'
import { sequentialFormat, writeItems } from '../streams/pieces.js'
import { type FormPart, type Part, writeMultipart } from './multipart.js'
import { plainFieldsOf, serializeParameter, type WrittenBody, writtenText } from './serialize.js'

/**
 * Writes a body of any media type. By default, a list in a form is repeated, an object becomes JSON, and bytes become a file.
 * Throws a TypeError for a body that the media type cannot represent.
 */
export const writeBody = (
  body: unknown,
  mediaType: string,
  encodings: FormEncoding = {},
): WrittenBody => {
  if (essence(mediaType) === 'multipart/form-data') {
    // Without a type here, `fetch` sends the boundary that it chooses.
    if (body instanceof FormData) return { body, contentType: undefined, size: sizeOfForm(body) }
    if (isBytes(body)) return writePlain(body, mediaType)
    assertKeys(body, encodings)
    return writeMultipart(formParts(body, encodings), 'multipart/form-data')
  }
  if (!isForm(mediaType))
    return Array.isArray(body) ? writeList(body, mediaType, encodings) : writePlain(body, mediaType)
  if (body instanceof URLSearchParams) return writtenText(body.toString(), mediaType)
  if (isBytes(body) || typeof body === 'string') return writePlain(body, mediaType)
  assertKeys(body, encodings)
  const texts = formFields(body, encodings).map((field) =>
    'raw' in field ? field.raw : new URLSearchParams([[field.name, field.text]]).toString(),
  )
  return writtenText(texts.join('&'), mediaType)
}

/** A list of JSON texts, or of the parts of a multipart body without names. */
const writeList = (
  items: readonly unknown[],
  mediaType: string,
  encodings: FormEncoding,
): WrittenBody => {
  const format = sequentialFormat(mediaType)
  if (format !== undefined) return writtenText(writeItems(items, format), mediaType)
  return essence(mediaType).startsWith('multipart/')
    ? writeMultipart(listParts(items, encodings), mediaType.replace(/;\s*boundary=[^;]*/i, ''))
    : writePlain(items, mediaType)
}

/** Writes a body in a media type without fields or items. Throws a TypeError for a body that the media type cannot represent. */
const writePlain = (body: unknown, mediaType: string): WrittenBody => {
  if (isJson(mediaType)) return writtenText(writeJson(body), mediaType)
  if (isBytes(body)) return { ...streamed(body), contentType: mediaType }
  if (typeof body === 'object')
    throw new TypeError(`must be text or bytes, because it is sent as ${essence(mediaType)}`)
  return writtenText(String(body), mediaType)
}

const streamed = (body: Bytes): Omit<WrittenBody, 'contentType'> => {
  if (body instanceof Blob) return { body, size: body.size }
  if (isBuffer(body)) return { body, size: body.byteLength }
  return { body: streamOf(body), size: undefined }
}

const assertKeys = (body: unknown, encodings: FormEncoding): void => {
  for (const [name, { style }] of Object.entries(encodings)) {
    if (style === 'deepObject' && hasBracketInKey(Object(body)[name]))
      throw new TypeError(`${name} has a key with a bracket, which deepObject cannot write`)
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

const JSON_TYPE = 'application/json'

/**
 * The fields of a form, with a text instead of each file, because no schema validates files; `restore` puts the files back.
 * For JSON Lines and json-seq, the list of items. Undefined for bytes and for the caller's own encoding, which cannot be
 * validated.
 */
export const plainFields = (body: unknown, mediaType: string): PlainFields | undefined => {
  if (typeof body !== 'object' || body === null || isBytes(body)) return undefined
  const isSequential = sequentialFormat(mediaType) !== undefined
  if (isSequential || (isForm(mediaType) && Array.isArray(body)))
    return { fields: body, restore: (checked) => checked }
  if (!isForm(mediaType) || body instanceof FormData || body instanceof URLSearchParams)
    return undefined
  const given = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  const files = given.filter(([, value]) => [value].flat().some(isBytes))
  const withoutFile = (value: unknown) => (isBytes(value) ? '' : value)
  const fields = given.map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(withoutFile) : withoutFile(value),
  ])
  const restore = (checked: unknown) => ({ ...Object(checked), ...Object.fromEntries(files) })
  return { fields: Object.fromEntries(fields), restore }
}

type PlainFields = {
  readonly fields: unknown
  /** Returns the body to send, from the validated fields. */
  readonly restore: (checked: unknown) => unknown
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
    if (style === undefined && isJson(contentType)) return [{ name, text: writeJson(value) }]
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
  Array.isArray(value) && !isJson(contentType)
    ? value.filter((item) => item !== undefined && item !== null)
    : [value]

const fieldText = (value: unknown, contentType = ''): string => {
  if (value instanceof Date && !isJson(contentType)) return value.toISOString()
  return typeof value === 'object' || isJson(contentType) ? writeJson(value) : String(value)
}

const sizeOfForm = (form: FormData): number =>
  [...form.values()].reduce(
    (sum, value) => sum + (typeof value === 'string' ? new Blob([value]).size : value.size),
    0,
  )
