/**
 * Milliseconds since 1970 of an RFC 3339 date (its start in UTC) or date-time; undefined for anything else, such as the 31st of
 * June.
 */
export const instantOf = (written: string): number | undefined => {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)(?:[tT ](\d\d:\d\d:\d\d(?:\.\d+)?(?:[zZ]|[+-]\d\d:\d\d)))?$/.exec(written) ??
    []
  if (day === undefined) return undefined
  const begin = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(begin) || !new Date(begin).toISOString().startsWith(day)) return undefined
  const instant = time === undefined ? begin : Date.parse(`${day}T${time.toUpperCase()}`)
  return Number.isNaN(instant) ? undefined : instant
}
