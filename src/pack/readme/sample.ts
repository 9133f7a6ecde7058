import type { Api } from '../../model/api.js'
import { createSampler } from '../../schema/readable.js'
import type { Schema } from '../../schema/schema.js'

/** A value for a schema that shows none; undefined where none was found, or where a client takes a Blob. */
export type ReadmeSampler = (schema: Schema) => Made | undefined

export type Made = { readonly value: unknown }

export const createReadmeSampler = ({ schemas }: Pick<Api, 'schemas'>): ReadmeSampler => {
  const madeUp = createSampler(schemas)
  return (schema) => {
    const value = madeUp(schema)
    return value === undefined ? undefined : { value }
  }
}
