import type { AbiParameter } from 'viem'
import { DEEPEST, type WrittenParameter } from './read-parameter.js'
import { clip, SignatureError } from './tokens.js'

/** Turns what is written into viem's parameters, structs into tuples. Throws a SignatureError. */
export type Resolve = (written: WrittenParameter) => AbiParameter

/** One resolver serves one ABI: 20 structs of two members each, one in the other, are a million parameters. */
export const createResolver = (
  structs: ReadonlyMap<string, readonly WrittenParameter[]>,
): Resolve => {
  let left = MOST_PARAMETERS
  const resolve = (written: WrittenParameter, inside: readonly string[]): AbiParameter => {
    left -= 1
    if (left < 0) throw new SignatureError(`leads to more than ${MOST_PARAMETERS} parameters`)
    const name = written.name === undefined ? {} : { name: written.name }
    const { base, arrays } = written
    if (typeof base !== 'string') {
      const components = base.map((member) => resolve(member, inside))
      return { type: `tuple${arrays}`, ...name, components }
    }
    const members = structs.get(base)
    if (members === undefined) return { type: `${elementary(base)}${arrays}`, ...name }
    if (inside.includes(base)) throw new SignatureError(`has ${clip(base)} inside itself`)
    if (inside.length >= DEEPEST) throw new SignatureError(`nests deeper than ${DEEPEST} levels`)
    const components = members.map((member) => resolve(member, [...inside, base]))
    return { type: `tuple${arrays}`, ...name, components }
  }
  return (written) => {
    const parameter = resolve(written, [])
    if (depthOf(parameter) > DEEPEST)
      throw new SignatureError(`nests deeper than ${DEEPEST} levels`)
    return parameter
  }
}

const MOST_PARAMETERS = 10_000

const elementary = (type: string): string => {
  if (type === 'uint' || type === 'int') return `${type}256`
  if (!isElementary(type)) throw new SignatureError(`has the unknown type ${clip(type)}`)
  return type
}

const isElementary = (type: string): boolean => {
  if (['address', 'bool', 'string', 'bytes', 'function'].includes(type)) return true
  const [, bits] = /^u?int([1-9]\d{0,2})$/.exec(type) ?? []
  if (bits !== undefined) return Number(bits) % 8 === 0 && Number(bits) <= 256
  const [, bytes] = /^bytes([1-9]\d?)$/.exec(type) ?? []
  return bytes !== undefined && Number(bytes) <= 32
}

const depthOf = (parameter: AbiParameter): number => {
  const dimensions = parameter.type.split('[').length - 1
  if (!('components' in parameter)) return dimensions
  return dimensions + 1 + Math.max(...parameter.components.map(depthOf))
}
