import type { AbiParameter } from 'viem'

/** What a type of the ABI is made of. `head` is how many bytes it takes in place; a dynamic one stands there as an offset. */
export type Shape = { readonly dynamic: boolean; readonly head: number } & (
  | { readonly kind: 'integer'; readonly type: string; readonly min: bigint; readonly max: bigint }
  | { readonly kind: 'bool' | 'address' | 'string' }
  /** Without a size, any number of bytes. */
  | { readonly kind: 'bytes'; readonly type: string; readonly size: number | undefined }
  | {
      readonly kind: 'array'
      readonly type: string
      readonly item: Shape
      readonly length: number | undefined
    }
  | { readonly kind: 'tuple'; readonly members: readonly Member[] }
  /** What Solidity declares and cannot compute with, such as `fixed128x18`: no value is one. */
  | { readonly kind: 'unknown'; readonly type: string }
)

export type Member = { readonly name: string; readonly shape: Shape }

export const shapeOf = (parameter: AbiParameter): Shape => {
  const { type } = parameter
  const [, itemType, written] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (itemType !== undefined) {
    const item = shapeOf({ ...parameter, type: itemType })
    const length = written === '' ? undefined : Number(written)
    const dynamic = length === undefined || item.dynamic
    const head = dynamic ? WORD : length * item.head
    return { kind: 'array', type: typeName(parameter), item, length, dynamic, head }
  }
  if (type === 'tuple' && 'components' in parameter) return tupleOf(parameter.components)
  return elementaryOf(type)
}

/** The type as signatures have it: `(address,string)[2]`. */
export const typeName = (parameter: AbiParameter): string =>
  'components' in parameter
    ? `(${parameter.components.map(typeName).join(',')})${parameter.type.slice('tuple'.length)}`
    : parameter.type

export const WORD = 32

const tupleOf = (components: readonly AbiParameter[]): Shape => {
  const members = components.map((component) => ({
    name: component.name ?? '',
    shape: shapeOf(component),
  }))
  const dynamic = members.some(({ shape }) => shape.dynamic)
  const head = dynamic ? WORD : members.reduce((sum, { shape }) => sum + shape.head, 0)
  return { kind: 'tuple', members, dynamic, head }
}

const elementaryOf = (type: string): Shape => {
  const fixed = { dynamic: false, head: WORD }
  if (type === 'bool' || type === 'address') return { kind: type, ...fixed }
  if (type === 'string') return { kind: type, dynamic: true, head: WORD }
  // The address of a contract and a selector, encoded like bytes24 (Solidity ABI specification, "Types").
  if (type === 'function') return { kind: 'bytes', type, size: 24, ...fixed }
  const [, size] = /^bytes(\d*)$/.exec(type) ?? []
  if (size === '') return { kind: 'bytes', type, size: undefined, dynamic: true, head: WORD }
  if (size !== undefined) return { kind: 'bytes', type, size: Number(size), ...fixed }
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  if (bits === undefined) return { kind: 'unknown', type, ...fixed }
  const range = unsigned === 'u' ? 1n << BigInt(bits) : 1n << (BigInt(bits) - 1n)
  return { kind: 'integer', type, min: unsigned === 'u' ? 0n : -range, max: range - 1n, ...fixed }
}
