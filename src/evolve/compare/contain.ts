import { containArray } from './contain-array.js'
import { containCombined } from './contain-combined.js'
import { containNumber } from './contain-number.js'
import { containObject } from './contain-object.js'
import { containString } from './contain-string.js'
import { containText } from './contain-text.js'
import { listedElsewhere, listedValues } from './contain-values.js'
import { createDisjointness } from './disjoint.js'
import { createEmptiness } from './empty.js'
import { type Gap, saying } from './gap.js'
import type { JsonType } from './json-values.js'
import { typesIn } from './lists.js'
import {
  isAnything,
  isNothing,
  isText,
  keyOf,
  type Node,
  type Reading,
  resolved,
  type Terms,
} from './node.js'
import { isWhole, numbersIn, numbersNear, rangeOf } from './number-range.js'
import { createProgress } from './progress.js'
import { createSameness, type Sameness } from './same.js'
import { createShaping, type Shape, type Shaping, TooManyShapes } from './shape.js'
import { createSamples } from './smallest.js'
import { createWork, merged, type Tools, type Work } from './work.js'

/**
 * Whether all that fulfils some terms fulfils a schema too, of the same version or another: the gaps where it does not; none
 * where it does. It decides by meaning; where it cannot, the gap is not certain.
 */
export function createContainment(reading: Reading): Containment {
  const meter = { steps: 0, depth: 0 }
  return containmentOf(reading, meter, containmentOf('strict', meter))
}

/**
 * Whether a shape is empty, and what `not` asks for, is a question about what is let through strictly: `basis` answers it, apart
 * from the questions of the one that asks, which are open meanwhile.
 */
function containmentOf(reading: Reading, meter: Meter, basis?: Basis): Basis {
  const isSame = basis?.isSame ?? createSameness()
  const disjointness = createDisjointness(() => shaping)
  const shaping: Shaping = basis?.shaping ?? createShaping(isSame, disjointness.ofNodes)
  const progress = createProgress<readonly Gap[]>((gaps) => gaps.length === 0)
  const { known, isPending, settle, isIdle } = progress

  const gapsOf = (terms: Terms, given: Node): readonly Gap[] => {
    const outer = resolved(given)
    if (isAnything(outer)) return []
    if (meter.depth === 0) meter.steps = 0
    const [only] = terms
    if (only && terms.length === 1 && isSame(only, outer)) return []
    const key = `${keyOf(terms)} < ${outer.id}`
    // Values are finite: what holds of all that is smaller holds of this one.
    return isPending(key) ? [] : (known(key) ?? settle(key, () => merged(ofTerms(terms, outer))))
  }

  const ofTerms = (terms: Terms, outer: Node): readonly Gap[] => {
    meter.depth += 1
    try {
      return shaping.shapesOf(terms).flatMap((shape) => ofShape(shape, outer))
    } catch (error) {
      if (!(error instanceof TooManyShapes)) throw error
      const [inner] = terms
      const said = { inner: saying(inner), outer: saying(outer) }
      return [{ kind: 'undecided', path: [], ...said, isCertain: false, witness: undefined }]
    } finally {
      meter.depth -= 1
    }
  }

  const ofShape = (shape: Shape, given: Node): readonly Gap[] => {
    const outer = resolved(given)
    if (isAnything(outer) || shape.parts.some((part) => isSame(part, outer))) return []
    meter.steps += 1
    if (meter.steps > MOST_STEPS) throw new TooMuchWork('too many ways to combine what is in both')
    if (isEmpty(shape)) return []
    const work = createWork(shape, outer, tools)
    if (isNothing(outer)) {
      return [work.gap('nothing', { candidates: tools.samples.of(shape) })]
    }
    if (shape.values) return listedValues(shape.values, work)
    const text = isText(reading) ? containText(work) : undefined
    const wrong = (text ? text.gap : wrongType(work)) ?? listedElsewhere(work)
    if (wrong) return [wrong]
    return [...(BY_TYPE[shape.type]?.(work) ?? []), ...containCombined(work)]
  }

  const isWithin =
    basis?.isWithin ?? ((shape: Shape, node: Node) => ofShape(shape, node).length === 0)
  const isEmpty = basis?.isEmpty ?? createEmptiness(() => shaping, isWithin, isIdle)
  const tools: Tools = {
    ...{ reading, isSame, shaping, gapsOf, ofShape, isEmpty, isWithin },
    samples: createSamples(shaping),
    areDisjoint: disjointness.ofShape,
  }
  return { gapsOf, isSame, shaping, isWithin, isEmpty }
}

type Basis = Containment & Pick<Tools, 'isWithin' | 'isEmpty'>

/** How much has been done for the question that was asked from outside, and how deep in it we are. */
type Meter = { steps: number; depth: number }

/** Two schemas can be put together in so many ways that their comparison is given up; nothing of this containment is of use then. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
}

/** Shapes held against schemas for one question: some seconds. What teams write takes hundreds. */
const MOST_STEPS = 100_000

export type Containment = {
  readonly gapsOf: (terms: Terms, outer: Node) => readonly Gap[]
  readonly isSame: Sameness
  readonly shaping: Shaping
}

const BY_TYPE: { readonly [type in JsonType]?: (work: Work) => readonly Gap[] } = {
  number: containNumber,
  string: containString,
  array: containArray,
  object: containObject,
}

function wrongType({ shape, schema, gap, samples }: Work): Gap | undefined {
  const names = typesIn(schema)
  if (names === undefined || names.includes(shape.type)) return undefined
  const said = { keyword: 'type', outer: schema.type }
  if (shape.type === 'number' && names.includes('integer')) {
    const range = rangeOf(shape.parts)
    if (isWhole(range) || numbersIn(range)?.every(Number.isInteger)) return undefined
    const candidates = [...numbersNear({ ...range, steps: [] }), ...samples.of(shape)]
    return gap('type', { ...said, inner: 'number', candidates })
  }
  const inner = shape.type === 'number' && isWhole(rangeOf(shape.parts)) ? 'integer' : shape.type
  return gap('type', { ...said, inner, candidates: samples.of(shape) })
}
