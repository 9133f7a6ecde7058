import { type AbiParameter, getAddress, type Hex } from 'viem'
import { type AbiShape, abiShapeOf, WORD_BYTES } from './shape.js'

/**
 * Decodes the output of a contract into JSON values: integers as decimal strings, bytes in hex, addresses in checksum case,
 * tuples and arrays as arrays. Throws a DecodingError if the bytes are not of these types.
 * Contract and ABI may both come from an attacker, so the work is limited by the size of the output. Offsets may refer to the
 * same bytes again: viem's decoder limits visits and not sizes, and decodes 100 KB into gigabytes.
 */
export const decodeValues = (parameters: readonly AbiParameter[], data: Hex): unknown[] => {
  if (data.length > 2 + 2 * MOST_DECODED)
    throw new DecodingError(`is longer than ${MOST_DECODED} bytes`)
  const bytes = Buffer.from(data.slice(2), 'hex')
  const decoding: Decoding = { bytes, left: 2 * bytes.length }
  return decodeSequence(parameters.map(abiShapeOf), 0, decoding)
}

/** The output of a function as in the documented examples: an array of the values, or of the members of a single tuple. */
export const decodeOutput = (parameters: readonly AbiParameter[], data: Hex): unknown[] => {
  const values = decodeValues(parameters, data)
  const [only] = values
  return parameters.length === 1 && parameters[0]?.type === 'tuple' && Array.isArray(only)
    ? only
    : values
}

/** The message is the end of a sentence that begins with the bytes. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError'
}

/** Bytes: the maximum size of a request body (`x-limits` of the document). */
export const MOST_DECODED = 1_048_576

type Decoding = {
  readonly bytes: Buffer
  /** Bytes that may still be decoded; only offsets to shared bytes can exceed the length of the output. */
  left: number
}

const decodeSequence = (
  shapes: readonly AbiShape[],
  base: number,
  decoding: Decoding,
): unknown[] => {
  let at = base
  return shapes.map((shape) => {
    const value = decodeAt(shape, at, base, decoding)
    at += shape.head
    return value
  })
}

/** `base` is the position from which offsets count. */
const decodeAt = (shape: AbiShape, at: number, base: number, decoding: Decoding): unknown => {
  const start = shape.dynamic ? base + sizeAt(at, decoding) : at
  switch (shape.kind) {
    case 'integer': {
      const bits = wordAt(start, decoding)
      const value = shape.min < 0n ? BigInt.asIntN(256, bits) : bits
      if (value < shape.min || value > shape.max) throw valueDoesNotFit(shape.type)
      return String(value)
    }
    case 'bool': {
      const value = wordAt(start, decoding)
      if (value > 1n) throw valueDoesNotFit('bool')
      return value === 1n
    }
    case 'address': {
      const value = hexAt(start, WORD_BYTES, decoding)
      if (!value.startsWith('0'.repeat(24))) throw valueDoesNotFit('address')
      return getAddress(`0x${value.slice(24)}`)
    }
    case 'bytes': {
      if (shape.size === undefined) {
        const size = sizeAt(start, decoding)
        return `0x${hexAt(start + WORD_BYTES, size, decoding)}`
      }
      const value = hexAt(start, WORD_BYTES, decoding)
      if (/[^0]/.test(value.slice(2 * shape.size))) throw valueDoesNotFit(shape.type)
      return `0x${value.slice(0, 2 * shape.size)}`
    }
    case 'string': {
      const size = sizeAt(start, decoding)
      return UTF8.decode(bytesAt(start + WORD_BYTES, size, decoding))
    }
    case 'array': {
      const length = shape.length ?? sizeAt(start, decoding)
      const items = shape.length === undefined ? start + WORD_BYTES : start
      if (length * shape.item.head > decoding.bytes.length - items) throw tooShort()
      return decodeSequence(new Array<AbiShape>(length).fill(shape.item), items, decoding)
    }
    case 'unknown':
      throw valueDoesNotFit(shape.type)
    case 'tuple':
      return decodeSequence(
        shape.members.map((member) => member.shape),
        start,
        decoding,
      )
  }
}

/** Invalid UTF-8 becomes U+FFFD; a byte order mark is kept. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** An offset or a length: it must not exceed the number of bytes. */
const sizeAt = (at: number, decoding: Decoding): number => {
  const value = wordAt(at, decoding)
  if (value > BigInt(decoding.bytes.length)) throw tooShort()
  return Number(value)
}

const wordAt = (at: number, decoding: Decoding): bigint =>
  BigInt(`0x${hexAt(at, WORD_BYTES, decoding)}`)

const hexAt = (at: number, size: number, decoding: Decoding): string =>
  bytesAt(at, size, decoding).toString('hex')

const bytesAt = (at: number, size: number, decoding: Decoding): Buffer => {
  if (at + size > decoding.bytes.length) throw tooShort()
  decoding.left -= size
  if (decoding.left < 0) throw new DecodingError('uses the same bytes again and again')
  return decoding.bytes.subarray(at, at + size)
}

const tooShort = (): DecodingError => new DecodingError('is too short')

const valueDoesNotFit = (type: string): DecodingError =>
  new DecodingError(`has no ${type} where one must be`)
