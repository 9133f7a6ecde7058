import { isIdentifier } from '../../model/names.js'
import type { JsonType } from '../../schema/json-values.js'
import type { Schema } from '../../schema/schema.js'
import { string } from '../file.js'
import type { Code, Test, Uses } from './expression.js'
import type { Step } from './function.js'
import type { Known } from './known.js'
import type { HelperName } from './library.js'

/** Writes checks as functions, and remembers which of them, and which helpers and constants, there are. */
export type Writer = {
  readonly known: Known
  /** What holds exactly where a value fits a schema: in place where that is short, a call of a function otherwise. */
  readonly test: (schema: Schema, place: Place) => Test
  /** A call of a function that the file imports or ends with. */
  readonly helper: (name: HelperName, ...values: readonly (string | number)[]) => Code
  /** Says that a field is read by its name. */
  readonly readField: (name: string) => void
  /** The name of a constant with a value, the same one for the same value. */
  readonly constant: (name: string, text: string) => string
  /** Declares a function with steps of its own, to be called in place of a value. */
  readonly declare: (name: string, place: Place, steps: StepsIn) => (at: Place) => Test
}

type StepsIn = (place: Place) => readonly Step[]

/** Where a value is while its check is written. */
export type Place = {
  /** The expression that it is read by. */
  readonly value: string
  /** What that expression uses. */
  readonly uses?: Uses
  /** What a function would be called after: `BlockTransactions`. */
  readonly name: string
  /** The type that it is known to have by then. */
  readonly type?: JsonType | undefined
  /** Whether it is known not to be undefined. */
  readonly defined: boolean
  /** Whether a closed object lets more through where the variable `open` says so. */
  readonly loose: boolean
}

/** A property in place, `value.to`; through `own` where every object has something of the name. */
export function member({ value, uses = [] }: Place, key: string, writer: Writer): Code {
  if (key in Object.prototype) {
    const own = writer.helper('own', value, string(key))
    return { ...own, uses: [...own.uses, ...uses] }
  }
  if (!isIdentifier(key)) return { text: `${value}[${string(key)}]`, uses }
  writer.readField(key)
  return { text: `${value}.${key}`, uses }
}
