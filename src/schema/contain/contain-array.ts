import { childOf, isAnything, isOpen, keywordsOf, madeNode, type Node, resolved } from '../node.js'
import { arrayView, objectView, WITH_OTHERS } from '../views.js'
import type { Gap, Item } from './gap.js'
import type { Work } from './work.js'

export function containArray(work: Work): readonly Item[] {
  return [...lengths(work), ...items(work), ...contained(work)]
}

function* lengths(work: Work): Generator<Gap> {
  const { shape, schema, gap, samples } = work
  const { least, isUnique, ...view } = arrayView(shape.parts)
  const most = isUnique ? Math.min(view.most, differentItems(work)) : view.most
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema
  const arrays = (...counts: readonly number[]) =>
    counts.flatMap((count) => {
      const found = samples.arrayOf(shape, count)
      return found ? [found.value] : []
    })
  if (least < minItems && least <= most) {
    const candidates = arrays(least, minItems - 1)
    yield gap('fewest-items', { keyword: 'minItems', inner: least, outer: minItems, candidates })
  }
  if (most > maxItems) {
    const inner = Number.isFinite(most) ? most : undefined
    const candidates = arrays(maxItems + 1, Math.max(least, maxItems + 1))
    const isCertain = !isUnique
    yield gap('most-items', { keyword: 'maxItems', inner, outer: maxItems, candidates, isCertain })
  }
  if (uniqueItems && !isUnique && most > 1) {
    const twice = itemsAlike(work)
    if (twice.length === 0) return
    const candidates = [...arrays(Math.max(2, least), 3), ...twice.flatMap(({ arrays }) => arrays)]
    const isCertain = least <= 2 && view.places === 0
    yield gap('unique-items', { keyword: 'uniqueItems', outer: true, candidates, isCertain })
  }
}

/** The number of items that can all be different; infinity if it is unknown. */
function differentItems({ shape: { parts }, shaping }: Work): number {
  const { places, at } = arrayView(parts)
  const values = places === 0 ? shaping.shapesOf(at(0)).map((one) => one.values) : [undefined]
  return values.reduce((sum, list) => sum + (list?.length ?? Number.POSITIVE_INFINITY), 0)
}

/** Arrays with equal items, for each pair of places that can have the same value. */
function itemsAlike({ shape, shaping, samples, isEmpty }: Work) {
  const { at, places, most } = arrayView(shape.parts)
  const all = Array.from({ length: Math.min(most, places + 2) }, (_, index) => index)
  return all.flatMap((one) =>
    all.slice(one + 1).flatMap((other) => {
      const terms = [...at(one), ...at(other)]
      if (shaping.shapesOf(terms).every(isEmpty)) return []
      const value = samples.best(terms)?.value
      const array = value === undefined ? undefined : samples.arrayWith(shape, other, value)?.value
      return [{ arrays: Array.isArray(array) ? [array.with(one, value)] : [] }]
    }),
  )
}

function* items({ shape, outer, schema, member, samples }: Work): Generator<Item> {
  const { at, places, most } = arrayView(shape.parts)
  const { prefixItems = [], items: rest } = schema
  const end = Math.max(places, prefixItems.length)
  for (let index = 0; index <= end && index < most; index++) {
    const own = index < prefixItems.length ? prefixItems[index] : rest
    if (own === undefined) continue
    const isRest = index === end
    const segment = isRest && end === 0 ? ANY_ITEM : ({ kind: 'item', index } as const)
    const wrap = (value: unknown) => samples.arrayWith(shape, index, value)
    yield* member(at(index), childOf(outer, own), segment, wrap)
  }
}

const ANY_ITEM = { kind: 'any-item' } as const

function* contained(work: Work): Generator<Gap> {
  const { shape, outer, schema, gap, isHeld, samples } = work
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema
  if (contains === undefined) return
  const wanted = childOf(outer, contains)
  const { counts, least, most } = countsOf(work, wanted)
  const view = arrayView(shape.parts)
  const fewest = everyItemIs(work, wanted) ? Math.max(least, view.least) : least
  if (fewest >= minContains && Math.min(most, view.most) <= maxContains) return
  const isFew = fewest < minContains
  yield gap('contained-item', {
    keyword: isFew ? (minContains === 1 ? 'contains' : 'minContains') : 'maxContains',
    inner: counts === 0 ? undefined : isFew ? least : most,
    outer: isFew ? minContains : maxContains,
    candidates: [
      ...samples.of(shape),
      ...[maxContains + 1, view.least].flatMap((count) => {
        const item = samples.best([wanted])
        if (!item || !Number.isFinite(count)) return []
        const array = samples.arrayOf(shape, count)?.value
        const alike = Array.from({ length: Math.min(count, MOST_SHOWN) }, () => item.value)
        return Array.isArray(array) ? [array, array.map(() => item.value)] : [alike]
      }),
    ],
    isCertain: counts > 0,
  })

  function everyItemIs({ shape: { parts } }: Work, node: Node): boolean {
    const { at, places } = arrayView(parts)
    return Array.from({ length: places + 1 }, (_, index) => at(index)).every(
      (terms) => terms.length > 0 && isHeld(terms, node),
    )
  }
}

/** How many items of the wanted kind the parts require and allow, and how many parts restrict them. */
function countsOf({ shape, isHeld, isSame }: Work, wanted: Node) {
  const isWithin = (one: Node, other: Node) =>
    isSame(one, other) || isHeld([one, madeNode(one.side, WITH_OTHERS)], other)
  const counts = shape.parts.flatMap((part) => {
    const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = keywordsOf(part)
    if (contains === undefined) return []
    const own = childOf(part, contains)
    const low = isWithin(own, wanted) ? minContains : 0
    const high = isWithin(wanted, own) ? maxContains : Number.POSITIVE_INFINITY
    return low > 0 || Number.isFinite(high) ? [{ low, high }] : []
  })
  return {
    counts: counts.length,
    least: Math.max(0, ...counts.map(({ low }) => low)),
    most: Math.min(Number.POSITIVE_INFINITY, ...counts.map(({ high }) => high)),
  }
}

/** The maximum number of items in an array that is shown. */
const MOST_SHOWN = 1_000

/** Unevaluated members depend on all other keywords: only equal schemas are known to evaluate the same members. */
export function containUnevaluated(work: Work): readonly Gap[] {
  const { shape, outer, schema, gap, samples, reading, isSame } = work
  const keyword =
    shape.type === 'object'
      ? 'unevaluatedProperties'
      : shape.type === 'array'
        ? 'unevaluatedItems'
        : undefined
  const own = keyword && schema[keyword]
  if (own === undefined || isAnything(childOf(outer, own))) return []
  if (shape.type === 'object' && own === false && isOpen(reading)) return []
  if (shape.parts.some((part) => isSame(evaluating(part), evaluating(outer)))) return []
  const view = objectView(shape.parts)
  const candidates = [
    ...samples.of(shape),
    ...(shape.type === 'object'
      ? view.names.filter(view.allows).flatMap((name) => {
          const value = samples.best(view.at(name))
          const object = value && samples.objectWith(shape, name, value.value)
          return object ? [object.value] : []
        })
      : [1, 2, 3].flatMap((count) => {
          const array = samples.arrayOf(shape, count)
          return array ? [array.value] : []
        })),
  ]
  const found = gap('unevaluated', { keyword, candidates, isCertain: false, outer: own })
  const isCovered =
    keyword === 'unevaluatedProperties' && isClosedBy(outer, view.names.filter(view.allows))
  return found.witness || !isCovered ? [found] : []
}

/** The schema with only the keywords that affect the evaluation of members. */
function evaluating(node: Node): Node {
  const members = Object.entries(keywordsOf(node)).filter(([keyword]) => EVALUATING.has(keyword))
  return madeNode(node.side, Object.fromEntries(members))
}

const EVALUATING = new Set(
  `properties patternProperties additionalProperties unevaluatedProperties prefixItems items contains
  unevaluatedItems allOf anyOf oneOf not if then else dependentSchemas $ref`.split(/\s+/),
)

/** Whether every possible property is declared by the schema itself or by its `allOf`. */
function isClosedBy(outer: Node, names: readonly string[]): boolean {
  const declared = new Set<string>()
  const all = new Set([resolved(outer)])
  // The loop also visits elements that are added meanwhile.
  for (const node of all) {
    const { properties = {}, allOf = [] } = keywordsOf(node)
    for (const name of Object.keys(properties)) declared.add(name)
    for (const one of allOf) all.add(resolved(childOf(node, one)))
  }
  return names.every((name) => declared.has(name))
}
