import {
  accepts,
  isNothing,
  keywordsOf,
  lacking,
  madeNode,
  type Node,
  requiring,
  resolved,
} from '../node.js'
import type { Schema } from '../schema.js'
import type { Shape } from '../shape.js'
import { objectView } from '../views.js'
import type { Gap } from './gap.js'
import type { Work } from './work.js'

/** A value that fulfils two branches of a `oneOf` is invalid. Reports one gap, for the first pair with a witness. */
export function overlaps(work: Work, nodes: readonly Node[]): readonly Gap[] {
  const { shape, areDisjoint } = work
  const fitting = nodes.filter((node) => !areDisjoint(shape, node))
  const found: Gap[] = []
  for (const [index, node] of fitting.entries()) {
    for (const other of fitting.slice(index + 1)) {
      const gap = overlap(work, node, other)
      if (gap?.witness) return [gap]
      if (gap) found.push(gap)
    }
  }
  const first = found.find(({ isCertain }) => isCertain) ?? found[0]
  return first ? [first] : []
}

function overlap(work: Work, node: Node, other: Node): Gap | undefined {
  const { shape, outer, shaping, samples, gap, areDisjoint, isEmpty, isSame, isWithin } = work
  const { reading } = work
  if (shape.nots.some((not) => isSame(not, node) || isSame(not, other))) return undefined
  const both = shaping.restrict(shape, node).flatMap((one) => shaping.restrict(one, other))
  const left = both.filter(
    (one) =>
      isDeclaredIn(shape, one) &&
      !areDisjoint(one, node) &&
      !areDisjoint(one, other) &&
      !isEmpty(one),
  )
  if (left.length === 0) return undefined
  const two = [node, other]
  const fitsTwo = (value: unknown) => two.every((one) => accepts(one, value, reading))
  const found = gap('overlap', {
    keyword: 'oneOf',
    // A value that fulfils none of the branches is a different gap.
    candidates: () => {
      const small = [...left, shape].flatMap((one) => samples.of(one))
      const found = small.filter(fitsTwo)
      return found.some((one) => !accepts(outer, one, reading))
        ? found
        : left.flatMap((one) => samples.outside(one)).filter(fitsTwo)
    },
    isShowing: fitsTwo,
    isCertain: two.every((one) => isWithin(shape, one)),
  })
  if (shape.type !== 'object' && shape.type !== 'array') return found
  // A copy would look for the witness at once.
  return Object.assign(found, { overlap: true } as const)
}

/** Reports values of the shape that fulfil a `not`. */
export function outside(work: Work, start: Node): readonly Gap[] {
  const { shape, shaping, samples, gap, areDisjoint, isEmpty, isKnown, isSame, isWithin } = work
  const node = resolved(start)
  if (isNothing(node) || areDisjoint(shape, node)) return []
  if (shape.nots.some((not) => isSame(not, node))) return []
  const both = shaping
    .restrict(shape, node)
    .filter((one) => (!isKnown || isDeclaredIn(shape, one)) && !isEmpty(one))
  if (both.length === 0) return []
  return [
    gap('exclusion', {
      keyword: 'not',
      candidates: [...both.flatMap((one) => samples.of(one)), ...samples.of(shape)],
      isCertain: isWithin(shape, node),
    }),
  ]
}

/** Whether required properties are declared. An undeclared one is absent, even if another schema requires it. */
function isDeclaredIn(shape: Shape, piece: Shape): boolean {
  if (shape.type !== 'object') return true
  const { allows } = objectView(shape.parts)
  return [...objectView(piece.parts).required].every(allows)
}

/** Splits the shape by one wanted property: by its listed values, its types, or its presence. */
export function piecesOf(
  { shape, outer, shaping }: Work,
  nodes: readonly Node[],
  wanted: ReadonlySet<string> | undefined,
): readonly Shape[] | undefined {
  if (shape.type !== 'object') return undefined
  const view = objectView(shape.parts)
  const asked = new Set(
    nodes.flatMap((node) => {
      const { properties = {}, required = [] } = keywordsOf(resolved(node))
      return [...Object.keys(properties), ...required]
    }),
  )
  for (const name of asked) {
    if (!view.allows(name) || wanted?.has(name) === false) continue
    const there = (schema: Schema) =>
      shaping
        .restrict(shape, requiring(outer, name))
        .flatMap((one) =>
          shaping.restrict(one, madeNode(outer.side, { properties: { [name]: schema } })),
        )
    if (!view.required.has(name)) {
      const absent = shaping.restrict(shape, lacking(outer, name))
      return [...shaping.restrict(shape, requiring(outer, name)), ...absent]
    }
    const shapes = shaping.shapesOf(view.at(name))
    const values = shapes.flatMap(({ values = [] }) => values)
    if (shapes.every((one) => one.values) && values.length > 1 && values.length <= MOST_PIECES) {
      return values.flatMap((value) => there({ enum: [value] }))
    }
    const types = new Set(shapes.map(({ type }) => type))
    if (types.size > 1) return [...types].flatMap((type) => there({ type }))
  }
  return undefined
}

const MOST_PIECES = 64
