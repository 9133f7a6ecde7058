import type { Path } from '../schema/contain/gap.js'
import type { Node } from '../schema/node.js'
import type { Schema } from '../schema/schema.js'

/** What a value has to be to meet a change, and where: counts of recorded requests are read by it. */
export type Met = {
  /** The schema before of a parameter, a body or a result, and the place within it. */
  readonly root: Schema
  readonly path: Path
  /** A kind of gap, or of what is declared. */
  readonly kind: string
  /** What was accepted and is not any more, and what is accepted now. */
  readonly was: unknown
  readonly is: unknown
  /** The schema now. */
  readonly after: Node | undefined
  /** Only values of one of several alternatives meet it. */
  readonly isPartial: boolean
  /** The change is about a property that the version before declares by its name. */
  readonly isDeclared: boolean
}

/** How many requests met something, as far as counts decide it: at least and at most. */
export type Range = { readonly least: number; readonly most: number }

/** How many requests of one consumer met something, and when. */
export type Use = { readonly range: Range; readonly first?: string; readonly last?: string }

/** What recorded requests say of a change in one operation. */
export type Evidence = {
  /** Of responses nobody knows who reads them: such a change is never lowered. */
  readonly direction: 'request' | 'response'
  /** By consumer, of those that call the operation. */
  readonly uses: ReadonlyMap<string, Use>
  /** All requests of the operation. */
  readonly of: number
  /** A recorded request that meets it, as JSON with types in place of values. */
  readonly shape: string | undefined
}
