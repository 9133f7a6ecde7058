import { type Fault, open, type Validator } from '../../../runtime/validate.js'
import { createChecker } from '../../../schema/check.js'
import { referredName, type Schema } from '../../../schema/schema.js'
import type { TryData } from './data.js'

/** The checks of an operation's schemas, by the same checker that clients and servers run. */
export const checksOf = ({ schemas }: Pick<TryData, 'schemas'>): Checks => {
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

export type Checks = {
  readonly of: (schema: Schema) => Validator
  readonly named: (name: string) => Validator
  /** What is wrong with an answer, in the open reading: a service may add properties. */
  readonly faults: (schema: Schema, value: unknown) => readonly Fault[]
  /** The named schema that a value is of: the branch that it fits, else the schema itself. */
  readonly nameOf: (schema: Schema, value: unknown) => string | undefined
}

const branchesOf = (schema: Schema): readonly Schema[] =>
  typeof schema === 'object' ? (schema.oneOf ?? schema.anyOf ?? []) : []

/** What a text in a field means: itself where it may be text, else the JSON that it is. */
export const readText = (text: string, check: Validator): unknown => {
  if (check.check(text)) return text
  const parsed = parse(text)
  if (!('value' in parsed)) return text
  if (check.check(parsed.value)) return parsed.value
  const wantsText = check
    .explain(text)
    .every(({ keyword, pointer }) => keyword !== 'type' || pointer)
  return wantsText ? text : parsed.value
}

/** JSON, or what the platform says of a text that is none. */
export const parse = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'it cannot be read' }
  }
}

/** What an answer is by the document. */
export type Verdict = {
  /** As promised; a refusal that the document declares; or nothing that it allows. */
  readonly tone: 'fits' | 'refused' | 'wrong'
  readonly headline: string
  readonly faults: readonly (Pick<Fault, 'pointer' | 'message'> &
    Partial<Pick<Fault, 'keyword' | 'params'>> & {
      /** A header; else it is about the whole. */
      readonly whose?: string
    })[]
  readonly notes: readonly string[]
  /** What pointers go into: `the result`, `the body`. */
  readonly whole: string
  /** Where the site says more of it, from the page. */
  readonly link?: { readonly href: string; readonly words: string } | undefined
}

/** `in 1 place`, `in 3 places`. */
export const places = (count: number): string => (count === 1 ? 'in 1 place' : `in ${count} places`)
