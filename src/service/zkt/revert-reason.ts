import type { Abi, AbiParameter, Hex } from 'viem'
import { selectorOf } from './abi/choose-function.js'
import { clip } from './abi/tokens.js'
import { DecodingError, decodeValues } from './values/values-out.js'

/**
 * What a revert says, for people: the text of `Error(string)`, the words for a `Panic(uint256)`, an error of the ABI with its
 * arguments (`TooLittle(5, "no")`), else the bytes themselves. Undefined where it says nothing.
 */
export const revertReason = (data: Hex, abi: Abi): string | undefined => {
  if (data === '0x') return undefined
  const selector = data.slice(0, 10).toLowerCase()
  const rest: Hex = `0x${data.slice(10)}`
  if (selector === ERROR) return errorText(data) ?? printable(data)
  if (selector === PANIC) return asPanic(rest) ?? printable(data)
  const errors = abi.filter((entry) => entry.type === 'error')
  const entry = errors.find((error) => selectorOf(error) === selector)
  const values = entry && decoded(entry.inputs, rest)
  return printable(entry && values ? `${entry.name}(${values.map(written).join(', ')})` : data)
}

/** The text of `Error(string)`; undefined for any other bytes. */
export const errorText = (data: Hex): string | undefined => {
  if (data.slice(0, 10).toLowerCase() !== ERROR) return undefined
  const [text] = decoded([{ type: 'string' }], `0x${data.slice(10)}`) ?? []
  return typeof text === 'string' ? printable(text) : undefined
}

/** A contract chooses its words: no megabytes, and nothing that a terminal or a log acts upon. */
export const printable = (text: string): string =>
  clip(text, MOST).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\ufffd')

const MOST = 1000

/** `Error(string)` and `Panic(uint256)`, the two that Solidity has by itself. */
const ERROR = '0x08c379a0'
const PANIC = '0x4e487b71'

const asPanic = (data: Hex): string | undefined => {
  const [code] = decoded([{ type: 'uint256' }], data) ?? []
  if (typeof code !== 'string') return undefined
  return `panic: ${PANICS[code] ?? 'for no known reason'} (0x${BigInt(code).toString(16).padStart(2, '0')})`
}

/** Solidity documentation, "Panic via assert and Error via require". */
const PANICS: Readonly<Record<string, string>> = {
  0: 'the compiler put it there',
  1: 'an assertion failed',
  17: 'arithmetic overflow or underflow',
  18: 'division or modulo by zero',
  33: 'a number that is no member of an enum',
  34: 'a storage byte array is encoded wrongly',
  49: 'pop of an empty array',
  50: 'an array index is out of bounds',
  65: 'too much memory was allocated',
  81: 'a call of an internal function that was never set',
}

const decoded = (parameters: readonly AbiParameter[], data: Hex): unknown[] | undefined => {
  try {
    return decodeValues(parameters, data)
  } catch (error) {
    if (error instanceof DecodingError) return undefined
    throw error
  }
}

/** Integers are decimal strings here, and look like numbers to people. */
const written = (value: unknown): string => {
  if (typeof value === 'string' && /^(-?\d+|0x[0-9a-fA-F]*)$/.test(value)) return value
  return Array.isArray(value) ? `[${value.map(written).join(', ')}]` : JSON.stringify(value)
}
