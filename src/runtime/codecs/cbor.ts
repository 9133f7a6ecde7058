import { decode, encode } from 'cborg'
import type { ValueCodec } from '../shared/codecs.js'

/**
 * CBOR (RFC 8949) for generated clients and servers, by the package cborg. It carries the values of JSON, and bytes. A value that
 * is neither, such as `undefined` in a list, an integer beyond 2^53 - 1 or an unknown tag, is not read.
 */
export const cbor: ValueCodec = {
  encode: (value) => new Uint8Array(encode(value, { ignoreUndefinedProperties: true })),
  decode: (bytes) => decode(bytes, STRICT),
}

const STRICT = {
  allowUndefined: false,
  allowInfinity: false,
  allowNaN: false,
  allowBigInt: false,
  rejectDuplicateMapKeys: true,
} as const
