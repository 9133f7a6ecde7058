import type { Shaping } from './flatten.js'
import { accepts, childOf, keywordsOf, madeNode, type Node, resolved } from './node.js'
import type { Schema, SchemaObject } from './schema.js'
import { asserted } from './schema.js'
import type { Shape } from './shape.js'
import { KEYS } from './views.js'

/**
 * Divides a shape into pieces. Each piece violates one keyword of every schema that the shape excludes, so small values
 * of a piece are values of the shape. Pieces are for samples only: their number is limited, and some
 * keywords have none.
 */
export function brokenPieces(shape: Shape, shaping: Shaping): readonly Shape[] {
  let pieces: readonly Shape[] = [shape]
  for (const not of shape.nots) {
    const ways = broken(not)
    const next: Shape[] = []
    for (const piece of pieces) {
      for (const one of ways)
        if (next.length < MOST_PIECES) next.push(...shaping.restrict(piece, one))
    }
    pieces = next.slice(0, MOST_PIECES)
  }
  return pieces
}

/** Schemas that each violate one keyword of a schema. */
function broken(start: Node, depth = 0): readonly Node[] {
  const node = resolved(start)
  const schema = keywordsOf(node)
  const ways = asserted(schema)
    .flatMap((keyword) => BREAKING[keyword]?.(schema, node) ?? [])
    .map((one) => madeNode(node.side, one))
  const parts = depth < DEEPEST_PART ? (schema.allOf ?? []) : []
  const ofParts = parts.flatMap((one) => broken(childOf(node, one), depth + 1))
  return [...ways, ...ofParts].slice(0, MOST_WAYS)
}

/** An `allOf` may contain its own schema. */
const DEEPEST_PART = 3

type Ways = (schema: SchemaObject, node: Node) => readonly Schema[]

const not = (schema: Schema): Schema => ({ not: schema })

const withProperty = (name: string, schema: Schema): Schema => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
})

const without = (name: string): Schema => ({ type: 'object', properties: { [name]: false } })

const BREAKING: { readonly [keyword: string]: Ways } = {
  type: ({ type }) => [not(type === undefined ? true : { type })],
  enum: ({ enum: values = [] }) => [not({ enum: values })],
  const: ({ const: value }) => [not({ const: value })],
  minimum: ({ minimum = 0 }) => [{ type: 'number', exclusiveMaximum: minimum }],
  exclusiveMinimum: ({ exclusiveMinimum = 0 }) => [{ type: 'number', maximum: exclusiveMinimum }],
  maximum: ({ maximum = 0 }) => [{ type: 'number', exclusiveMinimum: maximum }],
  exclusiveMaximum: ({ exclusiveMaximum = 0 }) => [{ type: 'number', minimum: exclusiveMaximum }],
  multipleOf: ({ multipleOf = 1 }) => [{ type: 'number', not: { multipleOf } }],
  minLength: ({ minLength = 0 }) =>
    minLength === 0 ? [] : [{ type: 'string', maxLength: minLength - 1 }],
  maxLength: ({ maxLength = 0 }) => [{ type: 'string', minLength: maxLength + 1 }],
  pattern: ({ pattern = '' }) => [{ type: 'string', not: { pattern } }],
  minItems: ({ minItems = 0 }) =>
    minItems === 0 ? [] : [{ type: 'array', maxItems: minItems - 1 }],
  maxItems: ({ maxItems = 0 }) => [{ type: 'array', minItems: maxItems + 1 }],
  uniqueItems: ({ uniqueItems }) => (uniqueItems ? TWICE.map((value) => ({ const: value })) : []),
  items: ({ items = true, prefixItems = [] }) => [
    {
      type: 'array',
      minItems: prefixItems.length + 1,
      prefixItems: [...prefixItems.map(() => true), not(items)],
    },
  ],
  prefixItems: ({ prefixItems = [] }) =>
    prefixItems.map((one, index) => ({
      type: 'array',
      minItems: index + 1,
      prefixItems: [...prefixItems.slice(0, index).map(() => true), not(one)],
    })),
  contains: ({ contains = true }) => [{ type: 'array', items: not(contains) }],
  minProperties: ({ minProperties = 0 }) =>
    minProperties === 0 ? [] : [{ type: 'object', maxProperties: minProperties - 1 }],
  maxProperties: ({ maxProperties = 0 }) => [{ type: 'object', minProperties: maxProperties + 1 }],
  required: ({ required = [] }) => required.map(without),
  properties: ({ properties = {} }) =>
    Object.entries(properties).map(([name, one]) => withProperty(name, not(one))),
  additionalProperties: ({ additionalProperties = true, properties = {}, patternProperties }) =>
    KEYS.filter((name) => !Object.hasOwn(properties, name) && !patternProperties)
      .slice(0, 1)
      .map((name) => withProperty(name, not(additionalProperties))),
  propertyNames: ({ propertyNames = true, properties = {} }, node) =>
    [...Object.keys(properties), ...KEYS]
      .filter((name) => !accepts(childOf(node, propertyNames), name))
      .slice(0, 1)
      .map((name) => withProperty(name, true)),
  dependentRequired: ({ dependentRequired = {} }) =>
    Object.entries(dependentRequired).flatMap(([name, needs]) =>
      needs.map((need) => ({ allOf: [withProperty(name, true), without(need)] })),
    ),
  dependentSchemas: ({ dependentSchemas = {} }) =>
    Object.entries(dependentSchemas).map(([name, one]) => ({
      allOf: [withProperty(name, true), not(one)],
    })),
  not: ({ not: excluded = true }) => [excluded],
  allOf: ({ allOf = [] }) => allOf.map(not),
  anyOf: ({ anyOf = [] }) => [{ allOf: anyOf.map(not) }],
  oneOf: ({ oneOf = [] }) => [
    { allOf: oneOf.map(not) },
    ...oneOf.flatMap((one, index) =>
      oneOf.slice(index + 1).map((other) => ({ allOf: [one, other] })),
    ),
  ],
  if: ({ if: condition = true, then: held = true, else: failed = true }) => [
    { allOf: [condition, not(held)] },
    { allOf: [not(condition), not(failed)] },
  ],
}

const TWICE: readonly unknown[] = [
  [0, 0],
  ['', ''],
  [{}, {}],
]

const MOST_WAYS = 12

const MOST_PIECES = 24
