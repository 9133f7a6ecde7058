/** One thing that is wrong with a value. */
export type Fault = {
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string
  /** The schema keyword that rejected the value: `pattern`, `required`; empty where depth alone is what is wrong. */
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
   * The name of a property that is missing (`required`, `dependentRequired`), not allowed (`additionalProperties`,
   * `unevaluatedProperties`, `properties`, `not`), or wrongly named (`propertyNames`). `pointer` points to the
   * object.
   */
  readonly property: string
}

export type Validator<T = unknown> = Checks<T> & {
  /**
   * The faults in document order; empty exactly where `check` is true. Stops at `most` of them, 100 by default, so
   * that a value with many faults costs only those that are shown.
   */
  readonly explain: (value: unknown, most?: number, options?: ExplainOptions) => readonly Fault[]
}

export type ExplainOptions = {
  /** Messages end before the value that was found: `must be a string`, without `, is the number 3`. */
  readonly hideValues?: boolean
}

/** How a schema that closes an object is read: `strict` rejects undeclared properties, `open` ignores them. */
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

/** Generated checks, as `validators.ts` has them, without explanations. `open` is the open reading, absent where it is the same. */
export type Checks<T = unknown> = {
  readonly check: (value: unknown) => value is T
  readonly open?: (value: unknown) => value is T
}

/** What a validator was made of; undefined for one that was written by hand. */
export const sourceOf = (validator: Validator): Source | undefined => sources.get(validator)

export type Source = {
  /** Gives the same schema at every call. */
  readonly schema: () => ValidatorSchema
  readonly reading: Reading
  /** Its generated checks, where it has some. */
  readonly checks?: Checks | undefined
  /** Its other readings. They come with the validator, so that a client without validators need not contain what makes them. */
  readonly readings: () => Promise<Readings>
}

export type Readings = { readonly open: Validator; readonly tolerant: Validator }

export const registerValidator = (validator: Validator, source: Source): void => {
  sources.set(validator, source)
}

/** A validator among schemas: no keyword is called `check`, and no keyword holds a function. */
export const isValidator = (schema: ValidatorSchema): schema is Validator =>
  typeof schema === 'object' && typeof (schema as Validator).check === 'function'

/** The reading in which a reference is followed: a validator opened by hand stays open. */
export const followReading = (source: Source, reading: Reading): Reading =>
  source.reading === 'open' ? 'open' : reading

/** The generated check of a reading, where there is one. */
export const writtenCheck = (
  source: Source,
  reading: Reading,
): ((value: unknown) => boolean) | undefined =>
  followReading(source, reading) === 'open'
    ? (source.checks?.open ?? source.checks?.check)
    : source.checks?.check

/** The keywords behind references; undefined for boolean schemas, validators written by hand, and cycles. */
export const keywordsOf = (schema: ValidatorSchema): SchemaKeywords | undefined => {
  let at: ValidatorSchema | undefined = schema
  for (let hops = 0; at !== undefined && hops < 100; hops++) {
    if (typeof at === 'boolean') return undefined
    if (!isValidator(at)) return at
    at = sources.get(at)?.schema()
  }
  return undefined
}

/** Whether the keyword closes the object, which the open reading ignores. */
export const isSkipped = (schema: ValidatorSchema | undefined, reading: Reading): boolean =>
  schema === undefined || (schema === false && reading === 'open')

const sources = new WeakMap<Validator, Source>()
