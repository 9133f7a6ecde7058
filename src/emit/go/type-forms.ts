import type { SchemaObject } from '../../schema/schema.js'

/**
 * A type of Go. `holds` says how a missing value is represented: a struct and a value need a pointer, the others have nil.
 * `members` are those of a union.
 */
export type GoType = {
  readonly text: string
  readonly holds: 'struct' | 'value' | 'nil'
  /** Whether the schema states null as a value. */
  readonly nullable: boolean
  /** Whether the package declares the type, so that it can have methods. */
  readonly isDeclared: boolean
  /** Whether its values are texts. */
  readonly isText?: boolean | undefined
  readonly members?: readonly GoMember[] | undefined
}

export type GoMember = { readonly type: GoType; readonly at: string }

/** How a declared type is written as a literal, by its name. */
export type GoShape =
  | {
      readonly kind: 'struct'
      /** By the name of the wire. */
      readonly fields: ReadonlyMap<string, GoField>
      /** The type of further properties, if there may be any. */
      readonly others: string | undefined
    }
  /** Another name of a type, or a type of its own with the values of another. */
  | { readonly kind: 'named'; readonly of: string }
  | { readonly kind: 'union'; readonly members: readonly GoType[] }

export type GoField = {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  /** The values of an enumeration, which tell the members of a union apart. */
  readonly values: readonly unknown[] | undefined
}

/** Any value. */
export const ANY: GoType = { text: 'any', holds: 'nil', nullable: true, isDeclared: false }

/** A type whose missing value needs a pointer. */
export const scalar = (text: string): GoType => ({
  text,
  holds: 'value',
  nullable: false,
  isDeclared: false,
  isText: text === 'string',
})

/** A value that null alone fulfils. */
export const NULL: GoType = {
  text: 'any',
  holds: 'nil',
  nullable: true,
  isDeclared: false,
  members: [],
}

/** A member of a union: structs by pointer. */
export const memberText = ({ text, holds }: GoType): string =>
  holds === 'struct' ? `*${text}` : text

/** The type of an item of a list, or of a member of a map. */
export const elementText = (type: GoType): string =>
  type.nullable && type.holds !== 'nil' ? `*${type.text}` : type.text

/** The type of a property: a pointer, or Null where null is allowed besides nothing. */
export const fieldText = (type: GoType, required: boolean): string => {
  const { text, holds, nullable } = type
  if (required) return nullable && holds !== 'nil' ? `*${text}` : text
  if (nullable && text !== 'any') return `Null[${text}]`
  return holds === 'nil' ? text : `*${text}`
}

/** The type of a result: structs by pointer, and a pointer where there may be none. */
export const resultText = ({ text, holds, nullable }: GoType): string =>
  holds === 'struct' || (holds === 'value' && nullable) ? `*${text}` : text

/** The type of the values of an enumeration. */
export const literalType = (values: readonly unknown[]): GoType => {
  const [first] = values
  if (first === null && values.length === 1) return NULL
  if (values.every((one) => typeof one === 'string')) return scalar('string')
  if (values.every((one) => typeof one === 'boolean')) return scalar('bool')
  if (values.every((one) => Number.isSafeInteger(one))) return scalar('int64')
  return values.every((one) => typeof one === 'number') ? scalar('float64') : ANY
}

/** An integer that fits in 64 bits by the document; another one keeps its digits. */
export const integerType = (schema: SchemaObject): GoType => {
  const { format, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (
    schema['x-bigint'] === undefined &&
    /^u?int(8|16|32)$|^int64$|^u?short$|^byte$/.test(format ?? '')
  )
    return scalar('int64')
  const low = Number(minimum ?? exclusiveMinimum ?? Number.NEGATIVE_INFINITY)
  const high = Number(maximum ?? exclusiveMaximum ?? Number.POSITIVE_INFINITY)
  const fits = low >= -Number.MAX_SAFE_INTEGER && high <= Number.MAX_SAFE_INTEGER
  return fits ? scalar('int64') : scalar('json.Number')
}
