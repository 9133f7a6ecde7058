import { isObject, type JsonObject } from '../shared/json-object.js'

export const presentKeys = (value: JsonObject): string[] =>
  Object.keys(value).filter((key) => value[key] !== undefined)

/** A text that two values share exactly where they are equal, whatever the order of their keys. */
export const canonical = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return String(value)
  const entries = presentKeys(value).sort()
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}
