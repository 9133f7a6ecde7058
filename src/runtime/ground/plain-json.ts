/**
 * Whether a value is JSON as it stands: no text, number or nesting that JSON cannot carry, nothing that
 * `JSON.stringify` drops or rewrites. What is not may still be after `jsonCopy`, which also says what is wrong.
 */
export const isPlainJson = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null) return true
  // A circle is deep, too.
  if (depth === DEEPEST || 'toJSON' in value) return false
  if (Array.isArray(value)) {
    // By index, as holes are passed over otherwise.
    for (let index = 0; index < value.length; index++)
      if (!isPlainJson(value[index], depth + 1)) return false
    return true
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.values(value).every((item) => isPlainJson(item, depth + 1))
}

const DEEPEST = 500
