import type { Shape } from './flatten.js'
import type { Terms } from './node.js'

/** Which values are made, and which of them is the best: the smallest, or one that a person likes to read. */
export type Style = {
  /** The shapes that are tried, in this order. */
  readonly arranged: (shapes: readonly Shape[]) => readonly Shape[]
  /** Texts for the parts of a shape, the best first; `isOut` rejects one. */
  readonly texts: (parts: Terms, isOut: (text: string) => boolean) => readonly string[]
  readonly numbers: (parts: Terms) => readonly number[]
  /** What schemas show themselves. */
  readonly written: (terms: Terms) => readonly unknown[]
  /** Whether the first value is the best, and what is written comes first; otherwise the smallest is. */
  readonly isFirst: boolean
  /** Down to this level an object has its optional properties, and an array an item. */
  readonly levels: number
  /** Values within a value, and items of an array, that a person looks at. */
  readonly mostNodes: number
  readonly mostItems: number
}
