import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { diff } from '../../../src/diff/diff.js'
import type { Finding } from '../../../src/model/finding.js'
import { parseDocument } from '../../../src/read/document.js'
import { valueAs } from '../../../src/read/keyword-shapes.js'
import { loadApi } from '../../../src/read/load.js'
import { mapSubschemas, type Schema, type SchemaObject } from '../../../src/schema/schema.js'
import { declaredOnly, type Plain } from '../../schema/contain/declared-only.js'
import { nearPairs } from '../../schema/contain/near-schemas.js'
import { described, values } from '../../schema/contain/random-schemas.js'
import { alternatives, narrowedPairs, texts } from './alternatives.js'
import { PLACES, type Place } from './places.js'
import { randomOf, sampleOf } from './sample-values.js'

/**
 * Compares random pairs of documents, and lets ajv judge what `diff` reports of them.
 *
 * - A counterexample is a value that one side could send before or may send now and that the other side does not accept, though
 *   nothing but notes was reported. Callers send what is declared; readers ignore what no alternative declares.
 * - A wrong witness is not valid in the one version and invalid in the other.
 * - An error without a witness shows nothing on which the versions differ.
 */
export async function runTrial({ pairs, seed }: { readonly pairs: number; readonly seed: number }) {
  const result = { pairs: 0, judged: 0, errors: 0, undecided: 0, unshown: 0 }
  const faults: Fault[] = []
  const open: Undecided[] = []
  const cases = fc.sample(caseOf(), { numRuns: pairs, seed })
  for (const [index, one] of cases.entries()) {
    const random = randomOf(seed + index)
    const place = PLACES[Math.floor(random() * PLACES.length)] as Place
    const [before, after] = place.isText ? one.texts : one.pair
    const findings = await findingsOf(place, before, after)
    if (findings === undefined) continue
    result.pairs += 1
    const unclear = findings.filter(({ rule }) => rule.endsWith('change-is-undecided'))
    if (unclear.length > 0) {
      result.undecided += 1
      open.push({
        place: place.name,
        before,
        after,
        messages: unclear.map(({ message }) => message),
      })
    }
    result.errors += findings.filter(({ level }) => level === 'error').length
    const isRequest = place.direction === 'request'
    const [inner, outer] = isRequest ? [before, after] : [after, before]
    if (![inner, outer].every(ajvIsRightOn)) continue
    const judge = judgeOf(place, inner, outer)
    if (!judge) continue
    result.judged += 1
    const report = (kind: Fault['kind'], value: unknown) =>
      faults.push({ kind, place: place.name, seed, index, before, after, value })
    for (const { level, witness, rule, message } of findings) {
      if (level === 'error' && !witness) report('error without a witness', `${rule} ${message}`)
      if (level === 'warning' && /no witness/.test(message)) result.unshown += 1
      if (witness && !judge.shows(witness)) report('wrong witness', witness.value)
    }
    if (findings.some(({ level }) => level !== 'note')) continue
    const tried = [
      ...one.values,
      ...Array.from({ length: 40 }, () => sampleOf(inner, random)),
      ...Array.from({ length: 10 }, () => sampleOf(outer, random)),
    ]
    const found = tried.find(judge.isCounterexample)
    if (found !== undefined) report('counterexample', found)
  }
  return { ...result, faults, open }
}

type Undecided = {
  readonly place: string
  readonly before: Plain
  readonly after: Plain
  readonly messages: readonly string[]
}

export type Fault = {
  readonly kind: 'counterexample' | 'wrong witness' | 'error without a witness'
  readonly place: string
  readonly seed: number
  readonly index: number
  readonly before: Plain
  readonly after: Plain
  readonly value: unknown
}

const caseOf = () =>
  fc.record({
    pair: fc
      .oneof(nearPairs(described(), described()), nearPairs(alternatives(), described()))
      .filter(isCompared),
    texts: fc
      .oneof(
        { arbitrary: nearPairs(texts(), texts()), weight: 5 },
        { arbitrary: narrowedPairs(), weight: 1 },
      )
      .filter(isCompared),
    values: fc.array(values(), { minLength: 10, maxLength: 20 }),
  })

/** What no other keyword has looked at is compared by its spelling: test/schema/contain/soundness.e2e.test.ts. */
const isCompared = (pair: readonly Plain[]): boolean =>
  !JSON.stringify(pair).includes('"unevaluated')

/** Undefined where a document is not read at all. */
async function findingsOf(
  place: Place,
  before: Plain,
  after: Plain,
): Promise<readonly Finding[] | undefined> {
  const load = (schema: Plain, name: string) =>
    loadApi({
      openapi: parseDocument(JSON.stringify(place.document(schema)), `${name}.json`),
    })
  const [was, is] = await Promise.all([load(before, 'old'), load(after, 'new')])
  return diff(was, is, { today: new Date('2026-06-15T12:00:00Z') })
}

function judgeOf(place: Place, inner: Plain, outer: Plain) {
  const mark = place.direction === 'request' ? 'readOnly' : 'writeOnly'
  const compiled = [
    inner,
    declaredOnly(exchanged(inner, mark)),
    outer,
    opened(outer),
    loose(inner),
  ].map(compile)
  const [sends, declares, accepts, reads, means] = compiled
  if (!sends || !declares || !accepts || !reads || !means) return undefined
  const isAccepted = (check: ValidateFunction, value: unknown) =>
    (place.isText ? alike(value).flatMap((one) => [one, ...inLists(place, one)]) : [value]).some(
      (one) => check(one) === true,
    )
  const { canSend = () => true, isListOfOne = () => false } = place
  const isScalar = (value: unknown) =>
    (value === null || typeof value !== 'object') && isListOfOne(value)
  const isAcceptedInList = (value: unknown) => isScalar(value) && isAccepted(accepts, [value])
  const isSent = (value: unknown) =>
    (Array.isArray(value) &&
      value.length === 1 &&
      isScalar(value[0]) &&
      sends(value[0]) === true) ||
    sends(value) === true
  const knowing = knownBranches(outer)
  const isHarmed = (value: unknown): boolean => {
    if (isAccepted(accepts, value) || isAcceptedInList(value)) return false
    if (place.direction === 'request') return true
    return !isAccepted(reads, value) || knowing(value)
  }
  const safely = (judge: (value: unknown) => boolean) => (value: unknown) => {
    try {
      return judge(value)
    } catch {
      // ajv throws on some unions under unevaluatedProperties.
      return undefined
    }
  }
  return {
    /** The other side accepts it in no reading, whatever is declared. */
    shows: ({ value, isOfAlternative }: NonNullable<Finding['witness']>) =>
      canSend(value) &&
      safely(() =>
        // Another alternative may accept it too, so that a `oneOf` rejects it in both versions.
        isOfAlternative ? means(value) === true : isSent(value) && !isAccepted(accepts, value),
      )(value) !== false,
    isCounterexample: (value: unknown) =>
      canSend(value) &&
      safely(() => sends(value) === true && declares(value) === true && isHarmed(value))(value) ===
        true,
  }
}

/** Undefined where ajv cannot compile it. */
function compile(schema: Plain): ValidateFunction | undefined {
  try {
    return new Ajv2020({ strict: false, ownProperties: true, validateSchema: false }).compile({
      allOf: [withoutIf(schema)],
    } as object)
  } catch {
    return undefined
  }
}

/**
 * The same schema with each `if` written as the two alternatives that it means. A failing `if` declares nothing, because the
 * annotations of a failing schema are dropped (core 7.7.1.2, 10.2.2.1). ajv 8.20 counts the properties of an `if` as evaluated
 * even where it fails, and not at all where `then` and `else` are absent.
 */
function withoutIf(schema: Plain): Plain {
  if (typeof schema === 'boolean') return schema
  const made: Record<string, unknown> = mapSubschemas(
    schema as SchemaObject,
    (one) => withoutIf(one as Plain) as Schema,
  )
  const { if: condition, then: held = true, else: failed = true, ...rest } = made
  if (condition === undefined) return made
  const ways = { anyOf: [{ allOf: [condition, held] }, { allOf: [{ not: condition }, failed] }] }
  return { ...rest, allOf: [...((rest.allOf ?? []) as readonly Plain[]), ways] }
}

/**
 * The same schema without the properties that the other direction has (OpenAPI 3.0.3, 4.7.24): all of their values have the mark,
 * and not only those of one alternative.
 */
function exchanged(schema: Plain, mark: 'readOnly' | 'writeOnly'): Plain {
  if (typeof schema === 'boolean') return schema
  const made: Record<string, unknown> = mapSubschemas(
    schema as SchemaObject,
    (one) => exchanged(one as Plain, mark) as Schema,
  )
  const properties = made.properties as Readonly<Record<string, Plain>> | undefined
  if (properties === undefined) return made
  const isMarked = (own: Plain): boolean =>
    typeof own === 'object' &&
    (own[mark] === true ||
      ((own.allOf ?? []) as readonly Plain[]).some(isMarked) ||
      [own.anyOf, own.oneOf].some((list) => Array.isArray(list) && list.every(isMarked)))
  made.properties = Object.fromEntries(
    Object.entries(properties).map(([name, own]) => [name, isMarked(own) ? false : own]),
  )
  return made
}

/** The same schema, where any alternative of a `oneOf` may hold. */
function loose(schema: Plain): Plain {
  if (typeof schema === 'boolean') return schema
  const made: Record<string, unknown> = mapSubschemas(
    schema as SchemaObject,
    (one) => loose(one as Plain) as Schema,
  )
  const { oneOf, ...rest } = made
  if (oneOf === undefined) return made
  return {
    ...rest,
    allOf: [...((rest.allOf ?? []) as readonly Plain[]), { anyOf: oneOf }],
  } as Plain
}

/** As readers take it: nothing is refused that is only undeclared. */
function opened(schema: Plain): Plain {
  if (typeof schema === 'boolean') return schema
  const made: Record<string, unknown> = {}
  for (const [keyword, said] of Object.entries(schema)) {
    if (/^(additional|unevaluated)Properties$/.test(keyword) && said === false) continue
    if (keyword === 'oneOf') {
      made.allOf = [
        ...((made.allOf ?? []) as readonly Plain[]),
        { anyOf: (said as readonly Plain[]).map(opened) },
      ]
    } else if (keyword === 'allOf') {
      made.allOf = [
        ...((made.allOf ?? []) as readonly Plain[]),
        ...(said as readonly Plain[]).map(opened),
      ]
    } else if (keyword === 'anyOf' || keyword === 'prefixItems') {
      made[keyword] = (said as readonly Plain[]).map(opened)
    } else if (MAPS.has(keyword)) {
      const entries = Object.entries(said as Record<string, Plain>)
      made[keyword] = Object.fromEntries(entries.map(([name, one]) => [name, opened(one)]))
    } else if (ONE.has(keyword)) made[keyword] = opened(said as Plain)
    else made[keyword] = said
  }
  return made
}

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const ONE = new Set(
  'items additionalProperties unevaluatedProperties unevaluatedItems then else'.split(' '),
)

/** Whether a plain alternative declares every property of a value: then it must be valid for one that does. */
function knownBranches(schema: Plain): (value: unknown) => boolean {
  if (typeof schema === 'boolean' || Object.keys(schema).some((key) => !UNION.has(key))) {
    return () => false
  }
  const list = (schema.oneOf ?? schema.anyOf ?? []) as readonly Plain[]
  const isPlain = list.every(
    (one) => typeof one === 'object' && !BRANCHING.some((key) => Object.hasOwn(one, key)),
  )
  if (!isPlain) return () => false
  const valid = list.map(compile)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const fits = valid.filter((one) => one?.(value)).length
    // What fits two alternatives of a oneOf is another matter.
    if (fits > 0) return false
    return list.some((one) => {
      const { properties = {} } = one as { properties?: Readonly<Record<string, Plain>> }
      const names = Object.keys(value)
      return (
        names.length > 0 &&
        names.every((name) => Object.hasOwn(properties, name)) &&
        !hasOtherTag(value as Readonly<Record<string, unknown>>, properties)
      )
    })
  }
}

/** The value has the tag of another alternative: it cannot be valid for this one, whatever else it has. */
const hasOtherTag = (
  value: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, Plain>>,
): boolean =>
  Object.entries(value).some(([name, member]) => {
    const own = properties[name]
    return typeof own === 'object' && typeof own.const === 'string' && own.const !== member
  })

const UNION = new Set(['oneOf', 'anyOf', 'discriminator'])
const BRANCHING = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  '$ref',
  'dependentSchemas',
  'patternProperties',
]

/** The values that are the same text on the wire. */
function alike(value: unknown): readonly unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [value, String(value)]
  if (value === 'true' || value === 'false') return [value, value === 'true']
  if (typeof value === 'string')
    return /^-?\d+([.]\d+)?$/.test(value) ? [value, Number(value)] : [value]
  if (typeof value !== 'object' || value === null) return [value]
  let made: readonly (readonly (readonly [string, unknown])[])[] = [[]]
  for (const [name, member] of Object.entries(value)) {
    made = made.flatMap((all) => alike(member).map((one) => [...all, [name, one] as const]))
  }
  return made
    .slice(0, 512)
    .map((all) => (Array.isArray(value) ? all.map(([, one]) => one) : Object.fromEntries(all)))
}

/** The objects that are the same form, in which a field may be a list of it alone. */
function inLists({ hasFields = false }: Place, value: unknown): readonly unknown[] {
  if (!hasFields || typeof value !== 'object' || value === null || Array.isArray(value)) return []
  let made: readonly (readonly (readonly [string, unknown])[])[] = [[]]
  for (const [name, member] of Object.entries(value)) {
    const isScalar = member !== null && typeof member !== 'object'
    const ways = isScalar ? [member, [member]] : [member]
    made = made.flatMap((all) => ways.map((one) => [...all, [name, one] as const]))
  }
  return made.slice(1, 512).map((all) => Object.fromEntries(all))
}

/**
 * Where ajv 8.20 leaves 2020-12: `contains` evaluates no items (core 10.3.1.3), and `contains: true` beside `prefixItems`
 * accepts [].
 */
const ajvIsRightOn = (schema: Plain): boolean => {
  const uses = (keyword: string) => JSON.stringify(schema).includes(`"${keyword}":`)
  if (uses('contains') && (uses('unevaluatedItems') || uses('prefixItems'))) return false
  return !requiresOneDirection(schema) && !contradictsItself(schema)
}

/** A listed value of another type than the declared one is read as one of the type, or replaces the type: ajv accepts neither. */
const contradictsItself = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return false
  const { type, enum: values = [], const: only } = schema as SchemaObject
  const allowed = new Set<unknown>([type].flat())
  const listed = 'const' in schema ? [...values, only] : values
  const isOther = type !== undefined && listed.some((one) => valueAs(one, allowed) !== one)
  return isOther || Object.values(schema).some(contradictsItself)
}

/** OpenAPI requires a readOnly property of responses only, and a writeOnly one of requests only: ajv knows neither. */
function requiresOneDirection(schema: Plain): boolean {
  const required = new Set<unknown>()
  const marked = new Set<string>()
  const walk = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return
    const { properties = {}, required: names = [] } = one as {
      readonly properties?: Readonly<Record<string, Plain>>
      readonly required?: readonly unknown[]
    }
    for (const name of names) required.add(name)
    for (const [name, own] of Object.entries(properties)) {
      if (typeof own === 'object' && ('readOnly' in own || 'writeOnly' in own)) marked.add(name)
    }
    for (const member of Object.values(one)) walk(member)
  }
  walk(schema)
  return [...marked].some((name) => required.has(name))
}
