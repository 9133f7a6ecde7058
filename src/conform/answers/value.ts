import type { Operation, Source } from '../../model/api.js'
import type { Schema } from '../../model/schema.js'
import { open } from '../../runtime/validate.js'
import type { Complaint } from '../case.js'
import { quoted } from '../report/quoted.js'
import type { Exchange } from '../wire/exchange.js'
import { telling, undeclaredProperties } from './declared.js'
import { misformed } from './formats.js'
import type { Judging } from './judge.js'

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
  readonly rule: 'result-breaks-its-schema' | 'body-breaks-its-schema'
  /** Tells the answers of one operation apart: a status. */
  readonly aspect?: string | undefined
}

/**
 * What is wrong with a value, read openly: a field that nobody declared may be added without breaking a caller (it is
 * told as a note), and what is declared must hold.
 */
export const judgeValue = (
  judging: Judging,
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
    const isTwofold = first?.keyword === 'oneOf' && /only one alternative/.test(first.message)
    const said = faults
      .slice(0, 3)
      .map((one) => `${root + one.pointer || 'the body'} ${one.message}`)
    const message = said.join('; ')
    const broken = isTwofold ? 'answer-fits-several-branches' : rule
    return [{ ...common, rule: broken, message, aspect: at(first?.pointer ?? '') }]
  }
  const places = new Map(
    undeclaredProperties(telling(judging, operation), schema, value).map((pointer) => [
      at(pointer),
      pointer,
    ]),
  )
  const formats = misformed(judging.api, schema, value).map(({ pointer, format, text }) => ({
    ...common,
    rule: 'format-is-not-kept',
    message: `${root + pointer || 'the body'} is ${quoted(text)}, which is no ${format}`,
    due: `a text of the format ${format}`,
    aspect: at(pointer),
  }))
  const undeclared = [...places].slice(0, MOST).map(([place, pointer]) => ({
    ...common,
    rule: 'answer-has-an-undeclared-property',
    message: `${root}${pointer} is declared nowhere`,
    due: 'a document that says so',
    aspect: place,
  }))
  return [...formats, ...undeclared]
}

const MOST = 10

/** A pointer that is the same each run: indexes and names that are data are `*`. */
export const placeOf = (pointer: string): string =>
  pointer.replace(/\/(\d+|0x[\da-fA-F]{8,}|[\da-fA-F-]{20,})(?=\/|$)/g, '/*')
