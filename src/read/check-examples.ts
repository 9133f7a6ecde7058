import type { Operation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { type Example, hasJsonValue } from '../model/http-content.js'
import { nameOf } from '../model/operation-name.js'
import { sentParametersSchema, variantOfParams } from '../model/params.js'
import { itemsInText, itemsOfExample } from '../model/streams.js'
import { cached } from '../runtime/shared/cached.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { type Checker, createChecker } from '../schema/check.js'
import type { Schema, Schemas } from '../schema/schema.js'
import { holdsUnread, type Location, type Source } from '../schema/source.js'

/**
 * Every example that breaks its schema, or fits several branches of a `oneOf`. One that several operations share is reported
 * once, with the first of them.
 */
export function checkExamples(
  operations: readonly Operation[],
  schemas: Schemas,
): readonly Finding[] {
  const checker = createChecker(schemas)
  const found = new Map<string, { readonly finding: Finding; readonly users: Set<Operation> }>()
  for (const operation of operations) {
    for (const { example, schema, of, placeOf } of examplesOf(operation, checker)) {
      const [fault] = checker.schema(schema).explain(example.value)
      if (!fault || (fault.isAmbiguous && holdsUnread([schema], schemas))) continue
      const rule = fault.isAmbiguous ? 'example-fits-two-branches' : 'example-invalid'
      const location = placeOf(fault.pointer)
      const place = fault.pointer === '' ? '' : ` at ${fault.pointer}`
      const name = example.name === UNNAMED ? '' : ` ${example.name}`
      const message = `the example${name} of ${of}${place} ${fault.message}`
      const key = JSON.stringify([location.file, location.pointer, rule, place, fault.message])
      const finding: Finding = { rule, level: 'warning', location, message }
      cached(found, key, () => ({ finding, users: new Set<Operation>() })).users.add(operation)
    }
  }
  return [...found.values()].map(({ finding, users }) =>
    users.size === 1
      ? finding
      : { ...finding, message: `${finding.message} (${users.size} operations use it)` },
  )
}

/** The name of an example that has none in its document. */
const UNNAMED = 'example'

type Exampled = {
  readonly example: Example
  readonly schema: Schema
  readonly of: string
  /** The location of the value that a pointer into the example refers to. */
  readonly placeOf: (pointer: string) => Location
}

const within =
  ({ locate }: Source) =>
  (pointer: string): Location =>
    locate(...segmentsOf(pointer))

function* examplesOf(operation: Operation, checker: Checker): Generator<Exampled> {
  const own = nameOf(operation)
  if (operation.kind === 'rpc') {
    const params = sentParametersSchema(operation)
    for (const { name, summary, outcome, source, places, ...values } of operation.examples) {
      const isByName = operation.paramStructure === 'by-name'
      const value = isByName ? values.namedParams : values.params
      const names = isByName ? Object.keys(values.namedParams) : []
      const placeOf = (pointer: string) => {
        const [param, ...rest] = segmentsOf(pointer)
        const place = places.params[isByName ? names.indexOf(param ?? '') : Number(param)]
        return place ? place.locate(...rest) : source.locate('params')
      }
      const example = { name, summary, value, source }
      yield { example, schema: params, of: `${own}, params,`, placeOf }
      if (outcome.kind === 'result') {
        const result = { name, summary, value: outcome.value, source }
        const placeOf = within(places.result)
        const variant = variantOfParams(operation, value, checker)
        const schema = variant?.result ?? operation.result.schema
        const of = variant ? `${own}, result of ${variant.name},` : `${own}, result,`
        yield { example: result, schema, of, placeOf }
      }
    }
    return
  }
  for (const { name, schema, examples } of operation.parameters) {
    for (const example of examples) {
      const placeOf = within(example.source)
      yield { example, schema, of: `${own}, parameter ${name},`, placeOf }
    }
  }
  const contents = [
    { of: `${own}, request,`, content: operation.body?.content ?? [] },
    ...operation.responses.map(({ status, content }) => ({ of: `${own}, ${status},`, content })),
  ]
  for (const { of, content } of contents) {
    for (const media of content) {
      const { schema, examples, stream } = media
      for (const example of stream ? examples : []) {
        const items = itemsOfExample(media, example.value)
        if (items === undefined) {
          const placeOf = () => example.source.locate()
          for (const value of itemsInText(media, String(example.value)))
            yield { example: { ...example, value }, schema, of, placeOf }
          continue
        }
        const isOne = items.length === 1 && items[0] === example.value
        for (const [place, value] of items.entries()) {
          const within = isOne ? [] : [place]
          const placeOf = (pointer: string) =>
            example.source.locate(...within, ...segmentsOf(pointer))
          yield { example: { ...example, value }, schema, of, placeOf }
        }
      }
      // The example of a form or of plain text is the text on the wire; the schema does not describe that.
      if (!hasJsonValue(media)) continue
      for (const example of examples) {
        yield { example, schema, of, placeOf: within(example.source) }
      }
    }
  }
}
