import { OpenRPCSpecificationSchema1_3 } from '@open-rpc/spec'
import type { Finding } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { type Validator, type ValidatorSchema, validator } from '../runtime/validate.js'
import { mapSubschemas, type Schema } from '../schema/schema.js'
import type { Bundle } from './bundle.js'
import { locate } from './document.js'

/**
 * Validates an OpenRPC document against the official meta-schema with the validator of generated code, and reports all errors
 * at once. The version and the schemas have their own readers, and `format` is an annotation. The meta-schema of 1.4 has the
 * same objects without a few types, so that of 1.3 is used for both. Additional constructs of 1.0 to 1.2 are accepted. An
 * unknown property is a warning. So are a result without a name, a method without params and an optional field that is null:
 * real documents have them, and nothing depends on them.
 */
export function* validateOpenRpc(bundle: Bundle): Generator<Finding> {
  for (const fault of META_SCHEMA.explain(bundle.value, MOST_FAULTS)) {
    const segments = segmentsOf(fault.pointer)
    const { property } = fault.params ?? {}
    if (isOfEarlierVersion(bundle.value, segments, property)) continue
    // An unknown property is located at its name; a missing one has no place of its own.
    const isSurplus = property !== undefined && fault.keyword !== 'required'
    const { node, rest } = nearest(bundle.value, isSurplus ? [...segments, property] : segments)
    const location = locate(bundle.originOf(node), ...rest)
    const name = segmentName(segments)
    if (isSurplus) {
      const hint = hintFor(bundle.value, segments, property)
      const message = `${property} is not a field of ${name} and is ignored: ${hint}`
      yield { rule: 'field-is-unknown', level: 'warning', location, message }
    } else {
      const isOfExample = segments[2] === 'examples' || /^example/.test(segments[1] ?? '')
      const message = `${name} ${fault.message}`
      const isNameOfResult = property === 'name' && segments.at(-1) === 'result'
      const [last = ''] = rest
      if (isNameOfResult || property === 'params')
        yield { rule: 'field-is-missing', level: 'warning', location, message }
      else if (isOfExample) {
        const rule = fault.keyword === 'required' ? 'field-is-missing' : 'field-has-wrong-type'
        yield { rule, level: 'warning', location, message }
      } else if (rest.length === 1 && OPTIONAL.has(last) && (node as JsonObject)[last] === null)
        yield { rule: 'field-has-wrong-type', level: 'warning', location, message }
      else yield { rule: 'openrpc-document-is-invalid', level: 'error', location, message }
    }
  }
}

/**
 * Whether an earlier version allows what the meta-schema of 1.3 rejects. These are tags that are texts (1.0), a list of tags
 * for the document (1.0, 1.1), and a choice of content descriptors (OneOf Object, 1.1, 1.2).
 */
function isOfEarlierVersion(
  document: JsonObject,
  segments: readonly string[],
  property: unknown,
): boolean {
  if (!/^1\.[0-2]\./.test(String(document.openrpc))) return false
  const [first, , field] = segments
  if (first === undefined) return property === 'tags'
  if (first !== 'methods') return false
  const { node, rest } = nearest(document, segments)
  if (field === 'tags') return rest.length === 1 && segments.length === 4
  return (field === 'params' || field === 'result') && isObject(node) && Array.isArray(node.oneOf)
}

/** What was probably meant by an unknown field: OpenAPI has `parameters`, and a method of OpenRPC `params`. */
function hintFor(document: JsonObject, segments: readonly string[], property: unknown): string {
  const [section, index, ...inner] = segments
  const isParameters = property === 'parameters' && section === 'methods' && inner.length === 0
  const methods: unknown = document.methods
  const method: unknown = Array.isArray(methods) ? methods[Number(index)] : undefined
  const isReference = isParameters && isObject(method) && method.params === undefined
  return isReference ? 'did you mean params?' : 'an extension begins with x-'
}

const MOST_FAULTS = 100

/** Fields without which a method can be called. Go writes an empty list and a missing object as null. */
const OPTIONAL: ReadonlySet<string> = new Set(
  `components deprecated description errors examples externalDocs links paramStructure params
  required servers summary tags`.split(/\s+/),
)

/** A meta-schema with a validator in place of each reference. It does not validate the schemas of a document. */
const linked = (schema: Schema): ValidatorSchema => {
  if (typeof schema === 'boolean') return schema
  const { $ref } = schema
  if ($ref?.startsWith(DEFINITION)) return definition($ref.slice(DEFINITION.length))
  if ($ref !== undefined) return $ref.endsWith('/$ref') ? { type: 'string' } : true
  const [hint, reference, ...more] = schema.oneOf ?? []
  // "This object or a reference": a value with a $ref is a reference, so that errors apply to the right alternative.
  if (hint !== undefined && reference !== undefined && more.length === 0)
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { if: { required: ['$ref'] }, then: linked(reference), else: linked(hint) }
  return mapSubschemas(schema, linked) as ValidatorSchema
}

const definition = (name: string): Validator => {
  const known = definitions.get(name) ?? validator(() => linked(DEFINITIONS[name] ?? true))
  definitions.set(name, known)
  return known
}

const definitions = new Map<string, Validator>()

const DEFINITION = '#/definitions/'

const DEFINITIONS = OpenRPCSpecificationSchema1_3.definitions as unknown as Record<string, Schema>

/** The version has been checked before, with an error that names the supported ones. */
const META_SCHEMA = validator(() => {
  const { definitions: _, ...schema } = OpenRPCSpecificationSchema1_3
  const properties = { ...schema.properties, openrpc: true }
  return linked({ ...schema, properties } as unknown as Schema)
})

/** `methods[2]` for `/methods/2`: an item has the name of its list. */
export function segmentName(segments: readonly string[]): string {
  const [last, list] = segments.toReversed()
  if (last === undefined) return 'the document'
  return list !== undefined && /^\d+$/.test(last) ? `${list}[${last}]` : last
}

/** The innermost object or list on the path of the segments, and the remaining segments. */
function nearest(value: JsonObject, segments: readonly string[]) {
  let node: object = value
  for (const [index, segment] of segments.entries()) {
    const next = (node as JsonObject)[segment]
    if (!isObject(next) && !Array.isArray(next)) return { node, rest: segments.slice(index) }
    node = next
  }
  return { node, rest: [] }
}
