import type { Api } from '../../model/api.js'
import { referredName, type Schema } from '../../model/schema.js'

/** The default that a schema, or what it refers to, declares. */
export const defaultOf = (api: Api, schema: Schema): unknown =>
  chain(api, schema).find((one) => one.default !== undefined)?.default

/** Whether a schema, or what it refers to, takes nothing that has parts. */
export const isScalar = (api: Api, schema: Schema): boolean =>
  chain(api, schema).some(({ type }) => {
    const types = [type].flat()
    return types.every((one) => one !== undefined && one !== 'array' && one !== 'object')
  })

/** A schema, and what it refers to, and so on. */
const chain = (api: Api, schema: Schema) => {
  const passed = new Set<Exclude<Schema, boolean>>()
  let here: Schema | undefined = schema
  while (typeof here === 'object' && !passed.has(here)) {
    passed.add(here)
    here = api.schemas.get(referredName(here) ?? '')?.schema
  }
  return [...passed]
}
