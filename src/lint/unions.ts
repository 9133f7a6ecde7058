import type { Said } from '../model/finding.js'
import { createContainment } from '../schema/contain/contain.js'
import { createDisjointness } from '../schema/disjoint.js'
import { createShaping, type Shaping } from '../schema/flatten.js'
import { accepts, createSide, keywordsOf, type Node, nodeOf, resolved } from '../schema/node.js'
import { createSameness } from '../schema/same.js'
import type { Schema, Schemas } from '../schema/schema.js'
import { createSmallest } from '../schema/smallest.js'
import type { Rule, Survey } from './survey.js'

/** Branches of a oneOf that no valid value can match. */
export const UNION_RULES: readonly Rule[] = [
  {
    id: 'one-of-branch-never-matches',
    level: 'warning',
    purpose:
      'Validators reject a value that matches two branches of a oneOf, so a branch that is part of another one has no valid value.',
    find: coveredBranches,
  },
]

function* coveredBranches({ api, schemas }: Survey): Generator<Said> {
  const coverage = createCoverage(api.schemas)
  for (const { schema, source } of schemas) {
    const branches = schema.oneOf ?? []
    if (branches.length > MOST_BRANCHES) continue
    try {
      for (const { index, at, witness } of coveredOf(branches, coverage)) {
        yield {
          location: source.locate('oneOf', index),
          message: `every value of this branch also matches branch ${at + 1} of the oneOf, so validators reject it: make the branches disjoint, or use anyOf`,
          witness,
        }
      }
    } catch (error) {
      // Thousands of references in a row exhaust the stack.
      if (!(error instanceof RangeError)) throw error
      yield {
        location: source.locate('oneOf'),
        message:
          'the branches of this oneOf are not compared, because their references are nested too deeply: shorten the chain of references',
      }
    }
  }
}

function* coveredOf(branches: readonly Schema[], coverage: Coverage) {
  const covering = new Map<number, number>()
  for (const [index, branch] of branches.entries()) {
    const covers = coverage(branch)
    // Of two equal branches, only one is reported.
    const isOther = (at: number) => at !== index && covering.get(at) !== index
    for (const [at, other] of branches.entries()) {
      const witness = isOther(at) ? covers(other) : undefined
      if (witness === undefined) continue
      covering.set(index, at)
      yield { index, at, witness }
      break
    }
  }
}

/** A union with more branches usually has a discriminator. */
const MOST_BRANCHES = 20

const isUnion = (node: Node): boolean => {
  const { oneOf, anyOf } = keywordsOf(resolved(node))
  return oneOf !== undefined || anyOf !== undefined
}

/** Returns a value of a branch if another branch is proved to accept all values of the branch. */
function createCoverage(schemas: Schemas) {
  const side = createSide(schemas)
  const isSame = createSameness()
  const { ofNodes } = createDisjointness(() => shaping)
  const shaping: Shaping = createShaping(isSame, ofNodes)
  const samples = createSmallest(shaping)
  const containment = createContainment('strict', isSame)
  return (branch: Schema) => {
    const inner = nodeOf(side, branch)
    // Unions within unions have too many combinations to be worth a comparison.
    const sample = isUnion(inner) ? undefined : samples.best([inner])
    return (other: Schema) => {
      const outer = nodeOf(side, other)
      // Most pairs are decided by one value.
      if (!sample || isUnion(outer) || ![inner, outer].every((node) => accepts(node, sample.value)))
        return undefined
      return containment.gapsOf([inner], outer).length === 0 ? { value: sample.value } : undefined
    }
  }
}

type Coverage = ReturnType<typeof createCoverage>
