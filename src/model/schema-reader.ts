import type { Dialect } from './api.js'
import type { Finding } from './finding.js'
import type { Origin } from './origin.js'

export type SchemaReader = {
  readonly dialect: Dialect
  /** The place of the schema, for a node that has no place of its own. */
  readonly here: Origin
  readonly originOf: (node: object) => Origin
  /** Remembers where a normalised schema was written. */
  readonly record: (schema: object, origin: Origin) => void
  /** `#/components/schemas/X` as written -> the same for the name that X has in the Api. */
  readonly refer: (ref: string, origin: Origin) => string
  readonly tell: (finding: Finding) => void
  /** The object itself, or what it refers to, as written. */
  readonly resolve: (raw: unknown) => Readonly<Record<string, unknown>> | undefined
  /** Whether the document asks anywhere what properties nobody has evaluated: one more would be one of them. */
  readonly counting: boolean
  /** What the other branches of an `allOf` declare, by property name, as written. */
  readonly declared?: ReadonlyMap<string, unknown>
}
