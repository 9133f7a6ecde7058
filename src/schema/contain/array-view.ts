import type { Schema } from '../schema.js'
import { childOf, isNothing, keywordsOf, madeNode, type Node, type Terms } from './node.js'

/** What the parts of a shape say together of an array. */
export type ArrayView = {
  readonly least: number
  /** Infinity where nothing bounds it. */
  readonly most: number
  /** How many items have a place of their own. */
  readonly places: number
  /** What holds of the item at an index; from `places` on it is the same for all. */
  readonly at: (index: number) => Terms
  readonly isUnique: boolean
}

export function arrayView(parts: Terms): ArrayView {
  const schemas = parts.map((part) => ({ part, schema: keywordsOf(part) }))
  const places = Math.max(0, ...schemas.map(({ schema }) => schema.prefixItems?.length ?? 0))
  const at = (index: number): Terms =>
    schemas.flatMap(({ part, schema: { prefixItems = [], items } }) => {
      const own: Schema | undefined = index < prefixItems.length ? prefixItems[index] : items
      return own === undefined ? [] : [childOf(part, own)]
    })
  const stated = Math.min(
    ...schemas.map(({ schema }) => schema.maxItems ?? Number.POSITIVE_INFINITY),
  )
  const end = [...Array(places + 1).keys()].find((index) => at(index).some(isNothing))
  return {
    least: Math.max(0, ...schemas.map(({ schema }) => schema.minItems ?? 0)),
    most: Math.min(stated, end ?? Number.POSITIVE_INFINITY),
    places,
    at,
    isUnique: schemas.some(({ schema }) => schema.uniqueItems === true),
  }
}

/** An array of just so many items, each of `terms` where it says so. */
export const ofLength = (node: Node, length: number): Node =>
  madeNode(node.side, { minItems: length, maxItems: length })

/** `contains` asks for an item and does not describe it: others of its properties may be there too. */
export const WITH_OTHERS: Schema = {
  additionalProperties: { type: ['null', 'boolean', 'number', 'string', 'array', 'object'] },
}
