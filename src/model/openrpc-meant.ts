import { joinPointer } from '../runtime/shared/pointer.js'
import { ASSERTIONS } from '../schema/keywords.js'
import type { JsonObject } from './api.js'
import { convertedFrom, type Document, valueAt } from './document.js'
import type { Finding } from './finding.js'
import { changed, isObject, isReference } from './json.js'
import { text } from './reading.js'
import { described } from './structure.js'

/**
 * The OpenRPC document with the parts corrected whose meaning is clear in spite of a fault; each one is reported. Positions are
 * kept. Parts in other files are not corrected.
 */
export function withMeantParts(document: Document, report: (finding: Finding) => void): Document {
  /** The content descriptors whose own keywords are read as their schema. */
  const unwrapped = new Set<string>()
  const warn = (rule: string, pointer: string, message: string) =>
    report({ rule, level: 'warning', location: document.locate(pointer), message })
  if (!isObject(document.value)) return document
  const value = changed(document.value, (member, key) => {
    if (key === 'methods') return eachOf(member, '/methods', methodOf)
    return key === 'components' && isObject(member) ? componentsOf(member) : member
  })
  return value === document.value ? document : convertedFrom(document, value, placeOf)

  function componentsOf(components: JsonObject): JsonObject {
    return changed(components, (section, key) => {
      const pointer = joinPointer('/components', key)
      if (key === 'contentDescriptors') return eachOf(section, pointer, descriptorOf)
      return key === 'errors' ? eachOf(section, pointer, errorOf) : section
    })
  }

  function methodOf(method: JsonObject, pointer: string): JsonObject {
    const name = text(method.name) ?? 'the method'
    return changed(method, (member, key) => {
      const place = joinPointer(pointer, key)
      if (key === 'errors') return eachOf(member, place, errorOf)
      if (key === 'result') return member === null ? anyResult(name, place) : read(member, place)
      if (key !== 'params') return member
      const isEmpty = member === null || (isObject(member) && Object.keys(member).length === 0)
      if (!isEmpty) return Array.isArray(member) ? eachOf(member, place, descriptorOf) : member
      const what = member === null ? 'null' : 'an empty object'
      const message = `the params of ${name} must be a list, not ${what}: it is read as no params; write params: []`
      warn('field-has-wrong-type', place, message)
      return []
    })
  }

  function read(descriptor: unknown, pointer: string): unknown {
    return isObject(descriptor) ? descriptorOf(descriptor, pointer) : descriptor
  }

  function anyResult(method: string, pointer: string): JsonObject {
    const message = `the result of ${method} must be an object, not null: it is read as any result; write result: { name: result, schema: true }`
    warn('field-has-wrong-type', pointer, message)
    return { name: 'result', schema: true }
  }

  function descriptorOf(node: JsonObject, pointer: string): JsonObject {
    if (isReference(node)) return node
    if (node.schema !== undefined) return withSchemaOf(node, pointer)
    const own = ownKeywords(node)
    if (own.length === 0) return node
    unwrapped.add(pointer)
    const message = `${text(node.name) ?? 'the content descriptor'} has no schema: its own keywords (${own.join(', ')}) are read as the schema; put them under schema`
    warn('schema-keyword-is-outside-schema', pointer, message)
    const isOwn = ([key]: [string, unknown]) => own.includes(key)
    const entries = Object.entries(node)
    const schema = Object.fromEntries(entries.filter(isOwn))
    return { ...Object.fromEntries(entries.filter((one) => !isOwn(one))), schema }
  }

  /** A descriptor whose schema refers to another descriptor has that one's schema. */
  function withSchemaOf(node: JsonObject, pointer: string): JsonObject {
    const { schema } = node
    const target = isReference(schema) ? descriptorAt(schema.$ref) : undefined
    if (!isReference(schema) || target === undefined) return node
    const meant = `${target}/schema`
    const message = `${schema.$ref} is a content descriptor, not a schema: its schema is read; write ${meant}`
    warn('reference-is-no-schema', joinPointer(pointer, 'schema', '$ref'), message)
    return { ...node, schema: { ...schema, $ref: meant } }
  }

  /** The reference to the content descriptor with a schema that a chain of references reaches. */
  function descriptorAt(reference: string, seen: readonly string[] = []): string | undefined {
    if (!reference.startsWith(DESCRIPTORS) || seen.includes(reference)) return undefined
    const found = valueAt({ document, pointer: reference.slice(1) })
    if (isReference(found)) return descriptorAt(found.$ref, [...seen, reference])
    const hasSchema = isObject(found) && (found.schema ?? ownKeywords(found)[0]) !== undefined
    return hasSchema ? reference : undefined
  }

  function errorOf(error: JsonObject, pointer: string): JsonObject {
    const { code } = error
    if (typeof code !== 'string' || !/^[+-]?\d{1,15}$/.test(code.trim())) return error
    const message = `code must be an integer, not ${described(code)}: it is read as ${Number(code)}; write it without quotes`
    warn('field-has-wrong-type', joinPointer(pointer, 'code'), message)
    return { ...error, code: Number(code) }
  }

  function placeOf(pointer: string): string {
    const [whole = '', owner = ''] = SCHEMA.exec(pointer) ?? []
    return unwrapped.has(owner) ? `${owner}${pointer.slice(whole.length)}` : pointer
  }
}

/** The list or map with each object in it replaced. */
function eachOf(
  value: unknown,
  pointer: string,
  replace: (member: JsonObject, pointer: string) => JsonObject,
): unknown {
  const one = (member: unknown, key: string) =>
    isObject(member) ? replace(member, joinPointer(pointer, key)) : member
  if (isObject(value)) return changed(value, one)
  if (!Array.isArray(value)) return value
  const list = value.map((member: unknown, index) => one(member, String(index)))
  return list.every((member, index) => member === value[index]) ? value : list
}

/** The keys of a content descriptor without a schema that are parts of one. */
function ownKeywords(node: JsonObject): readonly string[] {
  const { oneOf, required } = node
  const isChoice = Array.isArray(oneOf) && oneOf.some(isDescriptor)
  const own = Object.keys(node).filter((key) =>
    key === 'required' ? Array.isArray(required) : !FIELDS.has(key) && !key.startsWith('x-'),
  )
  return !isChoice && own.some((key) => ASSERTIONS.has(key) || key === 'format') ? own : []
}

/** OpenRPC 1.1 and 1.2, OneOf Object: a choice of content descriptors. */
const isDescriptor = (value: unknown): boolean =>
  isReference(value)
    ? !value.$ref.includes('/schemas/')
    : isObject(value) && ('schema' in value || 'name' in value)

const FIELDS: ReadonlySet<string> = new Set(
  'name summary description deprecated schema $ref'.split(' '),
)

const DESCRIPTORS = '#/components/contentDescriptors/'

/** The schema of a content descriptor, with the pointer of the descriptor. */
const SCHEMA =
  /^(\/methods\/\d+\/(?:params\/\d+|result)|\/components\/contentDescriptors\/[^/]+)\/schema(?=\/|$)/
