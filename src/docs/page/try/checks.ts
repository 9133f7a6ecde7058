import { type Fault, open, type Validator } from '../../../runtime/validate.js'
import { createChecker } from '../../../schema/check.js'
import { referredName, type Schema } from '../../../schema/schema.js'
import type { TryData } from './data.js'

/** The validators of an operation's schemas, from the checker that clients and servers also use. */
export const checksOf = ({ schemas }: Pick<TryData, 'schemas'>): DocumentChecks => {
  const checker = createChecker(
    new Map(Object.entries(schemas).map(([name, schema]) => [name, { schema }])),
  )
  const fits = (schema: Schema, value: unknown) => open(checker.schema(schema)).check(value)
  return {
    of: checker.schema,
    named: checker.named,
    faults: (schema, value) => open(checker.schema(schema)).explain(value),
    nameOf: (schema, value) => {
      const names = branchesOf(schema).flatMap((one) => {
        const name = referredName(one)
        return name !== undefined && fits(one, value) ? [name] : []
      })
      return names[0] ?? referredName(schema)
    },
  }
}

export type DocumentChecks = {
  readonly of: (schema: Schema) => Validator
  readonly named: (name: string) => Validator
  /** The errors of a response in open mode: a service may add properties. */
  readonly faults: (schema: Schema, value: unknown) => readonly Fault[]
  /** The named schema of a value: the branch that it matches, else the schema itself. */
  readonly nameOf: (schema: Schema, value: unknown) => string | undefined
}

const branchesOf = (schema: Schema): readonly Schema[] =>
  typeof schema === 'object' ? (schema.oneOf ?? schema.anyOf ?? []) : []

/** The value of a field: the text itself if it may be a string, else the parsed JSON. */
export const readField = (text: string, check: Validator): unknown => {
  if (check.check(text)) return text
  const parsed = parse(text)
  if (!('value' in parsed)) return text
  if (check.check(parsed.value)) return parsed.value
  const wantsText = check
    .explain(text)
    .every(({ keyword, pointer }) => keyword !== 'type' || pointer)
  return wantsText ? text : parsed.value
}

/** Parses JSON; returns the browser's message if the text is invalid. */
export const parse = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'it cannot be read' }
  }
}

/** The result of checking a response against the document. */
export type CheckResult = {
  /** `fits`: as declared. `error`: a declared error. `wrong`: not allowed by the document. */
  readonly tone: 'fits' | 'error' | 'wrong'
  readonly headline: string
  readonly faults: readonly (Pick<Fault, 'pointer' | 'message'> &
    Partial<Pick<Fault, 'keyword' | 'params'>> & {
      /** The affected header; undefined if it is about the whole. */
      readonly whose?: string
    })[]
  readonly notes: readonly string[]
  /** The value that pointers refer to: `the result`, `the body`. */
  readonly whole: string
  /** A link to more information, relative to the page. */
  readonly link?: { readonly href: string; readonly words: string } | undefined
}

/** `in 1 place`, `in 3 places`. */
export const places = (count: number): string => (count === 1 ? 'in 1 place' : `in ${count} places`)
