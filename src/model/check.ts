import { isJson } from '../runtime/shared/media-type.js'
import { type Fault, type Validator, type ValidatorSchema, validator } from '../runtime/validate.js'
import type { Example, NamedSchema, Operation } from './api.js'
import type { Finding, Location } from './finding.js'
import { ANNOTATIONS } from './keywords.js'
import { parametersSchema } from './params.js'
import { segmentsOf } from './pointer.js'
import { mapSubschemas, referredName, type Schema } from './schema.js'
import type { Source } from './source.js'

/** Checks values against the schemas of an Api, by the one checker that generated code uses too. */
export function createChecker(schemas: ReadonlyMap<string, Pick<NamedSchema, 'schema'>>): Checker {
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
  faultsOf: (check: () => Faults) => Faults = (check) => check(),
): Generator<Finding> {
  const faults = faultsOf(() =>
    operations.flatMap((operation) =>
      [...examplesOf(operation)].map(
        ({ example, schema }) => checker.schema(schema).explain(example.value)[0],
      ),
    ),
  )
  if (faults.every((one) => one === undefined)) return
  const waiting = faults.values()
  for (const operation of operations) {
    for (const { example, of, placeOf } of examplesOf(operation)) {
      const fault = waiting.next().value
      if (!fault) continue
      const place = fault.pointer === '' ? '' : ` at ${fault.pointer}`
      yield {
        rule: fault.isAmbiguous ? 'example-fits-two-branches' : 'example-invalid',
        level: 'warning',
        location: placeOf(fault.pointer),
        message: `the example ${example.name} of ${of}${place} ${fault.message}`,
      }
    }
  }
}

/** The first fault of each example, in the order of the operations. */
type Faults = readonly (Fault | undefined)[]

type Exampled = {
  readonly example: Example
  readonly schema: Schema
  readonly of: string
  /** Where the value that a pointer into the example leads to was written. */
  readonly placeOf: (pointer: string) => Location
}

const within =
  ({ locate }: Source) =>
  (pointer: string): Location =>
    locate(...segmentsOf(pointer))

function* examplesOf(operation: Operation): Generator<Exampled> {
  const { id } = operation
  if (operation.kind === 'rpc') {
    const params = parametersSchema(operation)
    for (const { name, summary, outcome, source, places, ...given } of operation.examples) {
      const isByName = operation.paramStructure === 'by-name'
      const value = isByName ? given.namedParams : given.params
      const names = isByName ? Object.keys(given.namedParams) : []
      const placeOf = (pointer: string) => {
        const [param, ...rest] = segmentsOf(pointer)
        const place = places.params[isByName ? names.indexOf(param ?? '') : Number(param)]
        return place ? place.locate(...rest) : source.locate('params')
      }
      const example = { name, summary, value, source }
      yield { example, schema: params, of: `${id}, params,`, placeOf }
      if (outcome.kind === 'result') {
        const result = { name, summary, value: outcome.value, source }
        const { schema } = operation.result
        const placeOf = within(places.result)
        yield { example: result, schema, of: `${id}, result,`, placeOf }
      }
    }
    return
  }
  for (const { name, schema, examples } of operation.parameters) {
    for (const example of examples) {
      const placeOf = within(example.source)
      yield { example, schema, of: `${id}, parameter ${name},`, placeOf }
    }
  }
  const contents = [
    { of: `${id}, request,`, content: operation.body?.content ?? [] },
    ...operation.responses.map(({ status, content }) => ({ of: `${id}, ${status},`, content })),
  ]
  for (const { of, content } of contents) {
    for (const { schema, examples, type } of content) {
      // The example of a form or of plain text is the text on the wire, which its schema does not describe.
      if (!isJson(type)) continue
      for (const example of examples) {
        yield { example, schema, of, placeOf: within(example.source) }
      }
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
    // A fault names the branch that was meant by its title.
    ([key]) => key === 'title' || (!ANNOTATIONS.has(key) && !key.startsWith('x-')),
  )
  return mapSubschemas(Object.fromEntries(kept), (item) => linkSchema(item, link))
}
