import type { JsonType } from '../../schema/json-values.js'
import type { Schema } from '../../schema/schema.js'
import { isIdentifier } from '../../text/names.js'
import { string } from '../file.js'
import type { Code, Test, Uses } from './expression.js'
import type { Step } from './function.js'
import type { Known } from './known.js'
import type { HelperName } from './library.js'

/** Writes checks as functions, and records these functions, helpers and constants. */
export type Writer = {
  readonly known: Known
  /** A test that holds exactly if a value matches a schema: inline if it is short, otherwise a call of a function. */
  readonly test: (schema: Schema, place: CheckedValue) => Test
  /** A call of a function that the file imports or declares at its end. */
  readonly helper: (name: HelperName, ...values: readonly (string | number)[]) => Code
  /** Records that a field is read by its name. */
  readonly readField: (name: string) => void
  /** The name of a constant with a value, the same one for the same value. */
  readonly constant: (name: string, text: string) => string
  /** Declares a function with its own steps, and returns the test that calls it at a place. */
  readonly declare: (
    name: string,
    place: CheckedValue,
    steps: StepsIn,
  ) => (at: CheckedValue) => Test
}

type StepsIn = (place: CheckedValue) => readonly Step[]

/** The value that a check is written for. */
export type CheckedValue = {
  /** The expression that reads it. */
  readonly value: string
  /** The names that this expression uses. */
  readonly uses?: Uses
  /** The name that a function for it would be based on: `BlockTransactions`. */
  readonly name: string
  /** Its type, if already known. */
  readonly type?: JsonType | undefined
  /** Whether it is known not to be undefined. */
  readonly defined: boolean
  /** Whether closed objects accept more properties if the variable `open` is true. */
  readonly loose: boolean
}

/** The expression of a property, `value.to`; with `own` for names that every object inherits. */
export function propertyAccess(
  { value, uses = [] }: CheckedValue,
  key: string,
  writer: Writer,
): Code {
  if (key in Object.prototype) {
    const own = writer.helper('own', value, string(key))
    return { ...own, uses: [...own.uses, ...uses] }
  }
  if (!isIdentifier(key)) return { text: `${value}[${string(key)}]`, uses }
  writer.readField(key)
  return { text: `${value}.${key}`, uses }
}
