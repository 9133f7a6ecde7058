import type { Api, HttpOperation, Operation, Variant } from '../../model/api.js'
import { own } from '../../runtime/checks.js'
import { pointerStep, segmentsOf } from '../../runtime/shared/pointer.js'
import { TEXT_FORMATS } from '../../runtime/validate/formats.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { type Fault, open } from '../../runtime/validate.js'
import { valueAtPath } from '../../schema/places.js'
import { referredName, type Schema } from '../../schema/schema.js'
import type { Source } from '../../schema/source.js'
import type { Parsed } from '../../text/json-text.js'
import { jsonOf } from '../../text/json-text.js'
import type { CheckContext, ResponseCheck } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import { appliedSchemas, describedObjects, documentsOf, undeclaredProperties } from './declared.js'

type Answered = {
  readonly value: unknown
  readonly schema: Schema
  readonly operation: Operation
  readonly source: Source
  /** The pointer of the value in the body: `/result`, or empty for the whole body. */
  readonly root: string
  /** The rule to report if a client cannot read the value. */
  readonly rule: 'result-invalid' | 'body-invalid' | 'stream-item-invalid'
  /** Distinguishes the responses of one operation: a status. */
  readonly aspect?: string | undefined
}

/**
 * Reports what is wrong with a value in open mode. Declared parts must be valid. An undeclared field breaks no client and is a
 * note.
 */
export const checkValue = (
  check: ResponseCheck,
  { value, schema, operation, source, root, rule, aspect }: Answered,
): void => {
  const declared =
    aspect === undefined ? 'what the document declares' : `what ${aspect} is declared as`
  const report = (one: string, message: string, expected: string, at: string, cause?: string) => {
    const place = [aspect, placeOf(root + at)].filter(Boolean).join(' ')
    check.report(one, message, expected, { operation, source, aspect: place, cause })
  }
  const validator = open(check.checker.schema(schema))
  if (!validator.check(value)) {
    const faults = validator.explain(value)
    const [first] = faults
    const message = faults
      .slice(0, 3)
      .map((one) => `${root + one.pointer || 'the body'} ${one.message}`)
      .join('; ')
    const broken = first?.isAmbiguous ? 'response-matches-several-branches' : rule
    const cause = first && causeOf(first, schema, value, operation)
    report(broken, message, declared, first?.pointer ?? '', cause)
    return
  }
  for (const pointer of onePerPlace(writeOnlyIn(check, schema, value))) {
    const message = `${root}${pointer} is writeOnly, but the response contains it`
    report('write-only-value-returned', message, 'no such property', pointer, nameAt(pointer))
  }
  // Of the schemas of a valid value, `contains` is one that need not apply to each item, so none forbids a property.
  const isStrict = check.checker.schema(schema).check(value)
  const undeclared = undeclaredProperties(documentsOf(check, operation), schema, value).map(
    (one) => ({ ...one, isForbidden: one.isForbidden && !isStrict }),
  )
  for (const pointer of onePerPlace(undeclared.filter(({ isForbidden }) => isForbidden))) {
    const message = `${root}${pointer} is not declared, and its schema allows no other properties`
    const expected = 'only the properties that the schema declares'
    report('response-property-forbidden', message, expected, pointer, nameAt(pointer))
  }
  for (const { pointer, format, text } of misformed(check.api, schema, value)) {
    const message = `${root + pointer || 'the body'} is ${text === '' ? 'an empty text' : quoted(text)}, which is not a valid ${format}`
    const cause = `${format} ${nameAt(pointer)}`
    report('format-invalid', message, `a string of the format ${format}`, pointer, cause)
  }
  for (const pointer of onePerPlace(undeclared.filter(({ isForbidden }) => !isForbidden))) {
    const message = `${root}${pointer} is not declared`
    const expected = 'a document that declares it'
    report('response-property-undeclared', message, expected, pointer, nameAt(pointer))
  }
}

/** The last pointer of each place, for a limited number of places. */
const onePerPlace = (all: readonly { readonly pointer: string }[]): readonly string[] =>
  [...new Map(all.map(({ pointer }) => [placeOf(pointer), pointer])).values()].slice(0, MOST)

const MOST = 10

/**
 * What is wrong, independent of the place in one response. A null that the schema rejects is one cause everywhere. Otherwise the
 * cause is the keyword and the property, or for a whole value its schema.
 */
const causeOf = (
  { pointer, keyword }: Fault,
  schema: Schema,
  value: unknown,
  operation: Operation,
): string => {
  if (pointer !== '' && valueAtPath(value, segmentsOf(pointer)) === null) return 'null'
  const name = nameAt(pointer)
  if (name !== '') return `${keyword} ${name}`
  return `${keyword} of ${(typeof schema === 'object' && referredName(schema)) || ownName(operation)}`
}

/** The last name in a pointer that is not an index: `gasUsed` of `/receipts/0/gasUsed`. */
const nameAt = (pointer: string): string =>
  placeOf(pointer)
    .split('/')
    .findLast((step) => step !== '' && step !== '*') ?? ''

/** A pointer that is the same in each run: indexes and names that are data become `*`. */
const placeOf = (pointer: string): string =>
  pointer.replace(/\/(\d+|0x[\da-fA-F]{8,}|[\da-fA-F-]{20,})(?=\/|$)/g, '/*')

/** The properties of a response that only requests may have. A null or an empty text reveals nothing. */
const writeOnlyIn = (
  documents: Parameters<typeof describedObjects>[0],
  schema: Schema,
  value: unknown,
): readonly { readonly pointer: string }[] =>
  [...describedObjects(documents, schema, value)].flatMap(({ pointer, object, schemas }) =>
    Object.entries(object).flatMap(([name, one]) => {
      if (one === null || one === '') return []
      const declared = schemas.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
      )
      const applied = declared.flatMap((property) => [...appliedSchemas(documents, property, one)])
      return applied.some(({ writeOnly }) => writeOnly === true)
        ? [{ pointer: pointer + pointerStep(name) }]
        : []
    }),
  )

type Misformed = { readonly pointer: string; readonly format: string; readonly text: string }

/**
 * Texts that certainly violate the format in their schema (OpenAPI Format Registry). A format is an annotation, so validators
 * accept all texts. This finds only texts that no parser of the format accepts, and ignores branches of a schema that may not
 * apply.
 */
export const misformed = (
  api: Pick<Api, 'schemas'>,
  schema: Schema,
  value: unknown,
): readonly Misformed[] => {
  const found: Misformed[] = []
  const left: Visit[] = [{ schema, value, pointer: '', seen: new Set() }]
  for (let visited = 0; visited < MOST_PARTS && found.length < MOST_FOUND; visited++) {
    const visit = left.pop()
    if (!visit) break
    const { schema: one, value: part, pointer, seen } = visit
    if (typeof one === 'boolean' || seen.has(one)) continue
    const here = { value: part, pointer, seen: new Set([...seen, one]) }
    const name = referredName(one)
    const named = name === undefined ? undefined : api.schemas.get(name)?.schema
    // Only schemas that always apply, not the alternatives of anyOf, oneOf or if.
    for (const all of [...(named === undefined ? [] : [named]), ...(one.allOf ?? [])])
      left.push({ ...here, schema: all })
    const { format } = one
    if (typeof part === 'string' && typeof format === 'string') {
      const known = Object.hasOwn(TEXT_FORMATS, format) ? TEXT_FORMATS[format] : undefined
      const holds = format === 'email' ? isEmail : known?.holds
      if (holds && !holds(part)) found.push({ pointer, format, text: part })
    }
    for (const below of partsOf(one, part, pointer)) left.push(below)
  }
  return found
}

/** A text without a part before or after an `@` is certainly none; the rest depends on the server of the address. */
const isEmail = (text: string): boolean => /^.+?@./s.test(text)

type Visit = {
  readonly schema: Schema
  readonly value: unknown
  readonly pointer: string
  readonly seen: ReadonlySet<Schema>
}

const MOST_PARTS = 20_000
const MOST_FOUND = 10

const partsOf = (schema: Exclude<Schema, boolean>, value: unknown, pointer: string): Visit[] => {
  const seen = new Set<Schema>()
  if (Array.isArray(value)) {
    const { prefixItems = [], items } = schema
    return value.flatMap((part: unknown, index) => {
      const own = prefixItems[index] ?? items
      return own === undefined
        ? []
        : [{ schema: own, value: part, pointer: `${pointer}/${index}`, seen }]
    })
  }
  if (typeof value !== 'object' || value === null) return []
  const { properties = {} } = schema
  return Object.entries(value).flatMap(([name, part]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    return own === undefined
      ? []
      : [{ schema: own, value: part, pointer: pointer + pointerStep(name), seen }]
  })
}

/** The variant that matches a request; undefined if none or several match. */
export const fittingVariant = (
  { checker }: CheckContext,
  { variants }: HttpOperation,
  sent: Parsed | undefined,
): Variant | undefined => {
  if (!sent) return undefined
  const fitting = variants.filter(({ request }) => checker.named(request).check(sent.value))
  return fitting.length === 1 ? fitting[0] : undefined
}

/**
 * Checks that the response variant follows the request variant (`x-variants`). Returns whether the value is a `response` or an
 * `error` of its variant; undefined if it is neither, which is reported.
 */
export const checkVariant = (
  { checker, report }: ResponseCheck,
  { operation, variant, value }: VariantValue,
): 'response' | 'error' | undefined => {
  const fits = (names: readonly string[]) =>
    names.some((name) => open(checker.named(name)).check(value))
  if (fits(variant.responses)) return 'response'
  if (fits(variant.errors)) return 'error'
  const others = operation.variants.flatMap(({ name, responses }) =>
    fits(responses) ? [name] : [],
  )
  const what =
    others.length > 0
      ? `a response of the variant ${others.join(' or ')}`
      : 'a response of no variant'
  const message = `a request of the variant ${variant.name} got ${what}`
  const expected = [...variant.responses, ...variant.errors].join(' or ')
  report('response-of-other-variant', message, expected, { aspect: variant.name })
  return undefined
}

type VariantValue = {
  readonly operation: HttpOperation
  readonly variant: Variant
  readonly value: unknown
}

/** Checks that two properties with `x-same-as` have the same value if both are present. */
export const checkAliases = (
  check: ResponseCheck,
  { value, schema, operation }: Omit<VariantValue, 'variant'> & { readonly schema: Schema },
): void => {
  const found = new Map<string, string>()
  const documents = documentsOf(check, operation)
  for (const { pointer, object, schemas } of describedObjects(documents, schema, value)) {
    for (const [name, property] of schemas.flatMap((one) => Object.entries(one.properties ?? {}))) {
      const alias = isObject(property) ? property['x-same-as'] : undefined
      if (typeof alias !== 'string') continue
      const [one, other] = [name, alias].toSorted() as [string, string]
      const [first, second] = [own(object, one), own(object, other)]
      if (isAlike(check, property, first, second)) continue
      const message = `${one} is ${jsonOf(first)}, but ${other} is ${jsonOf(second)}`
      found.set(`${placeOf(pointer)}/${one} ${other}`, message)
    }
  }
  for (const [aspect, message] of found)
    check.report('aliased-properties-differ', message, 'the same value in both', { aspect })
}

/** Hexadecimal digits are compared without regard to case if the pattern of the schema allows both. */
const isAlike = (context: CheckContext, schema: Schema, one: unknown, other: unknown): boolean => {
  if (one == null || other == null || jsonOf(one) === jsonOf(other)) return true
  if (typeof one !== 'string' || typeof other !== 'string') return false
  if (one.toLowerCase() !== other.toLowerCase()) return false
  return [...appliedSchemas(context, schema, one)].some(
    ({ pattern = '' }) => pattern.includes('a-f') && pattern.includes('A-F'),
  )
}
