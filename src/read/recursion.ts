import type { Api, NamedSchema } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { hasDirectionMark } from '../schema/direction-marks.js'
import {
  referredName,
  type Schema,
  type SchemaObject,
  subschemas,
  typesIn,
  valuesIn,
} from '../schema/schema.js'
import { inheritSource, sourceOf } from '../schema/source.js'

/**
 * The schemas without alternatives that only repeat their own schema. `X = A or X` accepts what A accepts, so X is dropped from
 * its own `anyOf` or `oneOf`, with a note. A schema without other alternatives is left for `withoutCircles`.
 */
export function withoutOwnAlternatives(
  schemas: Api['schemas'],
  report: (finding: Finding) => void,
): Api['schemas'] {
  const rows = [...schemas].map(([name, named]) => {
    const schema = withoutAlternative(named.schema, name, report)
    return [name, schema === named.schema ? named : { ...named, schema }] as const
  })
  return new Map(rows)
}

function withoutAlternative(
  schema: Schema,
  name: string,
  report: (finding: Finding) => void,
): Schema {
  if (typeof schema === 'boolean') return schema
  const changed: { -readonly [key in keyof SchemaObject]: SchemaObject[key] } = { ...schema }
  let isChanged = false
  for (const key of ['anyOf', 'oneOf'] as const) {
    const list = schema[key]
    if (!list) continue
    const others = list.filter((one) => referredName(one) !== name)
    if (others.length === 0) continue
    const kept = others.map((one) => withoutAlternative(one, name, report))
    if (kept.length === list.length && kept.every((one, index) => one === list[index])) continue
    changed[key] = kept
    isChanged = true
    for (const one of list) {
      const location = sourceOf(one)?.locate()
      if (referredName(one) !== name || !location) continue
      report({
        rule: 'alternative-is-the-schema-itself',
        level: 'note',
        location,
        message: `the schema ${name} lists itself as an alternative of its ${key}, which has no effect: this alternative is ignored`,
      })
    }
  }
  if (!isChanged) return schema
  inheritSource(changed, schema)
  return changed
}

/**
 * Reports cycles in which a schema refers to itself for the same value, and reads that schema as one that accepts every value.
 * Recursion through a property or an item is valid, because the value gets smaller. Through `allOf` and similar keywords,
 * validation would not end.
 */
export function withoutCircles(
  schemas: Api['schemas'],
  report: (finding: Finding) => void,
): Api['schemas'] {
  const cut = new Map<string, NamedSchema>()
  const cleared = new Set<string>()
  for (const start of schemas.keys()) {
    // An explicit stack of paths, because chains of 10,000 references are ordinary input.
    const stack: { readonly name: string; readonly next: string[] }[] = []
    const path = new Set<string>()
    const enter = (name: string) => {
      path.add(name)
      stack.push({ name, next: inPlaceNames(schemas.get(name)?.schema ?? true) })
    }
    if (!cleared.has(start)) enter(start)
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const name = top.next.pop()
      if (name === undefined) {
        cleared.add(top.name)
        path.delete(top.name)
        stack.pop()
      } else if (path.has(name)) {
        const named = schemas.get(name)
        if (!named) continue
        cut.set(name, { ...named, schema: true })
        report({
          rule: 'reference-is-circular',
          level: 'error',
          location: named.source.locate(),
          message: `the schema ${name} refers to itself${name === top.name ? '' : ` through ${top.name}`} for the same value, so no value can be validated against it: it is read as one that accepts every value`,
        })
      } else if (!cleared.has(name)) enter(name)
    }
  }
  return cut.size === 0 ? schemas : new Map([...schemas, ...cut])
}

/** The named schemas that apply to the same value as the schema itself. */
function inPlaceNames(schema: Schema): string[] {
  const names: string[] = []
  const waiting: Schema[] = [schema]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const name = referredName(one)
    if (name !== undefined) names.push(name)
    for (const inner of subschemas(one, 'in-place')) waiting.push(inner)
  }
  return names
}

/** Reports schemas each of whose values must contain a value of another such schema, without end: `Node` requires a `Node`. */
export function* endlessIn(schemas: Api['schemas']): Generator<Finding> {
  const finite = new Set<string>()
  // Schema -> those that are endless only as long as it is.
  const dependents = new Map<string, string[]>()
  const waiting = [...schemas.keys()]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const user = name
    const isOpen = (other: string): boolean => {
      if (finite.has(other) || !schemas.has(other)) return false
      const list = dependents.get(other) ?? []
      list.push(user)
      dependents.set(other, list)
      return true
    }
    if (finite.has(name) || isEndless(schemas.get(name)?.schema ?? true, schemas, isOpen)) continue
    finite.add(name)
    waiting.push(...(dependents.get(name) ?? []))
  }
  for (const [name, { source }] of schemas) {
    if (finite.has(name)) continue
    yield {
      rule: 'schema-accepts-nothing',
      level: 'warning',
      location: source.locate(),
      message: `every value of the schema ${name} must contain another one without end, so no value is valid: make a property on the way optional, or allow null or an empty list`,
    }
  }
}

/** Whether each value contains a value of an open schema, by the keywords that certainly say so. */
function isEndless(
  schema: Schema,
  schemas: Api['schemas'],
  isOpen: (name: string) => boolean,
): boolean {
  if (typeof schema === 'boolean' || valuesIn(schema) !== undefined) return false
  const name = referredName(schema)
  if (name !== undefined && isOpen(name)) return true
  const within = (one: Schema) => isEndless(one, schemas, isOpen)
  const { allOf = [], properties = {}, required = [], minItems = 0, prefixItems, items } = schema
  if (allOf.some(within)) return true
  if ([schema.anyOf, schema.oneOf].some((list = []) => list.length > 0 && list.every(within)))
    return true
  const [type, ...others] = typesIn(schema) ?? []
  if (others.length > 0) return false
  if (type === 'array')
    return (
      minItems > 0 && within(prefixItems === undefined ? (items ?? true) : (prefixItems[0] ?? true))
    )
  // A value in one direction may lack a property of the other.
  const isSent = (one: Schema) =>
    !hasDirectionMark(one, schemas, 'readOnly') && !hasDirectionMark(one, schemas, 'writeOnly')
  return (
    type === 'object' &&
    required.some((key) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined
      return property !== undefined && isSent(property) && within(property)
    })
  )
}
