import { referredName, type Schema, type SchemaObject, subschemas } from '../schema/schema.js'
import { inheritSource, sourceOf } from '../schema/source.js'
import type { Api } from './api.js'
import type { Finding } from './finding.js'

/**
 * The schemas without alternatives that only repeat their own schema. `X = A or X` accepts what A accepts, so X is dropped from
 * its own `anyOf` or `oneOf`, with a note. A schema without other alternatives is left for `circlesIn`.
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
 * Reports cycles in which a schema refers to itself for the same value. Recursion through a property or an item is valid,
 * because the value gets smaller. Through `allOf` and similar keywords, validation would not end.
 */
export function* circlesIn(schemas: Api['schemas']): Generator<Finding> {
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
        yield {
          rule: 'reference-is-circular',
          level: 'error',
          location: (schemas.get(name) ?? schemas.get(start))?.source.locate() ?? NOWHERE,
          message: `the schema ${name} refers to itself${name === top.name ? '' : ` through ${top.name}`} for the same value, so no value can be validated against it`,
        }
      } else if (!cleared.has(name)) enter(name)
    }
  }
}

const NOWHERE = { file: '', line: 1, column: 1, pointer: '' }

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
