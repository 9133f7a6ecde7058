import { cached } from '../runtime/shared/cached.js'
import type { Limit } from './contain/gap.js'
import {
  childOf,
  isAnything,
  isNothing,
  keywordsOf,
  lacking,
  type Node,
  requiring,
  resolved,
  type Terms,
  termsKey,
} from './node.js'
import { distinctNodes, type Sameness } from './same.js'
import type { Schema, SchemaObject } from './schema.js'
import {
  ANYTHING,
  allowedTypes,
  allowedValues,
  type Draft,
  draftOf,
  otherTypes,
  type Shape,
  shapesOfDraft,
} from './shape.js'
import { setsTogether } from './together.js'

/** Thrown if a schema has too many combinations of alternatives. */
export class TooManyShapes extends Error {
  override readonly name = 'TooManyShapes'
  readonly limit: Limit

  constructor(limit: Limit) {
    super(`more than ${limit.most} ${limit.counts}`)
    this.limit = limit
  }
}

/** The result of `find`; undefined if there are too many shapes. */
export function unlessTooMany<Found>(find: () => Found): Found | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof TooManyShapes) return undefined
    throw error
  }
}

export type Shaping = {
  readonly shapesOf: (terms: Terms) => readonly Shape[]
  /** The values of a shape that fulfil another node too. */
  readonly restrict: (shape: Shape, node: Node) => readonly Shape[]
  /** The values of a shape that do not fulfil a node. */
  readonly exclude: (shape: Shape, node: Node) => readonly Shape[]
}

/**
 * Creates all shapes, exactly: a branch of a `oneOf` excludes each other branch for which `isDisjoint` is false. Throws
 * `TooManyShapes` if there are too many.
 */
export const createShaping = (
  isSame: Sameness,
  isDisjoint: (a: Node, b: Node) => boolean,
): Shaping => shapingOf(isSame, isDisjoint, undefined)

/**
 * Creates at most `most` shapes, for values that are validated afterwards: branches of a `oneOf` do not exclude each other.
 * Throws `TooManyShapes` only if even these take too many steps.
 */
export const createLooseShaping = (most: number): Shaping =>
  shapingOf(
    (a, b) => a === b,
    () => true,
    most,
  )

function shapingOf(
  isSame: Sameness,
  isDisjoint: (a: Node, b: Node) => boolean,
  /** The maximum number of shapes; undefined for all shapes. */
  first: number | undefined,
): Shaping {
  const known = new Map<string, readonly Shape[] | TooManyShapes>()
  let steps = 0
  /** Shapes of the same nodes are one object, so that results can be cached by it. */
  const interned = new Map<string, Shape>()
  const together = new WeakMap<Node, readonly Terms[]>()

  return {
    shapesOf: (terms) => {
      const before = cached(known, termsKey(terms), () => attempted(terms))
      if (before instanceof TooManyShapes) throw before
      return before
    },
    restrict: (shape, node) => counted(() => extend(draftOf(shape), node)).flatMap(shapesIn),
    exclude: (shape, node) => without(draftOf(shape), node).flatMap(shapesIn),
  }

  function attempted(terms: Terms): readonly Shape[] | TooManyShapes {
    try {
      const drafts = counted(() =>
        terms.reduce<readonly Draft[]>((list, node) => extendAll(list, node), [ANYTHING]),
      )
      return drafts.flatMap(shapesIn)
    } catch (error) {
      if (error instanceof TooManyShapes) return error
      throw error
    }
  }

  function shapesIn(draft: Draft): readonly Shape[] {
    const nodes = [draft.parts, draft.nots].map((list) => list.map(({ id }) => id).join(' '))
    return shapesOfDraft(draft).map((shape) =>
      cached(interned, `${shape.type} ${nodes.join(' ! ')}`, () => shape),
    )
  }

  /** Limits the steps too, because alternatives without values leave no shapes to count. */
  function counted(work: () => readonly Draft[]): readonly Draft[] {
    const outer = steps
    steps = 0
    try {
      return work()
    } finally {
      steps = outer
    }
  }

  function extendAll(drafts: readonly Draft[], node: Node): readonly Draft[] {
    return each(drafts, [(draft) => extend(draft, node)])
  }

  /** Applies each alternative to each draft. */
  function each(
    drafts: readonly Draft[],
    alternatives: readonly ((draft: Draft) => readonly Draft[])[],
  ): readonly Draft[] {
    const list: Draft[] = []
    for (const draft of drafts) {
      for (const alternative of alternatives) {
        list.push(...alternative(draft))
        if (first !== undefined && list.length >= first) return list.slice(0, first)
        if (list.length > MOST_SHAPES)
          throw new TooManyShapes({ counts: 'shapes', most: MOST_SHAPES })
      }
    }
    return list
  }

  function extend(draft: Draft, start: Node): readonly Draft[] {
    const node = resolved(start)
    if (isAnything(node) || draft.parts.includes(node)) return [draft]
    steps += 1
    if (steps > MOST_STEPS)
      throw new TooManyShapes({ counts: 'steps to combine', most: MOST_STEPS })
    if (isNothing(node) || draft.nots.some((one) => isSame(one, node))) return []
    const schema = keywordsOf(node)
    const types = allowedTypes(schema, draft.types)
    const values = allowedValues(schema, draft.values)
    if (types.size === 0 || values?.length === 0) return []
    let drafts: readonly Draft[] = [{ ...draft, types, values, parts: [...draft.parts, node] }]
    const all = (one: Node) => {
      drafts = extendAll(drafts, one)
    }
    const any = (alternatives: readonly ((one: Draft) => readonly Draft[])[]) => {
      drafts = each(drafts, alternatives)
    }
    if (schema.not !== undefined) {
      const not = childOf(node, schema.not)
      any([(one) => without(one, not)])
    }
    const terms = (schema.allOf ?? []).map((one) => childOf(node, one))
    for (const one of distinctNodes(terms, isSame)) all(one)
    if (schema.anyOf) any(alternatives(node, schema.anyOf, drafts.length))
    if (schema.oneOf) {
      const branches = schema.oneOf.map((one) => childOf(node, one))
      // Counts the shapes before all pairs of branches are compared, which takes long.
      if (first === undefined && branches.length > MOST_SHAPES)
        each(
          drafts,
          branches.map((one) => (held) => extend(held, one)),
        )
      any(branches.map((_, index) => (held) => exclusive(held, branches, index)))
    }
    if (schema.if !== undefined) any(conditional(node, schema.if, schema))
    for (const [name, one] of Object.entries(schema.dependentSchemas ?? {})) {
      any([
        (held) => extendAll(extend(held, requiring(node, name)), childOf(node, one)),
        (held) => extend(held, lacking(node, name)),
      ])
    }
    return drafts
  }

  /** Each branch alone, and sets of branches that declare more together; without sets if there are too many combinations. */
  function alternatives(node: Node, branches: readonly Schema[], count: number) {
    const nodes = distinctNodes(
      branches.map((one) => childOf(node, one)),
      isSame,
    )
    // Comparing all pairs of branches takes long, so they are counted first.
    const isMore = first === undefined && count * nodes.length <= MOST_SHAPES / 4
    const sets = isMore ? cached(together, node, () => setsTogether(nodes, isSame, isDisjoint)) : []
    const more = count * (nodes.length + sets.length) > MOST_SHAPES / 4 ? [] : sets
    return [...nodes.map((one) => [one]), ...more].map(
      (set) => (held: Draft) => set.reduce<readonly Draft[]>(extendAll, [held]),
    )
  }

  /** The values of one branch that fulfil no other. */
  function exclusive(held: Draft, branches: readonly Node[], index: number): readonly Draft[] {
    const branch = branches[index] as Node
    const rest = branches.toSpliced(index, 1)
    // First, because a repeated branch may have more shapes than can be made.
    if (rest.some((one) => isSame(branch, one))) return []
    const own = extend(held, branch)
    if (own.length === 0) return []
    const others = rest.filter((other) => !isDisjoint(branch, other))
    if (others.length > MOST_OVERLAPS)
      throw new TooManyShapes({ counts: 'overlaps', most: MOST_OVERLAPS })
    return others.reduce<readonly Draft[]>(
      (drafts, other) => drafts.flatMap((one) => without(one, other)),
      own,
    )
  }

  function conditional(node: Node, test: Schema, schema: SchemaObject) {
    const condition = childOf(node, test)
    return [
      (held: Draft) => extendAll(extend(held, condition), childOf(node, schema.then ?? true)),
      (held: Draft) =>
        without(held, condition).flatMap((one) => extend(one, childOf(node, schema.else ?? true))),
    ]
  }

  function without(draft: Draft, start: Node): readonly Draft[] {
    const node = resolved(start)
    if (isNothing(node)) return [draft]
    if (isAnything(node) || draft.parts.some((part) => isSame(part, node))) return []
    const types = otherTypes(node, draft.types)
    if (types) return types.size === 0 ? [] : [{ ...draft, types }]
    return [{ ...draft, nots: [...draft.nots, node] }]
  }
}

const MOST_SHAPES = 256

/** The maximum number of schemas that are combined for all shapes of some terms. */
const MOST_STEPS = 20_000

/** The maximum number of branches of a `oneOf` that are not proved disjoint from one of them. */
const MOST_OVERLAPS = 32
