import type { Api, HttpOperation } from '../../model/api.js'
import { markdownCode } from '../../model/escape.js'
import { isIdentifier } from '../../model/names.js'
import { referredName, refTo, type Schema } from '../../schema/schema.js'
import { written } from './calls.js'
import type { Chosen } from './choose.js'
import { importing, section, snippet } from './section.js'

/** A named schema, and a value that the documents show for it, or one of our own. */
type ShownSchema = {
  readonly schema: string
  readonly value: unknown
  readonly isMadeUp: boolean
}

const lineOf = ({ value, isMadeUp }: ShownSchema): readonly string[] => [
  ...(isMadeUp ? ['// It is made up: the documents show none.'] : []),
  `const value: unknown = ${written(value)}`,
]

/** Checks without a client. */
export const validators = (api: Api, name: string, chosen: Chosen): readonly string[] => {
  const shown = shownSchema(api, chosen)
  if (!shown) return []
  const { schema } = shown
  return [
    section(
      'Validators',
      `Plain code for every named schema and every operation: ${markdownCode('validators')} says whether a value holds, ${markdownCode('explanations')} what is wrong with it too.`,
      snippet(
        importing(`${schema} as explained`, `${name}/explanations`),
        importing(schema, `${name}/validators`),
        '',
        ...lineOf(shown),
        `console.log(${schema}.check(value), explained.explain(null))`,
      ),
    ),
  ]
}

/** The schemas as values of TypeBox. */
export const schemas = (api: Api, name: string, chosen: Chosen): readonly string[] => {
  const shown = shownSchema(api, chosen)
  if (!shown) return []
  const { schema } = shown
  return [
    section(
      'Schemas',
      'Every named schema as JSON Schema that TypeBox builds on (`npm install typebox`); a type of the same name is beside it.',
      snippet(
        importing(schema, `${name}/schemas`),
        importing('Value', 'typebox/value'),
        '',
        ...lineOf(shown),
        `const checked: ${schema} | undefined = Value.Check(${schema}, value) ? value : undefined`,
        `console.log(checked !== undefined, JSON.stringify(${schema}).length)`,
      ),
    ),
  ]
}

/** Of the answers that the chosen calls are given, then of any other; of no answer that is shown, the first that fits a value. */
const shownSchema = (api: Api, chosen: Chosen): ShownSchema | undefined => {
  const { operations, methods } = chosen
  const http = api.operations.filter((one) => one.kind === 'http')
  const candidates = [
    ...operations.flatMap(({ operation }) => shownAnswers(operation)),
    ...http.flatMap(shownAnswers),
    ...methods.flatMap(({ operation, example }) =>
      example?.outcome.kind === 'result'
        ? shownAs(operation.result.schema, example.outcome.value)
        : [],
    ),
  ]
  return candidates.find(({ schema }) => isFree(schema)) ?? madeUpSchema(api, chosen)
}

/** Objects come first, as they show more. */
const madeUpSchema = ({ schemas }: Api, { makeUp }: Chosen): ShownSchema | undefined => {
  let found: ShownSchema | undefined
  for (const name of schemas.keys()) {
    const value = isFree(name) ? makeUp({ $ref: refTo(name) }) : undefined
    if (value === undefined) continue
    const shown = { schema: name, value, isMadeUp: true }
    if (typeof value === 'object' && Object.keys(value ?? {}).length > 0) return shown
    found ??= shown
  }
  return found
}

/** Whether a snippet may import it beside its own names. */
const isFree = (name: string): boolean =>
  isIdentifier(name) &&
  !['Value', 'value', 'checked', 'explained', 'console', 'JSON'].includes(name)

const shownAnswers = ({ responses }: HttpOperation): readonly ShownSchema[] =>
  responses
    .filter(({ status }) => /^2/.test(status))
    .flatMap(({ content }) => content)
    .flatMap(({ schema, examples }) =>
      examples.slice(0, 1).flatMap(({ value }) => shownAs(schema, value)),
    )

const shownAs = (schema: Schema, value: unknown): readonly ShownSchema[] => {
  const found = referredName(schema)
  return found === undefined ? [] : [{ schema: found, value, isMadeUp: false }]
}
