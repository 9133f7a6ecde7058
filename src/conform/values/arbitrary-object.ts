import fc, { type Arbitrary } from 'fast-check'
import { type Build, isDeep } from './arbitrary.js'
import type { Joined } from './joined-schemas.js'
import { isNever } from './schema-parts.js'

/** Objects with what is required, now and then with what may be left out and with names of their own; undefined where there are none. */
export const objectOf = (
  whole: Joined,
  depth: number,
  build: Build,
): Arbitrary<unknown> | undefined => {
  const { properties, required, others, names, minProperties, maxProperties } = whole
  const model: Record<string, Arbitrary<unknown>> = Object.create(null)
  for (const name of new Set([...required, ...properties.keys()])) {
    const isRequired = required.has(name)
    if (!isRequired && isDeep(depth)) continue
    const said = properties.get(name) ?? others ?? []
    if (said.some(isNever) && !isRequired) continue
    const made = build(said, depth + 1)
    if (made !== undefined) model[name] = made
    else if (isRequired) return undefined
  }
  const requiredKeys = Object.keys(model).filter((name) => required.has(name))
  const named = fc.record(model, { requiredKeys, noNullPrototype: true })
  const missing = Math.max(0, minProperties - requiredKeys.length)
  const most = isDeep(depth) ? missing : Math.min(maxProperties - requiredKeys.length, missing + 2)
  if (others === undefined || others.some(isNever) || most <= 0) return named
  const value = build(others, depth + 1)
  const key = names.length === 0 ? PLAIN : build([{ type: 'string' }, ...names], depth + 1)
  if (value === undefined || key === undefined) return named
  const more = fc.dictionary(key as Arbitrary<string>, value, {
    minKeys: properties.size === 0 ? missing : 0,
    maxKeys: Math.max(0, most),
    noNullPrototype: true,
  })
  return fc.tuple(more, named).map(([extra, own]) => ({ ...extra, ...own }))
}

const PLAIN = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/)
