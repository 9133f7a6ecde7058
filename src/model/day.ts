import { instantOf } from '../runtime/shared/instant.js'

/** A date without a time, `2030-01-31`: the order of texts is the order of days. */
export type Day = string

/** RFC 3339: a full date, or a date with a time; undefined for anything else, such as the 31st of June. */
export const dayOf = (written: string): Day | undefined =>
  instantOf(written) === undefined ? undefined : written.slice(0, 10)
