import type { FindingDetails } from '../model/finding.js'
import { type BranchCoverage, createCoverage, createProof } from '../schema/coverage.js'
import { createSide } from '../schema/node.js'
import { asserted, type Schema } from '../schema/schema.js'
import { holdsUnread } from '../schema/source.js'
import type { LintRule, Survey } from './survey.js'

/** Branches of a oneOf that no valid value can match. */
export const UNION_RULES: readonly LintRule[] = [
  {
    id: 'one-of-branch-never-matches',
    level: 'warning',
    purpose:
      'Validators reject a value that matches two branches of a oneOf, so a branch that is part of another one has no valid value.',
    find: coveredBranches,
  },
]

function* coveredBranches({ api, schemas }: Survey): Generator<FindingDetails> {
  const side = createSide(api.schemas)
  const coverage = createCoverage(side)
  const isProved = createProof(side)
  for (const { schema, source } of schemas) {
    const { oneOf = [], ...rest } = schema
    if (oneOf.length > MOST_BRANCHES) continue
    // Keywords beside the oneOf apply to the same value.
    const beside = asserted(rest).length === 0 ? [] : [rest]
    const covers = (branch: Schema) => {
      const covered = coverage(branch, ...beside)
      return (other: Schema) => {
        const witness = covered(other)
        return witness &&
          isProved([branch, ...beside], other) &&
          !holdsUnread([branch, other, ...beside], api.schemas)
          ? witness
          : undefined
      }
    }
    try {
      for (const { index, at, witness } of coveredOf(oneOf, covers)) {
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

function* coveredOf(branches: readonly Schema[], coverage: BranchCoverage) {
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
