import type { Schema } from '../schema.js'
import { childOf, keywordsOf, type Node, resolved, type Terms } from './node.js'

/** Every schema that applies to the same value: alternatives, conditions and dependent schemas too. */
export function appliedSchemas(terms: Terms): Terms {
  const found = new Set<Node>()
  const waiting: Node[] = [...terms].reverse()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    // The reference itself may say something of its own beside what it refers to.
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
