import { pointerKeys } from '../shared/pointer.js'
import { describe, quote } from '../validate/wording.js'
import type { Fault, Validator } from '../validate.js'

/**
 * The faults of a value as a caller sees them: where they are and what is expected, never what was sent, since error bodies
 * end up in other people's logs. Stops at one fault more than a response lists, which says that there are more.
 */
export const explainFaults = (validator: Validator, value: unknown): readonly Fault[] =>
  validator.explain(value, MOST_FAULTS + 1).map(({ pointer, message, ...fault }) => {
    const found = valueAt(value, pointer)
    const ends = [`, is ${describe(found)}`, `, is ${quote(found)}`]
    const end = ends.find((text) => message.endsWith(text)) ?? ''
    return { pointer, ...fault, message: message.slice(0, message.length - end.length) }
  })

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

const valueAt = (root: unknown, pointer: string): unknown =>
  pointerKeys(pointer).reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    root,
  )
