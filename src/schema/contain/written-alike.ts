/** The values that are written as this one is, itself first. */
export function writtenAlike(value: unknown): readonly unknown[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [value, String(value)]
  if (typeof value === 'string') return [value, ...scalarsOf(value)]
  if (typeof value !== 'object' || value === null) return [value]
  let made: readonly (readonly (readonly [string, unknown])[])[] = [[]]
  for (const [name, member] of Object.entries(value)) {
    const alike = writtenAlike(member)
    made = made
      .flatMap((entries) => alike.map((one) => [...entries, [name, one] as const]))
      .slice(0, MOST_ALIKE)
  }
  return Array.isArray(value)
    ? made.map((entries) => entries.map(([, item]) => item))
    : made.map((entries) => Object.fromEntries(entries))
}

function scalarsOf(text: string): readonly unknown[] {
  if (text === 'true' || text === 'false') return [text === 'true']
  const isNumber = /^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)
  return isNumber && Number.isFinite(Number(text)) ? [Number(text)] : []
}

/** Of a value with many scalars, not all ways to read them are tried. */
const MOST_ALIKE = 256
