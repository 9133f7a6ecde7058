import type { Fault, Validator } from '../validate.js'

/**
 * The faults of a value for a client: the place and the expectation, never the value, because error bodies end up in logs. It
 * stops at one fault more than a response lists, which shows that there are more.
 */
export const explainFaults = (
  validator: Validator,
  value: unknown,
  most = MOST_FAULTS + 1,
): readonly Fault[] => validator.explain(value, most, { hideValues: true })

/** The maximum number of faults in a response: a body with many faults must not lead to a much larger response. */
export const MOST_FAULTS = 20

/** Whether the faults of an empty string say that a schema accepts no string, and not only that this one is too short. */
export const acceptsNoString = (faults: readonly Fault[]): boolean =>
  faults.some(({ keyword, pointer }) => pointer === '' && NO_STRING.has(keyword))

/** `schema` is the fault of a client without explanations. */
const NO_STRING: ReadonlySet<string> = new Set(['type', 'anyOf', 'oneOf', 'false', 'schema'])
