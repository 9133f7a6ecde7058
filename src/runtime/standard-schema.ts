import { type SchemaIssue, schemaIssuesOf } from './validate/issues.js'
import { toJsonSchema } from './validate/json-schema.js'
import type { Validator } from './validate.js'

/** A Standard Schema 1 with its JSON Schema part, for a value that validation does not change. */
export type StandardSchema<T = unknown> = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'twinspec'
    /** Exists in the type only. */
    readonly types?: { readonly input: T; readonly output: T } | undefined
    readonly validate: (value: unknown) => StandardResult<T>
    /**
     * Targets are `draft-2020-12` and `draft-07`. Throws a TypeError for every other target, and for what draft-07 cannot
     * express.
     */
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>
    }
  }
}

export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export type StandardIssue = SchemaIssue

type JsonSchemaOptions = { readonly target: string }

/** The validators of an operation, as standard schemas. */
export type StandardSchemas<Validators> =
  Validators extends Validator<infer T>
    ? StandardSchema<T>
    : { readonly [Key in keyof Validators]: StandardSchemas<Validators[Key]> }

/**
 * A validator as a standard schema: `t.procedure.input(standardSchema(Order))`. Messages do not repeat the value.
 */
export const standardSchema = <T>(validator: Validator<T>): StandardSchema<T> => {
  const jsonSchema = ({ target }: JsonSchemaOptions) => toJsonSchema(validator, target)
  return {
    '~standard': {
      version: 1,
      vendor: 'twinspec',
      validate: (value) => {
        if (validator.check(value)) return { value }
        return { issues: schemaIssuesOf(validator, value) }
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  }
}

/** All validators of an operation of `explanations.ts` as standard schemas, at the same keys. */
export const standardSchemas = <const Validators extends object>(
  validators: Validators,
): StandardSchemas<Validators> =>
  // The compiler cannot infer that the keys are the same.
  mapped(validators) as StandardSchemas<Validators>

const mapped = (validators: object): object =>
  'check' in validators && typeof validators.check === 'function'
    ? standardSchema(validators as Validator)
    : Object.fromEntries(Object.entries(validators).map(([key, one]) => [key, mapped(one)]))
