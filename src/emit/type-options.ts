import type { Api } from '../model/api.js'
import { dereference, type Schema, type Schemas } from '../schema/schema.js'

/** Options of types alone, by the names of openapi-typescript's flags, and what each changes. */
const OPTIONS = {
  'additional-properties': 'objects have other properties too',
  alphabetize: 'paths, operations, parameters and properties are sorted',
  'array-length': 'lists of few items are tuples',
  'default-non-nullable': 'properties with a default are required, but in requests',
  'exclude-deprecated': 'deprecated operations, parameters and properties are left out',
  immutable: 'properties and lists are readonly',
  'path-params-as-types': 'a key of paths accepts the values of its parameters',
  'properties-required-by-default': 'properties are required where a schema lists none',
} as const

export type TypeOption = keyof typeof OPTIONS

export const typeOptionNames = Object.keys(OPTIONS) as readonly TypeOption[]

/** Without deprecated operations, webhooks and parameters. */
export function withoutDeprecated(api: Api): Api {
  const isKept = ({ deprecated }: { readonly deprecated?: boolean | undefined }) => !deprecated
  return {
    ...api,
    operations: api.operations.filter(isKept).map((operation) =>
      operation.kind === 'rpc'
        ? operation
        : {
            ...operation,
            parameters: operation.parameters.filter(
              (one) => isKept(one) && !isDeprecated(one.schema, api.schemas),
            ),
          },
    ),
    outgoing: api.outgoing.filter(isKept),
  }
}

/** Whether a schema is deprecated, or the one that it refers to. */
export const isDeprecated = (schema: Schema, schemas: Schemas): boolean =>
  [schema, dereference(schema, schemas)].some(
    (one) => typeof one === 'object' && one.deprecated === true,
  )
