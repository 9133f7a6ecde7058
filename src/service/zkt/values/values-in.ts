import { type AbiParameter, encodeAbiParameters, type Hex } from 'viem'
import { type AbiShape, abiShapeOf, describeShape } from './shape.js'

/**
 * Converts JSON values exactly into values of the ABI, one for each parameter. An integer is a safe JSON number or a string of
 * decimal or 0x digits; a tuple is an array or an object by name. Letter case of addresses is ignored. Returns the values, or
 * the faults with pointers under `/arguments`. The caller must validate the count.
 */
export const readValues = (
  parameters: readonly AbiParameter[],
  argument: readonly unknown[],
): ValuesRead => {
  const reading: Reading = { faults: [], left: MOST_VALUES }
  const values = parameters.map((parameter, at) =>
    readValue(abiShapeOf(parameter), argument[at], `${POINTER}/${at}`, reading),
  )
  if (reading.left < 0) {
    const message = `hold more than ${MOST_VALUES} values in all`
    return { faults: [{ pointer: POINTER, message }] }
  }
  return reading.faults.length > 0 ? { faults: reading.faults } : { values }
}

/** The encoding of values from `readValues`. */
export const encodeValues = (
  parameters: readonly AbiParameter[],
  values: readonly unknown[],
): Hex => encodeAbiParameters(parameters.map(asEncoded), values)

type ValuesRead =
  | { readonly values: readonly unknown[]; readonly faults?: never }
  | { readonly faults: readonly ValueFault[]; readonly values?: never }

/** `message` is the end of a sentence that begins with the argument; it never contains the value. */
export type ValueFault = { readonly pointer: string; readonly message: string }

const POINTER = '/arguments'

/** 1 MiB when encoded: the maximum size of a request body (`x-limits` of the document). */
const MOST_VALUES = 32_768
const MOST_FAULTS = 20

type Reading = { readonly faults: ValueFault[]; left: number }

const readValue = (
  shape: AbiShape,
  argument: unknown,
  pointer: string,
  reading: Reading,
): unknown => {
  reading.left -= 1
  if (reading.left < 0 || reading.faults.length >= MOST_FAULTS) return undefined
  const value = converted(shape, argument, pointer, reading)
  if (value === undefined) reading.faults.push({ pointer, message: complaint(shape, argument) })
  return value
}

/** Undefined if the value itself is invalid; faults inside it are reported by then. */
const converted = (
  shape: AbiShape,
  argument: unknown,
  pointer: string,
  reading: Reading,
): unknown => {
  switch (shape.kind) {
    case 'integer': {
      const value = integerOf(argument)
      return value !== undefined && value >= shape.min && value <= shape.max ? value : undefined
    }
    case 'bool':
      return typeof argument === 'boolean' ? argument : undefined
    case 'string':
      return typeof argument === 'string' ? argument : undefined
    case 'address':
      return bytesOf(argument, 20)
    case 'bytes':
      return bytesOf(argument, shape.size)
    case 'unknown':
      return undefined
    case 'array':
      return Array.isArray(argument) && (shape.length ?? argument.length) === argument.length
        ? readItems(argument, () => shape.item, pointer, reading)
        : undefined
    case 'tuple': {
      const values = membersOf(shape.members, argument)
      const names = Array.isArray(argument) ? undefined : shape.members.map(({ name }) => name)
      const shapes = shape.members.map((member) => member.shape)
      return values && readItems(values, (at) => shapes[at], pointer, reading, names)
    }
  }
}

const readItems = (
  argument: readonly unknown[],
  shape: (at: number) => AbiShape | undefined,
  pointer: string,
  reading: Reading,
  names?: readonly string[],
): readonly unknown[] => {
  const values: unknown[] = []
  for (const [at, item] of argument.entries()) {
    const own = shape(at)
    // At the limit of faults, or of values, the rest is not converted.
    if (own === undefined || reading.left < 0 || reading.faults.length >= MOST_FAULTS) break
    values.push(readValue(own, item, `${pointer}/${names?.[at] ?? at}`, reading))
  }
  return values
}

/** A tuple's values in order; undefined if one is missing or unknown, or if members have no distinct names. */
const membersOf = (
  members: readonly { readonly name: string }[],
  argument: unknown,
): readonly unknown[] | undefined => {
  if (Array.isArray(argument)) return argument.length === members.length ? argument : undefined
  if (typeof argument !== 'object' || argument === null) return undefined
  const names = new Set(members.map(({ name }) => name))
  if (names.has('') || names.size < members.length) return undefined
  const keys = Object.keys(argument)
  if (keys.length !== names.size || !keys.every((key) => names.has(key))) return undefined
  const values = new Map<string, unknown>(Object.entries(argument))
  return members.map(({ name }) => values.get(name))
}

const integerOf = (argument: unknown): bigint | undefined => {
  if (typeof argument === 'number')
    return Number.isSafeInteger(argument) ? BigInt(argument) : undefined
  // BigInt takes quadratic time, and 256 bits need fewer than a hundred digits.
  if (typeof argument !== 'string' || argument.length > 100) return undefined
  const [, sign, digits] = /^(-?)(\d+|0x[0-9a-fA-F]+)$/.exec(argument) ?? []
  if (digits === undefined) return undefined
  return sign === '-' ? -BigInt(digits) : BigInt(digits)
}

const bytesOf = (argument: unknown, size: number | undefined): Hex | undefined => {
  if (typeof argument !== 'string' || !/^0x[0-9a-fA-F]*$/.test(argument)) return undefined
  if (size === undefined ? argument.length % 2 !== 0 : argument.length !== 2 + 2 * size)
    return undefined
  return argument.toLowerCase() as Hex
}

const complaint = (shape: AbiShape, argument: unknown): string =>
  shape.kind === 'integer' && typeof argument === 'number' && Math.abs(argument) > 2 ** 53
    ? `takes ${describeShape(shape)}; past 2^53, send it as a string`
    : `takes ${describeShape(shape)}`

/** viem does not support the type `function`. */
const asEncoded = (parameter: AbiParameter): AbiParameter => {
  if ('components' in parameter)
    return { ...parameter, components: parameter.components.map(asEncoded) }
  return { ...parameter, type: parameter.type.replace(/^function/, 'bytes24') }
}
