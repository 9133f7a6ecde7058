import type { Api } from '../../model/api.js'
import { createMadeUp } from '../../model/made-up.js'
import type { Schema } from '../../model/schema.js'

/** A value for a schema that shows none; undefined where none was found, or where a client takes a Blob. */
export type MakeUp = (schema: Schema) => Made | undefined

export type Made = { readonly value: unknown }

export const createMakeUp = ({ schemas }: Pick<Api, 'schemas'>): MakeUp => {
  const madeUp = createMadeUp(schemas)
  return (schema) => {
    const value = madeUp(schema)
    return value === undefined ? undefined : { value }
  }
}
