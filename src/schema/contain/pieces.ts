import type { Schema } from '../schema.js'
import { keywordsOf, madeNode, type Node, resolved } from './node.js'
import { objectView } from './object-view.js'
import { lacking, requiring, type Shape } from './shape.js'
import type { Work } from './work.js'

/** The shape in pieces, by a property whose values are listed, of several types, or there or not: one of those wanted. */
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
