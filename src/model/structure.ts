import { ASSERTIONS } from '../schema/keywords.js'
import type { JsonObject } from './api.js'
import type { Bundle } from './bundle.js'
import { locate } from './document.js'
import type { Finding } from './finding.js'
import { entriesOf, isObject, isReference } from './json.js'
import { nearest } from './nearest.js'
import { BARE, isExampleObject } from './openapi-content.js'
import { faultOfKey, type Said, saidOf } from './structure-rules.js'
import { type Field, OBJECTS, type ObjectKind } from './structure-table.js'

/**
 * Finds wrong places and wrong types in a bundled OpenAPI document, schemas excepted. An error
 * makes its part of the document unreadable.
 */
export function* checkStructure(bundle: Bundle): Generator<Finding> {
  const { originOf, value: root } = bundle
  const version = String(root.openapi)
  // A target of two references may be in the bundle twice.
  const seen = new Set<string>()
  for (const finding of findings()) {
    const { file, pointer } = finding.location
    const key = `${finding.rule} ${file}#${pointer} ${finding.message}`
    if (!seen.has(key)) yield finding
    seen.add(key)
  }

  function* findings(): Generator<Finding> {
    yield* checkSections(originOf(root).document.value)
    yield* checkObject(root, 'document')
  }

  /** The bundle contains only components that are objects, so the others are checked as written. */
  function* checkSections(written: unknown) {
    const components = isObject(written) ? written.components : undefined
    if (components === undefined) return
    const { fields } = OBJECTS.components
    yield* checkType(components, { form: 'object', level: 'error' }, root, ['components'])
    for (const [name, section] of entriesOf(components)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field) yield* checkType(section, field, root, ['components', name])
    }
  }

  function* checkObject(node: JsonObject, kind: ObjectKind): Generator<Finding> {
    if (isReference(node)) return
    const { fields, others, one } = OBJECTS[kind]
    if ('$ref' in node) yield* checkType(node.$ref, REFERENCE, node, ['$ref'])
    for (const [name, value] of Object.entries(node)) {
      if (name.startsWith('x-') || name === '$ref') continue
      const field = Object.hasOwn(fields, name) ? fields[name] : others
      if (field) yield* checkField(value, field, node, name)
      else yield unknown(name, node, kind)
    }
    for (const [name, { needed }] of Object.entries(fields)) {
      if (!needed || node[name] !== undefined || isOptional(name, node)) continue
      const message = `${one} needs ${name}, which is missing: add it`
      yield report({ rule: 'field-is-missing', level: needed, message }, node)
    }
    for (const said of saidOf(kind, node, version)) yield report(said, node)
  }

  function* checkField(value: unknown, field: Field, node: JsonObject, name: string) {
    const isRight = yield* checkType(value, field, node, [name])
    if (!isRight || !field.holds) return
    const { holds } = field
    if (isObject(value) && field.form === 'object') yield* checkObject(value, holds)
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        yield* checkMember(item, field, value, index, `${name}[${index}]`)
      }
    }
    if (!isObject(value) || field.form !== 'map') return
    for (const [key, member] of Object.entries(value)) {
      // Next to paths and statuses, `x-` marks an extension; the name of a header may begin with it.
      if (key.startsWith('x-') && field.keys !== 'headerName') continue
      const fault = faultOfKey(field.keys, key)
      if (fault) yield report(fault, value, key)
      if (!fault || field.keys === 'headerName') {
        yield* checkMember(member, field, value, key, key)
      }
    }
  }

  function* checkMember(
    member: unknown,
    { holds, level }: Field,
    parent: object,
    key: string | number,
    name: string,
  ): Generator<Finding> {
    if (holds === 'example' && !(isObject(member) && isExampleObject(member))) {
      const message = `${name} is not an Example Object and is read as the value: write it under value`
      yield report({ rule: 'field-has-wrong-type', level: 'warning', message }, parent, key)
      return
    }
    const field: Field = { form: 'object', level, ...(holds && { holds }) }
    yield* checkType(member, field, parent, [key], name)
    if (isObject(member) && holds) yield* checkObject(member, holds)
  }

  /** Reports a wrong type; returns whether the type is right. */
  function* checkType(
    value: unknown,
    field: Field,
    parent: object,
    path: readonly (string | number)[],
    name: string = path.join('.'),
  ): Generator<Finding, boolean> {
    if (hasForm(value, field.form)) {
      if (field.form === 'schema' && isObject(value) && '$ref' in value) {
        yield* checkType(value.$ref, REFERENCE, value, ['$ref'])
      }
      return true
    }
    // The reader of schemas reports a text, which may be the name of a type.
    if (field.form === 'schema' && typeof value === 'string') return false
    const meaning = meaningOf(value, field)
    const level = meaning !== undefined || isMeant(value, field) ? 'warning' : field.level
    const result = field.form === 'schema' ? 'any value is accepted' : 'it is left out'
    const why = `${name} must be ${formOf(field)}, not ${described(value)}`
    const how = meaning ?? (level === 'error' ? result : undefined)
    const message = how === undefined ? why : `${why}: ${how}`
    yield report({ rule: 'field-has-wrong-type', level, message }, parent, ...path)
    return false
  }

  function unknown(name: string, node: JsonObject, kind: ObjectKind): Finding {
    const { fields, one } = OBJECTS[kind]
    const says = (rule: string, message: string) =>
      report({ rule, level: 'warning', message }, node, name)
    if ('schema' in fields && (ASSERTIONS.has(name) || name === 'format')) {
      const isBare =
        kind === 'mediaType' || ((kind === 'parameter' || kind === 'header') && BARE.has(name))
      const isRead = isBare && (node.schema ?? node.content) === undefined
      const how = isRead ? 'is read as a part of the schema' : 'is ignored'
      return says(
        'schema-keyword-is-outside-schema',
        `${name} is a keyword of schemas, not a field of ${one}, and ${how}: put it under schema`,
      )
    }
    if (name === 'schema' && 'content' in fields && node.content === undefined) {
      return says(
        'schema-keyword-is-outside-schema',
        `schema is not a field of ${one} and is read as that of application/json: write it under content`,
      )
    }
    const near = nearest(name, Object.keys(fields))
    const meant = near === undefined ? 'an extension begins with x-' : `did you mean ${near}?`
    return says('field-is-unknown', `${name} is not a field of ${one} and is ignored: ${meant}`)
  }

  /** OpenAPI 3.1, OpenAPI Object: one of paths, components and webhooks is enough. */
  function isOptional(name: string, node: JsonObject) {
    const { components, webhooks } = node
    return name === 'paths' && !version.startsWith('3.0') && (components ?? webhooks) !== undefined
  }

  function report({ rule, level, message, at }: Said, node: object, ...path: (string | number)[]) {
    const location = locate(originOf(node), ...path, ...(at === undefined ? [] : [at]))
    return { rule, level, location, message } satisfies Finding
  }
}

/** How a value of the wrong type is read, where that needs words. */
function meaningOf(value: unknown, { form, holds }: Field): string | undefined {
  if (holds === 'example' && Array.isArray(value)) return 'its items are read as the values'
  if (holds === 'requirement' && typeof value === 'string') return `it is read as { ${value}: [] }`
  if (holds === 'requirement' && isObject(value)) return 'it is read as a list of one'
  if (holds === 'server' && typeof value === 'string') return 'it is read as the url'
  if (holds === 'server' && isObject(value)) return 'it is read as a list of one'
  if (form !== 'object') return undefined
  if (holds === 'response' && typeof value === 'string') return 'it is read as the description'
  const isEmpty = value === null && (holds === 'response' || holds === 'mediaType')
  return isEmpty ? 'it is read as an empty object' : undefined
}

/** Whether a value of the wrong type is read as its author meant it. */
function isMeant(value: unknown, { form, needed }: Field): boolean {
  if (form === 'flag') return value === 'true' || value === 'false'
  // PHP writes an empty map as an empty list.
  if (form === 'map' && Array.isArray(value) && value.length === 0) return true
  // In YAML, a key without a value is an empty list or map; for schemas, it accepts any value.
  return value === null && ['list', 'map', 'schema'].includes(form) && !needed
}

const REFERENCE: Field = { form: 'string', level: 'error' }

const hasForm = (value: unknown, form: Field['form']): boolean => {
  switch (form) {
    case 'any':
      return true
    case 'text':
      return typeof value === 'string' || typeof value === 'number'
    case 'string':
      return typeof value === 'string'
    case 'flag':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value)
    case 'schema':
      return isObject(value) || typeof value === 'boolean'
    default:
      return isObject(value)
  }
}

const FORMS: Readonly<Record<Field['form'], string>> = {
  any: 'anything',
  text: 'a string',
  string: 'a string',
  flag: 'true or false',
  object: 'an object',
  schema: 'a schema',
  list: 'a list',
  map: 'an object',
}

const formOf = ({ form, holds }: Field) =>
  holds && form !== 'object' ? `${FORMS[form]} of ${OBJECTS[holds].many}` : FORMS[form]

/** A value of a wrong type, in words. */
export const described = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return typeof value === 'string' ? `the string ${JSON.stringify(value)}` : String(value)
}
