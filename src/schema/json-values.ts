/** Equality of JSON Schema, core 4.2.2: the order of members is ignored, and 1 and 1.0 are equal. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) => Object.hasOwn(b, key) && isEqual(a[key as keyof typeof a], b[key as keyof typeof b]),
    )
  )
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export const typeOf = (value: unknown): JsonType => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as JsonType
}

/** Sorts smaller values first: by the length of their JSON, then by its character codes. */
export const bySize = (a: unknown, b: unknown): number =>
  byLength(JSON.stringify(a), JSON.stringify(b))

const byLength = (x: string, y: string): number =>
  x.length - y.length || (x < y ? -1 : x > y ? 1 : 0)

/** Sorts values by size; each is serialized once. */
export const sorted = (values: readonly unknown[]): readonly unknown[] =>
  values.length < 2
    ? values
    : values
        .map((value) => ({ value, text: JSON.stringify(value) }))
        .sort((a, b) => byLength(a.text, b.text))
        .map(({ value }) => value)

/** The number of values in a value, itself included; repeated values are counted each time. */
export function nodesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const before = counted.get(value)
  if (before !== undefined) return before
  const count = Object.values(value).reduce<number>((sum, one) => sum + nodesIn(one), 1)
  counted.set(value, count)
  return count
}

const counted = new WeakMap<object, number>()

/**
 * Values that differ from a value in one place, up to `count` for each place: `text2`, the next number. Only words vary, not
 * texts of formats and patterns.
 */
export function variantsOf(value: unknown, count: number): readonly unknown[] {
  const counted = Array.from({ length: count }, (_, at) => at + 1)
  if (typeof value === 'number') return counted.map((one) => value + one)
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'string')
    return /^[a-z]+$/i.test(value) ? counted.map((one) => `${value}${one + 1}`) : []
  if (Array.isArray(value))
    return value.flatMap((item, at) => variantsOf(item, count).map((one) => value.with(at, one)))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    variantsOf(member, count).map((one) => ({ ...value, [key]: one })),
  )
}
