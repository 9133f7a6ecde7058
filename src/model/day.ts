/** A date without a time, `2030-01-31`: such texts sort as the days do. */
export type Day = string

/** RFC 3339: a full date, or a date with a time; undefined for anything else, such as the 31st of June. */
export function dayOf(written: string): Day | undefined {
  const [, day] =
    /^(\d{4}-\d\d-\d\d)(?:[tT ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[zZ]|[+-]\d\d:\d\d))?$/.exec(written) ??
    []
  if (day === undefined) return undefined
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? day : undefined
}
