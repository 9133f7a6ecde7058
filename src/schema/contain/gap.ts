import type { Node, Terms } from '../node.js'

/**
 * A place where one version allows what the other does not: at `path` of the value, `inner` allows something that
 * `outer` rejects. `kind` is the reason.
 */
export type Gap = {
  readonly kind: GapKind
  readonly path: Path
  readonly inner: Evidence
  readonly outer: Evidence
  /** Proved by the schemas alone. Where it is not, and there is no witness, nobody can tell. */
  readonly isCertain: boolean
  /** What `inner` lets through at the start of the path and `outer` does not; both have been asked. */
  readonly witness: Found | undefined
  /** The limit that ended the comparison, where one did. */
  readonly limit?: Limit
  /** How many segments at the end of the path lie within the alternative that is nearest to the other version. */
  readonly alternative?: number
}

/** How much work a comparison may be: what is counted, and the most of it. */
export type Limit = {
  readonly counts:
    | 'steps'
    | 'steps together'
    | 'steps to combine'
    | 'depth'
    | 'shapes'
    | 'overlaps'
    | 'drafts'
  readonly most: number
}

/** Whether all that fulfils the terms fulfils `outer` too. Each is asked once: the same question is the same object. */
export type Question = { readonly terms: Terms; readonly outer: Node }

/** A question about a member of the value: what is wrong with the member is wrong with the whole. */
export type Link = {
  readonly kind: 'member'
  readonly segment: Segment
  readonly question: Question
  /** Puts a value of the member into one of the whole; undefined where that one shows nothing. */
  readonly wrap: (value: unknown) => Found | undefined
  /** The whole is compared with the alternative that is nearest to it. */
  readonly isAlternative?: true
  /** The schemas of the whole. */
  readonly inner: Node | undefined
  readonly outer: Node
  /**
   * What a gap of the member means for the whole: as certain, never certain, certain if a value shows it, or no gap
   * without a value.
   */
  readonly counts: 'as-it-is' | 'as-uncertain' | 'if-shown' | 'only-if-shown'
}

/** What is wrong with a value itself, and the questions about its members. */
export type Item = Gap | Link

/** Any JSON value is one, null too. */
export type Found = { readonly value: unknown }

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

/** What one version says there, and by which keyword of which schema. */
export type Evidence = {
  readonly node: Node | undefined
  readonly keyword: string | undefined
  /** The bound, the pattern, the list of values, the name: what the keyword says; undefined where it says nothing. */
  readonly says: unknown
}

export const saying = (node: Node | undefined, keyword?: string, says?: unknown): Evidence => ({
  node,
  keyword,
  says,
})

/** As a person reads it: `address`, `[].topics[0]`, `{}`. */
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
