/** An argument as JSON carries it without loss: bigints as decimal strings. Throws an Error for an integer that a number cannot hold. */
export const wireValue = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error(`${value} is no integer that a number holds exactly: give a bigint`)
  if (Array.isArray(value)) return value.map(wireValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wireValue(member)]))
}
