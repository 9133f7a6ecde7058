type Days = { readonly first?: string | undefined; readonly last?: string | undefined }

/** The earliest and the latest day. */
export const mergedDays = (all: readonly Days[]): { first?: string; last?: string } => {
  const [first] = all.flatMap((one) => one.first ?? []).sort()
  const last = all
    .flatMap((one) => one.last ?? [])
    .sort()
    .at(-1)
  return { ...(first !== undefined && { first }), ...(last !== undefined && { last }) }
}

/** ` from 2026-10-02 to 2026-11-24`, or empty if no time was recorded. */
export const daysText = ({ first, last }: Days): string => {
  if (first === undefined) return ''
  return first === last ? ` on ${first}` : ` from ${first} to ${last}`
}

/** The day in UTC of a time in milliseconds; undefined for a time outside the years 0 to 9999, such as one in microseconds. */
export const utcDay = (time: number): string | undefined => {
  const date = new Date(time)
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined
}
