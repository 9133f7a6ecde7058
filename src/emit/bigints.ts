import type { Api, Operation } from '../model/api.js'
import type { HttpBigints, RpcBigints } from '../runtime/operation.js'
import { bigintPlaces, markedIn, namedPlaces, together } from '../schema/bigints.js'
import { isPart, type Part, type Parts, partsOf } from './parts.js'

/** The places of bigints (`x-bigint`) in the values of an operation; undefined if there are none. */
export function bigintsOf(
  operation: Operation,
  { schemas }: Api,
): (HttpBigints & RpcBigints) | undefined {
  const marked = markedIn(schemas)
  const { parameters, request, fields, responses, items, result } = partsOf(operation)
  const places = (part: Part | Parts | undefined) =>
    part !== undefined && isPart(part) ? bigintPlaces(part.schema, marked) : undefined
  const each = (parts: Part | Parts = {}) =>
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
    ['request', together([places(request), places(fields)])],
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
  const given = entries.flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const]))
  return given.length === 0 ? undefined : Object.fromEntries(given)
}
