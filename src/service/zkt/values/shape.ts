import type { AbiParameter } from 'viem'
import { clip } from '../../clip.js'

/** The structure of an ABI type. `head` is its number of bytes in place; a dynamic type has an offset there. */
export type AbiShape = { readonly dynamic: boolean; readonly head: number } & (
  | { readonly kind: 'integer'; readonly type: string; readonly min: bigint; readonly max: bigint }
  | { readonly kind: 'bool' | 'address' | 'string' }
  /** Without a size, it has any number of bytes. */
  | { readonly kind: 'bytes'; readonly type: string; readonly size: number | undefined }
  | {
      readonly kind: 'array'
      readonly type: string
      readonly item: AbiShape
      readonly length: number | undefined
    }
  | { readonly kind: 'tuple'; readonly members: readonly Member[] }
  /** A type that Solidity declares but does not support, such as `fixed128x18`: it has no values. */
  | { readonly kind: 'unknown'; readonly type: string }
)

type Member = { readonly name: string; readonly shape: AbiShape }

export const abiShapeOf = (parameter: AbiParameter): AbiShape => {
  const { type } = parameter
  const [, itemType, written] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (itemType !== undefined) {
    const item = abiShapeOf({ ...parameter, type: itemType })
    const length = written === '' ? undefined : Number(written)
    const dynamic = length === undefined || item.dynamic
    const head = dynamic ? WORD_BYTES : length * item.head
    return { kind: 'array', type: typeName(parameter), item, length, dynamic, head }
  }
  if (type === 'tuple' && 'components' in parameter) return tupleOf(parameter.components)
  return elementaryOf(type)
}

/** The type as in signatures: `(address,string)[2]`. */
export const typeName = (parameter: AbiParameter): string =>
  'components' in parameter
    ? `(${parameter.components.map(typeName).join(',')})${parameter.type.slice('tuple'.length)}`
    : parameter.type

export const WORD_BYTES = 32

const tupleOf = (components: readonly AbiParameter[]): AbiShape => {
  const members = components.map((component) => ({
    name: component.name ?? '',
    shape: abiShapeOf(component),
  }))
  const dynamic = members.some(({ shape }) => shape.dynamic)
  const head = dynamic ? WORD_BYTES : members.reduce((sum, { shape }) => sum + shape.head, 0)
  return { kind: 'tuple', members, dynamic, head }
}

const elementaryOf = (type: string): AbiShape => {
  const fixed = { dynamic: false, head: WORD_BYTES }
  if (type === 'bool' || type === 'address') return { kind: type, ...fixed }
  if (type === 'string') return { kind: type, dynamic: true, head: WORD_BYTES }
  // The address of a contract and a selector, encoded like bytes24 (Solidity ABI specification, "Types").
  if (type === 'function') return { kind: 'bytes', type, size: 24, ...fixed }
  const [, size] = /^bytes(\d*)$/.exec(type) ?? []
  if (size === '') return { kind: 'bytes', type, size: undefined, dynamic: true, head: WORD_BYTES }
  if (size !== undefined) return { kind: 'bytes', type, size: Number(size), ...fixed }
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  if (bits === undefined) return { kind: 'unknown', type, ...fixed }
  const range = unsigned === 'u' ? 1n << BigInt(bits) : 1n << (BigInt(bits) - 1n)
  return { kind: 'integer', type, min: unsigned === 'u' ? 0n : -range, max: range - 1n, ...fixed }
}

/** The values that a parameter accepts, for a caller who sent another one: `uint8, an integer from 0 to 255`. */
export const describeShape = (shape: AbiShape): string => {
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

const clipped = (text: string): string => clip(text, 200)

/** Numbers of 78 digits are not readable. */
const power = (value: bigint): string => {
  if (value >= -(2n ** 53n) && value <= 2n ** 53n) return String(value)
  return value < 0n
    ? `-2^${(-value).toString(2).length - 1}`
    : `2^${(value + 1n).toString(2).length - 1}-1`
}
