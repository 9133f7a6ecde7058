import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { DocumentError, type Finding, type Location } from '../model/finding.js'
import { joinPointer, pointerOf, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { withoutMark } from '../runtime/wire/text.js'
import type { ParsedText, Reject, ReportFault } from './document/format.js'
import { readJson } from './document/json-document.js'
import { readYaml } from './document/yaml-document.js'
import { disk, type FileTree, MOST_FILE_BYTES } from './file-tree.js'

/**
 * Reads one YAML or JSON file. Throws DocumentError, with its place, if the text is not one document with an object at the top.
 */
export const readDocument = (
  file: string,
  tree: FileTree = disk,
  parse = parseDocument,
): Document => {
  const name = tree.nameOf(file)
  const document = parse(readText(file, name, tree), name)
  return name === file ? document : { ...document, path: file }
}

/** Like `readDocument`, for a text; `file` selects the format and appears in messages. */
export const parseDocument = (text: string, file: string): Document => {
  const source = withoutMark(text)
  const at = placesIn(source, file)
  const reject: Reject = (rule, message, offset, segments = []) => {
    const location = at(offset, segments)
    throw new DocumentError({ rule, level: 'error', location, message })
  }
  const faults: Finding[] = []
  const report: ReportFault = (rule, message, offset, segments = []) =>
    void faults.push({ rule, level: 'error', location: at(offset, segments), message })
  const rejectEmpty = () => reject('document-is-empty', 'the document is empty', 0)
  if (source.trim() === '') rejectEmpty()
  const { value, find } = read(source, file, reject, report)
  let hasLongNumbers: boolean | undefined
  if (value === null) rejectEmpty()
  if (typeof value !== 'object' || Array.isArray(value)) {
    const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`
    const message = `the top level of a document must be an object, not ${kind}`
    reject('document-is-not-an-object', message, 0)
  }
  return {
    file,
    value,
    faults,
    locate: (pointer, part = 'value') => {
      const found = find(segmentsOf(pointer))
      return at(part === 'key' ? (found.key ?? found.value) : found.value, found.segments)
    },
    numberText: (pointer, which = 'long') => {
      hasLongNumbers ??= LONG_NUMBER.test(source)
      if (which === 'long' && !hasLongNumbers) return undefined
      const segments = segmentsOf(pointer)
      const found = find(segments)
      if (found.segments.length < segments.length) return undefined
      return NUMBER.exec(source.slice(found.value, found.value + MOST_DIGITS))?.[0]
    },
  }
}

/** A number that may have more digits, or a larger exponent, than a double holds. */
const LONG_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{3}/

const NUMBER = /^[+-]?\d*\.?\d+\.?(?:[eE][+-]?\d+)?/

const MOST_DIGITS = 10_000

export type Document = {
  /** The path as given, or the name in messages if it was not read from disk. */
  readonly file: string
  /** The path as given, where `file` is another name. */
  readonly path?: string
  /** Plain data; no object occurs twice in it. */
  readonly value: unknown
  /** Errors in spite of which the text was read, such as duplicate keys. */
  readonly faults: readonly Finding[]
  /** The place of a node, computed on request; for a pointer to nothing, the place of its nearest ancestor. */
  readonly locate: (pointer: string, part?: 'key' | 'value') => Location
  /**
   * The number at a pointer as written, because a double may lose digits. Undefined without a
   * number, or if a double holds all digits; `any` is for texts of which the form counts, such as `1.0`.
   */
  readonly numberText: (pointer: string, which?: 'long' | 'any') => string | undefined
}

/** A converted document; `placeOf` maps a pointer to the pointer of the same node in the document as written. */
export const convertedFrom = (
  document: Document,
  value: unknown,
  placeOf: (pointer: string) => string,
): Document => ({
  ...document,
  value,
  locate: (pointer, part) => document.locate(placeOf(pointer), part),
  numberText: (pointer, which) => document.numberText(placeOf(pointer), which),
})

const read = (text: string, file: string, reject: Reject, report: ReportFault): ParsedText => {
  if (/\.json$/i.test(file)) return readJson(text, reject, report)
  if (/\.ya?ml$/i.test(file) || !/^\s*[{[]/.test(text)) return readYaml(text, reject, report)
  return parsesAsJson(text) ? readJson(text, reject, report) : readYaml(text, reject, report)
}

const parsesAsJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const readText = (path: string, file: string, tree: FileTree): string => {
  const reject = (rule: string, message: string, options?: ErrorOptions): never => {
    const location = { file, line: 1, column: 1, pointer: '' }
    throw new DocumentError({ rule, level: 'error', location, message }, options)
  }
  let bytes: Uint8Array
  try {
    bytes = tree.read(path)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const hint = /^https?:\/\//.test(path)
        ? ': download the document first, and name the file'
        : ''
      return reject('document-does-not-exist', `there is no file ${file}${hint}`, { cause })
    }
    if (code === 'EISDIR') {
      const message = `${file} is a folder: name the document in it`
      return reject('document-is-a-folder', message, { cause })
    }
    if (code === 'EFBIG') {
      const most = `${MOST_FILE_BYTES / 2 ** 20} MiB`
      const message = `${file} has more than ${most}, or never ends: name the document itself`
      return reject('document-is-too-large', message, { cause })
    }
    return reject('document-is-unreadable', `${file} cannot be read (${code})`, { cause })
  }
  if (!isUtf8(bytes))
    return reject('document-is-not-utf-8', `${file} is not UTF-8: save it as UTF-8`)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

const placesIn = (text: string, file: string) => {
  let starts: readonly number[] | undefined
  return (offset: number, segments: readonly string[]): Location => {
    starts ??= lineStarts(text)
    const line = lineOf(starts, offset)
    const column = offset - (starts[line - 1] ?? 0) + 1
    return { file, line, column, pointer: pointerOf(...segments) }
  }
}

const lineStarts = (text: string): readonly number[] => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

const lineOf = (starts: readonly number[], offset: number): number => {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low + 1
}

/** A place in a document. */
export type Origin = { readonly document: Document; readonly pointer: string }

/** The place of an origin, or of a member of it. */
export const locate = (origin: Origin, ...members: readonly (string | number)[]): Location =>
  origin.document.locate(joinPointer(origin.pointer, ...members.map(String)))

export const child = (origin: Origin, key: string): Origin => ({
  document: origin.document,
  pointer: joinPointer(origin.pointer, key),
})

/** The origin as a text: equal texts are the same place. */
export const keyOf = ({ document, pointer }: Origin): string => {
  const path = paths.get(document) ?? resolve(pathOf(document))
  paths.set(document, path)
  return `${path}#${pointer}`
}

const paths = new WeakMap<Document, string>()

/** The path of a document, whatever its name in messages. */
export const pathOf = ({ path, file }: Document) => path ?? file

/** The value at an origin; undefined if there is none. */
export function valueAt({
  document,
  pointer,
}: {
  readonly document: Pick<Document, 'value'>
  readonly pointer: string
}): unknown {
  let value: unknown = document.value
  for (const segment of segmentsOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) {
      return undefined
    }
    // A list has its own property `length`, which is not a member.
    if (Array.isArray(value) && segment === 'length') return undefined
    value = (value as JsonObject)[segment]
  }
  return value
}
