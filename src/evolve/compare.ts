import type { Api } from '../model/api.js'
import type { Schema } from '../model/schema.js'
import { createContainment, TooMuchWork } from './compare/contain.js'
import { createDeclarations, type Declared } from './compare/declared.js'
import { type Gap, saying } from './compare/gap.js'
import { createSide, type Node, nodeOf, type Reading } from './compare/node.js'

/** Compares schemas of two versions by what they let through. Each pair is walked once, however many operations use it. */
export function createSchemaComparison(before: Api, after: Api): SchemaComparison {
  const was = createSide(before.schemas)
  const is = createSide(after.schemas)
  const ask = {
    strict: createAsking('strict'),
    open: createAsking('open'),
    text: createAsking('text'),
    'open-text': createAsking('open-text'),
  }
  const declarations = createDeclarations()
  return {
    narrowed: (one, other, reading) => ask[reading](nodeOf(was, one), nodeOf(is, other)),
    widened: (one, other, reading) => ask[reading](nodeOf(is, other), nodeOf(was, one)),
    declared: (one, other) => declarations(nodeOf(was, one), nodeOf(is, other)),
  }
}

/** What cannot be gone through to its end is told as undecided, and the next question begins anew. */
function createAsking(reading: Reading): (inner: Node, outer: Node) => readonly Gap[] {
  let containment = createContainment(reading)
  return (inner, outer) => {
    try {
      return containment.gapsOf([inner], outer)
    } catch (error) {
      const isTooDeep = error instanceof RangeError && /call stack/.test(error.message)
      if (!isTooDeep && !(error instanceof TooMuchWork)) throw error
      containment = createContainment(reading)
      const sides = { inner: saying(inner), outer: saying(outer) }
      return [{ kind: 'undecided', path: [], ...sides, isCertain: false, witness: undefined }]
    }
  }
}

export type SchemaComparison = {
  /**
   * What the schema before let through and the one after refuses: what callers sent, who send nothing that is not declared.
   * The inner side of a gap is the version before.
   */
  readonly narrowed: (before: Schema, after: Schema, reading: 'strict' | 'text') => readonly Gap[]
  /**
   * What the schema after lets through and the one before did not: what readers never got. `open` reads over what the
   * schema before does not declare, as readers do. The inner side of a gap is the version after.
   */
  readonly widened: (before: Schema, after: Schema, reading: Reading) => readonly Gap[]
  /** What is declared otherwise, whatever values it lets through. */
  readonly declared: (before: Schema, after: Schema) => readonly Declared[]
}
