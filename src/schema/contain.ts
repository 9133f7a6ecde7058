import { createContainment } from './contain/contain.js'
import { createDeclarations, type Declared } from './contain/declared.js'
import type { Gap } from './contain/gap.js'
import { createSide, nodeOf, type Reading } from './node.js'
import { createSameness } from './same.js'
import type { Schema, Schemas } from './schema.js'

/** Compares schemas of two versions by what they let through. Each pair is walked once, however many operations use it. */
export function createSchemaComparison(
  before: { readonly schemas: Schemas },
  after: { readonly schemas: Schemas },
): SchemaComparison {
  const was = createSide(before.schemas)
  const is = createSide(after.schemas)
  const isSame = createSameness()
  const containment = {
    strict: createContainment('strict', isSame),
    open: createContainment('open', isSame),
    text: createContainment('text', isSame),
    'open-text': createContainment('open-text', isSame),
    'open-meant': createContainment('open-meant', isSame),
  }
  const declarations = createDeclarations()
  return {
    narrowed: (one, other, reading) =>
      containment[reading].gapsOf([nodeOf(was, one)], nodeOf(is, other)),
    widened: (one, other, reading) =>
      containment[reading].gapsOf([nodeOf(is, other)], nodeOf(was, one)),
    declared: (one, other) => declarations(nodeOf(was, one), nodeOf(is, other)),
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
