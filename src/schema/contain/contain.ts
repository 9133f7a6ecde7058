import { cached } from '../../runtime/shared/cached.js'
import { createDisjointness, createEmptiness } from '../disjoint.js'
import { createShaping, type Shaping, TooManyShapes } from '../flatten.js'
import type { JsonType } from '../json-values.js'
import {
  type ComparisonReading,
  childOf,
  isAnything,
  isNothing,
  isTextReading,
  type Node,
  requiring,
  resolved,
  type Terms,
  termsKey,
} from '../node.js'
import { isWhole, numbersIn, numbersNear, rangeOf } from '../number-range.js'
import { createSameness, distinctNodes, type Sameness } from '../same.js'
import { MOST_DRAFTS, type SampleBudget } from '../sample.js'
import { typesIn } from '../schema.js'
import type { Shape } from '../shape.js'
import { createSmallest } from '../smallest.js'
import { mayHave, objectView } from '../views.js'
import { containArray, containUnevaluated } from './contain-array.js'
import { outside } from './contain-exclusion.js'
import { containObject } from './contain-object.js'
import {
  containNumber,
  containString,
  containText,
  listedElsewhere,
  listedValues,
} from './contain-scalars.js'
import { containTogether } from './contain-together.js'
import { inUnion } from './contain-union.js'
import { type Answers, createAnswers, followed } from './follow.js'
import { type Gap, type Item, type Limit, type Question, saying } from './gap.js'
import { createWork, merged, type Tools, type Work } from './work.js'

/**
 * Decides whether every value of some terms is a value of a schema, of the same version or another. Returns the gaps
 * if it is not, and an empty list if it is. Schemas are compared by meaning; an undecided gap is uncertain.
 */
export function createContainment(
  reading: ComparisonReading,
  isSame: Sameness = createSameness(),
  spent: Spent = { steps: 0 },
): Containment {
  const meter: Meter = { steps: 0, most: MOST_STEPS, drafts: { left: MOST_DRAFTS }, spent }
  const basis = containmentOf('strict', meter, isSame)
  const { ask, answers } = containmentOf(reading, meter, isSame, basis)
  const clean = new Set<Question>()
  const known = new Map<Question, readonly Gap[]>()

  const abandoned = new Map<Question, Limit>()

  /** The items of a question, or the limit that the work for it, or for all questions together, exceeded. */
  const itemsOf = (question: Question): readonly Item[] | Limit => {
    if (!answers.isKnown(question) && meter.steps >= MOST_STEPS) return STEPS_TOGETHER
    meter.most = Math.min(MOST_STEPS, meter.steps + MOST_FOR_ONE)
    try {
      const items = answers.itemsOf(question)
      return abandoned.get(question) ?? items
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error
      answers.abandon()
      basis.answers.abandon()
      const limit = meter.steps > MOST_STEPS ? STEPS_TOGETHER : error.limit
      abandoned.set(question, limit)
      answers.giveUp(question, [abandonedFor(limit)])
      return limit
    }
  }

  return {
    gapsOf: (terms, outer) => {
      meter.steps = 0
      meter.drafts.left = MOST_DRAFTS
      const question = ask(terms, outer)
      if (!question || clean.has(question)) return []
      return cached(known, question, () => [...followed(question, itemsOf, clean)])
    },
  }
}

/** The only item of an abandoned question. */
const abandonedFor = (limit: Limit): Gap => ({
  kind: 'undecided',
  path: [],
  inner: saying(undefined),
  outer: saying(undefined),
  isCertain: false,
  witness: undefined,
  limit,
})

/**
 * `basis` decides strictly whether a shape is empty, and whether it is within a `not`. Its open questions are separate from
 * those of this comparison.
 */
function containmentOf(
  reading: ComparisonReading,
  meter: Meter,
  isSame: Sameness,
  basis?: Basis,
): Basis {
  const disjointness = createDisjointness(() => shaping)
  const shaping: Shaping = basis?.shaping ?? createShaping(isSame, disjointness.ofNodes)
  const questions = new Map<string, Question>()

  const ask = (terms: Terms, target: Node): Question | undefined => {
    const outer = resolved(target)
    if (isAnything(outer)) return undefined
    const [only] = terms
    if (only && terms.length === 1 && isSame(only, outer)) return undefined
    return cached(questions, `${termsKey(terms)} < ${outer.id}`, () => ({ terms, outer }))
  }

  /** Items by shape and schema, valid while the same questions are open: several paths through unions lead to one pair. */
  let found = new WeakMap<Shape, Map<Node, readonly Item[]>>()

  const answers = createAnswers(({ terms, outer }) => {
    if (answers.depth() > DEEPEST) throw new TooMuchWork({ counts: 'depth', most: DEEPEST })
    const around = found
    found = new WeakMap()
    try {
      return merged(shaping.shapesOf(terms).flatMap((shape) => ofShape(shape, outer)))
    } catch (error) {
      if (!(error instanceof TooManyShapes)) throw error
      const [inner] = terms
      const details = { inner: saying(inner), outer: saying(outer) }
      const { limit } = error
      return [
        { kind: 'undecided', path: [], ...details, isCertain: false, witness: undefined, limit },
      ]
    } finally {
      found = around
    }
  })

  const ofShape = (shape: Shape, target: Node): readonly Item[] => {
    const outer = resolved(target)
    if (isAnything(outer) || shape.parts.some((part) => isSame(part, outer))) return []
    const known = cached(found, shape, () => new Map<Node, readonly Item[]>())
    return cached(known, outer, () => [...new Set(itemsOfShape(shape, outer))])
  }

  const itemsOfShape = (shape: Shape, outer: Node): readonly Item[] => {
    meter.steps += 1
    meter.spent.steps += 1
    if (meter.steps > meter.most) {
      throw new TooMuchWork({ counts: 'steps', most: MOST_FOR_ONE })
    }
    if (isEmpty(shape)) return []
    const work = createWork(shape, outer, tools)
    if (isNothing(outer)) {
      return [work.gap('nothing', { candidates: () => tools.samples.of(shape) })]
    }
    if (shape.values) return listedValues(shape.values, work)
    const text = isTextReading(reading) ? containText(work) : undefined
    const wrong = (text ? text.gap : wrongType(work)) ?? listedElsewhere(work)
    if (wrong) return [wrong]
    const items = [...(BY_TYPE[shape.type]?.(work) ?? []), ...containCombined(work)]
    return isTextReading(reading) ? [...items, ...containTogether(work, items)] : items
  }

  const isWithin =
    basis?.isWithin ?? ((shape: Shape, node: Node) => answers.areHeld(ofShape(shape, node)))
  const isEmpty = basis?.isEmpty ?? createEmptiness(() => shaping, isWithin, answers.isIdle)
  const tools: Tools = {
    ...{ reading, isSame, shaping, ask, ofShape, isEmpty, isWithin },
    itemsOf: answers.itemsOf,
    areHeld: answers.areHeld,
    isHeld: (terms, outer) => {
      const question = ask(terms, outer)
      return !question || answers.isHeld(question)
    },
    gapsOf: (question) => some(followed(question, answers.itemsOf), FEW),
    samples: createSmallest(shaping, meter.drafts),
    areDisjoint: disjointness.ofShape,
  }
  return { answers, ask, shaping, isWithin, isEmpty }
}

function* some<One>(all: Iterable<One>, most: number): Generator<One> {
  let count = 0
  for (const one of all) {
    yield one
    count += 1
    if (count === most) return
  }
}

/** The maximum number of a member's gaps that are tried to find a witness for the whole. */
const FEW = 8

type Basis = Pick<Tools, 'ask' | 'shaping' | 'isWithin' | 'isEmpty'> & { readonly answers: Answers }

/** The work for the current outermost question: comparisons of shapes with schemas, their maximum, and the drafts. */
type Meter = {
  steps: number
  most: number
  readonly drafts: SampleBudget
  readonly spent: Spent
}

/** The steps of all questions, of all comparisons that share it. */
export type Spent = { steps: number }

/** Thrown if schemas have too many combinations to be compared. */
class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
  readonly limit: Limit

  constructor(limit: Limit) {
    super(`more than ${limit.most} ${limit.counts}`)
    this.limit = limit
  }
}

/** The limit for one comparison: some seconds. Ordinary documents take hundreds. docs/breaking-changes.md lists these limits. */
const MOST_STEPS = 40_000

const STEPS_TOGETHER: Limit = { counts: 'steps together', most: MOST_STEPS }

/** The limit for one pair of schemas in a comparison. */
const MOST_FOR_ONE = 10_000

/** The maximum number of nested open questions; the stack allows more. */
const DEEPEST = 300

type Containment = {
  readonly gapsOf: (terms: Terms, outer: Node) => readonly Gap[]
}

const BY_TYPE: { readonly [type in JsonType]?: (work: Work) => readonly Item[] } = {
  number: containNumber,
  string: containString,
  array: containArray,
  object: containObject,
}

function wrongType({ shape, schema, gap, samples }: Work): Gap | undefined {
  const names = typesIn(schema)
  if (names === undefined || names.includes(shape.type)) return undefined
  const details = { keyword: 'type', outer: schema.type }
  if (shape.type === 'number' && names.includes('integer')) {
    const range = rangeOf(shape.parts)
    if (isWhole(range) || numbersIn(range)?.every(Number.isInteger)) return undefined
    const candidates = () => [...numbersNear({ ...range, steps: [] }), ...samples.of(shape)]
    return gap('type', { ...details, inner: 'number', candidates })
  }
  const inner = shape.type === 'number' && isWhole(rangeOf(shape.parts)) ? 'integer' : shape.type
  return gap('type', { ...details, inner, candidates: () => samples.of(shape) })
}

/** Compares keywords that combine schemas. */
function containCombined(work: Work): readonly Item[] {
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
    shape.type === 'object' && mayHave(view, name, schema)
      ? shaping
          .restrict(shape, requiring(outer, name))
          .flatMap((piece) => ofShape(piece, childOf(outer, one)))
      : [],
  )
}
