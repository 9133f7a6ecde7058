import type { Api } from '../model/api.js'
import { referredName, type Schema } from '../schema/schema.js'

/** The default that a schema, or what it refers to, declares. */
export const defaultOf = (api: Api, schema: Schema): unknown =>
  chain(api, schema).find((one) => one.default !== undefined)?.default

/** Whether a schema, or what it refers to, takes nothing that has parts. */
export const isScalar = (api: Api, schema: Schema): boolean =>
  chain(api, schema).some(({ type }) => {
    const types = [type].flat()
    return types.every((one) => one !== undefined && one !== 'array' && one !== 'object')
  })

/** What a schema refers to in the end, or itself. */
export const ofReference = (api: Api, schema: Schema): Schema => chain(api, schema).at(-1) ?? schema

/** The schema of a property, where the schema of the object declares it itself or in an `allOf`. */
export function propertyOf(api: Api, schema: Schema, name: string): Schema | undefined {
  const waiting: Schema[] = [schema]
  const passed = new Set<Schema>()
  for (let here = waiting.shift(); here !== undefined; here = waiting.shift()) {
    for (const one of chain(api, here)) {
      if (passed.has(one)) continue
      passed.add(one)
      const own = one.properties?.[name]
      if (own !== undefined) return own
      waiting.push(...(one.allOf ?? []))
    }
  }
  return undefined
}

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
