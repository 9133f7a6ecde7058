import { isIPv4, isIPv6 } from 'node:net'
import type { Api, Operation } from '../../model/api.js'
import { segmentsOf } from '../../model/pointer.js'
import { pointerStep } from '../../runtime/shared/pointer.js'
import { type Fault, open } from '../../runtime/validate.js'
import { valueAt } from '../../schema/places.js'
import { referredName, type Schema } from '../../schema/schema.js'
import type { Source } from '../../schema/source.js'
import type { ResponseCheck } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import { documentsOf, undeclaredProperties } from './declared.js'

/** A value of an answer, and what the documents say of it. */
type Answered = {
  readonly value: unknown
  readonly schema: Schema
  readonly operation: Operation
  /** Where its schema is declared. */
  readonly source: Source
  /** Where it is in the body: `/result`, or nothing where it is the body. */
  readonly root: string
  /** The rule that says what it is to a caller who cannot read it. */
  readonly rule: 'result-invalid' | 'body-invalid' | 'stream-item-invalid'
  /** Tells the answers of one operation apart: a status. */
  readonly aspect?: string | undefined
}

/**
 * Reports what is wrong with a value, read openly: a field that nobody declared may be added without breaking a caller (it is
 * reported as a note), and what is declared must hold.
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
  const undeclared = undeclaredProperties(documentsOf(check, operation), schema, value)
  for (const pointer of onePerPlace(undeclared.filter(({ isForbidden }) => isForbidden))) {
    const message = `${root}${pointer} is there, and its schema allows no further properties`
    const expected = 'only the properties that the schema declares'
    report('response-property-forbidden', message, expected, pointer, nameAt(pointer))
  }
  for (const { pointer, format, text } of misformed(check.api, schema, value)) {
    const message = `${root + pointer || 'the body'} is ${quoted(text)}, which is no ${format}`
    const cause = `${format} ${nameAt(pointer)}`
    report('format-invalid', message, `a text of the format ${format}`, pointer, cause)
  }
  for (const pointer of onePerPlace(undeclared.filter(({ isForbidden }) => !isForbidden))) {
    const message = `${root}${pointer} is declared nowhere`
    const expected = 'a document that declares it'
    report('response-property-undeclared', message, expected, pointer, nameAt(pointer))
  }
}

/** The last of the pointers of each place, and of a few places only. */
const onePerPlace = (all: readonly { readonly pointer: string }[]): readonly string[] =>
  [...new Map(all.map(({ pointer }) => [placeOf(pointer), pointer])).values()].slice(0, MOST)

const MOST = 10

/**
 * What is wrong, without the place in one response: null where the schema does not allow it is one cause in every place; else
 * the keyword and the property, or for a whole value its schema.
 */
const causeOf = (
  { pointer, keyword }: Fault,
  schema: Schema,
  value: unknown,
  operation: Operation,
): string => {
  if (pointer !== '' && valueAt(value, segmentsOf(pointer)) === null) return 'null'
  const name = nameAt(pointer)
  if (name !== '') return `${keyword} ${name}`
  return `${keyword} of ${(typeof schema === 'object' && referredName(schema)) || ownName(operation)}`
}

/** The last name in a pointer that is no index: `gasUsed` of `/receipts/0/gasUsed`. */
const nameAt = (pointer: string): string =>
  placeOf(pointer)
    .split('/')
    .findLast((step) => step !== '' && step !== '*') ?? ''

/** A pointer that is the same each run: indexes and names that are data are `*`. */
export const placeOf = (pointer: string): string =>
  pointer.replace(/\/(\d+|0x[\da-fA-F]{8,}|[\da-fA-F-]{20,})(?=\/|$)/g, '/*')

type Misformed = { readonly pointer: string; readonly format: string; readonly text: string }

/**
 * Texts that are certainly not of the format that their schema names (OpenAPI Format Registry). A format is an annotation, so that
 * a validator lets all pass; here only what every reader of such a format stumbles over is found, where no branch of a schema
 * could mean another text.
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
    // What always holds of the value, and no alternative of anyOf, oneOf or if.
    for (const all of [...(named === undefined ? [] : [named]), ...(one.allOf ?? [])])
      left.push({ ...here, schema: all })
    const { format } = one
    if (typeof part === 'string' && typeof format === 'string') {
      const holds = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
      if (holds && !holds(part)) found.push({ pointer, format, text: part })
    }
    left.push(...partsOf(one, part, pointer))
  }
  return found
}

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

const isDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined) return false
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** RFC 3339, 5.6, a leap second among them. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': (text) =>
    isDate(text.slice(0, 10)) && /^[Tt ]/.test(text[10] ?? '') && TIME.test(text.slice(11)),
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  email: (text) => /^.+@.+$/s.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  uri: (text) => /^[a-z][a-z\d+.-]*:\S*$/i.test(text),
}
