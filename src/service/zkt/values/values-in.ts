import { type AbiParameter, encodeAbiParameters, type Hex } from 'viem'
import { describe, type Shape, shapeOf } from './shape.js'

/**
 * Turns JSON values into values of the ABI, one for each parameter, exactly. An integer is a safe JSON number or a
 * string of decimal or 0x digits; a tuple is an array or an object by names. Letter case of addresses has no meaning.
 * Returns the values, or the faults with pointers under `/arguments`. The caller has checked the count.
 */
export const readValues = (
  parameters: readonly AbiParameter[],
  given: readonly unknown[],
): ValuesRead => {
  const reading: Reading = { faults: [], left: MOST_VALUES }
  const values = parameters.map((parameter, at) =>
    readValue(shapeOf(parameter), given[at], `${POINTER}/${at}`, reading),
  )
  if (reading.left < 0) {
    const message = `hold more than ${MOST_VALUES} values in all`
    return { faults: [{ pointer: POINTER, message }] }
  }
  return reading.faults.length > 0 ? { faults: reading.faults } : { values }
}

/** The bytes of what `readValues` has read. */
export const encodeValues = (
  parameters: readonly AbiParameter[],
  values: readonly unknown[],
): Hex => encodeAbiParameters(parameters.map(asEncoded), values)

type ValuesRead =
  | { readonly values: readonly unknown[]; readonly faults?: never }
  | { readonly faults: readonly ValueFault[]; readonly values?: never }

/** `message` is the end of a sentence that begins with the argument; it never repeats what was sent. */
export type ValueFault = { readonly pointer: string; readonly message: string }

const POINTER = '/arguments'

/** 1 MiB once encoded: as much as the body of a request may have (`x-limits` of the document). */
const MOST_VALUES = 32_768
const MOST_FAULTS = 20

type Reading = { readonly faults: ValueFault[]; left: number }

const readValue = (shape: Shape, given: unknown, pointer: string, reading: Reading): unknown => {
  reading.left -= 1
  if (reading.left < 0 || reading.faults.length >= MOST_FAULTS) return undefined
  const value = converted(shape, given, pointer, reading)
  if (value === undefined) reading.faults.push({ pointer, message: complaint(shape, given) })
  return value
}

/** Undefined where the value itself does not fit; what is wrong inside it is reported by then. */
const converted = (shape: Shape, given: unknown, pointer: string, reading: Reading): unknown => {
  switch (shape.kind) {
    case 'integer': {
      const value = integerOf(given)
      return value !== undefined && value >= shape.min && value <= shape.max ? value : undefined
    }
    case 'bool':
      return typeof given === 'boolean' ? given : undefined
    case 'string':
      return typeof given === 'string' ? given : undefined
    case 'address':
      return bytesOf(given, 20)
    case 'bytes':
      return bytesOf(given, shape.size)
    case 'unknown':
      return undefined
    case 'array':
      return Array.isArray(given) && (shape.length ?? given.length) === given.length
        ? readItems(given, () => shape.item, pointer, reading)
        : undefined
    case 'tuple': {
      const values = membersOf(shape.members, given)
      const names = Array.isArray(given) ? undefined : shape.members.map(({ name }) => name)
      const shapes = shape.members.map((member) => member.shape)
      return values && readItems(values, (at) => shapes[at], pointer, reading, names)
    }
  }
}

const readItems = (
  given: readonly unknown[],
  shape: (at: number) => Shape | undefined,
  pointer: string,
  reading: Reading,
  names?: readonly string[],
): readonly unknown[] => {
  const values: unknown[] = []
  for (const [at, item] of given.entries()) {
    const own = shape(at)
    // The faults of a million items are not all reported, and none is turned into a bigint once it is too many.
    if (own === undefined || reading.left < 0 || reading.faults.length >= MOST_FAULTS) break
    values.push(readValue(own, item, `${pointer}/${names?.[at] ?? at}`, reading))
  }
  return values
}

/** A tuple's values in order; undefined where one lacks, is too many, or the members have no names of their own. */
const membersOf = (
  members: readonly { readonly name: string }[],
  given: unknown,
): readonly unknown[] | undefined => {
  if (Array.isArray(given)) return given.length === members.length ? given : undefined
  if (typeof given !== 'object' || given === null) return undefined
  const names = new Set(members.map(({ name }) => name))
  if (names.has('') || names.size < members.length) return undefined
  const keys = Object.keys(given)
  if (keys.length !== names.size || !keys.every((key) => names.has(key))) return undefined
  const values = new Map<string, unknown>(Object.entries(given))
  return members.map(({ name }) => values.get(name))
}

const integerOf = (given: unknown): bigint | undefined => {
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : undefined
  // BigInt is quadratic in the digits, and nothing of 256 bits takes a hundred.
  if (typeof given !== 'string' || given.length > 100) return undefined
  const [, sign, digits] = /^(-?)(\d+|0x[0-9a-fA-F]+)$/.exec(given) ?? []
  if (digits === undefined) return undefined
  return sign === '-' ? -BigInt(digits) : BigInt(digits)
}

const bytesOf = (given: unknown, size: number | undefined): Hex | undefined => {
  if (typeof given !== 'string' || !/^0x[0-9a-fA-F]*$/.test(given)) return undefined
  if (size === undefined ? given.length % 2 !== 0 : given.length !== 2 + 2 * size) return undefined
  return given.toLowerCase() as Hex
}

const complaint = (shape: Shape, given: unknown): string =>
  shape.kind === 'integer' && typeof given === 'number' && Math.abs(given) > 2 ** 53
    ? `takes ${describe(shape)}; past 2^53, send it as a string`
    : `takes ${describe(shape)}`

/** viem does not know the type `function`. */
const asEncoded = (parameter: AbiParameter): AbiParameter => {
  if ('components' in parameter)
    return { ...parameter, components: parameter.components.map(asEncoded) }
  return { ...parameter, type: parameter.type.replace(/^function/, 'bytes24') }
}
