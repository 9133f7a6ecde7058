import { changed } from '../model/json.js'
import { valueAt } from '../read/document.js'
import { mapSchemas, withoutEmptyChoice } from '../read/map-schemas.js'
import type { JsonObject } from '../runtime/validate/json-value.js'

/** A document with schemas that Prism's validator can compile: it fails at some that OpenAPI allows. */
export const documentForPrism = (document: JsonObject): JsonObject => {
  const compilable = mapSchemas(document, (schema) =>
    withoutRepeats(withoutLoneNullable(withoutEmptyChoice(schema))),
  )
  return JSON.parse(wellFormed(JSON.stringify(compilable, withoutInherited)))
}

/** OpenAPI 3.0.3, Schema Object: `nullable` has a meaning only next to `type`; elsewhere, ajv throws an error for it. */
const withoutLoneNullable = (schema: JsonObject): JsonObject => {
  if (schema.nullable === undefined || schema.type !== undefined) return schema
  const { nullable: _, ...others } = schema
  return others
}

/** The meta-schema of draft 7 forbids duplicates in these lists, and ajv does not compile a schema that has them. */
const withoutRepeats = (schema: JsonObject): JsonObject =>
  changed(schema, (member, key) => {
    if (!UNIQUE.has(key) || !Array.isArray(member)) return member
    const unique = [...new Map(member.map((one) => [JSON.stringify(one), one])).values()]
    return unique.length === member.length ? member : unique
  })

const UNIQUE: ReadonlySet<string> = new Set(['required', 'enum', 'type'])

/** JSON without unpaired surrogates, which Prism cannot write into a URL. */
const wellFormed = (json: string): string =>
  json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'))

/** Prism looks up a format in an object, and would find inherited members. */
const withoutInherited = (key: string, value: unknown): unknown =>
  key === 'format' && typeof value === 'string' && value in Object.prototype ? undefined : value

type Reference = { readonly node: { $ref?: string }; readonly $ref: string }

/** The references to schemas that would have more nodes than this if each reference were replaced by its target. */
const MOST_NODES = 5_000

export const largeReferences = (document: JsonObject): readonly Reference[] => {
  const sizes = new Map<string, number>()
  const found: Reference[] = []
  const sizeAt = (ref: string): number => {
    if (!ref.startsWith('#/')) return 1
    const known = sizes.get(ref)
    if (known !== undefined) return known
    sizes.set(ref, 1)
    const size = sizeOf(valueAt({ document: { value: document }, pointer: ref.slice(1) }))
    sizes.set(ref, size)
    return size
  }
  const sizeOf = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 1
    if ('$ref' in node && typeof node.$ref === 'string') return sizeAt(node.$ref)
    return Object.values(node).reduce((sum: number, one) => sum + sizeOf(one), 1)
  }
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref } = node as { $ref?: unknown }
    if (typeof $ref === 'string' && $ref.startsWith('#/components/schemas/'))
      if (sizeAt($ref) > MOST_NODES) found.push({ node, $ref })
    for (const one of Object.values(node)) visit(one)
  }
  visit(document)
  return found
}
