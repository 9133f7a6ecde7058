import type { HttpOperation, Operation } from '../model/api.js'
import { isPart, type OperationPart, operationParts, type Parts } from '../model/operation-parts.js'
import type { HttpBigints, RpcBigints } from '../runtime/operation.js'
import { successResponses } from '../runtime/wire/status.js'
import { bigintPlaces, markedIn, namedPlaces, together } from '../schema/bigints.js'
import { referredName, type Schema, type Schemas } from '../schema/schema.js'

/** The operation with the places in its values that its schemas mark: `x-bigint`, and `x-same-as` in HTTP responses. */
export const withMarkedPlaces = <One extends Operation>(operation: One, schemas: Schemas): One => {
  const pairs = operation.kind === 'http' ? sameAs(operation, schemas) : []
  const bigints = bigintsOf(operation, schemas)
  return { ...operation, ...(pairs.length > 0 && { sameAs: pairs }), ...(bigints && { bigints }) }
}

/** The pairs of properties that `x-same-as` joins in the successful responses of an operation. */
function sameAs(
  operation: HttpOperation,
  schemas: Schemas,
): readonly (readonly [string, string])[] {
  const pairs = new Map<string, readonly [string, string]>()
  const waiting = new Set<Schema>()
  for (const { content } of successResponses(operation.responses))
    for (const { schema } of content) waiting.add(schema)
  // The iteration includes schemas that are added during it, so a long chain needs no deep stack.
  for (const schema of waiting) {
    if (typeof schema === 'boolean') continue
    const name = referredName(schema)
    const { allOf = [], anyOf = [], oneOf = [] } = schema
    const parts = [...allOf, ...anyOf, ...oneOf]
    for (const part of name === undefined ? parts : [schemas.get(name)?.schema ?? true, ...parts])
      waiting.add(part)
    for (const [property, value] of Object.entries(schema.properties ?? {})) {
      const alias = typeof value === 'object' ? value['x-same-as'] : undefined
      if (typeof alias !== 'string') continue
      const pair = [property, alias].sort() as [string, string]
      pairs.set(pair.join(), pair)
    }
  }
  return [...pairs.values()]
}

/** The places of bigints (`x-bigint`) in the values of an operation; undefined if there are none. */
function bigintsOf(operation: Operation, schemas: Schemas): (HttpBigints & RpcBigints) | undefined {
  const marked = markedIn(schemas)
  const {
    parameters,
    request,
    fields,
    requests = {},
    responses,
    items,
    result,
  } = operationParts(operation)
  const places = (part: OperationPart | Parts | undefined) =>
    part !== undefined && isPart(part) ? bigintPlaces(part.schema, marked) : undefined
  const each = (parts: OperationPart | Parts = {}) =>
    record(Object.entries(parts).map(([key, part]) => [key, places(part)]))
  const params = operation.kind === 'http' ? [] : operation.params
  const properties = record(
    params.flatMap(({ name, schema }, index) => {
      const own = bigintPlaces(schema, marked)
      return [
        [`${index}`, own],
        [name, own],
      ]
    }),
  )
  const found = record([
    ['parameters', each(parameters)],
    ['request', together([request, fields, ...Object.values(requests)].map(places))],
    ['responses', each(responses)],
    ['items', each(items)],
    ['params', properties && { properties }],
    ['result', places(result)],
  ])
  if (found === undefined) return undefined
  const named = namedPlaces(found, schemas)
  return named ? { named, ...found } : found
}

/** An object of the entries that are defined; undefined if there are none. */
const record = <T>(
  entries: readonly (readonly [string, T | undefined])[],
): Readonly<Record<string, T>> | undefined => {
  const present = entries.flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const]))
  return present.length === 0 ? undefined : Object.fromEntries(present)
}
