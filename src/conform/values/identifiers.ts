import type { Api, HttpOperation } from '../../model/api.js'
import type { HttpParameter } from '../../model/http-content.js'
import { pointerStep } from '../../runtime/shared/pointer.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { successResponses } from '../../runtime/wire/status.js'
import { dereference, type Schema } from '../../schema/schema.js'

/** The path of the operations that list or create what a path parameter identifies: `/pets` for `/pets/{petId}`. */
export const parentPath = (
  { path }: Pick<HttpOperation, 'path'>,
  { name }: HttpParameter,
): string => path.split(`/{${name}}`)[0] ?? ''

/** The properties in the successful responses of an operation that, by their names, have the value of a path parameter. */
export const propertiesFor = (
  { schemas }: Pick<Api, 'schemas'>,
  { path, responses }: HttpOperation,
  parameter: HttpParameter,
  parent: string,
): readonly Property[] => {
  // The `id` of an item in `/pets` is the value for `/pets/{petId}`.
  const isOwn = path === parent && /id$/i.test(parameter.name)
  const names = new Set([parameter.name, ...(isOwn ? ['id'] : [])])
  const declared = successResponses(responses).flatMap(({ content }) =>
    content.map(({ schema }) => schema),
  )
  return [...names].flatMap((name) => {
    const pointers = declared.map((schema) => pointerTo(schemas, schema, name, DEPTH))
    const pointer = pointers.find((one) => one !== undefined)
    return pointer === undefined ? [] : [{ name, pointer }]
  })
}

/** `pointer` is the place in the body; for a list, that of its first item: `/0/id`. */
export type Property = { readonly name: string; readonly pointer: string }

/** Levels of lists and objects around the item itself: `{ data: [ { id } ] }` has two. */
export const DEPTH = 3

const pointerTo = (
  schemas: Api['schemas'],
  schema: Schema,
  name: string,
  depth: number,
): string | undefined => {
  const real = dereference(schema, schemas)
  if (typeof real !== 'object') return undefined
  const { properties = {}, items, allOf = [] } = real
  if (Object.hasOwn(properties, name)) return pointerStep(name)
  if (depth === 0) return undefined
  const inside: readonly (readonly [string, Schema])[] = [
    ...Object.entries(properties).map(([key, one]) => [pointerStep(key), one] as const),
    ...(items === undefined ? [] : [['/0', items] as const]),
    ...allOf.map((one) => ['', one] as const),
  ]
  for (const [step, one] of inside) {
    const below = pointerTo(schemas, one, name, depth - 1)
    if (below !== undefined) return step + below
  }
  return undefined
}

/** The first value with one of these names, closest to the top. */
export const findValue = (
  value: unknown,
  names: readonly string[],
  depth: number,
): string | number | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (isObject(value))
    for (const name of names) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined
      if (typeof own === 'string' || typeof own === 'number') return own
    }
  if (depth === 0) return undefined
  for (const one of Object.values(value)) {
    const found = findValue(one, names, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}
