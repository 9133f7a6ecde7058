import type { Declared } from './contain/annotations.js'
import { createContainment } from './contain/contain.js'
import { createDeclarations } from './contain/declared.js'
import type { Gap } from './contain/gap.js'
import { createSide, nodeOf, type Reading } from './node.js'
import { createSameness } from './same.js'
import type { Schema, Schemas } from './schema.js'

/** Compares schemas of two versions by the values that they accept. Each pair is walked once, however many operations use it. */
export function createSchemaComparison(
  before: { readonly schemas: Schemas },
  after: { readonly schemas: Schemas },
): CompareSchemas {
  const was = createSide(before.schemas)
  const is = createSide(after.schemas)
  const isSame = createSameness()
  const containments = Object.fromEntries(
    READINGS.map((reading) => [reading, createContainment(reading, isSame)]),
  ) as Readonly<Record<Reading, ReturnType<typeof createContainment>>>
  const declarations = createDeclarations()
  return (before, after, { direction, isText = false, sendable }) => {
    const sent = (schema: Schema): Schema =>
      sendable === undefined || schema === false ? schema : { allOf: [schema, sendable] }
    const narrowed = (reading: Reading) =>
      containments[reading].gapsOf([nodeOf(was, sent(before))], nodeOf(is, after))
    const widened = (reading: Reading) =>
      containments[reading].gapsOf([nodeOf(is, sent(after))], nodeOf(was, before))
    const strict = isText ? 'text' : 'strict'
    const declared = declarations(nodeOf(was, before), nodeOf(is, after))
    if (direction === 'request') {
      return { breaking: narrowed(strict), overlooked: [], harmless: widened(strict), declared }
    }
    return {
      breaking: widened(isText ? 'open-text' : 'open'),
      overlooked: isText ? [] : widened('open-meant'),
      harmless: narrowed(strict),
      declared,
    }
  }
}

const READINGS: readonly Reading[] = ['strict', 'open', 'text', 'open-text', 'open-meant']

export type CompareSchemas = (
  before: Schema,
  after: Schema,
  use: {
    readonly direction: 'request' | 'response'
    /** The scalars are texts on the wire. */
    readonly isText?: boolean | undefined
    /** The values that can be sent at all. */
    readonly sendable?: Schema | undefined
  },
) => SchemaChanges

/** Both directions of a change, each gap once, at the first place where it is met. */
type SchemaChanges = {
  /**
   * Of a request, what the schema before accepts and the one after does not. Of a response, what the schema after accepts and
   * the one before does not, which ignores undeclared properties as readers do. The inner side of a gap is the one that accepts.
   */
  readonly breaking: readonly Gap[]
  /** More values of a response that the intended alternative did not accept, although another one did. */
  readonly overlooked: readonly Gap[]
  /** The other direction, read strictly. */
  readonly harmless: readonly Gap[]
  /** What is declared in another way, whatever values it accepts. */
  readonly declared: readonly Declared[]
}
