import { cached, once } from '../runtime/shared/cached.js'
import { open } from '../runtime/validate.js'
import { type Checker, createChecker } from './check.js'
import { createMeaning, type Meaning, type Overlooking } from './intended-branches.js'
import { asserted, referredName, type Schema, type SchemaObject, type Schemas } from './schema.js'
import { isUnread } from './source.js'

/** One of two versions, in which references are resolved and values are validated. */
export type Side = {
  readonly schemas: Schemas
  readonly checker: Checker
  readonly meaning: Meaning
  /** The same schemas with the rules of `meaning` in their unions. */
  readonly intended: { readonly [which in Overlooking]: () => Checker }
  readonly nodes: WeakMap<object, Node>
  /** Schemas that are in no document, by their JSON, so that each has one node. */
  readonly made: Map<string, Node>
}

/** A schema with the version in which its references are resolved. Each schema has one node. */
export type Node = { readonly id: number; readonly schema: Schema; readonly side: Side }

/** Nodes that all apply to one value. */
export type Terms = readonly Node[]

export const createSide = (schemas: Schemas): Side => {
  const meaning = createMeaning(schemas)
  const intended = (which: Overlooking) =>
    once(() => {
      const whole = [...schemas].map(
        ([name, { schema }]) => [name, { schema: meaning.whole(schema, which) }] as const,
      )
      return createChecker(new Map(whole))
    })
  return {
    ...{ schemas, checker: createChecker(schemas), meaning },
    intended: { closed: intended('closed'), all: intended('all') },
    nodes: new WeakMap(),
    made: new Map(),
  }
}

export function nodeOf(side: Side, schema: Schema): Node {
  if (typeof schema === 'boolean') return madeNode(side, schema)
  return cached(side.nodes, schema, () => createNode(side, schema))
}

/** The node of a schema that is in no document. */
export const madeNode = (side: Side, schema: Schema): Node =>
  cached(side.made, JSON.stringify(schema), () => createNode(side, schema))

const createNode = (side: Side, schema: Schema): Node => {
  last += 1
  return { id: last, schema, side }
}

let last = 0

/** A schema that requires a property; `lacking` forbids it. */
export const requiring = (node: Node, name: string): Node =>
  madeNode(node.side, { type: 'object', required: [name] })

export const lacking = (node: Node, name: string): Node =>
  madeNode(node.side, { properties: { [name]: false } })

/**
 * The node itself, or the target of its references. A list of one alternative or of one term is that alternative or
 * term. Terms without assertions are dropped.
 */
export function resolved(node: Node): Node {
  let found = ends.get(node)
  if (found !== undefined) return found
  found = node
  const passed = new Set([node])
  for (
    let next = referred(node);
    next && !passed.has(next);
    next = ends.get(next) ?? referred(next)
  ) {
    passed.add(next)
    found = next
  }
  // A chain of references is followed once, however many of its schemas are resolved.
  for (const one of passed) ends.set(one, found)
  return found
}

const ends = new WeakMap<Node, Node>()

function referred(node: Node): Node | undefined {
  const name = referredName(node.schema)
  if (name !== undefined) return nodeOf(node.side, node.side.schemas.get(name)?.schema ?? true)
  if (typeof node.schema === 'boolean' || isUnread(node.schema)) return undefined
  const [keyword, ...others] = asserted(node.schema)
  if (keyword !== 'allOf' && keyword !== 'anyOf' && keyword !== 'oneOf') return undefined
  const all = (node.schema[keyword] ?? []).map((one) => childOf(node, one))
  const [only, ...more] = keyword === 'allOf' ? all.filter(saysMore) : all
  if (others.length > 0 || more.length > 0) return undefined
  return only ?? (keyword === 'allOf' ? madeNode(node.side, true) : undefined)
}

const saysMore = (node: Node): boolean => !isAnything(node)

/** The keywords of a resolved node; empty for a boolean schema. */
export const keywordsOf = (node: Node): SchemaObject =>
  typeof node.schema === 'object' ? node.schema : {}

/** Whether a node has no assertions, also none that could not be read; annotations are ignored. */
export const isAnything = ({ schema }: Node): boolean =>
  schema === true ||
  (typeof schema === 'object' && asserted(schema).length === 0 && !isUnread(schema))

/** Whether a node plainly accepts no value: `false`, or `not` of a schema without assertions. */
export const isNothing = ({ schema, side }: Node): boolean =>
  schema === false ||
  (typeof schema === 'object' && schema.not !== undefined && isAnything(nodeOf(side, schema.not)))

export const childOf = (node: Node, schema: Schema): Node => nodeOf(node.side, schema)

/**
 * How the outer schema of a comparison is read. `open` ignores undeclared properties, as clients do. `text` reads scalars as
 * texts: parameters, headers and form fields have no types on the wire. `open-intended` accepts only the values that the
 * alternative with a value's properties accepts, even if JSON Schema accepts more.
 */
export type ComparisonReading = 'strict' | 'open' | 'text' | 'open-text' | 'open-intended'

export const isOpen = (reading: ComparisonReading): boolean => reading.startsWith('open')

export const isTextReading = (reading: ComparisonReading): boolean => reading.endsWith('text')

export function accepts(
  node: Node,
  value: unknown,
  reading: ComparisonReading = 'strict',
): boolean {
  const { checker } = node.side
  const check = (one: unknown): boolean => {
    // JSON Schema may accept a value by another alternative than the intended one.
    if (reading !== 'open-intended' && checker.schema(node.schema).check(one)) return true
    return isOpen(reading) && openChecker(node, overlooking(reading)).check(one)
  }
  return isTextReading(reading) ? writtenAlike(value).some(check) : check(value)
}

export const overlooking = (reading: ComparisonReading): Overlooking =>
  reading === 'open-intended' ? 'all' : 'closed'

const openChecker = ({ side, schema }: Node, which: Overlooking) =>
  open(side.intended[which]().schema(side.meaning.whole(schema, which)))

export function termsKey(terms: Terms): string {
  const [only] = terms
  // Most keys are for one node.
  if (only && terms.length === 1) return `${only.id}`
  return [...new Set(terms.map(({ id }) => id))].sort((a, b) => a - b).join(' ')
}

/** All values with the same text as this one; the value itself is the first. */
function writtenAlike(value: unknown): readonly unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [value, String(value)]
  if (typeof value === 'string') return [value, ...scalarsOf(value)]
  if (typeof value !== 'object' || value === null) return [value]
  let made: readonly (readonly (readonly [string, unknown])[])[] = [[]]
  for (const [name, member] of Object.entries(value)) {
    const alike = writtenAlike(member)
    made = made
      .flatMap((entries) => alike.map((one) => [...entries, [name, one] as const]))
      .slice(0, MOST_ALIKE)
  }
  return Array.isArray(value)
    ? made.map((entries) => entries.map(([, item]) => item))
    : made.map((entries) => Object.fromEntries(entries))
}

function scalarsOf(text: string): readonly unknown[] {
  if (text === 'true' || text === 'false') return [text === 'true']
  const isNumber = /^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)
  return isNumber && Number.isFinite(Number(text)) ? [Number(text)] : []
}

/** The maximum number of combinations that are tried for a value with many scalars. */
const MOST_ALIKE = 256
