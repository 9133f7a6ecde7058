import { pointerStep } from '../runtime/shared/pointer.js'
import type { Sampler } from '../schema/readable.js'
import { dereference, isNever, referredName, type Schema, type Schemas } from '../schema/schema.js'

/** Why `sampler` finds no value of a schema, with the place in the value: `/items/0/name allows no value`. */
export const whyNoValue = (schema: Schema, sampler: Sampler, schemas: Schemas): string => {
  const has = (one: Schema): boolean => sampler(one) !== undefined
  const reason = (one: Schema, pointer: string, above: readonly string[]): string => {
    const name = referredName(one)
    const place = pointer === '' ? 'the schema' : pointer
    if (name !== undefined && above.includes(name)) return `${place} contains itself without an end`
    const real = dereference(one, schemas)
    const within = name === undefined ? above : [...above, name]
    if (typeof real === 'boolean' || isNever(real)) return `${place} allows no value`
    const member = (real.required ?? []).find((key) => !has(real.properties?.[key] ?? true))
    if (member !== undefined)
      return reason(real.properties?.[member] ?? true, pointer + pointerStep(member), within)
    const part = real.allOf?.find((each) => !has(each))
    if (part !== undefined) return reason(part, pointer, within)
    if (typeof real.items === 'object' && (real.minItems ?? 0) > 0 && !has(real.items))
      return reason(real.items, `${pointer}/0`, within)
    const branches = real.oneOf ?? real.anyOf ?? []
    if (real.oneOf && branches.filter(has).length > 1)
      return `each value that was tried for ${place} fits several branches of its oneOf, or none`
    const [first] = branches
    if (first !== undefined && !branches.some(has)) return reason(first, pointer, within)
    if (real.pattern !== undefined) return `no text for ${place} matches ${real.pattern}`
    return `no value was found for ${place}`
  }
  return reason(schema, '', [])
}
