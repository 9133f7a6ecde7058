import { compilePattern } from '../../runtime/validate.js'
import { escaping, shortestWord } from '../strings/language.js'
import { ANY_STRING } from './contain-string.js'
import type { Gap, Segment } from './gap.js'
import { accepts, childOf, isNothing, madeNode, type Terms } from './node.js'
import { KEYS, type ObjectView, objectView, termsAt } from './object-view.js'
import type { Work } from './work.js'

export function containObject(work: Work): readonly Gap[] {
  const view = objectView(work.shape.parts)
  return [
    ...required(work, view),
    ...members(work, view),
    ...names(work, view),
    ...counts(work, view),
  ]
}

function* required({ shape, schema, gap, samples }: Work, view: ObjectView): Generator<Gap> {
  for (const name of schema.required ?? []) {
    if (view.required.has(name)) continue
    const inner = view.names.includes(name) ? name : undefined
    yield gap('required', {
      ...{ keyword: 'required', inner, outer: name, path: [property(name)] },
      candidates: samples.of(shape),
    })
  }
  for (const [name, needs] of Object.entries(schema.dependentRequired ?? {})) {
    if (!view.allows(name)) continue
    const missing = needs.filter(
      (need) => !view.required.has(need) && !asksFor(shape.parts, name, need),
    )
    if (missing.length === 0) continue
    const [found] = [samples.smallest(view.at(name))]
    const candidate = found && samples.objectWith(shape, name, found.value)
    yield gap('dependent', {
      ...{ keyword: 'dependentRequired', inner: name, outer: missing },
      candidates: candidate ? [candidate.value] : [],
      isCertain: view.required.has(name),
    })
  }
}

const asksFor = (parts: Terms, name: string, need: string): boolean =>
  parts.some(
    ({ schema }) =>
      typeof schema === 'object' && schema.dependentRequired?.[name]?.includes(need) === true,
  )

/** What is declared of each property, in both. */
function* members(work: Work, view: ObjectView): Generator<Gap> {
  const { shape, outer, schema, gap, within, gapsOf, samples, reading } = work
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const refusesOthers =
    additionalProperties !== undefined && isNothing(childOf(outer, additionalProperties))
  const isDeclared = (name: string) =>
    Object.hasOwn(properties, name) ||
    Object.keys(patternProperties).some((pattern) => compilePattern(pattern).test(name))
  const show = (name: string): readonly unknown[] => {
    const value = samples.smallest(view.at(name))
    const object = value && samples.objectWith(shape, name, value.value)
    return object ? [object.value] : []
  }

  for (const name of new Set([...view.names, ...Object.keys(properties)])) {
    if (!view.allows(name)) continue
    if (refusesOthers && !isDeclared(name)) {
      if (reading === 'open') continue
      yield gap('undeclared', {
        ...{ keyword: 'additionalProperties', inner: name, outer: false, path: [property(name)] },
        candidates: show(name),
      })
      continue
    }
    for (const node of termsAt(outer, name)) {
      const wrap = (value: unknown) => samples.objectWith(shape, name, value)
      yield* within(gapsOf(view.at(name), node), property(name), wrap)
    }
  }

  for (const name of others(work, view)) {
    if (name === undefined) {
      yield gap('undecided', { keyword: 'patternProperties', isCertain: false })
      continue
    }
    for (const node of termsAt(outer, name)) {
      if (isNothing(node) && reading === 'open') continue
      const wrap = (value: unknown) => samples.objectWith(shape, name, value)
      yield* within(gapsOf(view.at(name), node), ANY_PROPERTY, wrap)
    }
  }
}

const property = (name: string): Segment => ({ kind: 'property', name })

const ANY_PROPERTY = { kind: 'any-property' } as const

/**
 * Names that stand for the properties of a map and for those of each pattern, one for each way in which the patterns of both
 * versions meet; undefined where a pattern is not understood.
 */
function* others({ schema }: Work, view: ObjectView): Generator<string | undefined> {
  const taken = new Set([...view.names, ...Object.keys(schema.properties ?? {})])
  const theirs = Object.keys(schema.patternProperties ?? {})
  const word = (...patterns: readonly string[]) =>
    shortestWord({ ...ANY_STRING, patterns }, (one) => taken.has(one) || !view.allows(one))
  for (const own of view.patterns) {
    const beyond = escaping(
      { ...ANY_STRING, patterns: [own] },
      theirs.map((pattern) => ({ ...ANY_STRING, patterns: [pattern] })),
    )
    if (beyond.kind === 'unknown') yield undefined
    if (beyond.kind === 'word') yield taken.has(beyond.word) ? word(own) : beyond.word
    for (const pattern of theirs) {
      const both = own === pattern ? word(own) : word(own, pattern)
      if (both !== undefined) yield both
    }
  }
  if (!view.rest) return
  for (const pattern of theirs) {
    const name = view.patterns.includes(pattern) ? undefined : word(pattern)
    if (name !== undefined) yield name
  }
  const patterns = [...view.patterns, ...theirs].map(compilePattern)
  yield KEYS.find(
    (key) => !taken.has(key) && !patterns.some((one) => one.test(key)) && nameFits(view, key),
  ) ??
    shortestWord(ANY_STRING, (key) => taken.has(key) || !nameFits(view, key)) ??
    'key'
}

const nameFits = (view: ObjectView, name: string): boolean =>
  view.nameTerms.every((node) => accepts(node, name))

/** A name of the inner version that the outer one does not let a property have. */
function* names(work: Work, view: ObjectView): Generator<Gap> {
  const { shape, outer, schema, gap, gapsOf, samples } = work
  if (schema.propertyNames === undefined) return
  const wanted = childOf(outer, schema.propertyNames)
  for (const name of view.names.filter(view.allows)) {
    if (accepts(wanted, name)) continue
    const value = samples.smallest(view.at(name))
    const object = value && samples.objectWith(shape, name, value.value)
    yield gap('property-name', {
      ...{ keyword: 'propertyNames', inner: name, path: [property(name)] },
      candidates: object ? [object.value] : [],
    })
  }
  if (view.rest === undefined && view.patterns.length === 0) return
  for (const found of gapsOf([...view.nameTerms, ...patternTerms(work, view)], wanted)) {
    const name = found.witness?.value
    const value = typeof name === 'string' ? samples.smallest(view.at(name)) : undefined
    const object = value && samples.objectWith(shape, String(name), value.value)
    yield gap('property-name', {
      ...{ keyword: 'propertyNames', inner: name },
      candidates: object ? [object.value] : [],
      isCertain: false,
    })
  }
}

/** Names are strings; of a shape with patterns only, they match one of them. */
function patternTerms({ outer, shape }: Work, view: ObjectView): Terms {
  const any = { type: 'string' } as const
  const [pattern] = view.patterns
  const isOne = view.rest === undefined && view.patterns.length === 1 && pattern !== undefined
  const side = shape.parts[0] ?? outer
  return [madeNode(side.side, isOne ? { ...any, pattern } : any)]
}

function* counts({ shape, schema, gap, samples }: Work, view: ObjectView): Generator<Gap> {
  const { minProperties, maxProperties } = schema
  const candidates = () => [...samples.of(shape)]
  if (minProperties !== undefined && view.least < minProperties) {
    yield gap('fewest-properties', {
      ...{ keyword: 'minProperties', inner: view.least, outer: minProperties },
      candidates: candidates(),
    })
  }
  if (maxProperties !== undefined && view.most > maxProperties) {
    const all = view.names.filter(view.allows).slice(0, maxProperties + 1)
    const full = Object.fromEntries(
      all.flatMap((name) => {
        const found = samples.smallest(view.at(name))
        return found ? [[name, found.value]] : []
      }),
    )
    const more = Object.fromEntries(
      Array.from({ length: Math.min(maxProperties + 1, 100) }, (_, index) => [
        `key${index + 1}`,
        view.rest && samples.smallest(view.rest)?.value,
      ]),
    )
    yield gap('most-properties', {
      keyword: 'maxProperties',
      inner: Number.isFinite(view.most) ? view.most : undefined,
      outer: maxProperties,
      candidates: [full, ...(view.rest ? [more] : []), ...candidates()],
    })
  }
}
