import type { Api } from '../model/api.js'
import { cached } from '../runtime/shared/cached.js'
import { matchesPattern } from '../runtime/validate/pattern.js'
import { placeKey } from '../schema/alternatives/pair-changes.js'
import type { Declared } from '../schema/contain/annotations.js'
import type { Gap, Path, Segment } from '../schema/contain/gap.js'
import type { DirectionMark } from '../schema/direction-marks.js'
import type { Selection } from '../schema/discriminator.js'
import { grouped } from '../schema/grouped.js'
import { bySize } from '../schema/json-values.js'
import { isAlwaysMarked, type ValueStep } from '../schema/places.js'
import { dereference, everySubschema, type Schema, type SchemaObject } from '../schema/schema.js'
import { inheritSource } from '../schema/source.js'
import type { Change } from './change.js'
import { accessChange, declaredFindings } from './declared-findings.js'
import { type Effect, type Found, findingOf, folded, within } from './gap-finding.js'
import { schemaRule } from './schema-rules.js'
import { asDocumented, type DiffContext, SENDABLE, type Subject } from './subject.js'

/** The findings of two versions of one schema, by their effect on callers or readers. */
export function* schemaFindings(
  context: DiffContext,
  subject: Subject,
  before: Schema,
  after: Schema,
): Generator<Change> {
  for (const change of changesOf(context, subject, before, after)) {
    yield change.met ? { ...change, met: { ...change.met, root: before } } : change
  }
}

function* changesOf(
  context: DiffContext,
  subject: Subject,
  before: Schema,
  after: Schema,
): Generator<Change> {
  const isRequest = subject.direction === 'request'
  const rejected = rejectedNames(
    ...(isRequest ? ([context.before, before] as const) : ([context.after, after] as const)),
  )
  if (rejected.length === 0) {
    yield* satisfiableFindings(context, subject, before, after)
    return
  }
  // No value is valid, so no witness exists: the schemas are compared as if the names were not required.
  const findings = [
    ...satisfiableFindings(
      ...[context, subject, withoutRequired(context.before, before, rejected)],
      withoutRequired(context.after, after, rejected),
    ),
  ]
  if (findings.length === 0) return
  const rule = schemaRule(`${subject.direction}-is-unsatisfiable`)
  const names = rejected.map((name) => `\`${name}\``).join(', ')
  yield {
    ...{ rule: rule.id, level: rule.level },
    ...{ location: subject.after.locate(), before: subject.before.locate() },
    message: `no value is valid for ${subject.what}: ${names} is required, but the object is closed and does not declare it`,
    ...(rule.advice !== undefined && { advice: rule.advice }),
  }
  for (const { witness, ...finding } of findings) {
    yield finding.level === 'error' ? { ...finding, level: 'warning' } : finding
  }
}

function* satisfiableFindings(
  context: DiffContext,
  subject: Subject,
  before: Schema,
  after: Schema,
): Generator<Change> {
  const { direction, isText, carrier } = subject
  const isRequest = direction === 'request'
  const sendable = carrier && SENDABLE[carrier]
  const use = { direction, isText, sendable }
  const changes = context.compare(before, after, use)
  const isExchanged = exchangedIn(context, direction, before, after)
  const declared = changes.declared.filter((one) => isExchanged(one))
  const [receiver, sender] = isRequest ? [after, before] : [before, after]
  const gapsIn = (gaps: readonly Gap[], outer: Schema) =>
    gaps.filter((gap) => isExchanged(gap, outer))
  const [breaking, hidden] = [gapsIn(changes.breaking, receiver), gapsIn(changes.hidden, receiver)]
  const overlooked = gapsIn(changes.overlooked, receiver)
  const harmless = gapsIn(changes.harmless, sender)
  const all: Found[] = []
  const [more, moreSchema] = isRequest ? [context.before, before] : [context.after, after]
  const values = new Map<string, Set<string>>()
  const found = (gap: Gap, isLess: boolean, effect?: Effect) => {
    if (gap.kind === 'value') {
      const own = cached(values, placeOf(gap.path), () => new Set())
      for (const value of [gap.inner.says].flat()) own.add(String(value))
    }
    const documented = asDocumented(gap)
    const one =
      effect === 'note' ? documented : asAlternative(more, moreSchema, isRequest, documented)
    all.push({ path: gap.path, finding: findingOf(subject, one, isLess, effect), gap: one })
  }
  const reportedPlaces = new Set<string>()
  // If a witness shows a change, undecided gaps at the same place are omitted.
  const shown = new Set(breaking.filter(({ witness }) => witness).map(({ path }) => placeOf(path)))
  for (const gap of typesTogether(breaking)) {
    if (!isDecided(gap) && shown.has(placeOf(gap.path))) continue
    reportedPlaces.add(placeOf(gap.path))
    if (gap.overlap === undefined || isRequest) found(gap, isRequest)
    // A reader takes a value that matches two alternatives for either of them.
    else if (isDecided(gap)) found(gap, isRequest, 'note')
  }
  for (const gap of typesTogether(hidden)) {
    // Alternatives are compared apart there, and only the whole decides whether they overlap.
    if (gap.kind === 'overlap') continue
    reportedPlaces.add(placeOf(gap.path))
    found(gap, isRequest, 'hidden')
  }
  for (const gap of typesTogether(overlooked)) {
    if (reportedPlaces.has(placeOf(gap.path)) || !isDecided(gap)) continue
    reportedPlaces.add(placeOf(gap.path))
    found({ ...gap, isCertain: true, witness: undefined }, isRequest, 'overlooked')
  }
  // A property that may no longer be sent is not required either: only its loss is reported.
  const lost = new Set(
    declared.filter((one) => accessChange(direction, one)?.isLoss).map(({ path }) => placeOf(path)),
  )
  for (const gap of typesTogether(harmless)) {
    // Declarations are reported below.
    if (gap.kind === 'undeclared' || gap.kind === 'undecided' || !isDecided(gap)) continue
    if (gap.kind === 'required') {
      if (gap.inner.says === undefined || lost.has(placeOf(gap.path))) continue
      reportedPlaces.add(placeOf(gap.path))
    }
    found(gap, !isRequest, 'note')
  }
  for (const one of declared) {
    if (IN_GAPS.test(one.kind) && reportedPlaces.has(placeOf(valuesOf(one)))) continue
    // A response without an alternative that it had is safe.
    if (one.kind === 'property-removed' && changes.lost.has(placeKey(one.path))) continue
    for (const finding of declaredFindings(context, subject, withoutValues(one, values))) {
      const met = {
        ...{ root: before, path: one.path, kind: one.kind, is: one.after.says },
        ...{ was: one.before.says, after: one.after.node, isPartial: false, isDeclared: true },
      }
      all.push({ path: one.path, finding: { ...finding, met }, gap: undefined })
    }
  }
  yield* folded(context, subject, { before, after }, all)
}

/**
 * Whether a place is exchanged at all: a `readOnly` property is not in requests, and a `writeOnly` one not in responses (OpenAPI 3.0.3,
 * 4.7.24; JSON Schema Validation, 9.4). A property that becomes, or no longer is, of one direction is reported as that. One that a new
 * response has is compared with the schema that it had as `writeOnly`.
 */
function exchangedIn(
  context: DiffContext,
  direction: Subject['direction'],
  before: Schema,
  after: Schema,
): (one: Pick<Gap, 'path'> & { readonly kind: string }, outer?: Schema) => boolean {
  const mark = direction === 'request' ? 'readOnly' : 'writeOnly'
  const sides = [
    { api: context.before, root: before },
    { api: context.after, root: after },
  ].filter(({ api, root }) => hasMark(api, root, mark))
  return ({ path, kind }, outer) => {
    if (sides.length === 0 || ACCESS.test(kind)) return true
    const steps = path.map(stepOf)
    const marking = sides.filter(({ api, root }) => isAlwaysMarked(root, steps, mark, api.schemas))
    if (marking.length === 0) return true
    // A version that does not mark the property demands it.
    if (kind === 'required') return !marking.some(({ root }) => root === outer)
    // The new version sends it, and clients of the old one still read it by its schema.
    const isSent = direction === 'response' && marking.every(({ root }) => root === before)
    return isSent && kind !== 'property-removed'
  }
}

/** Changes of the marks themselves. */
const ACCESS = /^(read|write)-only$/

const stepOf = (segment: Segment): ValueStep => {
  if (segment.kind === 'property') return segment.name
  return segment.kind === 'item' ? segment.index : segment.kind === 'any-item' ? 0 : 'key'
}

/** Whether any schema of a version has the mark, or the schema itself. */
function hasMark(api: Api, root: Schema, mark: DirectionMark): boolean {
  const isMarking = (schema: Schema) =>
    everySubschema(schema).some((one) => typeof one === 'object' && one[mark] === true)
  const known = cached(marks, api, () => new Map<string, { readonly is: boolean }>())
  const inApi = cached(known, mark, () => ({
    is: [...api.schemas.values()].some(({ schema }) => isMarking(schema)),
  }))
  return inApi.is || isMarking(root)
}

const marks = new WeakMap<Api, Map<string, { readonly is: boolean }>>()

const isDecided = ({ isCertain, witness }: Gap): boolean => isCertain || witness !== undefined

/** Declarations that a gap at the same place already reports. */
const IN_GAPS = /^(property|undeclared|read|write)-/

/** A change of a discriminator without the values that are reported as values of its property, by place. */
function withoutValues(one: Declared, values: ReadonlyMap<string, ReadonlySet<string>>): Declared {
  const [before, after] = [one.before.says, one.after.says] as [Selection?, Selection?]
  if (one.kind !== 'discriminator' || !before || !after) return one
  const property = { kind: 'property', name: after.propertyName } as const
  const reported = values.get(placeOf([...one.path, property]))
  const without = (own: Selection, other: Selection): Selection => ({
    ...own,
    selected: Object.fromEntries(
      Object.entries(own.selected).filter(
        ([value]) => Object.hasOwn(other.selected, value) || !reported?.has(value),
      ),
    ),
  })
  return {
    ...one,
    before: { ...one.before, says: without(before, after) },
    after: { ...one.after, says: without(after, before) },
  }
}

/** The path of the values that a declaration applies to. */
const valuesOf = ({ path, before, after }: Declared): Path =>
  [before.says, after.says].includes('additionalProperties')
    ? [...path, { kind: 'any-property' }]
    : path

const placeOf = (path: Path): string => JSON.stringify(path)

/**
 * Merges several types or values that one schema no longer accepts, or accepts now, into one change; null counts as a type.
 * All alternatives are merged too if no value at all was accepted.
 */
function typesTogether(gaps: readonly Gap[]): readonly Gap[] {
  const groups = grouped(gaps, (gap) => {
    const kind = kindTogether(gap)
    return kind === undefined
      ? gap
      : JSON.stringify([kind, gap.path, gap.outer.node?.id, gap.alternative])
  })
  return [...groups.values()].map(asOne)
}

/** Undefined for a gap that is not merged. */
const kindTogether = ({ kind, inner }: Gap): 'type' | 'value' | 'nothing' | undefined => {
  if (kind === 'type' || kind === 'nothing') return kind
  if (inner.says === undefined) return undefined
  return kind === 'null' ? 'type' : kind === 'value' ? 'value' : undefined
}

function asOne(group: readonly Gap[]): Gap {
  const sorted = group.toSorted((a, b) => Number(a.kind === 'null') - Number(b.kind === 'null'))
  const [first, second] = sorted
  if (!first) throw new Error('a group has a gap')
  if (!second) return first
  const witnesses = group.flatMap(({ witness }) => witness ?? [])
  return {
    ...first,
    inner: { ...first.inner, says: [...new Set(sorted.flatMap(({ inner }) => inner.says))] },
    isCertain: group.some(({ isCertain }) => isCertain),
    witness: witnesses.toSorted((a, b) => bySize(a.value, b.value))[0],
  }
}

/**
 * The names that an object requires but rejects, because it is closed and does not declare them: no value is valid.
 * Such a schema is contained in every other one, so its changes would be lost.
 */
function rejectedNames(api: Api, schema: Schema): readonly string[] {
  const all = partsOf(api, [schema], 'always')
  const required = new Set(all.flatMap((one) => one.required ?? []))
  return [...required].filter((name) =>
    all.some(({ additionalProperties, properties = {}, patternProperties = {} }) =>
      Object.hasOwn(properties, name)
        ? // The model declares each required name as a property with the schema of `additionalProperties`.
          properties[name] === false
        : additionalProperties === false &&
          !Object.keys(patternProperties).some((one) => matchesPattern(one, name)),
    ),
  )
}

/** The same schema without the names in `required`. */
function withoutRequired(api: Api, start: Schema, names: readonly string[]): Schema {
  const schema = dereference(start, api.schemas)
  if (typeof schema === 'boolean') return schema
  const { required = [], allOf = [] } = schema
  const made: SchemaObject = {
    ...schema,
    required: required.filter((name) => !names.includes(name)),
    ...(allOf.length > 0 && { allOf: allOf.map((one) => withoutRequired(api, one, names)) }),
  }
  inheritSource(made, schema)
  return made
}

/** The schemas with their `allOf` members; for `alternatives`, also with those of `anyOf` and `oneOf`. */
function partsOf(
  api: Api,
  schemas: readonly Schema[],
  which: 'always' | 'alternatives',
): readonly SchemaObject[] {
  const found = new Set<SchemaObject>()
  const waiting = [...schemas]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const one = dereference(next, api.schemas)
    if (typeof one === 'boolean' || found.has(one)) continue
    found.add(one)
    const { allOf = [], anyOf = [], oneOf = [] } = one
    waiting.push(...allOf, ...(which === 'always' ? [] : [...anyOf, ...oneOf]))
  }
  return [...found]
}

/**
 * A property that an alternative lacks is neither new nor removed if another alternative of the same version declares it:
 * the gap belongs to the alternative. If no alternative of a response declares it, the response has lost it. `schema` is the
 * version that allows more, from the root of the path.
 */
function asAlternative(api: Api, schema: Schema, isRequest: boolean, gap: Gap): Gap {
  const { kind, path, alternative = 1, inner } = gap
  const last = path.at(-1)
  const isLacking = kind === 'required' && inner.says === undefined && alternative === 1
  if (!isLacking || last?.kind !== 'property') return gap
  if (isRequest && gap.alternative !== undefined) return gap
  let all = partsOf(api, [schema], 'alternatives')
  for (const segment of path.slice(0, -1)) {
    const inner = all.flatMap((one) => within(one, segment) ?? [])
    all = partsOf(api, inner, 'alternatives')
  }
  const isDeclared = all.some(({ properties = {} }) => Object.hasOwn(properties, last.name))
  const { alternative: _, ...whole } = gap
  return isDeclared ? { ...gap, alternative: 1 } : whole
}
