import { cached } from '../runtime/shared/cached.js'
import {
  childOf,
  isAnything,
  isNothing,
  keywordsOf,
  type Node,
  resolved,
  type Terms,
} from './node.js'
import type { Sameness } from './same.js'
import type { Schema } from './schema.js'

/**
 * Sets of `anyOf` branches that a value may fulfil at once, each of which declares a member that the others do not. Values of
 * callers are then only declared by all of them together. The number of sets is limited; smaller sets are found first.
 */
export function setsTogether(
  branches: readonly Node[],
  isSame: Sameness,
  isDisjoint: (a: Node, b: Node) => boolean,
): readonly (readonly Node[])[] {
  const isBeside = (a: Node, b: Node): boolean =>
    addsTo(a, b, isSame) && addsTo(b, a, isSame) && !isDisjoint(a, b)
  const beside = branches.map((a, index) => branches.map((b, at) => at > index && isBeside(a, b)))
  const found: (readonly number[])[] = []
  const growing: (readonly number[])[] = branches.map((_, index) => [index])
  for (const set of growing) {
    if (set.length > 1) found.push(set)
    if (found.length >= MOST_SETS) break
    const last = set.at(-1) ?? 0
    for (let next = last + 1; next < branches.length; next++) {
      if (set.every((one) => beside[one]?.[next])) growing.push([...set, next])
    }
  }
  return found.map((set) => set.flatMap((index) => branches[index] ?? []))
}

const MOST_SETS = 24

/** Whether the first declares a member that the second lacks or declares differently. */
function addsTo(one: Node, other: Node, isSame: Sameness): boolean {
  const [own, others] = [membersOf(one), membersOf(other)]
  return [...own].some(([key, members]) => {
    const known = others.get(key)
    if (!known) return true
    // A member without members has nothing further to declare.
    return members.some(
      (member) => membersOf(member).size > 0 && !known.some((other) => isSame(member, other)),
    )
  })
}

/** The schemas that a schema declares for members of a value, by the names of the members or by keyword. */
const membersOf = (node: Node): ReadonlyMap<string, readonly Node[]> =>
  cached(known, node, () => membersIn(node))

function membersIn(node: Node): ReadonlyMap<string, readonly Node[]> {
  const found = new Map<string, Node[]>()
  for (const place of appliedTerms([node])) {
    const { properties, patternProperties, prefixItems, items, additionalProperties } =
      keywordsOf(place)
    const listed = [
      ...Object.entries({ ...properties }).map(([name, one]) => [`property ${name}`, one] as const),
      ...Object.entries({ ...patternProperties }),
      ...Object.entries(prefixItems ?? []),
      ...[items, additionalProperties].flatMap((one, index) =>
        one === undefined ? [] : [[REPEATED[index] ?? '', one] as const],
      ),
    ]
    for (const [key, schema] of listed) {
      const member = childOf(place, schema)
      const isSilent = isNothing(member) || (key === 'others' && isAnything(member))
      if (!isSilent) cached(found, key, () => []).push(member)
    }
  }
  return found
}

const REPEATED = ['items', 'others']

const known = new WeakMap<Node, ReadonlyMap<string, readonly Node[]>>()

/** Every schema that applies to the same value: alternatives, conditions and dependent schemas too. */
export function appliedTerms(terms: Terms): Terms {
  const found = new Set<Node>()
  const waiting: Node[] = [...terms].reverse()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    // A reference may have keywords next to its `$ref`.
    const target = resolved(node)
    const isKnown = found.has(target)
    found.add(node).add(target)
    if (isKnown) continue
    const {
      allOf = [],
      anyOf = [],
      oneOf = [],
      then,
      else: otherwise,
      dependentSchemas = {},
    } = keywordsOf(target)
    const branches: readonly (Schema | undefined)[] = [
      ...allOf,
      ...anyOf,
      ...oneOf,
      then,
      otherwise,
      ...Object.values(dependentSchemas),
    ]
    for (const branch of branches.toReversed()) {
      if (branch !== undefined) waiting.push(childOf(target, branch))
    }
  }
  return [...found]
}
