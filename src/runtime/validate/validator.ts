/** One validation error of a value. */
export type Fault = {
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string
  /** The schema keyword that rejected the value: `pattern`, `required`; empty if only its depth is wrong. */
  readonly keyword: string
  /** A readable sentence: `must match ^0x[0-9a-f]+$`. */
  readonly message: string
  /** Set if several alternatives of a `oneOf` match, which allows only one. */
  readonly isAmbiguous?: true
  /** The machine-readable part of the message; its meaning depends on `keyword`, like the `params` of ajv. */
  readonly params?: FaultParams
}

export type FaultParams = {
  /**
   * The name of a property that is missing (`required`, `dependentRequired`), not allowed (`additionalProperties`,
   * `unevaluatedProperties`, `properties`, `not`), or wrongly named (`propertyNames`). `pointer` points to the
   * object.
   */
  readonly property: string
}

export type Validator<T = unknown> = Checks<T> & {
  /**
   * The faults in document order; empty exactly where `check` is true. Stops at `most` faults, 100 by default, so that a value
   * with many faults costs only the listed ones.
   */
  readonly explain: (value: unknown, most?: number, options?: ExplainOptions) => readonly Fault[]
}

export type ExplainOptions = {
  /** Messages omit the actual value: `must be a string`, without `, is the number 3`. */
  readonly hideValues?: boolean
}

/** The reading of a schema that closes an object: `strict` rejects undeclared properties, `open` ignores them. */
export type Reading = 'strict' | 'open'

/** JSON Schema 2020-12 with validators instead of `$ref`s. */
export type ValidatorSchema = boolean | Validator | SchemaKeywords

export type SchemaKeywords = KeywordsOf<ValidatorSchema>

/** The keywords of JSON Schema 2020-12 for any type of subschemas: the validator's here, the model's by reference. */
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

/** Generated checks of `validators.ts`, without explanations. `open` is the open reading, absent if it is the same. */
export type Checks<T = unknown> = {
  readonly check: (value: unknown) => value is T
  readonly open?: (value: unknown) => value is T
}

/** The source of a validator; undefined for a handwritten one. */
export const validatorSource = (validator: Validator): ValidatorSource | undefined =>
  sources.get(validator)

export type ValidatorSource = {
  /** Returns the same schema at every call. */
  readonly schema: () => ValidatorSchema
  readonly reading: Reading
  /** Its generated checks, if it has some. */
  readonly checks?: Checks | undefined
  /** Its other readings. The validator has them, so that a client without validators does not contain their code. */
  readonly readings: () => Promise<Readings>
}

export type Readings = {
  readonly open: Validator
  readonly tolerant: Validator
  /** What makes a value that `tolerant` accepts one of its type. */
  readonly findRepair: (value: unknown) => ValueRepair
}

/** Changes a value, or the same value with exact integers. */
export type ValueRepair = (value: unknown) => unknown

export const registerValidator = (validator: Validator, source: ValidatorSource): void => {
  sources.set(validator, source)
}

/** Whether a schema is a validator: no keyword is called `check`, and no keyword is a function. */
export const isValidator = (schema: ValidatorSchema): schema is Validator =>
  typeof schema === 'object' && typeof (schema as Validator).check === 'function'

/** The reading for a reference: a validator that was opened explicitly remains open. */
export const followReading = (source: ValidatorSource, reading: Reading): Reading =>
  source.reading === 'open' ? 'open' : reading

/** The generated check of a reading, if there is one. */
export const writtenCheck = (
  source: ValidatorSource,
  reading: Reading,
): ((value: unknown) => boolean) | undefined =>
  followReading(source, reading) === 'open'
    ? (source.checks?.open ?? source.checks?.check)
    : source.checks?.check

/** The keywords behind references; undefined for boolean schemas, handwritten validators, and cycles. */
export const resolvedKeywords = (schema: ValidatorSchema): SchemaKeywords | undefined => {
  let at: ValidatorSchema | undefined = schema
  for (let hops = 0; at !== undefined && hops < 100; hops++) {
    if (typeof at === 'boolean') return undefined
    if (!isValidator(at)) return at
    at = sources.get(at)?.schema()
  }
  return undefined
}

/** Whether a keyword has no effect: it is absent, or closes the object, which the open reading ignores. */
export const isSkipped = (schema: ValidatorSchema | undefined, reading: Reading): boolean =>
  schema === undefined || (schema === false && reading === 'open')

const sources = new WeakMap<Validator, ValidatorSource>()
