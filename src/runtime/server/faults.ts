import { pointerKeys } from '../ground/pointer.js'
import { describe, quote } from '../validate/wording.js'
import type { Fault, Validator } from '../validate.js'

/**
 * What a caller is told of a value that does not fit: where and what must be, never what was sent, since error bodies end
 * up in other people's logs. At most 20 faults: a body of many must not become an answer of many more bytes.
 */
export const tellFaults = (validator: Validator, value: unknown): readonly Fault[] =>
  validator
    .explain(value)
    .slice(0, MOST_FAULTS)
    .map(({ pointer, keyword, message }) => {
      const found = valueAt(value, pointer)
      const ends = [`, is ${describe(found)}`, `, is ${quote(found)}`]
      const end = ends.find((text) => message.endsWith(text)) ?? ''
      return { pointer, keyword, message: message.slice(0, message.length - end.length) }
    })

export const MOST_FAULTS = 20

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
