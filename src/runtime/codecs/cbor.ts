import { type DecodeOptions, decode, encode, Tokenizer, Type } from 'cborg'
import type { ValueCodec } from '../shared/codecs.js'
import { DEEPEST, tooManyMembers } from '../shared/exact-json.js'

/**
 * CBOR (RFC 8949) for generated clients and servers, by the package cborg. It carries the values of JSON, and bytes. A value that
 * is neither, such as `undefined` in a list, an integer beyond 2^53 - 1 or an unknown tag, is not read. As in JSON, nesting has a
 * limit.
 */
export const cbor: ValueCodec = {
  encode: (value) => new Uint8Array(encode(value, { ignoreUndefinedProperties: true })),
  decode: (bytes, mostMembers = Number.POSITIVE_INFINITY) =>
    decode(bytes, { ...STRICT, tokenizer: limited(bytes, mostMembers) }),
}

const STRICT = {
  allowUndefined: false,
  allowInfinity: false,
  allowNaN: false,
  allowBigInt: false,
  rejectDuplicateMapKeys: true,
} as const

/** Reads the tokens of a value, up to the first that breaks a limit. */
const limited = (
  bytes: Uint8Array,
  mostMembers: number,
): NonNullable<DecodeOptions['tokenizer']> => {
  const tokens = new Tokenizer(bytes, STRICT)
  /** The lists and maps that are not complete: the tokens that each still needs, and has had. */
  const open: { left: number; had: number; readonly isMap: boolean }[] = []
  return {
    pos: () => tokens.pos(),
    done: () => tokens.done(),
    next: () => {
      const token = tokens.next()
      const { type, value } = token
      const parent = open.at(-1)
      if (type === Type.break) open.pop()
      else if (parent) {
        parent.left -= 1
        parent.had += 1
        if (parent.isMap && parent.had > 2 * mostMembers) throw tooManyMembers(mostMembers)
      }
      const isMap = type === Type.map
      if (isMap || type === Type.array) {
        if (isMap && value !== Number.POSITIVE_INFINITY && value > mostMembers)
          throw tooManyMembers(mostMembers)
        open.push({ left: isMap ? 2 * value : value, had: 0, isMap })
        if (open.length > DEEPEST) throw new SyntaxError(`Nested deeper than ${DEEPEST} levels`)
      }
      while (open.at(-1)?.left === 0) open.pop()
      return token
    },
  }
}
