import type { SchemaObject } from '../../schema/schema.js'

/** A value at the bound of a keyword: on its right side, or just beyond. */
export type Bound = {
  readonly keyword: string
  readonly side: 'valid' | 'invalid'
  /** Undefined where nothing is to stand there. */
  readonly value: unknown
  /** What is tried with it, in a few words: `one character too many`. */
  readonly note: string
  /** The same without names of the document, where the note has some: `a required property is missing`. */
  readonly mutation?: string
  /** A list with one item more than its schema has places for. */
  readonly isSurplus?: true
}

export type MakeValues = (schema: NonNullable<SchemaObject['not']>) => readonly unknown[]
