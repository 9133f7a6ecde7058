import { isIPv4, isIPv6 } from 'node:net'
import type { Api, Operation } from '../../model/api.js'
import { pointerStep } from '../../runtime/shared/pointer.js'
import { type Fault, open } from '../../runtime/validate.js'
import { referredName, type Schema } from '../../schema/schema.js'
import type { Source } from '../../schema/source.js'
import type { CheckContext, Finding } from '../case.js'
import { ownName } from '../operations.js'
import { quoted } from '../report/shown.js'
import type { Exchange } from '../wire/exchange.js'
import { telling, undeclaredProperties } from './declared.js'

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
  readonly rule: 'result-invalid' | 'body-invalid'
  /** Tells the answers of one operation apart: a status. */
  readonly aspect?: string | undefined
}

/**
 * What is wrong with a value, read openly: a field that nobody declared may be added without breaking a caller (it is
 * reported as a note), and what is declared must hold.
 */
export const checkValue = (
  context: CheckContext,
  exchange: Exchange,
  { value, schema, operation, source, root, rule, aspect }: Answered,
): readonly Finding[] => {
  const expected =
    aspect === undefined ? 'what the document declares' : `what ${aspect} is declared as`
  const common = { exchange, operation, source, expected }
  const at = (pointer: string) => [aspect, placeOf(root + pointer)].filter(Boolean).join(' ')
  const validator = open(context.checker.schema(schema))
  if (!validator.check(value)) {
    const faults = validator.explain(value)
    const [first] = faults
    const said = faults
      .slice(0, 3)
      .map((one) => `${root + one.pointer || 'the body'} ${one.message}`)
    const message = said.join('; ')
    const broken = first?.isAmbiguous ? 'response-matches-several-branches' : rule
    const cause = first && causeOf(first, schema, value, operation)
    return [{ ...common, rule: broken, message, aspect: at(first?.pointer ?? ''), cause }]
  }
  const all = undeclaredProperties(telling(context, operation), schema, value)
  const forbidden = all.filter(({ isForbidden }) => isForbidden)
  const places = new Map(
    all.filter(({ isForbidden }) => !isForbidden).map(({ pointer }) => [at(pointer), pointer]),
  )
  const formats = misformed(context.api, schema, value).map(({ pointer, format, text }) => ({
    ...common,
    rule: 'format-invalid',
    message: `${root + pointer || 'the body'} is ${quoted(text)}, which is no ${format}`,
    expected: `a text of the format ${format}`,
    aspect: at(pointer),
    cause: `${format} ${nameAt(pointer)}`,
  }))
  const closed = new Map(forbidden.map(({ pointer }) => [at(pointer), pointer]))
  const extra = [...closed].slice(0, MOST).map(([place, pointer]) => ({
    ...common,
    rule: 'response-property-forbidden',
    message: `${root}${pointer} is there, and its schema allows no further properties`,
    expected: 'only the properties that the schema declares',
    aspect: place,
    cause: nameAt(pointer),
  }))
  const undeclared = [...places].slice(0, MOST).map(([place, pointer]) => ({
    ...common,
    rule: 'response-property-undeclared',
    message: `${root}${pointer} is declared nowhere`,
    expected: 'a document that declares it',
    aspect: place,
    cause: nameAt(pointer),
  }))
  return [...extra, ...formats, ...undeclared]
}

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
  if (pointer !== '' && valueAt(value, pointer) === null) return 'null'
  const name = nameAt(pointer)
  if (name !== '') return `${keyword} ${name}`
  return `${keyword} of ${(typeof schema === 'object' && referredName(schema)) || ownName(operation)}`
}

/** The last name in a pointer that is no index: `gasUsed` of `/receipts/0/gasUsed`. */
const nameAt = (pointer: string): string =>
  placeOf(pointer)
    .split('/')
    .findLast((step) => step !== '' && step !== '*') ?? ''

const valueAt = (value: unknown, pointer: string): unknown => {
  let at = value
  for (const step of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Readonly<Record<string, unknown>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return at
}

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
