import { pointerKeys } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'

/**
 * The faults of a value as a caller sees them: where they are and what is expected, never what was sent, since error bodies
 * end up in other people's logs. Stops at one fault more than a response lists, which says that there are more.
 */
export const explainFaults = (validator: Validator, value: unknown): readonly Fault[] =>
  validator.explain(value, MOST_FAULTS + 1, { hideValues: true })

/** A fault as responses list it. */
export const faultData = ({ pointer, keyword, message }: Fault): Fault => ({
  pointer,
  keyword,
  message,
})

/** How many faults a response lists: a body of many must not become a response of many more bytes. */
export const MOST_FAULTS = 20

/** What ends the message of a response that does not list all faults. */
export const moreFaults = (faults: readonly Fault[]): string =>
  faults.length > MOST_FAULTS ? ` (the first of more than ${MOST_FAULTS} errors)` : ''

/** `body.arguments is required`: a fault in words, with its place. */
export const describeFault = ({ pointer, message }: Fault): string =>
  pointer === '' ? message : `${pointerKeys(pointer).join('.')} ${message}`
