import type { Schema } from '../../model/schema.js'
import { isEqual, sameSet } from './json-values.js'
import { asserted, isAnything, keywordsOf, type Node, nodeOf, resolved } from './node.js'

/** Whether two nodes are spelled alike but for annotations and the names of what they refer to. */
export type Sameness = (a: Node, b: Node) => boolean

export function createSameness(): Sameness {
  const known = new Map<string, boolean>()

  return (a, b) => {
    const assumed = new Set<string>()
    const same = compare(a, b, assumed)
    // What was assumed on the way holds where all of it does.
    if (same) for (const key of assumed) known.set(key, true)
    return same
  }

  function compare(one: Node, other: Node, assumed: Set<string>): boolean {
    const a = resolved(one)
    const b = resolved(other)
    if (a === b) return true
    if (isAnything(a) || isAnything(b)) return isAnything(a) && isAnything(b)
    if (a.schema === false || b.schema === false) return a.schema === b.schema
    const key = `${a.id} ${b.id}`
    const told = known.get(key)
    if (told !== undefined) return told
    if (assumed.has(key)) return true
    assumed.add(key)
    const same = compareKeywords(a, b, assumed)
    if (!same) known.set(key, false)
    return same
  }

  function compareKeywords(a: Node, b: Node, assumed: Set<string>): boolean {
    const left = keywordsOf(a)
    const right = keywordsOf(b)
    const sub = (x: unknown, y: unknown) =>
      compare(nodeOf(a.side, x as Schema), nodeOf(b.side, y as Schema), assumed)
    const keys = new Set([...asserted(left), ...asserted(right)])
    return [...keys].every((key) => {
      const x = left[key as 'type']
      const y = right[key as 'type']
      if (x === undefined || y === undefined) return false
      if (SCHEMAS.has(key)) return sub(x, y)
      if (LISTS.has(key)) {
        const [xs, ys] = [x as readonly unknown[], y as readonly unknown[]]
        return xs.length === ys.length && xs.every((item, index) => sub(item, ys[index]))
      }
      if (MAPS.has(key)) {
        const [xs, ys] = [Object.entries(x), y as unknown as Readonly<Record<string, unknown>>]
        return (
          xs.length === Object.keys(ys).length &&
          xs.every(([name, item]) => Object.hasOwn(ys, name) && sub(item, ys[name]))
        )
      }
      if (SETS.has(key)) return sameSet(listOf(x), listOf(y))
      return isEqual(x, y)
    })
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const SCHEMAS = new Set(
  `items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if
  then else`.split(/\s+/),
)
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const SETS = new Set(['type', 'enum', 'required'])
