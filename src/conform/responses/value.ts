import type { Operation } from '../../model/api.js'
import { type Fault, open } from '../../runtime/validate.js'
import { referredName, type Schema } from '../../schema/schema.js'
import type { Source } from '../../schema/source.js'
import type { Complaint } from '../case.js'
import { ownName } from '../operation-name.js'
import { quoted } from '../report/quoted.js'
import type { Exchange } from '../wire/exchange.js'
import type { CheckContext } from './check-context.js'
import { telling, undeclaredProperties } from './declared.js'
import { misformed } from './formats.js'

/** A value of an answer, and what the documents say of it. */
export type Answered = {
  readonly value: unknown
  readonly schema: Schema
  readonly operation: Operation
  /** Where its schema is declared. */
  readonly source: Source
  /** Where it stands in the body: `/result`, or nothing where it is the body. */
  readonly root: string
  /** The rule that says what it is to a caller who cannot read it. */
  readonly rule: 'result-invalid' | 'body-invalid'
  /** Tells the answers of one operation apart: a status. */
  readonly aspect?: string | undefined
}

/**
 * What is wrong with a value, read openly: a field that nobody declared may be added without breaking a caller (it is
 * told as a note), and what is declared must hold.
 */
export const checkValue = (
  judging: CheckContext,
  exchange: Exchange,
  { value, schema, operation, source, root, rule, aspect }: Answered,
): readonly Complaint[] => {
  const due = aspect === undefined ? 'what the document declares' : `what ${aspect} is declared as`
  const common = { exchange, operation, source, due }
  const at = (pointer: string) => [aspect, placeOf(root + pointer)].filter(Boolean).join(' ')
  const validator = open(judging.checker.schema(schema))
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
  const all = undeclaredProperties(telling(judging, operation), schema, value)
  const forbidden = all.filter(({ isForbidden }) => isForbidden)
  const places = new Map(
    all.filter(({ isForbidden }) => !isForbidden).map(({ pointer }) => [at(pointer), pointer]),
  )
  const formats = misformed(judging.api, schema, value).map(({ pointer, format, text }) => ({
    ...common,
    rule: 'format-invalid',
    message: `${root + pointer || 'the body'} is ${quoted(text)}, which is no ${format}`,
    due: `a text of the format ${format}`,
    aspect: at(pointer),
    cause: `${format} ${nameAt(pointer)}`,
  }))
  const closed = new Map(forbidden.map(({ pointer }) => [at(pointer), pointer]))
  const extra = [...closed].slice(0, MOST).map(([place, pointer]) => ({
    ...common,
    rule: 'response-property-forbidden',
    message: `${root}${pointer} is there, and its schema allows no further properties`,
    due: 'only the properties that the schema declares',
    aspect: place,
    cause: nameAt(pointer),
  }))
  const undeclared = [...places].slice(0, MOST).map(([place, pointer]) => ({
    ...common,
    rule: 'response-property-undeclared',
    message: `${root}${pointer} is declared nowhere`,
    due: 'a document that declares it',
    aspect: place,
    cause: nameAt(pointer),
  }))
  return [...extra, ...formats, ...undeclared]
}

const MOST = 10

/**
 * What is wrong, without the place in one response: null where the schema does not allow it is one cause wherever it stands; else
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
