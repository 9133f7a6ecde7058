import { OpenRPCSpecificationSchema1_3 } from '@open-rpc/spec'
import { type Validator, type ValidatorSchema, validator } from '../runtime/validate.js'
import { mapSubschemas, type Schema } from '../schema/schema.js'
import type { JsonObject } from './api.js'
import type { Bundle } from './bundle.js'
import type { Finding } from './finding.js'
import { isObject } from './json.js'
import { locate } from './origin.js'
import { segmentsOf } from './pointer.js'

/**
 * Validates an OpenRPC document against the official meta-schema, with the checker that generated code uses: all errors at
 * once. The version and the schemas inside are left to their own readers, and `format` is an annotation. The meta-schema of
 * 1.4 has the same objects; it leaves out a few types, so that of 1.3 is used for both. An unknown property is a warning: real
 * documents have them, and nothing depends on them.
 */
export function* validateOpenRpc(bundle: Bundle): Generator<Finding> {
  for (const fault of META_SCHEMA.explain(bundle.value, MOST_FAULTS)) {
    const segments = segmentsOf(fault.pointer)
    const { property } = fault.params ?? {}
    // A property that is not known is located at its name; a missing one has no place of its own.
    const isSurplus = property !== undefined && fault.keyword !== 'required'
    const { node, rest } = nearest(bundle.value, isSurplus ? [...segments, property] : segments)
    const location = locate(bundle.originOf(node), ...rest)
    const name = nameOf(segments)
    if (isSurplus) {
      const message = `${property} is no field of ${name} and is ignored: an extension begins with x-`
      yield { rule: 'field-is-unknown', level: 'warning', location, message }
    } else {
      const message = `${name} ${fault.message}`
      yield { rule: 'openrpc-document-is-invalid', level: 'error', location, message }
    }
  }
}

const MOST_FAULTS = 100

/** A meta-schema with a validator in place of each reference. The schemas of a document are not looked into. */
const linked = (schema: Schema): ValidatorSchema => {
  if (typeof schema === 'boolean') return schema
  const { $ref } = schema
  if ($ref?.startsWith(DEFINITION)) return definition($ref.slice(DEFINITION.length))
  if ($ref !== undefined) return $ref.endsWith('/$ref') ? { type: 'string' } : true
  const [meant, reference, ...more] = schema.oneOf ?? []
  // "This object or a reference": a value that has a $ref is a reference, so that errors name what is wrong with either.
  if (meant !== undefined && reference !== undefined && more.length === 0)
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { if: { required: ['$ref'] }, then: linked(reference), else: linked(meant) }
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

/** The version is read before, with an error that names the supported ones. */
const META_SCHEMA = validator(() => {
  const { definitions: _, ...schema } = OpenRPCSpecificationSchema1_3
  const properties = { ...schema.properties, openrpc: true }
  return linked({ ...schema, properties } as unknown as Schema)
})

/** `methods[2]` for `/methods/2`: an item is known by its list. */
function nameOf(segments: readonly string[]): string {
  const [last, list] = segments.toReversed()
  if (last === undefined) return 'the document'
  return list !== undefined && /^\d+$/.test(last) ? `${list}[${last}]` : last
}

/** The innermost object or list of the document that the segments lead to, and the rest of them. */
function nearest(value: JsonObject, segments: readonly string[]) {
  let node: object = value
  for (const [index, segment] of segments.entries()) {
    const next = (node as JsonObject)[segment]
    if (!isObject(next) && !Array.isArray(next)) return { node, rest: segments.slice(index) }
    node = next
  }
  return { node, rest: [] }
}
