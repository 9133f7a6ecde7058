import { requiring } from '../flatten.js'
import { childOf } from '../node.js'
import { distinctNodes } from '../same.js'
import { objectView } from '../views.js'
import { containUnevaluated } from './contain-array.js'
import { outside } from './contain-exclusion.js'
import { inUnion } from './contain-union.js'
import type { Item } from './gap.js'
import type { Work } from './work.js'

/** The keywords that put schemas together. */
export function containCombined(work: Work): readonly Item[] {
  const { shape, outer, schema, ofShape, isSame } = work
  const terms = (schema.allOf ?? []).map((one) => childOf(outer, one))
  return [
    ...distinctNodes(terms, isSame).flatMap((one) => ofShape(shape, one)),
    ...(schema.anyOf ? inUnion(work, schema.anyOf, 'anyOf') : []),
    ...(schema.oneOf ? inUnion(work, schema.oneOf, 'oneOf') : []),
    ...(schema.not === undefined ? [] : outside(work, childOf(outer, schema.not))),
    ...conditional(work),
    ...dependent(work),
    ...containUnevaluated(work),
  ]
}

function conditional({ shape, outer, schema, shaping, ofShape, shown }: Work): readonly Item[] {
  if (schema.if === undefined) return []
  const condition = childOf(outer, schema.if)
  const held = shaping.restrict(shape, condition)
  const failed = shaping.exclude(shape, condition)
  const items = [
    ...held.flatMap((one) => ofShape(one, childOf(outer, schema.then ?? true))),
    ...failed.flatMap((one) => ofShape(one, childOf(outer, schema.else ?? true))),
  ]
  return shown(items, 'if-shown')
}

function dependent({ shape, outer, schema, shaping, ofShape }: Work): readonly Item[] {
  const view = objectView(shape.parts)
  return Object.entries(schema.dependentSchemas ?? {}).flatMap(([name, one]) =>
    shape.type === 'object' && view.allows(name)
      ? shaping
          .restrict(shape, requiring(outer, name))
          .flatMap((piece) => ofShape(piece, childOf(outer, one)))
      : [],
  )
}
