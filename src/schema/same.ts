import { cached } from '../runtime/shared/cached.js'
import { grouped } from './grouped.js'
import { createMembers } from './hierarchy.js'
import { isEqual } from './json-values.js'
import {
  childOf,
  createSide,
  isAnything,
  isNothing,
  keywordsOf,
  type Node,
  nodeOf,
  resolved,
  type Side,
} from './node.js'
import {
  asserted,
  everySubschema,
  HELD,
  referredName,
  type Schema,
  type SchemaObject,
  type Schemas,
  valuesIn,
} from './schema.js'
import { discriminatorOf, isUnread, unreadOf } from './source.js'

/** Whether two nodes are written alike, except for the names of referenced schemas. */
export type Sameness = (a: Node, b: Node) => boolean

/** The nodes without repetitions: a node that is the same as an earlier one is omitted. */
export const distinctNodes = (nodes: readonly Node[], isSame: Sameness): readonly Node[] =>
  nodes.length < 2
    ? nodes
    : nodes.filter((node, index) => !nodes.slice(0, index).some((one) => isSame(one, node)))

/**
 * Assigns every node the number of its class; two nodes with one number are the same. Only named schemas can contain
 * themselves. Their classes are found by partition refinement, once for all sides. Other nodes are looked up by their
 * keywords and the classes of their subschemas. `asserted` ignores annotations.
 */
export function createSameness(reading: 'asserted' | 'annotated' = 'asserted'): Sameness {
  const [read, target] =
    reading === 'asserted' ? [readAsserted, resolved] : [readAnnotated, (node: Node) => node]
  const sides = new Set<Side>()
  let classes = createClasses(read)

  return (one, other) => {
    const [a, b] = [target(one), target(other)]
    if (a === b) return true
    const count = sides.size
    sides.add(a.side).add(b.side)
    if (sides.size > count) {
      classes = createClasses(read)
      classes.refine([...sides].flatMap(namedNodes).map(target))
    }
    return classes.of(a) === classes.of(b)
  }
}

/** A number for each meaning of a schema: annotations, order and the names of referenced schemas are ignored. */
export function createMeanings(schemas: Schemas): (schema: Schema) => number {
  const side = createSide(schemas)
  const classes = createClasses(readAsserted)
  classes.refine(namedNodes(side).map(resolved))
  return (schema) => classes.of(resolved(nodeOf(side, schema)))
}

/**
 * Whether a schema is written identically in two versions, with all that it refers to. Most schemas of two versions are: this
 * is found without classes.
 */
export function createUnchanged(
  before: Schemas,
  after: Schemas,
): (was: Schema, is: Schema) => boolean {
  const changed = new Set<string>()
  const users = new Map<string, string[]>()
  const [membersBefore, membersAfter] = [createMembers(before), createMembers(after)]
  for (const [name, { schema }] of before) {
    const { text, names } = writtenAs(schema)
    const now = after.get(name)?.schema
    if (text !== writtenAs(now).text) changed.add(name)
    const [members, others] = [
      membersBefore(schema),
      now === undefined ? [] : membersAfter(now),
    ].map(namesOf)
    if (!isEqual(members, others)) changed.add(name)
    for (const used of [...names, ...(members ?? [])]) cached(users, used, () => []).push(name)
  }
  // A set is iterated with what is added on the way.
  for (const name of changed) for (const user of users.get(name) ?? []) changed.add(user)
  return (was, is) => {
    const { text, names } = writtenAs(was)
    const isSettled = (name: string) => before.has(name) && !changed.has(name)
    return text === writtenAs(is).text && names.every(isSettled)
  }
}

const namesOf = (members: readonly Schema[]): readonly string[] =>
  members.flatMap((one) => referredName(one) ?? []).sort()

/** A schema as text, with its discriminators and unread keywords, and the names that it refers to. */
function writtenAs(schema: Schema | undefined): Written {
  if (typeof schema !== 'object') return { text: String(schema), names: [] }
  return cached(writtenSchemas, schema, () => written(schema))
}

type Written = { readonly text: string; readonly names: readonly string[] }

const writtenSchemas = new WeakMap<SchemaObject, Written>()

function written(schema: SchemaObject): Written {
  const names: string[] = []
  const beside: unknown[] = []
  for (const one of everySubschema(schema)) {
    const name = referredName(one)
    if (name !== undefined) names.push(name)
    beside.push(discriminatorOf(one), unreadOf(one))
  }
  return { text: JSON.stringify([schema, beside]), names }
}

const namedNodes = (side: Side): readonly Node[] =>
  [...side.schemas.values()].map(({ schema }) => nodeOf(side, schema))

/** The keywords of a node as text, and its subschemas: the order within each list is ignored. */
type Content = { readonly says: string; readonly children: readonly (readonly Node[])[] }

/** The same with a number for the text, because texts may be long descriptions. */
type Reading = { readonly text: number; readonly children: Content['children'] }

function createClasses(read: (node: Node) => Content): Classes {
  const readings = new Map<Node, Reading>()
  const texts = new Map<string, number>()
  const classes = new Map<Node, number>()
  const known = new Map<string, number>()
  let last = 0

  const readingOf = (start: Node): Reading =>
    cached(readings, start, () => {
      const { says, children } = read(start)
      return { text: cached(texts, says, () => texts.size), children }
    })

  const keyOf = ({ children }: Reading, start: string | number): string => {
    let key = `${start}`
    for (const list of children) {
      const [first] = list
      const isOne = first !== undefined && list.length === 1
      key += ` ${isOne ? classes.get(first) : list.map((one) => classes.get(one)).sort()}`
    }
    return key
  }

  const numbered = (key: string): number =>
    cached(known, key, () => {
      last += 1
      return last
    })

  const of = (node: Node): number =>
    cached(classes, node, () => {
      const reading = readingOf(node)
      for (const list of reading.children) for (const child of list) of(child)
      return numbered(keyOf(reading, reading.text))
    })

  /** Computes the classes of all reachable nodes: leaves first; the remaining nodes are in a cycle, or lead to one. */
  function refine(roots: readonly Node[]): void {
    const parents = new Map<Node, Node[]>(roots.map((node) => [node, []]))
    const waiting = new Map<Node, number>()
    for (const node of parents.keys()) {
      const children = new Set(readingOf(node).children.flat())
      waiting.set(node, children.size)
      for (const child of children) cached(parents, child, () => []).push(node)
    }
    const ready = [...waiting].flatMap(([node, count]) => (count === 0 ? [node] : []))
    for (const node of ready) {
      of(node)
      waiting.delete(node)
      for (const parent of parents.get(node) ?? []) {
        const count = (waiting.get(parent) ?? 0) - 1
        waiting.set(parent, count)
        if (count === 0) ready.push(parent)
      }
    }
    split([...waiting.keys()], parents)
    for (const node of waiting.keys()) {
      const reading = readingOf(node)
      known.set(keyOf(reading, reading.text), classes.get(node) ?? 0)
    }
  }

  /** Nodes with equal keywords stay together until their subschemas turn out to be of different classes. */
  function split(nodes: readonly Node[], parents: ReadonlyMap<Node, readonly Node[]>): void {
    const members = new Map<number, Set<Node>>()
    for (const [number, all] of grouped(nodes, (node) =>
      numbered(`cyclic ${readingOf(node).text}`),
    )) {
      members.set(number, new Set(all))
      for (const node of all) classes.set(node, number)
    }
    for (let affected = new Set(nodes); affected.size > 0; ) {
      const moved: Node[] = []
      const parts = grouped(affected, (node) => classes.get(node) ?? 0)
      for (const [number, part] of parts) {
        const all = members.get(number) ?? new Set()
        const groups = [...grouped(part, (node) => keyOf(readingOf(node), '')).values()]
        groups.sort((a, b) => b.length - a.length)
        // The rest, or else the largest group, keeps its number, so that few nodes move.
        const leaving = new Set(groups.slice(part.length < all.size ? 0 : 1).flat())
        for (const group of groups) {
          if (!leaving.has(group[0] as Node)) continue
          last += 1
          for (const node of group) classes.set(node, last)
          members.set(last, new Set(group))
          moved.push(...group)
        }
        for (const node of leaving) all.delete(node)
      }
      affected = new Set(moved.flatMap((node) => parents.get(node) ?? []))
    }
  }

  return { of, refine }
}

type Classes = {
  readonly of: (node: Node) => number
  readonly refine: (roots: readonly Node[]) => void
}

/** Normalises a `const` to an `enum` with one value, and multiples of 1 to integers. */
function listing(schema: SchemaObject): SchemaObject {
  const { const: only, multipleOf, ...rest } = schema
  const isInteger = multipleOf === 1 && (schema.type === 'number' || schema.type === 'integer')
  return {
    ...rest,
    ...(Object.hasOwn(schema, 'const') && { enum: valuesIn(schema) ?? [] }),
    ...(isInteger ? { type: 'integer' } : multipleOf !== undefined && { multipleOf }),
  }
}

function readAsserted(node: Node): Content {
  const { says, children } = readKnown(node)
  // What was not read may demand anything.
  const unread = isUnread(node.schema) ? ` ${JSON.stringify(ordered(unreadOf(node.schema)))}` : ''
  return { says: says + unread, children }
}

function readKnown(node: Node): Content {
  if (isAnything(node)) return { says: 'anything', children: [] }
  if (isNothing(node)) return { says: 'nothing', children: [] }
  const schema = listing(keywordsOf(node))
  return readKeywords(schema, asserted(schema), (one) => resolved(childOf(node, one)))
}

function readAnnotated(node: Node): Content {
  const name = referredName(node.schema)
  const target = name === undefined ? undefined : node.side.schemas.get(name)?.schema
  const { $ref, title, description, examples, ...schema } = keywordsOf(node)
  const { says, children } = readKeywords(schema, Object.keys(schema), (one) => childOf(node, one))
  const beside = [
    ...[node.schema === false, $ref && target === undefined],
    ...[discriminatorOf(node.schema), unreadOf(node.schema)],
  ]
  return {
    says: `${says} ${JSON.stringify(ordered(beside))}`,
    children: target === undefined ? children : [...children, [childOf(node, target)]],
  }
}

function readKeywords(
  schema: SchemaObject,
  keywords: readonly string[],
  childOf: (schema: Schema) => Node,
): Content {
  const says: unknown[] = []
  const children: (readonly Node[])[] = []
  for (const keyword of keywords.toSorted()) {
    const value = schema[keyword as 'type'] as unknown
    if (value === undefined) continue
    const held = HELD.get(keyword)
    if (held === 'one') {
      says.push(keyword)
      children.push([childOf(value as Schema)])
    } else if (held === 'list') {
      const list = (value as readonly Schema[]).map(childOf)
      says.push(keyword, list.length)
      if (keyword === 'prefixItems') for (const one of list) children.push([one])
      else children.push(list)
    } else if (held === 'map') {
      const map = value as Readonly<Record<string, Schema>>
      const names = Object.keys(map).sort()
      says.push(keyword, names)
      for (const name of names) children.push([childOf(map[name] ?? true)])
    } else if (SETS.has(keyword)) {
      const list = new Set([value].flat().map((one) => JSON.stringify(ordered(one))))
      says.push(keyword, [...list].sort())
    } else says.push(keyword, ordered(value))
  }
  return { says: JSON.stringify(says), children }
}

/** The same value with its members sorted, because their order has no meaning. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  const members = Object.entries(value).map(([name, one]): [string, unknown] => [
    name,
    ordered(one),
  ])
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const SETS = new Set(['type', 'enum', 'required'])
