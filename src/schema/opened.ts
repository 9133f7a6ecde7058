import {
  asserted,
  mapSubschemas,
  refTo,
  type Schema,
  type Schemas,
  typesIn,
  valuesIn,
} from './schema.js'

/**
 * The same schema, but each object and list describes its undescribed members: they may have any value. A comparison assumes that
 * undescribed members are absent, which JSON Schema does not (2020-12, 10.3). References lead to `openedSchemas`.
 */
export function opened(schema: Schema): Schema {
  if (schema === true) return ANY
  if (schema === false || schema.$ref !== undefined || valuesIn(schema)) return schema
  if (asserted(schema).length === 0) return ANY
  const types = typesIn(schema)
  const isOpenObject =
    (types?.includes('object') ?? true) &&
    schema.additionalProperties === undefined &&
    schema.unevaluatedProperties === undefined
  const isOpenArray =
    (types?.includes('array') ?? true) &&
    schema.items === undefined &&
    schema.unevaluatedItems === undefined
  return {
    ...mapSubschemas(schema, opened),
    // These describe no members.
    ...(schema.not !== undefined && { not: schema.not }),
    ...(schema.if !== undefined && { if: schema.if }),
    ...(isOpenObject && { additionalProperties: ANY }),
    ...(isOpenArray && { items: ANY }),
  }
}

/** The named schemas for references in opened schemas. */
export const openedSchemas = (schemas: Schemas): Schemas =>
  new Map([
    ...[...schemas].map(([name, { schema }]) => [name, { schema: opened(schema) }] as const),
    [ANY_NAME, { schema: ANYTHING }],
  ])

/** No component has this name. */
const ANY_NAME = '\u0000any'

const ANY: Schema = { $ref: refTo(ANY_NAME) }

const ANYTHING: Schema = {
  type: ['null', 'boolean', 'number', 'string', 'array', 'object'],
  additionalProperties: ANY,
  items: ANY,
}
