import type { Schema } from '../../model/schema.js'
import { overlaps } from './contain-exclusion.js'
import { coveredTogether } from './cover-together.js'
import type { Gap } from './gap.js'
import { childOf, isText, type Node } from './node.js'
import { piecesOf } from './pieces.js'
import { createWork, type Work } from './work.js'

/** Each value of the shape must fit a branch; of a `oneOf`, no second one, which is told beside those that fit none. */
export function inUnion(
  work: Work,
  branches: readonly Schema[],
  keyword: 'anyOf' | 'oneOf',
): readonly Gap[] {
  const nodes = branches.map((one) => childOf(work.outer, one))
  const gaps = covered(work, nodes, keyword, 0)
  if (keyword === 'anyOf') return gaps
  const twice = overlaps(work, nodes)
  return [...gaps, ...(gaps.length === 0 ? twice : twice.filter(({ witness }) => witness))]
}

function covered(
  work: Work,
  nodes: readonly Node[],
  keyword: 'anyOf' | 'oneOf',
  depth: number,
): readonly Gap[] {
  const { shape, outer, ofShape, samples, gap, areDisjoint, reading } = work
  if (nodes.length === 1 && nodes[0]) return ofShape(shape, nodes[0])
  const tries: { readonly node: Node; readonly gaps: readonly Gap[] }[] = []
  // Most branches of a large union are told apart by a tag, which is cheaper to see than all that differs besides.
  // As texts, values of different types are not disjoint.
  const near = isText(reading) ? nodes : nodes.filter((one) => !areDisjoint(shape, one))
  // A reader looks over what keeps a closed branch apart from the shape.
  for (const node of near.length > 0 ? near : nodes) {
    const gaps = ofShape(shape, node)
    if (gaps.length === 0) return []
    tries.push({ node, gaps })
  }
  if (coveredTogether(work, nodes)) return []
  const pieces = depth < DEEPEST ? piecesOf(work, nodes) : undefined
  if (pieces) {
    return pieces.flatMap((piece) =>
      piece.values
        ? ofShape(piece, outerUnion(work, nodes, keyword))
        : covered(createWork(piece, outer, work), nodes, keyword, depth + 1),
    )
  }
  const meant = tries.toSorted((a, b) => distance(a.gaps) - distance(b.gaps))[0]
  const isMeant = meant !== undefined && distance(meant.gaps) < FAR
  const checked = (one: Gap): Gap => {
    const again = one.witness && gap(one.kind, { candidates: [one.witness.value] }).witness
    return { ...one, witness: again, isCertain: again !== undefined }
  }
  const within = isMeant ? meant.gaps.map(checked) : []
  if (within.some(({ witness }) => witness)) return within.filter(({ witness }) => witness)
  const whole = gap('alternative', {
    keyword,
    candidates: [
      ...tries.flatMap(({ gaps }) =>
        gaps.flatMap(({ witness }) => (witness ? [witness.value] : [])),
      ),
      ...samples.of(shape),
    ],
    isCertain: tries.every(({ gaps }) => gaps.some(isOfTheWhole)),
  })
  return !whole.witness && within.length > 0 ? within : [whole]
}

/** The branches alone, for values that are listed. */
function outerUnion({ outer }: Work, nodes: readonly Node[], keyword: 'anyOf' | 'oneOf'): Node {
  const known = unions.get(outer)?.[keyword]
  const made = known ?? childOf(outer, { [keyword]: nodes.map(({ schema }) => schema) })
  unions.set(outer, { ...unions.get(outer), [keyword]: made })
  return made
}

const unions = new WeakMap<Node, { readonly [keyword in 'anyOf' | 'oneOf']?: Node }>()

/** The values of one type that no branch has anything of: all is wrong with them. */
const isOfTheWhole = ({ path, kind, isCertain }: Gap): boolean =>
  isCertain && path.length === 0 && ['type', 'null', 'nothing'].includes(kind)

/** How far a branch is from being the one that was meant. */
function distance(gaps: readonly Gap[]): number {
  const [first] = gaps
  if (first && isOfTheWhole(first)) return FAR
  const wrongTag = gaps.filter(({ kind, path }) => kind === 'value' && path.length === 1).length
  return wrongTag * 100 + gaps.length
}

const FAR = 10_000

const DEEPEST = 4
