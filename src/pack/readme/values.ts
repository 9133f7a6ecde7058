import type { Api, HttpOperation } from '../../model/api.js'
import { isIdentifier } from '../../model/names.js'
import { referredName, type Schema } from '../../model/schema.js'
import { code } from '../markdown.js'
import { written } from './calls.js'
import type { Chosen } from './choose.js'
import { importing, section, snippet } from './section.js'

/** A named schema, and a value that the documents show for it. */
type ShownSchema = { readonly schema: string; readonly value: unknown }

/** Checks without a client. */
export const validators = (api: Api, name: string, chosen: Chosen): readonly string[] => {
  const shown = shownSchema(api, chosen)
  if (!shown) return []
  const { schema, value } = shown
  return [
    section(
      'Validators',
      `Plain code for every named schema and every operation: ${code('validators')} says whether a value holds, ${code('explanations')} what is wrong with it too.`,
      snippet(
        importing(`${schema} as explained`, `${name}/explanations`),
        importing(schema, `${name}/validators`),
        '',
        `const value: unknown = ${written(value)}`,
        `console.log(${schema}.check(value), explained.explain(null))`,
      ),
    ),
  ]
}

/** The schemas as values of TypeBox. */
export const schemas = (api: Api, name: string, chosen: Chosen): readonly string[] => {
  const shown = shownSchema(api, chosen)
  if (!shown) return []
  const { schema, value } = shown
  return [
    section(
      'Schemas',
      'Every named schema as JSON Schema that TypeBox builds on (`npm install typebox`); a type of the same name stands beside it.',
      snippet(
        importing(schema, `${name}/schemas`),
        importing('Value', 'typebox/value'),
        '',
        `const value: ${schema} = ${written(value)}`,
        `console.log(Value.Check(${schema}, value), JSON.stringify(${schema}).length)`,
      ),
    ),
  ]
}

/** Of the answers that the chosen calls are given, then of any other. */
const shownSchema = (api: Api, { operations, methods }: Chosen): ShownSchema | undefined => {
  const http = api.operations.filter((one) => one.kind === 'http')
  const candidates = [
    ...operations.flatMap(({ operation }) => shownAnswers(operation)),
    ...http.flatMap(shownAnswers),
    ...methods.flatMap(({ operation, example: { outcome } }) =>
      outcome.kind === 'result' ? shownAs(operation.result.schema, outcome.value) : [],
    ),
  ]
  return candidates.find(({ schema }) => isIdentifier(schema))
}

const shownAnswers = ({ responses }: HttpOperation): readonly ShownSchema[] =>
  responses
    .filter(({ status }) => /^2/.test(status))
    .flatMap(({ content }) => content)
    .flatMap(({ schema, examples }) =>
      examples.slice(0, 1).flatMap(({ value }) => shownAs(schema, value)),
    )

const shownAs = (schema: Schema, value: unknown): readonly ShownSchema[] => {
  const found = referredName(schema)
  return found === undefined ? [] : [{ schema: found, value }]
}
