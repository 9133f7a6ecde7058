import type { Schema, SchemaObject, TypeName } from '../schema/schema.js'
import type { JsonObject } from './api.js'
import { entriesOf } from './json.js'

/**
 * A `required` name that is not among the properties gets a property of its own, so that every
 * generator prints the same shape: what another branch of an `allOf` says of it, or what
 * `additionalProperties` says. A schema under `additionalProperties` also applies to such a name
 * (JSON Schema Core, 10.3.2.3): a declaration from another branch must not take the name away from it.
 */
export function withRequiredNames(
  out: Record<string, unknown>,
  { counting, inherit }: Naming,
): Record<string, unknown> {
  const { properties, required, additionalProperties = true } = out as SchemaObject
  if (!required || out.patternProperties) return out
  const describesObject = out.type === 'object' || properties !== undefined
  const added = required.flatMap((name) => {
    if (Object.hasOwn(properties ?? {}, name)) return []
    const schema = additionalProperties === true ? inherit(name) : undefined
    if (schema === undefined && (counting || !describesObject)) return []
    return [[name, schema ?? additionalProperties] as const]
  })
  if (added.length === 0) return out
  return { ...out, properties: { ...properties, ...Object.fromEntries(added) } }
}

export type Naming = {
  /** Whether the document counts unevaluated properties anywhere: one that is added would be one less. */
  readonly counting: boolean
  /** What another branch says of a name. */
  readonly inherit: (name: string) => Schema | undefined
}

/** Where `enum` lists values, `type` and the list are cut to what both allow. */
export function narrowed(out: Record<string, unknown>): SchemaObject {
  const isClean = Object.values(out).every((value) => value !== undefined)
  const cleaned = isClean
    ? out
    : Object.fromEntries(Object.entries(out).filter(([, value]) => value !== undefined))
  const { type, enum: values } = cleaned as SchemaObject
  if (type === undefined || values === undefined) return cleaned
  const allowed = new Set(Array.isArray(type) ? type : [type])
  const kept = values.filter((value) => typesOf(value).some((name) => allowed.has(name)))
  const used = [...allowed].filter((name) => kept.some((value) => typesOf(value).includes(name)))
  if (kept.length === 0) return cleaned
  return { ...cleaned, enum: kept, type: used.length === 1 ? used[0] : used } as SchemaObject
}

function typesOf(value: unknown): readonly TypeName[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value as TypeName]
}

/** The properties that the branches of an `allOf` declare, through references and further `allOf`s. */
export function declaredIn(
  raw: JsonObject,
  resolve: (raw: unknown) => JsonObject | undefined,
): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  const seen = new Set<object>()
  const waiting: unknown[] = [raw]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const target = resolve(one)
    if (!target || seen.has(target)) continue
    seen.add(target)
    for (const [name, property] of entriesOf(target.properties)) {
      if (!found.has(name)) found.set(name, property)
    }
    if (Array.isArray(target.allOf)) waiting.push(...target.allOf)
  }
  return found
}
