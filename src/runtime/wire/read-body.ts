import type { Content, FormEncoding } from '../operation.js'
import { readBigints } from '../shared/bigints.js'
import {
  codecNamed,
  type ImportedCodec,
  isImported,
  isSequential,
  requestCodec,
  sentCodec,
  type ValueCodecs,
} from '../shared/codecs.js'
import { type BigintTerms, markNumbers } from '../shared/exact-integers.js'
import { keysOf, type MemberPath, parseExact } from '../shared/exact-json.js'
import { pointerStep } from '../shared/pointer.js'
import { splitItems } from '../streams/pieces.js'
import type { Fault, Validator } from '../validate.js'
import { declaredContent } from './content.js'
import { type FittedFields, readParts, readUrlEncoded } from './forms.js'
import { codingsOf } from './headers.js'
import { boundaryOf, joinedBytes, MultipartError, readPieces } from './read-multipart.js'
import { isOtherShape } from './readings.js'
import { decodeText, hasForeignCharset } from './text.js'
import type { UnreadReason } from './unread.js'

/**
 * Reads the whole body of a request by the declared content that its Content-Type means: JSON, a form, multipart, text or bytes,
 * the inverse of `writeBody`. The server reads the same parts as they arrive.
 */
export const readRequestBody = (
  declared: readonly Content[],
  termsOf: (type: string) => ContentTerms,
  sent: SentBody,
): BodyReading => {
  const { contentType, contentEncoding, content } = sent
  const media = declaredContent(declared, contentType)
  const type = media?.type
  const unread = (reason: UnreadReason): BodyReading => ({ kind: 'unread', content: type, reason })
  if (sent.isLeftOut === true) return unread('not-recorded')
  const isEmpty = 'raw' in content && content.raw.length === 0
  if (isEmpty && !contentType?.trim()) return { kind: 'none' }
  if (codingsOf(contentEncoding).length > 0) return unread('content-encoding')
  if (sent.isIncomplete === true) return unread('incomplete')
  if (contentType !== undefined && hasForeignCharset(contentType)) return unread('charset')
  if (media === undefined || type === undefined) return unread('media-type')
  const terms = { ...termsOf(type), encodings: media.encoding }
  const own = contentType?.trim() ? contentType : type
  const codec = sentCodec(media, own, requestCodec)
  if (codec === 'form') return readForm(content, type, terms)
  if (codec === 'multipart') return readMultipartForm(content, own, type, terms)
  if (isImported(codec)) {
    const decoded = decodeContent(content, codec, terms.codecs)
    return decoded ? checked(decoded.value, type, terms) : unread('codec')
  }
  if (codec !== 'text' && codec !== 'json' && !isSequential(codec)) return unread('bytes')
  if ('json' in content) {
    if (codec === 'text') return unread('media-type')
    return checked(content.json, type, terms)
  }
  const text = textOf(content.raw)
  if (text === undefined) return unread('charset')
  try {
    if (isSequential(codec)) {
      const pieces = splitItems(text, codec)
      if (pieces.some(({ isCutOff }) => isCutOff)) return unread('json')
      for (const { data } of pieces) JSON.parse(data)
      return readJson(`[${pieces.map(({ data }) => data).join()}]`, type, terms)
    }
    if (codec === 'json') return readJson(text, type, terms)
  } catch {
    return unread('json')
  }
  if (terms.validator && isOtherShape(text, terms.validator)) return unread('media-type')
  const read = { content: type, written: text, texts: 'all' } as const
  // As in servers: only a range, which may mean JSON or a text, leaves the decision to the schema.
  return media.codec === 'any' && terms.validator?.check(text) === false
    ? { kind: 'invalid', faults: terms.validator.explain(text), ...read }
    : { kind: 'value', value: text, ...read }
}

/**
 * The value of a body in a codec that is not built in. Undefined if the codec is not in `codecs`, if the bytes are not of its media
 * type, or if only a text of them is known.
 */
export const decodeContent = (
  content: SentBody['content'],
  codec: ImportedCodec,
  codecs: ValueCodecs = {},
): { readonly value: unknown } | undefined => {
  if ('json' in content) return { value: content.json }
  if (typeof content.raw === 'string') return undefined
  try {
    return { value: codecNamed(codec, codecs).decode(content.raw) }
  } catch {
    return undefined
  }
}

/** A body on the wire. A recording may have its value in place of its text. */
export type SentBody = {
  readonly contentType: string | undefined
  readonly contentEncoding?: string | undefined
  /** Bytes, or their text; or the JSON value. */
  readonly content: { readonly raw: Uint8Array | string } | { readonly json: unknown }
  /** Bytes at its end are missing. */
  readonly isIncomplete?: boolean
  /** The recording has nothing of it. */
  readonly isLeftOut?: boolean
}

/** What a reader needs of the content of a media type. */
export type ContentTerms = {
  /** Decides between the possible values of a form's texts. */
  readonly validator?: Validator | undefined
  /** Where integers may have any number of digits: `x-bigint`. */
  readonly bigints?: BigintTerms | undefined
  /** The codecs that are not built in. */
  readonly codecs?: ValueCodecs | undefined
}

export type BodyReading =
  | { readonly kind: 'none' }
  | (ReadValue & { readonly kind: 'value'; readonly value: unknown })
  /** The schema does not accept the value. */
  | (ReadValue & { readonly kind: 'invalid'; readonly faults: readonly Fault[] })
  | {
      readonly kind: 'unread'
      /** The declared media type; undefined if it is not known. */
      readonly content: string | undefined
      readonly reason: UnreadReason
      /** The value of JSON, with `UnreadPart` for each part that was not read. */
      readonly written?: unknown
    }

type ReadValue = {
  /** The declared media type. */
  readonly content: string
  /** The value before texts were converted to numbers and booleans, with `UnreadPart` for each part that was not read. */
  readonly written: unknown
  /** Whether its scalars are texts, as in forms; or the fields that are. */
  readonly texts: 'all' | 'none' | ((field: string) => boolean)
}

/** Takes the place of a part of a value that was not read, such as a file. */
export type UnreadPart = { readonly [UNREAD]: UnreadReason }

const UNREAD: unique symbol = Symbol('unread')

/** The reason in place of a value; undefined for a value. */
export const unreadReason = (value: unknown): UnreadReason | undefined =>
  typeof value === 'object' && value !== null && UNREAD in value
    ? (value as UnreadPart)[UNREAD]
    : undefined

const textOf = (raw: Uint8Array | string): string | undefined =>
  typeof raw === 'string' ? raw : decodeText(raw)

/** A JSON value. A number or a text that would be another one as a value was not read; servers reject it. */
const readJson = (text: string, content: string, terms: ContentTerms): BodyReading => {
  const { bigints } = terms
  const { value, odd } = parseExact(text)
  const lost = odd().filter(({ loss }) => loss !== undefined)
  const others = lost.filter(({ loss }) => bigints === undefined || loss !== 'precision')
  const unread = { kind: 'unread', content, reason: 'precision' } as const
  if (others.length > 0) {
    const isReplaced = others.map(({ path }) => replaceUnread(value, path)).every(Boolean)
    return isReplaced ? { ...unread, written: value } : unread
  }
  const marked = bigints && lost.length > 0 ? markNumbers(text, 'large') : undefined
  const read = marked && readBigints(JSON.parse(marked.text), { ...bigints, mark: marked.mark })
  return read && read.faults.length > 0 ? unread : checked(value, content, terms)
}

/** Whether a value has the path; the value there becomes `UnreadPart`. */
const replaceUnread = (value: unknown, path: MemberPath): boolean => {
  const keys = [...keysOf(path)]
  const last = keys.pop()
  let parent: unknown = value
  for (const key of keys) parent = Object(parent)[key]
  if (last === undefined || typeof parent !== 'object' || parent === null) return false
  return Object.hasOwn(parent, last) && Reflect.set(parent, last, { [UNREAD]: 'precision' })
}

const checked = (value: unknown, content: string, { validator }: ContentTerms): BodyReading => {
  const read = { content, written: value, texts: 'none' } as const
  return validator === undefined || validator.check(value)
    ? { kind: 'value', value, ...read }
    : { kind: 'invalid', faults: validator.explain(value), ...read }
}

type FormContent = ContentTerms & { readonly encodings: FormEncoding | undefined }

const readForm = (
  content: SentBody['content'],
  type: string,
  { validator, encodings }: FormContent,
): BodyReading => {
  const unread = (reason: UnreadReason): BodyReading => ({ kind: 'unread', content: type, reason })
  if ('json' in content) return fieldsOf(content.json, type, validator)
  const text = textOf(content.raw)
  // The character replaces bytes that a recorder could not decode; a form encodes its own.
  if (text === undefined || text.includes('\ufffd')) return unread('charset')
  try {
    return ofFields(readUrlEncoded(text, validator, { encodings, ...ALL_FAULTS }), type, validator)
  } catch (error) {
    if (error instanceof URIError) return unread('percent-encoding')
    throw error
  }
}

const readMultipartForm = (
  content: SentBody['content'],
  contentType: string,
  type: string,
  { validator, encodings = {} }: FormContent,
): BodyReading => {
  const unread = (reason: UnreadReason): BodyReading => ({ kind: 'unread', content: type, reason })
  if ('json' in content) return fieldsOf(content.json, type, validator)
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return unread('form')
  const parts: { name: string; type: string | undefined; isFile: boolean; chunks: Uint8Array[] }[] =
    []
  const { raw } = content
  try {
    const bytes = typeof raw === 'string' ? new TextEncoder().encode(raw) : raw
    for (const piece of readPieces(bytes, boundary)) {
      if (piece.kind === 'data') parts.at(-1)?.chunks.push(piece.bytes)
      else {
        const { name, type: own } = piece
        parts.push({ name, type: own, isFile: isFilePart(piece, encodings), chunks: [] })
      }
    }
  } catch (error) {
    if (error instanceof MultipartError) return unread('form')
    throw error
  }
  const files = new Set(parts.flatMap(({ name, isFile }) => (isFile ? [name] : [])))
  const broken = new Set<string>()
  const texts = parts.map(({ name, type: own, isFile, chunks }) => {
    if (isFile) return { name, text: '', type: undefined }
    const text = decodeText(joinedBytes(chunks))
    if (text === undefined) broken.add(name)
    return { name, text: text ?? '', type: own }
  })
  const found = ofFields(readParts(texts, validator, { encodings, ...ALL_FAULTS }), type, validator)
  if (found.kind !== 'value' && found.kind !== 'invalid') return found
  const written = Object.fromEntries(
    Object.entries(Object(found.written)).map(([name, value]): [string, unknown] => {
      if (files.has(name)) return [name, { [UNREAD]: 'bytes' } satisfies UnreadPart]
      return [name, broken.has(name) ? ({ [UNREAD]: 'charset' } satisfies UnreadPart) : value]
    }),
  )
  return { ...found, written }
}

/** Fields that a recorder has already parsed. */
const fieldsOf = (
  fields: unknown,
  content: string,
  validator: Validator | undefined,
): BodyReading => {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return { kind: 'unread', content, reason: 'form' }
  const isText = (name: string) => {
    const value = Object.hasOwn(fields, name) ? Object(fields)[name] : undefined
    return [value].flat().every((one) => typeof one === 'string')
  }
  const read = { content, written: fields, texts: isText }
  return validator === undefined || validator.check(fields)
    ? { kind: 'value', value: fields, ...read }
    : { kind: 'invalid', faults: validator.explain(fields), ...read }
}

/** Every field with a fault is known, because each may be of another shape. */
const ALL_FAULTS = { mostFaults: Number.POSITIVE_INFINITY } as const

/** The reading of the fields of a form; a field whose shape the schema never accepts was not read. */
const ofFields = (
  fields: FittedFields,
  content: string,
  validator: Validator | undefined,
): BodyReading => {
  const { json, written } = fields
  const texts = (name: string) => !json.has(name)
  if ('value' in fields) return { kind: 'value', content, value: fields.value, written, texts }
  const own: Readonly<Record<string, unknown>> = Object(written)
  const wrong = new Set(fields.faults.map(({ pointer }) => pointer))
  const known = Object.entries(own).map(([name, value]): [string, unknown] => {
    const at = pointerStep(name)
    const isRead =
      validator === undefined ||
      !wrong.has(at) ||
      !isOtherShape(value, validator, at, (other) => ({ ...own, [name]: other }))
    return [name, isRead ? value : ({ [UNREAD]: 'form' } satisfies UnreadPart)]
  })
  return {
    kind: 'invalid',
    content,
    faults: fields.faults,
    written: Object.fromEntries(known),
    texts,
  }
}

/** Whether a part is a file: by the document, or, for an undeclared name, by its file name if the document allows files. */
export const isFilePart = (
  { name, fileName }: { readonly name: string; readonly fileName: string | undefined },
  encodings: FormEncoding,
): boolean => {
  const encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined
  if (encoding !== undefined) return encoding.isFile === true
  return fileName !== undefined && encodings['*']?.isFile === true
}
