import type { Api } from '../model/api.js'
import { createDisjointness } from '../schema/disjoint.js'
import { createShaping, type Shaping } from '../schema/flatten.js'
import { bySize } from '../schema/json-values.js'
import { accepts, createSide, nodeOf } from '../schema/node.js'
import { createSameness } from '../schema/same.js'
import { refTo } from '../schema/schema.js'
import { createSmallest } from '../schema/smallest.js'

/** Whether a value fits two named schemas, with the smallest that is found as the proof. */
export function createOverlap(schemas: Api['schemas']): Overlap {
  const side = createSide(schemas)
  const disjointness = createDisjointness(() => shaping)
  const shaping: Shaping = createShaping(createSameness(), disjointness.ofNodes)
  const samples = createSmallest(shaping)
  const node = (name: string) => nodeOf(side, schemas.get(name)?.schema ?? { $ref: refTo(name) })

  return (one, other, shown) => {
    const both = [node(one), node(other)] as const
    const fitsBoth = (value: unknown) => both.every((each) => accepts(each, value))
    const [written] = shown.filter(fitsBoth).toSorted(bySize)
    if (written !== undefined) return { kind: 'both', value: written }
    if (disjointness.ofNodes(...both)) return { kind: 'apart' }
    const found = samples.best(both)
    return found && fitsBoth(found.value)
      ? { kind: 'both', value: found.value }
      : { kind: 'unknown' }
  }
}

/** `shown` are values at hand, such as examples, which are tried first. */
export type Overlap = (one: string, other: string, shown: readonly unknown[]) => Overlapping

export type Overlapping =
  | { readonly kind: 'both'; readonly value: unknown }
  | { readonly kind: 'apart' }
  | { readonly kind: 'unknown' }
