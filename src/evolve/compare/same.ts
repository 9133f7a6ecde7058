import type { Schema, SchemaObject } from '../../model/schema.js'
import { isEqual, sameSet } from './json-values.js'
import { valuesIn } from './lists.js'
import { asserted, isAnything, isNothing, keywordsOf, type Node, nodeOf, resolved } from './node.js'

/** Whether two nodes are spelled alike but for annotations and the names of what they refer to. */
export type Sameness = (a: Node, b: Node) => boolean

export function createSameness(): Sameness {
  const known = new Map<string, boolean>()

  return (a, b) => {
    const assumed: Assumed = new Set()
    const same = compare(a, b, assumed)
    // What was assumed on the way holds where all of it does.
    if (same) for (const key of assumed) known.set(key, true)
    return same
  }

  function compare(one: Node, other: Node, assumed: Assumed): boolean {
    const a = resolved(one)
    const b = resolved(other)
    if (a === b) return true
    if (isAnything(a) || isAnything(b)) return isAnything(a) && isAnything(b)
    if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
    const key = `${a.id} ${b.id}`
    const told = known.get(key)
    if (told !== undefined) return told
    if (assumed.has(key)) return true
    const outside = assumed.size
    assumed.add(key)
    const same = compareKeywords(a, b, assumed)
    if (same) return true
    known.set(key, false)
    // What leaned on this pair is not shown.
    for (const one of [...assumed].slice(outside)) assumed.delete(one)
    return false
  }

  function compareKeywords(a: Node, b: Node, assumed: Assumed): boolean {
    const left = listing(keywordsOf(a))
    const right = listing(keywordsOf(b))
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
        return key === 'prefixItems' ? inOrder(xs, ys, sub) : inAnyOrder(xs, ys, sub)
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

/** The one value of a `const` is an `enum` of one, and the multiples of 1 are the integers. */
function listing(schema: SchemaObject): SchemaObject {
  const { const: only, multipleOf, ...rest } = schema
  const isInteger = multipleOf === 1 && (schema.type === 'number' || schema.type === 'integer')
  return {
    ...rest,
    ...(Object.hasOwn(schema, 'const') && { enum: valuesIn(schema) ?? [] }),
    ...(isInteger ? { type: 'integer' } : multipleOf !== undefined && { multipleOf }),
  }
}

type Assumed = Set<string>

type Pairing = (
  xs: readonly unknown[],
  ys: readonly unknown[],
  isSame: (x: unknown, y: unknown) => boolean,
) => boolean

const inOrder: Pairing = (xs, ys, isSame) =>
  xs.length === ys.length && xs.every((x, index) => isSame(x, ys[index]))

/** Being the same is an equivalence, so that the first that fits may be taken. */
const inAnyOrder: Pairing = (xs, ys, isSame) => {
  const left = [...ys]
  return (
    xs.length === ys.length &&
    xs.every((x) => {
      const found = left.findIndex((y) => isSame(x, y))
      if (found >= 0) left.splice(found, 1)
      return found >= 0
    })
  )
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const SCHEMAS = new Set(
  `items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if
  then else`.split(/\s+/),
)
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const SETS = new Set(['type', 'enum', 'required'])
