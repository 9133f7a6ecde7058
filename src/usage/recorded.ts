import type { Operation } from '../model/api.js'
import { nameOf } from '../model/names.js'
import {
  createSpot,
  createTally,
  MOST_DIGITS,
  type MutableSizes,
  type Spot,
  type Tally,
  TYPES,
} from './spots.js'
import type { ByOperation, Count, OperationUsage, Place, Sizes } from './usage.js'

/** What one consumer sent to one operation. */
export type Recorded = {
  readonly tally: Tally
  readonly counts: Map<string, Tally>
  readonly request: Spot
  readonly response: Spot
}

export const createRecorded = (): Recorded => ({
  tally: createTally(),
  counts: new Map(),
  request: createSpot(undefined),
  response: createSpot(undefined),
})

/** What was recorded, as a file of usage has it. */
export const usageOf = (
  operations: ReadonlyMap<Operation, Recorded>,
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

const countOf = ({ requests, first, last }: Tally): Count => ({
  requests,
  ...(first !== undefined && { first }),
  ...(last !== undefined && { last }),
})

/** A place as a file of usage has it. */
const placeOf = (spot: Spot): Place => {
  const own = (child: Spot | undefined) =>
    // A schema within itself is at its first place.
    child?.parent === spot ? placeOf(child) : undefined
  const all = (children: ReadonlyMap<string | number, Spot> = new Map()) => {
    const found = [...children].flatMap(([name, child]) => {
      const place = own(child)
      return place ? [[name, place] as const] : []
    })
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }
  const [properties, prefixItems] = [all(spot.properties), all(spot.prefix)]
  const [items, others] = [own(spot.items), own(spot.others)]
  const { values, digits, lengths, sizes, members } = spot
  return {
    ...countOf(spot.tally),
    always: spot.always,
    ...(spot.types.length > 0 && { types: counted(spot.types, (index) => `${TYPES[index]}`) }),
    ...(values && {
      values: Object.fromEntries([...values].map(([json, tally]) => [json, countOf(tally)])),
    }),
    ...(spot.unlisted > 0 && { unlisted: spot.unlisted }),
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
  index > MOST_DIGITS ? `-${index - MOST_DIGITS - 1}` : `${index}`

const sizesOf = ({ least, most, upTo }: MutableSizes): Sizes => ({
  ...{ least, most },
  upTo: counted(upTo, (exponent) => `${exponent <= 1 ? exponent : 2 ** (exponent - 1)}`),
})
