import { essence, isForm, isJson } from '../shared/media-type.js'

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
