import { runCheck } from './validate/check-run.js'
import { type Check, compile } from './validate/check-value.js'
import { createExplain } from './validate/explain-value.js'
import { registerValidator, sourceOf } from './validate/schema-source.js'

export { compilePattern } from './validate/json-value.js'

/**
 * The run-time form of a schema. It is called at the first `check` or `explain`, once, so the order
 * of declarations and cycles between them do not matter.
 *
 * The reading is strict: closed wherever the schema is closed. A property whose value is `undefined`
 * is absent; an `undefined` item is a fault.
 *
 * ```ts
 * const Tree: Validator<Tree> = validator(() => ({
 *   type: 'object',
 *   properties: { left: Tree, right: Tree },
 * }))
 * ```
 */
export const validator = <T>(schema: () => ValidatorSchema): Validator<T> =>
  readSchema<T>(once(schema), 'strict')

/**
 * A check that was written ahead of time, with the schema that says why it refuses: the two must agree. The schema is
 * read at the first `explain`.
 */
export const explained = <T>(checks: Checks<T>, schema: () => ValidatorSchema): Validator<T> =>
  readSchema<T>(once(schema), 'strict', checks)

/** The same for a part of an operation: an object of checks, and which of them. */
export const explainedPart = <Own, T>(
  own: Own,
  pick: (own: Own) => Checks<T>,
  schema: () => ValidatorSchema,
): Validator<T> => explained(pick(own), schema)

/**
 * Checks that were written ahead of time, as generated `validators.ts` has them: a verdict, and no explanation. `open` is
 * the open reading, and absent where it is the same.
 */
export type Checks<T = unknown> = {
  readonly check: (value: unknown) => value is T
  readonly open?: (value: unknown) => value is T
}

/**
 * The open reading of a validator: properties that a schema does not declare are let through at every
 * depth, so that a service may add a field without breaking its clients. What is declared still holds.
 * A `oneOf` holds when a branch matches openly and no two match strictly; `not` and `if` stay strict,
 * as openness there would refuse more.
 */
export const open = <T>(v: Validator<T>): Validator<T> => {
  const source = sourceOf(v)
  if (source === undefined || source.reading === 'open') return v
  const known = opened.get(v) as Validator<T> | undefined
  if (known !== undefined) return known
  const made = readSchema<T>(source.schema, 'open', source.checks as Checks<T> | undefined)
  opened.set(v, made)
  return made
}

/** One thing that is wrong with a value. */
export type Fault = {
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string
  /** The schema keyword that refused: `pattern`, `required`; empty where depth alone is what is wrong. */
  readonly keyword: string
  /** A readable sentence: `must match ^0x[0-9a-f]+$`. */
  readonly message: string
  /** Set where several alternatives of a `oneOf` match, and only one may. */
  readonly isAmbiguous?: true
  /** The part of the message that code may read; its meaning depends on `keyword`, as the `params` of ajv do. */
  readonly params?: FaultParams
}

export type FaultParams = {
  /**
   * The name of the property, in full, where one is missing (`required`, `dependentRequired`), must not be there
   * (`additionalProperties`, `unevaluatedProperties`, `properties`, `not`), or has a name that is not allowed (`propertyNames`).
   * `pointer` points to the object.
   */
  readonly property: string
}

export type Validator<T = unknown> = Checks<T> & {
  /**
   * The faults in document order; empty exactly where `check` is true. Stops as soon as it has found `most` of them, 100 by
   * default, so that a value with many faults costs no more than the faults that are shown.
   */
  readonly explain: (value: unknown, most?: number, options?: ExplainOptions) => readonly Fault[]
}

export type ExplainOptions = {
  /** Messages end before the value that was found: `must be a string`, without `, is the number 3`. */
  readonly hideValues?: boolean
}

/** How a schema that closes an object is read: `strict` refuses undeclared properties, `open` ignores them. */
export type Reading = 'strict' | 'open'

/** JSON Schema 2020-12 in which other validators are in place of `$ref`s. */
export type ValidatorSchema = boolean | Validator | SchemaKeywords

export type SchemaKeywords = KeywordsOf<ValidatorSchema>

/** The keywords of JSON Schema 2020-12 over subschemas of a kind: the checker's here, the model's by reference. */
// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface may be given a type that is made of it
export interface KeywordsOf<Subschema> {
  readonly type?: TypeName | readonly TypeName[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly multipleOf?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maxLength?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly prefixItems?: readonly Subschema[]
  readonly items?: Subschema
  readonly contains?: Subschema
  readonly maxContains?: number
  readonly minContains?: number
  readonly maxItems?: number
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly unevaluatedItems?: Subschema
  readonly maxProperties?: number
  readonly minProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Subschema>>
  readonly patternProperties?: Readonly<Record<string, Subschema>>
  readonly additionalProperties?: Subschema
  readonly propertyNames?: Subschema
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly dependentSchemas?: Readonly<Record<string, Subschema>>
  readonly unevaluatedProperties?: Subschema
  readonly allOf?: readonly Subschema[]
  readonly anyOf?: readonly Subschema[]
  readonly oneOf?: readonly Subschema[]
  readonly not?: Subschema
  readonly if?: Subschema
  readonly then?: Subschema
  readonly else?: Subschema
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly deprecated?: boolean
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly format?: string
  readonly [extension: `x-${string}`]: unknown
}

export type TypeName = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string'

const opened = new WeakMap<Validator, Validator>()

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const readSchema = <T>(
  schema: () => ValidatorSchema,
  reading: Reading,
  checks?: Checks<T>,
): Validator<T> => {
  let ready: Check | undefined
  let explain: Validator['explain'] | undefined
  const interpret = (value: unknown): value is T => {
    ready ??= compile(made, reading)
    return runCheck(ready, value)
  }
  const written = reading === 'open' ? (checks?.open ?? checks?.check) : checks?.check
  const check = written ?? interpret
  const made: Validator<T> = {
    check,
    ...(reading === 'strict' && {
      open: (value: unknown): value is T => open(made).check(value),
    }),
    explain(value, most, options) {
      if (check(value)) return []
      explain ??= createExplain(made, reading)
      return explain(value, most, options)
    },
  }
  registerValidator(made, { schema, reading, checks })
  return made
}
