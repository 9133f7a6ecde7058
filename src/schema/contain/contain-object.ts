import { matchesPattern } from '../../runtime/validate/pattern.js'
import { accepts, childOf, isNothing, isOpen, madeNode, type Terms } from '../node.js'
import { type Escape, escaping } from '../patterns/language.js'
import type { StringTerms } from '../patterns/search.js'
import { fulfils } from '../shape.js'
import {
  allowsAny,
  KEYS,
  mayHave,
  type ObjectView,
  objectView,
  stringTerms,
  termsAt,
  termsMatching,
  withNeeds,
} from '../views.js'
import { ANY_STRING } from './contain-scalars.js'
import type { Gap, Item, Segment } from './gap.js'
import type { Work } from './work.js'

export function containObject(work: Work): readonly Item[] {
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
      candidates: () => samples.of(shape),
      isShowing: (value) => !Object.hasOwn(value as object, name),
    })
  }
  for (const [name, needs] of Object.entries(schema.dependentRequired ?? {})) {
    if (!mayHave(view, name, schema)) continue
    const present = withNeeds(shape.parts, [name, ...view.required])
    const missing = needs.filter((need) => !present.has(need))
    if (missing.length === 0) continue
    const [found] = [samples.best(view.at(name))]
    const candidate = found && samples.objectWith(shape, name, found.value)
    yield gap('dependent', {
      ...{ keyword: 'dependentRequired', inner: name, outer: missing },
      candidates: candidate ? [candidate.value] : [],
      isCertain: view.required.has(name),
    })
  }
}

/** Compares the properties that either version declares. */
function* members(work: Work, view: ObjectView): Generator<Item> {
  const { shape, outer, schema, gap, member, samples, reading } = work
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const rejectsOthers =
    additionalProperties !== undefined && isNothing(childOf(outer, additionalProperties))
  // A reader ignores that an object is closed, but not that a pattern or another keyword forbids a property.
  const isLookedOver = isOpen(reading) && additionalProperties === false
  const isDeclared = (name: string) =>
    Object.hasOwn(properties, name) ||
    Object.keys(patternProperties).some((pattern) => matchesPattern(pattern, name))
  // The other properties fulfil both versions if possible, so that the witness shows only this property.
  const wrapper = (name: string) => (value: unknown) => {
    const found = samples.objectWith(shape, name, value)
    const object = found?.value as Readonly<Record<string, unknown>> | undefined
    const calmer = Object.entries(object ?? {}).flatMap(([other, own]) => {
      const terms = other === name ? [] : termsAt(outer, other)
      if (terms.every((term) => accepts(term, own, reading))) return []
      const both = samples.best([...view.at(other), ...terms])
      return both ? [[other, both.value] as const] : []
    })
    if (calmer.length === 0) return found
    const made = { ...object, ...Object.fromEntries(calmer) }
    return fulfils(shape, made) ? { value: made } : found
  }
  const show = (name: string): readonly unknown[] => {
    const value = samples.best(view.at(name))
    const object = value && samples.objectWith(shape, name, value.value)
    return object ? [object.value] : []
  }

  const { listed, kinds } = namesOf(work, view)
  for (const name of new Set([...view.names, ...Object.keys(properties), ...listed])) {
    if (!view.allows(name)) continue
    if (rejectsOthers && !isDeclared(name)) {
      if (isLookedOver) continue
      yield gap('undeclared', {
        ...{ keyword: 'additionalProperties', inner: name, outer: false, path: [property(name)] },
        candidates: () => show(name),
      })
      continue
    }
    for (const node of termsAt(outer, name)) {
      yield* member(view.at(name), node, property(name), wrapper(name))
    }
  }

  if (kinds === undefined) {
    yield gap('undecided', { keyword: 'patternProperties', isCertain: false })
    return
  }
  for (const { name, matched, isCertain } of kinds) {
    const inner = view.matching(matched)
    const isOther = !Object.keys(patternProperties).some((pattern) => matched.has(pattern))
    if (inner.some(isNothing) || (isLookedOver && isOther)) continue
    for (const node of termsMatching(outer, matched)) {
      const wrap = name === undefined ? () => undefined : wrapper(name)
      yield* member(inner, node, ANY_PROPERTY, wrap, isCertain ? 'as-it-is' : 'as-uncertain')
    }
  }
}

const property = (name: string): Segment => ({ kind: 'property', name })

const ANY_PROPERTY = { kind: 'any-property' } as const

/** Names of properties that the inner version allows and the outer one rejects. */
function* names(work: Work, view: ObjectView): Generator<Gap> {
  const { shape, outer, schema, gap, ask, gapsOf, samples, reading } = work
  if (schema.propertyNames === undefined) return
  const wanted = childOf(outer, schema.propertyNames)
  for (const name of view.names.filter(view.allows)) {
    if (accepts(wanted, name)) continue
    const value = samples.best(view.at(name))
    const object = value && samples.objectWith(shape, name, value.value)
    yield gap('property-name', {
      ...{ keyword: 'propertyNames', inner: name, path: [property(name)] },
      candidates: object ? [object.value] : [],
    })
  }
  const isMap = view.rest !== undefined || allowsAny(view, reading)
  if (!isMap && view.patterns.length === 0) return
  const question = ask([...view.nameTerms, ...patternTerms(work, view)], wanted)
  for (const found of question ? gapsOf(question) : []) {
    const name = found.witness?.value
    const value = typeof name === 'string' ? samples.best(view.at(name)) : undefined
    const object = value && samples.objectWith(shape, String(name), value.value)
    yield gap('property-name', {
      ...{ keyword: 'propertyNames', inner: name },
      candidates: object ? [object.value] : [],
      isCertain: false,
    })
  }
}

/** Names are strings; if the shape has only patterns, a name matches one of them. */
function patternTerms({ outer, shape }: Work, view: ObjectView): Terms {
  const any = { type: 'string' } as const
  const [pattern] = view.patterns
  const isOne = view.rest === undefined && view.patterns.length === 1 && pattern !== undefined
  const side = shape.parts[0] ?? outer
  return [madeNode(side.side, isOne ? { ...any, pattern } : any)]
}

function* counts({ shape, schema, gap, samples, reading }: Work, view: ObjectView): Generator<Gap> {
  const { minProperties, maxProperties } = schema
  const candidates = () => [...samples.of(shape)]
  if (minProperties !== undefined && view.least < minProperties) {
    yield gap('fewest-properties', {
      ...{ keyword: 'minProperties', inner: view.least, outer: minProperties },
      candidates,
    })
  }
  if (maxProperties !== undefined && view.most > maxProperties) {
    const isMap = view.rest !== undefined || allowsAny(view, reading)
    const all = view.names.filter(view.allows).slice(0, maxProperties + 1)
    const full = Object.fromEntries(
      all.flatMap((name) => {
        const found = samples.best(view.at(name))
        return found ? [[name, found.value]] : []
      }),
    )
    const more = Object.fromEntries(
      Array.from({ length: Math.min(maxProperties + 1, 100) }, (_, index) => [
        `key${index + 1}`,
        view.rest ? samples.best(view.rest)?.value : null,
      ]),
    )
    yield gap('most-properties', {
      keyword: 'maxProperties',
      inner: Number.isFinite(view.most) ? view.most : undefined,
      outer: maxProperties,
      candidates: [full, ...(isMap ? [more] : []), ...candidates()],
    })
  }
}

/**
 * The names of properties that have no schema of their own. Listed names of a map are reported one by one. All others
 * are reported by the patterns of both versions that they match: one kind for each combination of patterns. `kinds`
 * is undefined if there are too many.
 */
function namesOf(work: Work, view: ObjectView): Names {
  const { outer, schema, shaping, reading } = work
  const isAny = view.rest !== undefined || allowsAny(view, reading)
  const isMap = isAny || view.patterns.length > 0
  const nameShapes = isMap
    ? shaping.shapesOf([...view.nameTerms, madeNode(outer.side, { type: 'string' })])
    : []
  if (nameShapes.every(({ values }) => values)) {
    const listed = nameShapes.flatMap(({ values = [] }) => values.map(String))
    return { listed, kinds: [] }
  }
  const known = new Set([...view.names, ...Object.keys(schema.properties ?? {})])
  const isFree = (name: string) =>
    !known.has(name) && view.nameTerms.every((node) => accepts(node, name))
  const [only, ...others] = nameShapes
  const base = only && others.length === 0 ? stringTerms(only.parts) : ANY_STRING
  const patterns = new Set([...view.patterns, ...Object.keys(schema.patternProperties ?? {})])
  const all = kindsOf(base, [...patterns], isFree)
  const isOwn = ({ matched }: NameKind) =>
    isAny || view.patterns.some((pattern) => matched.has(pattern))
  return { listed: [], kinds: all?.filter(isOwn) }
}

export type Names = {
  readonly listed: readonly string[]
  readonly kinds: readonly NameKind[] | undefined
}

type NameKind = {
  readonly matched: ReadonlySet<string>
  /** A name of the kind; undefined if none is found. */
  readonly name: string | undefined
  /** Such names are proved to exist. */
  readonly isCertain: boolean
}

type Draft = { readonly inside: readonly string[]; readonly outside: readonly string[] }

/** Splits each kind, for each pattern, into names that match it and names that do not. */
function kindsOf(
  base: StringTerms,
  patterns: readonly string[],
  isFree: (name: string) => boolean,
): readonly NameKind[] | undefined {
  const look = ({ inside, outside }: Draft): Escape => {
    const key = KEYS.find(
      (one) =>
        inside.every((pattern) => matchesPattern(pattern, one)) &&
        !outside.some((pattern) => matchesPattern(pattern, one)) &&
        isFree(one),
    )
    if (key !== undefined) return { kind: 'word', word: key }
    const terms = { ...base, patterns: [...base.patterns, ...inside] }
    const beyond = outside.map((pattern) => ({ ...ANY_STRING, patterns: [pattern] }))
    return escaping(terms, beyond, (word) => !isFree(word))
  }
  let drafts: readonly Draft[] = [{ inside: [], outside: [] }]
  for (const pattern of patterns) {
    drafts = drafts
      .flatMap(({ inside, outside }) => [
        { inside: [...inside, pattern], outside },
        { inside, outside: [...outside, pattern] },
      ])
      .filter((draft) => look(draft).kind !== 'none')
    if (drafts.length > MOST_KINDS) return undefined
  }
  return drafts.flatMap((draft) => {
    const found = look(draft)
    if (found.kind === 'none') return []
    const name = found.kind === 'word' ? found.word : undefined
    return [{ matched: new Set(draft.inside), name, isCertain: found.kind !== 'unknown' }]
  })
}

const MOST_KINDS = 32
