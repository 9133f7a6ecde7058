/**
 * Whether a value is JSON as it stands: no text, number or nesting that JSON cannot carry, nothing that
 * `JSON.stringify` drops or rewrites. What is not may still be after `jsonCopy`, which also says what is wrong.
 */
export const isPlainJson = (value: unknown, depth = 0): boolean => {
  if (value === null || typeof value !== 'object') return value === null || isScalar(value)
  const prototype = Object.getPrototypeOf(value)
  const isRecord = prototype === null || prototype === Object.prototype
  // A circle is deep, too.
  if (depth === DEEPEST || 'toJSON' in value || !(isRecord || Array.isArray(value))) return false
  // Holes of an array are read, and are no JSON.
  const items: readonly unknown[] = Array.isArray(value) ? [...value] : Object.values(value)
  return items.every((item) => isPlainJson(item, depth + 1))
}

/** Text, a number or a boolean that JSON can carry. */
export const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

const DEEPEST = 500
