import { isObject } from '../../../../src/runtime/validate/json-value.js'

/**
 * The value as JSON has it, for validators that know nothing else: own members, without those that are undefined. Nothing
 * for what JSON cannot say at all, such as a bigint, or an item that is undefined.
 */
export function jsonForm(value: unknown): { readonly value: unknown } | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return { value }
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : undefined
  if (Array.isArray(value)) {
    const items = Array.from(value, jsonForm)
    return items.includes(undefined) ? undefined : { value: items.map((item) => item?.value) }
  }
  if (!isObject(value)) return undefined
  const form: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue
    const member = jsonForm(value[key])
    if (member === undefined) return undefined
    const attributes = { enumerable: true, configurable: true, writable: true }
    Object.defineProperty(form, key, { ...attributes, value: member.value })
  }
  return { value: form }
}
