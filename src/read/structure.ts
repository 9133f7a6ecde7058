import type { Finding } from '../model/finding.js'
import { entriesOf, isObject, isReference } from '../model/json.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { ASSERTIONS } from '../schema/keywords.js'
import { nearest } from '../text/nearest.js'
import type { Bundle } from './bundle.js'
import { locate } from './document.js'
import { faultOfKey, type StructureFault, structureFaults } from './structure-rules.js'
import { OBJECTS, type ObjectField, type ObjectKind, wrongType } from './structure-table.js'

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
      // An empty section of another type was repaired.
      const isRepaired = section === null || (Array.isArray(section) && section.length === 0)
      if (field && !isRepaired) yield* checkType(section, field, root, ['components', name])
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
    for (const fault of structureFaults(kind, node, version)) yield report(fault, node)
  }

  function* checkField(value: unknown, field: ObjectField, node: JsonObject, name: string) {
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
    { holds, level }: ObjectField,
    parent: object,
    key: string | number,
    name: string,
  ): Generator<Finding> {
    const field: ObjectField = { form: 'object', level, ...(holds && { holds }) }
    yield* checkType(member, field, parent, [key], name)
    if (isObject(member) && holds) yield* checkObject(member, holds)
  }

  /** Reports a wrong type; returns whether the type is right. */
  function* checkType(
    value: unknown,
    field: ObjectField,
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
    // The reader of schemas reports null, and a text, which may be the name of a type.
    if (field.form === 'schema' && (value === null || typeof value === 'string')) return false
    const { level } = field
    const result = field.form === 'schema' ? 'any value is accepted' : 'it is left out'
    const message = wrongType(name, value, field, level === 'error' ? result : undefined)
    yield report({ rule: 'field-has-wrong-type', level, message }, parent, ...path)
    return false
  }

  function unknown(name: string, node: JsonObject, kind: ObjectKind): Finding {
    const { fields, one } = OBJECTS[kind]
    const says = (rule: string, message: string) =>
      report({ rule, level: 'warning', message }, node, name)
    if ('schema' in fields && (ASSERTIONS.has(name) || name === 'format')) {
      return says(
        'schema-keyword-is-outside-schema',
        `${name} is a keyword of schemas, not a field of ${one}, and is ignored: put it under schema`,
      )
    }
    const near = nearest(name, Object.keys(fields))
    const hint = near === undefined ? 'an extension begins with x-' : `did you mean ${near}?`
    return says('field-is-unknown', `${name} is not a field of ${one} and is ignored: ${hint}`)
  }

  /** OpenAPI 3.1, OpenAPI Object: one of paths, components and webhooks is enough. */
  function isOptional(name: string, node: JsonObject) {
    const { components, webhooks } = node
    return name === 'paths' && !version.startsWith('3.0') && (components ?? webhooks) !== undefined
  }

  function report(
    { rule, level, message, at }: StructureFault,
    node: object,
    ...path: (string | number)[]
  ) {
    const location = locate(originOf(node), ...path, ...(at === undefined ? [] : [at]))
    return { rule, level, location, message } satisfies Finding
  }
}

const REFERENCE: ObjectField = { form: 'string', level: 'error' }

const hasForm = (value: unknown, form: ObjectField['form']): boolean => {
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
