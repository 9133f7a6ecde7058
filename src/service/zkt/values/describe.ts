import type { Shape } from './shape.js'

/** What a parameter takes, for a caller who sent something else: `uint8, an integer from 0 to 255`. */
export const describe = (shape: Shape): string => {
  switch (shape.kind) {
    case 'integer':
      return `${shape.type}, an integer from ${power(shape.min)} to ${power(shape.max)} as a number or as a string of decimal or 0x digits`
    case 'bool':
      return 'bool, true or false'
    case 'string':
      return 'string, a JSON string'
    case 'address':
      return 'address, a string of 0x and 40 hex digits'
    case 'bytes':
      return shape.size === undefined
        ? 'bytes, a string of 0x and an even number of hex digits'
        : `${shape.type}, a string of 0x and ${2 * shape.size} hex digits`
    case 'array':
      return shape.length === undefined
        ? `${clipped(shape.type)}, an array`
        : `${clipped(shape.type)}, an array of ${count(shape.length, 'item')}`
    case 'unknown':
      return `${clipped(shape.type)}, which has no values`
    case 'tuple': {
      const names = shape.members.map(({ name }) => name)
      const named = names.every((name) => name !== '') && new Set(names).size === names.length
      const size = count(names.length, 'item')
      return named
        ? `a tuple, an array of ${size} or an object with ${clipped(names.join(', '))}`
        : `a tuple, an array of ${size}`
    }
  }
}

export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`

const clipped = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Numbers of 78 digits help nobody. */
const power = (value: bigint): string => {
  if (value >= -(2n ** 53n) && value <= 2n ** 53n) return String(value)
  return value < 0n
    ? `-2^${(-value).toString(2).length - 1}`
    : `2^${(value + 1n).toString(2).length - 1}-1`
}
