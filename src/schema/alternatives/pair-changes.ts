import { cached } from '../../runtime/shared/cached.js'
import { open } from '../../runtime/validate.js'
import type { Declared } from '../contain/annotations.js'
import type { Gap, Path, Segment, Witness } from '../contain/gap.js'
import { saying } from '../contain/gap.js'
import { selectionOf } from '../discriminator.js'
import { createLooseShaping } from '../flatten.js'
import { isEqual } from '../json-values.js'
import {
  accepts,
  type ComparisonReading,
  type Node,
  nodeOf,
  type Side,
  type Terms,
} from '../node.js'
import { dereference, type Schema, type Schemas } from '../schema.js'
import { createSmallest } from '../smallest.js'
import { isUnread, sourceOf, writtenReference } from '../source.js'
import { everyPart, isStructured, type Leaf } from './conjunction.js'
import type { PairedAlternatives } from './pair.js'

/**
 * Finds what changed of two alternatives that are a pair, and of alternatives that only one version has. A change that the comparison
 * of values has reported is not reported again.
 */
export function createPairComparison(sides: Sides, tools: PairTools): StartPairs {
  const { was, is } = sides
  const changes = new Map<string, PairChange>()
  const shaping = createLooseShaping(MOST_SHAPES)
  const samples = createSmallest(shaping)

  return (use, reported, onChange) => {
    const isRequest = use.direction === 'request'
    const found: Collected = {
      visible: [],
      hidden: [],
      unclear: [],
      harmless: [],
      declared: [],
      lost: new Set(),
    }
    const known = new Set(reported.breaking.map((gap) => gapKey(gap)))
    const notes = new Set(reported.harmless.map((gap) => gapKey(gap)))
    const declared = new Set(reported.declared.map((one) => declaredKey(one)))
    const isIncomplete = reported.breaking.some((gap) => gap.limit !== undefined)

    const collect = <One>(list: One[], one: One, at: Visit): void => {
      list.push(one)
      onChange(at)
    }

    return { found, ofPair, ofUnpaired, ofSelection }

    function ofPair(at: Visit, { isEntangled, isExtending, wider }: Circumstances): void {
      const { before, after } = at.whole
      const change = changeOf(before, after, use)
      const areStructured =
        isStructured(at.before, was.schemas) || isStructured(at.after, is.schemas)
      // Whether alternatives overlap is decided by the values of the whole.
      const own = change.breaking.filter(
        (gap) => gap.kind !== 'overlap' && !known.has(gapKey(gap, at.path)),
      )
      const breaking = own.length > 0 && wider ? own.filter(isLeftBy(wider())) : own
      for (const gap of breaking) {
        known.add(gapKey(gap, at.path))
        if (isVisible(gap.witness, at)) {
          if (isIncomplete) collect(found.visible, placed(gap, at), at)
        } else if (!areStructured) {
          // A scalar has no parts that could be overlooked: a reader knows each value of the other alternative.
          if (isRequest && gap.witness) collect(found.unclear, placed(gap, at), at)
        } else if (isEntangled()) {
          const hidden = placed(gap, at)
          collect(found.hidden, isExtending ? { ...hidden, isExtending } : hidden, at)
        } else if (!isDeclared(gap.witness, at)) collect(found.unclear, placed(gap, at), at)
      }
      if (!areStructured) return
      const harmless = change.harmless.filter((gap) => !notes.has(gapKey(gap, at.path)))
      const declarations = change
        .declared()
        .filter((one) => !isOfUnion(one) && !declared.has(declaredKey(one, at.path)))
      if ((harmless.length === 0 && declarations.length === 0) || !isEntangled()) return
      for (const gap of harmless) {
        notes.add(gapKey(gap, at.path))
        collect(found.harmless, placed(gap, at), at)
      }
      for (const one of declarations) {
        declared.add(declaredKey(one, at.path))
        collect(found.declared, { ...one, path: [...at.path, ...one.path] }, at)
      }
    }

    /** Whether a gap is one too if the alternative may be divided into all of these. */
    function isLeftBy(wider: Schema): (gap: Gap) => boolean {
      return (gap) => {
        const node = nodeOf(isRequest ? is : was, wider)
        return gap.witness === undefined || !acceptsDeclared(node, gap.witness.value, !isRequest)
      }
    }

    /** Whether the whole union rejects a value, so that the gap is one without regard to alternatives. */
    function isVisible(witness: Witness | undefined, at: Visit): boolean {
      const around = at.from?.visit.whole
      if (!witness || !around) return false
      const [node, reading] = isRequest
        ? ([nodeOf(is, around.after), use.strict] as const)
        : ([nodeOf(was, around.before), use.open] as const)
      return !accepts(node, witness.value, reading)
    }

    /** Whether another alternative of the union around declares all that a value has. */
    function isDeclared(witness: Witness | undefined, at: Visit): boolean {
      const around = at.from?.visit.whole
      if (!witness || !around) return true
      const node = isRequest ? nodeOf(is, around.after) : nodeOf(was, around.before)
      return acceptsDeclared(node, witness.value, !isRequest)
    }

    function ofUnpaired(
      at: Visit,
      { pairs, removed, added }: PairedAlternatives,
      wholes: Wholes,
      { isDivided, isJoined }: { readonly isDivided: boolean; readonly isJoined: boolean },
    ): void {
      const around = at.whole
      const kept = new Set(pairs.flatMap(([leaf]) => declaredProperties(leaf, was.schemas)))
      // An alternative that could not be read may be any that the other version has.
      const isKnown = ![...removed, ...added].some(({ schema }) => isUnread(schema))
      for (const leaf of isKnown ? removed : []) {
        if (!isStructured(leaf.schema, was.schemas)) continue
        const whole = wholes.before([leaf])
        const names = isRequest
          ? []
          : declaredProperties(leaf, was.schemas).filter((name) => !kept.has(name))
        for (const name of names) found.lost.add(placeKey([...at.path, propertySegment(name)]))
        if (names.length > 0) onChange(at)
        const gaps = tools.gapsOf(
          isRequest ? use.strict : 'strict',
          [nodeOf(was, whole)],
          nodeOf(is, around.after),
        )
        // A property that the alternative lacks is no change by itself: the alternative is.
        if (isRequest ? gaps.length > 0 : gaps.some((gap) => !isOfUndeclared(gap))) continue
        if (isRequest && !isJoined && isProved(whole, around.after)) continue
        const gap = alternativeGap(leaf, was, nodeOf(is, around.after), at.path)
        collect(isRequest ? found.unclear : found.harmless, gap, at)
      }
      for (const leaf of !isKnown || (isRequest && isDivided) ? [] : added) {
        if (!isStructured(leaf.schema, is.schemas)) continue
        const whole = wholes.after([leaf])
        const gaps = tools.gapsOf(
          isRequest ? 'strict' : use.open,
          [nodeOf(is, whole)],
          nodeOf(was, around.before),
        )
        if (gaps.length > 0) continue
        const gap = alternativeGap(leaf, is, nodeOf(was, around.before), at.path)
        collect(isRequest ? found.harmless : found.unclear, gap, at)
      }
    }

    /** Whether the new version accepts all values of an alternative by others that declare all that they have. */
    function isProved(whole: Schema, around: Schema): boolean {
      const target = dereference(around, is.schemas)
      const declaring = is.meaning.whole(target, 'all')
      return tools.gapsOf(use.strict, [nodeOf(was, whole)], nodeOf(is, declaring)).length === 0
    }

    /** The values that select the schemas of a hierarchy. */
    function ofSelection(at: Visit, before: Node, after: Node): void {
      const [one, other] = [before, after].map(({ schema, side }) =>
        selectionOf(schema, side.schemas, side.checker),
      )
      if (one?.propertyName !== other?.propertyName || isEqual(one, other)) return
      const change: Declared = {
        ...{ kind: 'discriminator', path: at.path },
        ...{ before: { node: before, says: one }, after: { node: after, says: other } },
      }
      if (declared.has(declaredKey(change))) return
      declared.add(declaredKey(change))
      collect(found.declared, change, at)
    }

    function placed(gap: Gap, at: Visit): Gap {
      const witness = gap.witness && wrapped(gap.witness, at)
      return {
        ...gap,
        path: [...at.path, ...gap.path],
        alternative: gap.alternative ?? gap.path.length,
        witness,
      }
    }

    /** A value of the whole with a value at a place. */
    function wrapped(value: Witness, at: Visit): Witness | undefined {
      let found: Witness | undefined = value
      for (let here = at; here.from && found; here = here.from.visit) {
        const { segment, visit } = here.from
        if (!segment) continue
        const node = isRequest ? nodeOf(was, visit.whole.before) : nodeOf(is, visit.whole.after)
        found = withMember(node, segment, found)
      }
      return found
    }
  }

  function withMember(node: Node, segment: Segment, { value }: Witness): Witness | undefined {
    for (const shape of shaping.shapesOf([node])) {
      const found =
        segment.kind === 'property'
          ? samples.objectWith(shape, segment.name, value)
          : segment.kind === 'any-property'
            ? samples.objectWith(shape, 'key', value)
            : samples.arrayWith(shape, segment.kind === 'item' ? segment.index : 0, value)
      if (found) return found
    }
    return undefined
  }

  function changeOf(before: Schema, after: Schema, use: SchemaUse): PairChange {
    const key = `${meaningId(was, before)} ${meaningId(is, after)} ${use.direction} ${use.strict}`
    return cached(changes, key, () => {
      const nodes = { before: nodeOf(was, before), after: nodeOf(is, after) }
      const isRequest = use.direction === 'request'
      const [inner, outer] = isRequest ? [nodes.before, nodes.after] : [nodes.after, nodes.before]
      return {
        breaking: tools.gapsOf(isRequest ? use.strict : use.open, [inner], outer),
        harmless: tools.gapsOf('strict', [outer], inner),
        declared: () => tools.declarations(nodes.before, nodes.after),
      }
    })
  }
}

/** Starts the comparison of the pairs of one pair of schemas; `onChange` is called with the visit of each change. */
export type StartPairs = (
  use: SchemaUse,
  reported: Reported,
  onChange: (at: Visit) => void,
) => PairComparison

export type PairComparison = {
  readonly found: Readonly<Collected>
  readonly ofPair: (at: Visit, circumstances: Circumstances) => void
  readonly ofUnpaired: (
    at: Visit,
    pairing: PairedAlternatives,
    wholes: Wholes,
    unions: { readonly isDivided: boolean; readonly isJoined: boolean },
  ) => void
  /** The values that select the schemas of a hierarchy. */
  readonly ofSelection: (at: Visit, before: Node, after: Node) => void
}

/** What is known without alternatives. */
export type Reported = {
  readonly breaking: readonly Gap[]
  readonly harmless: readonly Gap[]
  readonly declared: readonly Declared[]
}

export type Collected = {
  /** Breaking in any case: the comparison of values gave up. */
  readonly visible: Gap[]
  /** Breaking for those who send this alternative, although another one accepts the value. */
  readonly hidden: Gap[]
  /** May be breaking: an alternative that is new or removed, and values that others accept only in part. */
  readonly unclear: Gap[]
  readonly harmless: Gap[]
  readonly declared: Declared[]
  /** The places of properties of removed alternatives, by `placeKey`. */
  readonly lost: Set<string>
}

export type SchemaUse = {
  readonly direction: 'request' | 'response'
  readonly strict: ComparisonReading
  readonly open: ComparisonReading
}

export type Sides = { readonly was: Side; readonly is: Side }

export type PairTools = {
  readonly gapsOf: (reading: ComparisonReading, terms: Terms, outer: Node) => readonly Gap[]
  readonly declarations: (before: Node, after: Node) => readonly Declared[]
}

type PairChange = {
  readonly breaking: readonly Gap[]
  readonly harmless: readonly Gap[]
  readonly declared: () => readonly Declared[]
}

/** A pair of schemas at a place of a value. */
export type Visit = {
  readonly before: Schema
  readonly after: Schema
  /** The schemas of the whole value, with what applies besides the alternative. */
  readonly whole: { readonly before: Schema; readonly after: Schema }
  readonly path: Path
  /** Without a segment, the visit is of an alternative of the same value. */
  readonly from: { readonly visit: Visit; readonly segment?: Segment } | undefined
}

export type Circumstances = {
  readonly isExtending: boolean
  readonly isEntangled: () => boolean
  /** The alternative together with those that have no counterpart: it may have been divided. */
  readonly wider: (() => Schema) | undefined
}

export type Wholes = {
  readonly before: (leaves: readonly Leaf[]) => Schema
  readonly after: (leaves: readonly Leaf[]) => Schema
}

/** The combinations of alternatives that are tried to put a value into a whole. */
const MOST_SHAPES = 64

/** The properties that an alternative declares. */
export const declaredProperties = ({ schema }: Leaf, schemas: Schemas): readonly string[] =>
  everyPart(schema, schemas).flatMap(({ properties = {} }) => Object.keys(properties))

/** A property that one version requires and the other does not declare. */
const isOfUndeclared = ({ kind, inner }: Gap): boolean =>
  kind === 'required' && inner.says === undefined

/** An alternative that only one version has. */
const alternativeGap = ({ schema }: Leaf, side: Side, around: Node, path: Path): Gap => ({
  kind: 'alternative',
  path,
  inner: saying(nodeOf(side, schema), undefined, writtenReference(schema, side.schemas)),
  outer: saying(around),
  isCertain: true,
  witness: undefined,
})

/** Whether an alternative accepts a value, and declares all that the value has; a reader ignores that an object is closed. */
function acceptsDeclared({ side, schema }: Node, value: unknown, isOpen: boolean): boolean {
  const checker = side.intended.all().schema(side.meaning.whole(schema, 'all'))
  return (isOpen ? open(checker) : checker).check(value)
}

export const meaningId = (side: Side, schema: Schema): number =>
  nodeOf(side, dereference(schema, side.schemas)).id

/** The identity of a gap: a schema in several places of a value has the same gaps, except for the last step of the path. */
export function gapKey({ kind, path, inner, outer }: Gap, around: Path = []): string {
  const last = path.at(-1) ?? around.at(-1)
  return JSON.stringify([last, kind, sourceId(inner.node), sourceId(outer.node), inner.says])
}

function declaredKey({ kind, path, before, after }: Declared, around: Path = []): string {
  const last = path.at(-1) ?? around.at(-1)
  return JSON.stringify([last, kind, sourceId(before.node), sourceId(after.node)])
}

/** A discriminator belongs to the union, and not to one of its alternatives. */
const isOfUnion = ({ kind, path }: Declared): boolean =>
  kind === 'discriminator' && path.length === 0

/** Copies of a schema have its source. */
function sourceId(node: Node | undefined): number | undefined {
  const key =
    node && (sourceOf(node.schema) ?? (typeof node.schema === 'object' ? node.schema : undefined))
  if (!key) return undefined
  return cached(ids, key, () => {
    last += 1
    return last
  })
}

const ids = new WeakMap<object, number>()

let last = 0

export const placeKey = (path: Path): string => JSON.stringify(path)

export const propertySegment = (name: string): Segment => ({ kind: 'property', name })
