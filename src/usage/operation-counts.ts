import type { Operation } from '../model/api.js'
import {
  COUNTED_TYPES,
  createPlaceCounts,
  createUsageTally,
  MOST_COUNTED_DIGITS,
  type MutableSizes,
  type PlaceCounts,
  type UsageTally,
} from './place-counts.js'
import type { ByOperation, CountedRequests, OperationUsage, Sizes, UsagePlace } from './usage.js'

/** The recorded requests of one consumer to one operation. */
export type OperationCounts = {
  readonly tally: UsageTally
  readonly counts: Map<string, UsageTally>
  readonly request: PlaceCounts
  readonly response: PlaceCounts
}

export const createOperationCounts = (): OperationCounts => ({
  tally: createUsageTally(),
  counts: new Map(),
  request: createPlaceCounts(undefined),
  response: createPlaceCounts(undefined),
})

/** The counts in the format of a usage file. */
export const usageOf = (
  operations: ReadonlyMap<Operation, OperationCounts>,
  nameOf: (operation: Operation) => string,
): ByOperation<OperationUsage> =>
  Object.fromEntries(
    [...operations].map(([operation, { tally, counts, request, response }]) => [
      nameOf(operation),
      {
        ...countOf(tally),
        counts: Object.fromEntries([...counts].map(([what, one]) => [what, countOf(one)])),
        request: placeOf(request),
        response: placeOf(response),
      },
    ]),
  )

const countOf = ({ requests, first, last }: UsageTally): CountedRequests => ({
  requests,
  ...(first !== undefined && { first }),
  ...(last !== undefined && { last }),
})

/** A place in the format of a usage file. */
const placeOf = (place: PlaceCounts): UsagePlace => {
  const own = (child: PlaceCounts | undefined) =>
    // A recursive schema is written only at its first place.
    child?.parent === place ? placeOf(child) : undefined
  const all = (children: ReadonlyMap<string | number, PlaceCounts> = new Map()) => {
    const entries = [...children].flatMap(([name, child]) => {
      const found = own(child)
      return found ? [[name, found] as const] : []
    })
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }
  const [properties, prefixItems] = [all(place.properties), all(place.prefix)]
  const [items, others] = [own(place.items), own(place.others)]
  const { values, digits, lengths, sizes, members } = place
  return {
    ...countOf(place.tally),
    always: place.always,
    ...(place.types.length > 0 && {
      types: counted(place.types, (index) => `${COUNTED_TYPES[index]}`),
    }),
    ...(values && {
      values: Object.fromEntries([...values].map(([json, tally]) => [json, countOf(tally)])),
    }),
    ...(place.unlisted > 0 && { unlisted: place.unlisted }),
    ...(place.unread && { unread: Object.fromEntries(place.unread) }),
    ...(digits && { digits: counted(digits, digitsKey) }),
    ...(lengths && { lengths: sizesOf(lengths) }),
    ...(sizes && { sizes: sizesOf(sizes) }),
    ...(members && { members: sizesOf(members) }),
    ...(properties && { properties }),
    ...(prefixItems && { prefixItems }),
    ...(items && { items }),
    ...(others && { others }),
  }
}

const counted = (counts: readonly number[], name: (index: number) => string) =>
  Object.fromEntries(counts.flatMap((count, index) => (count > 0 ? [[name(index), count]] : [])))

const digitsKey = (index: number): string =>
  index > MOST_COUNTED_DIGITS ? `-${index - MOST_COUNTED_DIGITS - 1}` : `${index}`

const sizesOf = ({ least, most, upTo }: MutableSizes): Sizes => ({
  ...{ least, most },
  upTo: counted(upTo, (exponent) => `${exponent <= 1 ? exponent : 2 ** (exponent - 1)}`),
})

/**
 * The shape of the last counted request, as JSON: types in place of values, and `=paid` for a value that the document lists.
 * Call it right after `end` of the counter. The items of a list share one shape. Undefined if the shape is too long to be
 * shown.
 */
export const shapeOf = (root: PlaceCounts): string | undefined => {
  const text = shaped(root, root.stamp)
  return text.length > LONGEST ? undefined : text
}

const LONGEST = 1_500

const shaped = (place: PlaceCounts, stamp: number): string => {
  const isOwn = (child: PlaceCounts | undefined): child is PlaceCounts =>
    child !== undefined && child.parent === place && child.stamp === stamp
  const members: string[] = []
  for (const [key, child] of sortedProperties(place)) {
    const text = isOwn(child) ? shaped(contentOf(child, key, stamp), stamp) : EMPTY
    // A place of parameters exists in each request, even if no parameter was sent.
    const isSent = text !== EMPTY || place.parent !== undefined || key === '"body"'
    if (isOwn(child) && isSent) members.push(`${key}:${text}`)
  }
  if (isOwn(place.others)) members.push(`"*":${shaped(place.others, stamp)}`)
  const items = [...(place.prefix?.values() ?? []), place.items].filter(isOwn)
  if (items.length > 0) return `[${items.map((one) => shaped(one, stamp)).join(',')}]`
  if (members.length > 0 || place.objects > 0) return `{${members.join(',')}}`
  const { metValues = [], typeBits } = place
  if (metValues.length === 0) return typeText(typeBits)
  return JSON.stringify(
    metValues
      .map((json) => `=${JSON.parse(json)}`)
      .sort()
      .join(' or '),
  )
}

/** The value of a request body, which is counted by its media type. */
const contentOf = (place: PlaceCounts, key: string, stamp: number): PlaceCounts => {
  if (key !== '"body"' || place.plan !== undefined) return place
  const values = [...(place.properties?.values() ?? [])]
  return values.find((one) => one.stamp === stamp) ?? place
}

/** The shape of a place that has neither a type nor members. */
const EMPTY = '""'

const typeText = (bits: number): string =>
  JSON.stringify(COUNTED_TYPES.filter((_, index) => (bits & (1 << index)) !== 0).join(' or '))

/** Sorted by name; the names are JSON. */
const sortedProperties = (place: PlaceCounts): readonly (readonly [string, PlaceCounts])[] => {
  const { properties } = place
  if (!properties) return []
  const known = sorted.get(place)
  if (known?.length === properties.size) return known
  const made = [...properties]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, child]) => [JSON.stringify(name), child] as const)
  sorted.set(place, made)
  return made
}

const sorted = new WeakMap<PlaceCounts, readonly (readonly [string, PlaceCounts])[]>()
