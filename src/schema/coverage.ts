import { once } from '../runtime/shared/cached.js'
import { createContainment, type Spent } from './contain/contain.js'
import { createDisjointness } from './disjoint.js'
import { createShaping, type Shaping } from './flatten.js'
import { accepts, createSide, keywordsOf, type Node, nodeOf, resolved, type Side } from './node.js'
import { opened, openedSchemas } from './opened.js'
import { createSameness } from './same.js'
import type { Schema } from './schema.js'
import { createSmallest } from './smallest.js'

/**
 * Returns a value of one alternative of a union if it is proved that another alternative accepts all values of the first one.
 * Undeclared properties do not count: callers send what is declared.
 */
export function createCoverage(side: Side, spent?: Spent): BranchCoverage {
  const isSame = createSameness()
  const { ofNodes } = createDisjointness(() => shaping)
  const shaping: Shaping = createShaping(isSame, ofNodes)
  const samples = createSmallest(shaping)
  const containment = createContainment('strict', isSame, spent)
  return (branch, beside) => {
    const inner = nodeOf(side, branch)
    const terms = beside === undefined ? [inner] : [inner, nodeOf(side, beside)]
    // Unions within unions have too many combinations to be worth a comparison.
    const sample = isUnion(inner) ? undefined : samples.best(terms)
    return (other) => {
      const outer = nodeOf(side, other)
      // Most pairs are decided by one value.
      if (!sample || isUnion(outer) || ![inner, outer].every((node) => accepts(node, sample.value)))
        return undefined
      return containment.gapsOf(terms, outer).length === 0 ? { value: sample.value } : undefined
    }
  }
}

/**
 * Returns whether it is proved that a schema accepts every value that fulfils all others. Undeclared properties count: a value may
 * have any.
 */
export function createProof(side: Side): (inner: readonly Schema[], outer: Schema) => boolean {
  const whole = once(() => createSide(openedSchemas(side.schemas)))
  const containment = createContainment('strict')
  return (inner, outer) => {
    const terms = inner.map((one) => nodeOf(whole(), opened(one)))
    return containment.gapsOf(terms, nodeOf(side, outer)).length === 0
  }
}

export type BranchCoverage = (
  branch: Schema,
  /** A schema of the same values, such as the keywords next to the union. */
  beside?: Schema,
) => (other: Schema) => { readonly value: unknown } | undefined

const isUnion = (node: Node): boolean => {
  const { oneOf = [], anyOf = [] } = keywordsOf(resolved(node))
  return oneOf.length > 1 || anyOf.length > 1
}
