import type { Api } from '../model/api.js'
import { createDisjointness } from '../schema/disjoint.js'
import { createShaping, type Shaping } from '../schema/flatten.js'
import { bySize } from '../schema/json-values.js'
import { accepts, createSide, type Node, nodeOf } from '../schema/node.js'
import { createSameness } from '../schema/same.js'
import type { Schema } from '../schema/schema.js'
import { createSmallest } from '../schema/smallest.js'
import { holdsUnread } from '../schema/source.js'

/** Whether a value fits two schemas of an Api. Rules share the results. */
export function overlapIn(api: Api): Overlap {
  const overlap = overlaps.get(api) ?? createOverlap(api.schemas)
  overlaps.set(api, overlap)
  return overlap
}

const overlaps = new WeakMap<Api, Overlap>()

/** `shown` are known values, such as examples; they are tried first. */
export type Overlap = (one: Schema, other: Schema, shown: readonly unknown[]) => Overlapping

type Overlapping =
  /** The smallest value found is the proof. */
  | { readonly kind: 'both'; readonly value: unknown }
  | { readonly kind: 'apart' }
  | { readonly kind: 'unknown' }

function createOverlap(schemas: Api['schemas']): Overlap {
  const side = createSide(schemas)
  const disjointness = createDisjointness(() => shaping)
  const shaping: Shaping = createShaping(createSameness(), disjointness.ofNodes)
  const samples = createSmallest(shaping)
  const searched = new Map<string, Overlapping>()

  return (one, other, shown) => {
    const both = [nodeOf(side, one), nodeOf(side, other)] as const
    const fitsBoth = (value: unknown) => both.every((each) => accepts(each, value))
    const [written] = shown.filter(fitsBoth).toSorted(bySize)
    if (holdsUnread([one, other], schemas)) return { kind: 'unknown' }
    if (written !== undefined) return { kind: 'both', value: written }
    // Operations with the same schemas have their own examples, so only the search is cached.
    const key = JSON.stringify([one, other])
    const result = searched.get(key) ?? search(both, fitsBoth)
    searched.set(key, result)
    return result
  }

  function search(both: readonly [Node, Node], fitsBoth: (value: unknown) => boolean): Overlapping {
    if (disjointness.ofNodes(...both)) return { kind: 'apart' }
    const found = samples.best(both)
    return found && fitsBoth(found.value)
      ? { kind: 'both', value: found.value }
      : { kind: 'unknown' }
  }
}
