import type { Operation } from '../model/api.js'
import { declaredResponse } from '../runtime/wire/status.js'
import type { Schema } from '../schema/schema.js'
import type { UsagePlace } from './usage.js'

/** A place in a request or a response as a list of names, `[]` for items: `body`, `application/json`, `items`, `[]`, `sku`. */
export type PlaceAddress = readonly string[]

export const placeAt = (place: UsagePlace, address: PlaceAddress): UsagePlace | undefined => {
  let found: UsagePlace | undefined = place
  for (const name of address) found = found && placeProperty(found, name)
  return found
}

/** How many requests could not be read at a place itself. */
export const unreadAt = ({ unread = {} }: UsagePlace): number =>
  Object.values(unread).reduce((sum, count) => sum + count, 0)

/** The places from the root to an address, as far as they were recorded. */
export const placesTo = (place: UsagePlace, address: PlaceAddress): readonly UsagePlace[] => {
  const found = [place]
  for (const name of address) {
    const next = placeProperty(found.at(-1) ?? place, name)
    if (!next) break
    found.push(next)
  }
  return found
}

/** A property may have the name of an inherited one: `constructor`. */
export const placeProperty = (
  { properties = {} }: UsagePlace,
  name: string,
): UsagePlace | undefined => (Object.hasOwn(properties, name) ? properties[name] : undefined)

/** The schemas of an operation, with the addresses of their values in a usage. */
export const schemasOf = (
  operation: Operation,
  direction: 'request' | 'response',
): readonly Described[] => {
  if (operation.kind === 'rpc') {
    if (direction === 'response') return [{ address: ['result'], schema: operation.result.schema }]
    return operation.params.map(({ name, schema }) => ({ address: ['params', name], schema }))
  }
  if (direction === 'request') {
    return [
      ...operation.parameters.map(({ in: place, name, schema }) => ({
        address: [place, name],
        schema,
      })),
      ...(operation.body?.content ?? []).map(({ type, schema }) => ({
        address: ['body', type],
        schema,
      })),
    ]
  }
  return operation.responses.flatMap(({ status, headers, content }) =>
    statusesOf(operation.responses, status).flatMap((one) => [
      ...headers.map(({ name, schema }) => ({
        address: [one, 'header', name.toLowerCase()],
        schema,
      })),
      ...content.map(({ schema }) => ({ address: [one, 'body'], schema })),
    ]),
  )
}

type Described = { readonly address: PlaceAddress; readonly schema: Schema }

/** The statuses that a response describes: usage is recorded by status, also for a range and the default. */
const statusesOf = (
  responses: readonly { readonly status: string }[],
  key: string,
): readonly string[] =>
  /^\d{3}$/.test(key)
    ? [key]
    : STATUSES.filter((one) => declaredResponse(responses, one)?.status === key).map(String)

const STATUSES: readonly number[] = Array.from({ length: 500 }, (_, index) => index + 100)
