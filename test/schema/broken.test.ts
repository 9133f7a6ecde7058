import { expect, it } from 'vitest'
import { brokenPieces } from '../../src/schema/broken.js'
import { createShaping } from '../../src/schema/flatten.js'
import { createSide, type Node, nodeOf } from '../../src/schema/node.js'
import type { Schema } from '../../src/schema/schema.js'

const jobWith = (kind: string, settings: number): Schema => ({
  type: 'object',
  properties: {
    kind: { const: kind },
    ...Object.fromEntries(
      Array.from({ length: settings }, (_, at) => [`${kind}${at}`, { type: 'string' }]),
    ),
  },
})

it('a shape that excludes many objects with many properties is divided in few steps', () => {
  const shaping = createShaping(
    (a, b) => a === b,
    () => false,
  )
  const side = createSide(new Map())
  const [shape] = shaping.shapesOf([nodeOf(side, jobWith('plain', 50))])
  if (!shape) throw new Error('an object has a shape')
  const nots = Array.from({ length: 8 }, (_, at): Node => nodeOf(side, jobWith(`other${at}`, 50)))
  let steps = 0
  const pieces = brokenPieces(
    { ...shape, nots },
    {
      ...shaping,
      restrict: (...given) => {
        steps += 1
        return shaping.restrict(...given)
      },
    },
  )
  expect(pieces.length).toBe(24)
  // Each piece and each of 12 ways to break a schema would be 2,000 steps.
  expect(steps).toBeLessThan(8 * 24 * 2)
})
