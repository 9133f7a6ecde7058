import { isJson } from '../runtime/ground/media-type.js'
import { type Validator, type ValidatorSchema, validator } from '../runtime/validate.js'
import type { Api, Example, Operation } from './api.js'
import type { Finding } from './finding.js'
import { parametersSchema } from './params.js'
import { mapSubschemas, referredName, type Schema } from './schema.js'

/** Checks values against the schemas of an Api, by the one checker that generated code uses too. */
export function createChecker(schemas: Api['schemas']): Checker {
  const named = new Map<string, Validator>()
  const compiled = new Map<Schema, Validator>()

  const byName = (name: string): Validator => {
    const known =
      named.get(name) ?? validator(() => linked(titled(name, schemas.get(name)?.schema ?? true)))
    named.set(name, known)
    return known
  }

  const bySchema = (schema: Schema): Validator => {
    const known = compiled.get(schema) ?? validator(() => linked(schema))
    compiled.set(schema, known)
    return known
  }

  const linked = (schema: Schema): ValidatorSchema => linkSchema(schema, byName) as ValidatorSchema

  return { named: byName, schema: bySchema }
}

export type Checker = {
  /** The validator of a named schema. */
  readonly named: (name: string) => Validator
  readonly schema: (schema: Schema) => Validator
}

/** Every example that breaks its schema, or fits several branches of a `oneOf`. */
export function* checkExamples(
  operations: readonly Operation[],
  checker: Checker,
): Generator<Finding> {
  for (const operation of operations) {
    for (const { example, schema, of } of examplesOf(operation)) {
      const [fault] = checker.schema(schema).explain(example.value)
      if (!fault) continue
      const fitsTwo = fault.keyword === 'oneOf' && /only one alternative/.test(fault.message)
      const place = fault.pointer === '' ? '' : ` at ${fault.pointer}`
      yield {
        rule: fitsTwo ? 'example-fits-two-branches' : 'example-breaks-its-schema',
        level: 'warning',
        location: example.source.locate(),
        message: `the example ${example.name} of ${of}${place} ${fault.message}`,
      }
    }
  }
}

type Exampled = {
  readonly example: Example
  readonly schema: Schema
  readonly of: string
}

function* examplesOf(operation: Operation): Generator<Exampled> {
  const { id } = operation
  if (operation.kind === 'rpc') {
    const params = parametersSchema(operation)
    for (const { name, summary, outcome, source, ...given } of operation.examples) {
      const value = operation.paramStructure === 'by-name' ? given.namedParams : given.params
      yield { example: { name, summary, value, source }, schema: params, of: `${id}, params,` }
      if (outcome.kind === 'result') {
        const result = { name, summary, value: outcome.value, source }
        yield { example: result, schema: operation.result.schema, of: `${id}, result,` }
      }
    }
    return
  }
  for (const { name, schema, examples } of operation.parameters) {
    for (const example of examples) yield { example, schema, of: `${id}, parameter ${name},` }
  }
  const contents = [
    { of: `${id}, request,`, content: operation.body?.content ?? [] },
    ...operation.responses.map(({ status, content }) => ({ of: `${id}, ${status},`, content })),
  ]
  for (const { of, content } of contents) {
    for (const { schema, examples, type } of content) {
      // The example of a form or of plain text is the text on the wire, which its schema does not describe.
      if (!isJson(type)) continue
      for (const example of examples) yield { example, schema, of }
    }
  }
}

/** A named schema that has no title is known by its name where a fault speaks of it. */
export const titled = (name: string, schema: Schema): Schema =>
  typeof schema === 'boolean' ? schema : { title: name, ...schema }

/** Replaces every reference by what `link` gives for its name; only what a check reads is kept. */
export function linkSchema(schema: Schema, link: (name: string) => unknown): unknown {
  const name = referredName(schema)
  if (name !== undefined) return link(name)
  if (typeof schema === 'boolean') return schema
  const kept = Object.entries(schema).filter(
    ([key]) => !ANNOTATIONS.has(key) && !key.startsWith('x-'),
  )
  return mapSubschemas(Object.fromEntries(kept), (item) => linkSchema(item, link))
}

/** All but `title`, by which a fault names the branch that was meant. */
const ANNOTATIONS = new Set(
  'description default examples deprecated readOnly writeOnly format'.split(' '),
)
