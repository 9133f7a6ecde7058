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

/** The day in UTC of a time in milliseconds; undefined for a time outside the range of Date. */
export const dayOf = (time: number): string | undefined => {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
}
