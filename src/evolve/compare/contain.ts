import { containArray } from './contain-array.js'
import { containNumber } from './contain-number.js'
import { containObject } from './contain-object.js'
import { containString } from './contain-string.js'
import { containCombined } from './contain-union.js'
import { createDisjointness } from './disjoint.js'
import { createEmptiness } from './empty.js'
import { type Gap, saying } from './gap.js'
import { isEqual, type JsonType } from './json-values.js'
import {
  accepts,
  isAnything,
  isNothing,
  keyOf,
  keywordsOf,
  type Node,
  resolved,
  type Terms,
} from './node.js'
import { isWhole, numbersNear, rangeOf } from './number-range.js'
import { createProgress } from './progress.js'
import { createSameness, type Sameness } from './same.js'
import { createShaping, type Shape, type Shaping, TooManyShapes } from './shape.js'
import { createSamples } from './smallest.js'
import { createWork, fulfils, merged, type Tools, type Work } from './work.js'

/**
 * Whether all that fulfils some terms fulfils a schema too, of the same version or another: the gaps where it does not; none
 * where it does. It decides by meaning; where it cannot, the gap is not certain.
 */
export function createContainment(reading: 'strict' | 'open'): Containment {
  const isSame = createSameness()
  const disjointness = createDisjointness(() => shaping)
  const isEmpty = createEmptiness(
    () => shaping,
    (shape, node) => ofShape(shape, node).length === 0,
  )
  const shaping: Shaping = createShaping(isSame, disjointness.ofNodes)
  const progress = createProgress<readonly Gap[]>((gaps) => gaps.length === 0)
  const { known, isPending, settle, isIdle } = progress
  let steps = 0

  const gapsOf = (terms: Terms, given: Node): readonly Gap[] => {
    const outer = resolved(given)
    if (isAnything(outer)) return []
    if (isIdle()) steps = 0
    const [only] = terms
    if (only && terms.length === 1 && isSame(only, outer)) return []
    const key = `${keyOf(terms)} < ${outer.id}`
    // Values are finite: what holds of all that is smaller holds of this one.
    return isPending(key) ? [] : (known(key) ?? settle(key, () => merged(ofTerms(terms, outer))))
  }

  const ofTerms = (terms: Terms, outer: Node): readonly Gap[] => {
    try {
      return shaping.shapesOf(terms).flatMap((shape) => ofShape(shape, outer))
    } catch (error) {
      if (!(error instanceof TooManyShapes)) throw error
      const [inner] = terms
      const said = { inner: saying(inner), outer: saying(outer) }
      return [{ kind: 'undecided', path: [], ...said, isCertain: false, witness: undefined }]
    }
  }

  const ofShape = (shape: Shape, given: Node): readonly Gap[] => {
    const outer = resolved(given)
    if (isAnything(outer) || shape.parts.some((part) => isSame(part, outer))) return []
    steps += 1
    if (steps > MOST_STEPS) throw new TooMuchWork('too many ways to combine what is in both')
    if (isEmpty(shape)) return []
    const work = createWork(shape, outer, tools)
    if (isNothing(outer)) {
      return [work.gap('nothing', { candidates: tools.samples.of(shape) })]
    }
    if (shape.values) return listedValues(shape.values, work)
    const wrong = wrongType(work) ?? wrongValues(work)
    if (wrong) return [wrong]
    return [...(BY_TYPE[shape.type]?.(work) ?? []), ...containCombined(work)]
  }

  const tools: Tools = {
    ...{ reading, isSame, shaping, gapsOf, ofShape, isEmpty },
    samples: createSamples(shaping),
    areDisjoint: disjointness.ofShape,
  }
  return { gapsOf, isSame, shaping }
}

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

/** Each of them is asked. */
function listedValues(values: readonly unknown[], { shape, outer, schema, reading, gap }: Work) {
  const refused = values.filter((value) => fulfils(shape, value) && !accepts(outer, value, reading))
  if (refused.length === 0) return []
  const types = namesOf(schema.type)
  const isNull = shape.type === 'null'
  const isOfType = types === undefined || types.some((name) => name === shape.type)
  const kind = isNull ? 'null' : isOfType || shape.type === 'number' ? 'value' : 'type'
  const lists = shape.parts.find((part) => Object.hasOwn(keywordsOf(part), 'enum'))
  const keyword = kind === 'value' ? (lists ? 'enum' : 'const') : 'type'
  const own = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum
  return [
    gap(kind, {
      keyword,
      inner: kind === 'value' ? refused : shape.type,
      outer: kind === 'value' ? own : schema.type,
      candidates: refused,
    }),
  ]
}

function wrongType({ shape, schema, gap, samples }: Work): Gap | undefined {
  const names = namesOf(schema.type)
  if (names === undefined || names.includes(shape.type)) return undefined
  const said = { keyword: 'type', outer: schema.type }
  if (shape.type === 'number' && names.includes('integer')) {
    const range = rangeOf(shape.parts)
    if (isWhole(range)) return undefined
    const candidates = [...numbersNear({ ...range, steps: [] }), ...samples.of(shape)]
    return gap('type', { ...said, inner: 'number', candidates })
  }
  const inner = shape.type === 'number' && isWhole(rangeOf(shape.parts)) ? 'integer' : shape.type
  return gap('type', { ...said, inner, candidates: samples.of(shape) })
}

const namesOf = (type: unknown): readonly string[] | undefined =>
  type === undefined ? undefined : Array.isArray(type) ? type : [String(type)]

/** Only listed values are let through, and the shape has others. */
function wrongValues({ shape, schema, gap, samples }: Work): Gap | undefined {
  const isConst = Object.hasOwn(schema, 'const')
  const listed = isConst ? [schema.const] : schema.enum
  if (!listed) return undefined
  const others = samples
    .of(shape, listed)
    .filter((value) => !listed.some((one) => isEqual(one, value)))
  return gap('value', {
    keyword: isConst ? 'const' : 'enum',
    outer: listed,
    candidates: others,
    isCertain: shape.nots.length === 0,
  })
}
