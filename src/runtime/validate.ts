import { cached, once } from './shared/cached.js'
import { runCheck } from './validate/check-run.js'
import { compile } from './validate/compile.js'
import { faultsOf } from './validate/report.js'
import { mapSubschemas } from './validate/subschemas.js'
import {
  type Checks,
  isValidator,
  type Reading,
  registerValidator,
  type SchemaKeywords,
  type Validator,
  type ValidatorSchema,
  validatorSource,
} from './validate/validator.js'

export { compilePattern } from './validate/json-value.js'
export type {
  Checks,
  ExplainOptions,
  Fault,
  FaultParams,
  KeywordsOf,
  Reading,
  SchemaKeywords,
  TypeName,
  Validator,
  ValidatorSchema,
} from './validate/validator.js'

/**
 * Creates the validator of a schema. `schema` is called once, at the first `check` or `explain`, so the order of declarations
 * and cycles between them do not matter.
 *
 * Validation is strict: undeclared properties are rejected if the schema rejects them. A property whose value is `undefined` is
 * absent; an `undefined` item is a fault.
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
 * Creates a validator from a generated check and the schema that explains its errors; the two must agree. The schema is read at
 * the first `explain`.
 */
export const explained = <T>(checks: Checks<T>, schema: () => ValidatorSchema): Validator<T> =>
  readSchema<T>(once(schema), 'strict', checks)

/** The same for one part of an operation, which `pick` selects from the object of checks. */
export const explainedPart = <Own, T>(
  own: Own,
  pick: (own: Own) => Checks<T>,
  schema: () => ValidatorSchema,
): Validator<T> => explained(pick(own), schema)

/**
 * The same for one schema or all parts of an operation, from JSON with names of validators instead of references. Explanations
 * of large documents use it, because compilers read a text much faster than an object.
 */
export const explainedByText = <Own extends object>(
  own: Own,
  validators: () => NamedValidators,
  text: string,
): ExplainedParts<Own> =>
  explainParts(
    own,
    once(() => JSON.parse(text)),
    validators,
  )

const explainParts = <Own extends object>(
  own: Own,
  read: () => NamedSchema,
  validators: () => NamedValidators,
): ExplainedParts<Own> => {
  const parts =
    'check' in own && typeof own.check === 'function'
      ? explained(own as Checks, () => linkNames(read(), validators()))
      : Object.fromEntries(
          Object.entries(own).map(([key, part]) => [
            key,
            explainParts(
              part,
              () => (read() as Record<string, NamedSchema>)[key] as NamedSchema,
              validators,
            ),
          ]),
        )
  return parts as ExplainedParts<Own>
}

/** A schema as JSON, with the names of validators instead of the validators. */
type NamedSchema = string | boolean | { readonly [keyword: string]: unknown }

type NamedValidators = Readonly<Record<string, Validator>>

/** Validators instead of checks, at the same keys. */
export type ExplainedParts<Own> =
  Own extends Checks<infer T>
    ? Validator<T>
    : { readonly [Key in keyof Own]: ExplainedParts<Own[Key]> }

/** Replaces the names of validators by the validators. Throws a TypeError for an unknown name. */
const linkNames = (schema: NamedSchema, validators: NamedValidators): ValidatorSchema => {
  if (typeof schema === 'boolean') return schema
  if (typeof schema === 'string') {
    const validator = validators[schema]
    if (validator === undefined) throw new TypeError(`There is no validator ${schema}`)
    return validator
  }
  return mapSubschemas(schema, (one: NamedSchema) => linkNames(one, validators)) as SchemaKeywords
}

/**
 * The open reading of a validator: undeclared properties are accepted at every depth, so that a service may add a property
 * without breaking its clients. Declared properties are still checked. A `oneOf` holds if a branch matches openly and no two
 * match strictly. `not` and `if` remain strict, because open ones would reject more.
 */
export const open = <T>(v: Validator<T>): Validator<T> => {
  const source = validatorSource(v)
  if (source === undefined || source.reading === 'open') return v
  const read = () => readSchema(source.schema, 'open', source.checks)
  return cached(opened, v as Validator, read) as Validator<T>
}

const opened = new WeakMap<Validator, Validator>()

const asValidator = (schema: ValidatorSchema): Validator => {
  if (typeof schema === 'boolean') return validator(() => schema)
  return isValidator(schema) ? schema : cached(inline, schema, () => validator(() => schema))
}

const inline = new WeakMap<object, Validator>()

const readSchema = <T>(
  schema: () => ValidatorSchema,
  reading: Reading,
  checks?: Checks<T>,
): Validator<T> => {
  const engine = once(() => compile(made, reading))
  const written = reading === 'open' ? (checks?.open ?? checks?.check) : checks?.check
  const check = written ?? ((value: unknown): value is T => runCheck(engine(), value))
  const made: Validator<T> = {
    check,
    ...(reading === 'strict' && {
      open: (value: unknown): value is T => open(made).check(value),
    }),
    explain: (value, most, options) =>
      check(value) ? [] : faultsOf(engine(), value, most, options),
  }
  const readings = async () => {
    const [{ relaxed }, { findRepair }] = await Promise.all([
      import('./validate/tolerant.js'),
      import('./validate/repair.js'),
    ])
    const tolerant = (one: Validator) => open(relaxed(one, validator))
    const readings = (one: ValidatorSchema) => {
      const strict = asValidator(one)
      return { strict, tolerant: tolerant(strict) }
    }
    return {
      open: open(made),
      tolerant: tolerant(made),
      findRepair: (value: unknown) => findRepair(made, value, readings),
    }
  }
  registerValidator(made, { schema, reading, checks, readings })
  return made
}
