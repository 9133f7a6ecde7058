import type { Node, Terms } from '../node.js'

/**
 * A place where one version allows values that the other rejects: at `path` of the value, `inner` allows some that
 * `outer` rejects. `kind` is the reason.
 */
export type Gap = {
  readonly kind: GapKind
  readonly path: Path
  readonly inner: Constraint
  readonly outer: Constraint
  /** Whether the schemas alone prove the gap. A gap that is neither certain nor has a witness is undecided. */
  readonly isCertain: boolean
  /** A value at the start of the path that `inner` accepts and `outer` rejects; both have validated it. */
  readonly witness: Witness | undefined
  /** The limit that ended the comparison, if one did. */
  readonly limit?: Limit
  /** Set for alternatives of objects or lists that overlap: a reader takes such a value for either. */
  readonly overlap?: true
  /** Set for an alternative that extends the schema of the other values by `allOf`, which accepts its values too. */
  readonly isExtending?: true
  /** The number of segments at the end of the path that are in the alternative nearest to the other version. */
  readonly alternative?: number
}

/** A limit of the work of a comparison: the counted unit, and the maximum. */
export type Limit = {
  readonly counts:
    | 'steps'
    | 'steps together'
    | 'steps to combine'
    | 'depth'
    | 'shapes'
    | 'overlaps'
    | 'drafts'
    | 'alternatives'
    | 'steps of alternatives'
  readonly most: number
}

/** Whether all values that fulfil the terms fulfil `outer` too. Each is created once: equal questions are one object. */
export type Question = { readonly terms: Terms; readonly outer: Node }

/** A question about a member of the value: a gap of the member is a gap of the whole. */
export type MemberQuestion = {
  readonly kind: 'member'
  readonly segment: Segment
  readonly question: Question
  /** Puts a value of the member into a value of the whole; undefined if that value shows no gap. */
  readonly wrap: (value: unknown) => Witness | undefined
  /** The whole is compared with its nearest alternative. */
  readonly isAlternative?: true
  /** The schemas of the whole. */
  readonly inner: Node | undefined
  readonly outer: Node
  /**
   * The effect of a member's gap on the whole: as certain as it is, never certain, certain only with a witness, or no gap
   * without a witness.
   */
  readonly counts: 'as-it-is' | 'as-uncertain' | 'if-shown' | 'only-if-shown'
}

/** A gap of the value itself, or a question about one of its members. */
export type Item = Gap | MemberQuestion

/** The value is any JSON value, null included. */
export type Witness = { readonly value: unknown }

export type GapKind =
  | 'type'
  | 'null'
  | 'value'
  | 'step'
  | 'minimum'
  | 'maximum'
  | 'shortest'
  | 'longest'
  | 'pattern'
  | 'fewest-items'
  | 'most-items'
  | 'unique-items'
  | 'contained-item'
  | 'required'
  | 'undeclared'
  | 'property-name'
  | 'fewest-properties'
  | 'most-properties'
  | 'dependent'
  | 'alternative'
  | 'overlap'
  | 'exclusion'
  | 'nothing'
  | 'unevaluated'
  | 'undecided'

/** A step into a value: a property by its name, an item by its index, any property of a map, any item of a list. */
export type Segment =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'any-property' }
  | { readonly kind: 'any-item' }

export type Path = readonly Segment[]

/** A segment as text; equal segments have equal texts. */
export const segmentKey = (segment: Segment): string => {
  if (segment.kind === 'property') return `.${segment.name}`
  return segment.kind === 'item' ? `${segment.index}` : segment.kind
}

/** The constraint of one version, with its keyword and its schema. */
export type Constraint = {
  readonly node: Node | undefined
  readonly keyword: string | undefined
  /** The value of the keyword: a bound, a pattern, a list of values, a name; undefined if the version has none. */
  readonly says: unknown
}

export const saying = (node: Node | undefined, keyword?: string, says?: unknown): Constraint => ({
  node,
  keyword,
  says,
})

/** The path in messages: `address`, `[].topics[0]`, `{}`. */
export const pathText = (path: Path): string =>
  path
    .map((segment, index) => {
      if (segment.kind === 'item') return `[${segment.index}]`
      if (segment.kind === 'any-item') return '[]'
      const name = segment.kind === 'property' ? nameOf(segment.name) : '{}'
      return name.startsWith('[') || index === 0 ? name : `.${name}`
    })
    .join('')

const nameOf = (name: string): string =>
  /^[\w$-]+$/.test(name) ? name : `[${JSON.stringify(name)}]`
