/**
 * Hexadecimal text in three alphabets: `isHex` accepts both cases, `isLowerHex` and `isUpperHex` one. A table checks a few
 * digits, a regular expression up to a hash, a WebAssembly kernel more. The first value of a check for long text (`isLongHex`)
 * loads the kernel. Compiling it takes as long as the time saved on 1,000 hashes.
 */

/** `0x` and from `least` to `most` digits. */
export const isHex: HexCheck = (value, least, most) => isText(ANY, value, least, most)
export const isLowerHex: HexCheck = (value, least, most) => isText(LOWER, value, least, most)
export const isUpperHex: HexCheck = (value, least, most) => isText(UPPER, value, least, most)

/** The same for text that is usually long. */
export const isLongHex: HexCheck = (value, least, most) => isLongText(ANY, value, least, most)
export const isLongLowerHex: HexCheck = (value, least, most) =>
  isLongText(LOWER, value, least, most)
export const isLongUpperHex: HexCheck = (value, least, most) =>
  isLongText(UPPER, value, least, most)

/** `0x0`, or up to `most` digits that do not begin with a zero. */
export const isHexNumber: HexNumberCheck = (value, most) => isNumber(ANY, value, most)
export const isLowerHexNumber: HexNumberCheck = (value, most) => isNumber(LOWER, value, most)
export const isUpperHexNumber: HexNumberCheck = (value, most) => isNumber(UPPER, value, most)

type HexCheck = (value: unknown, least?: number, most?: number) => value is string

type HexNumberCheck = (value: unknown, most?: number) => value is string

type Alphabet = {
  readonly digits: string
  /** 1 at the code of each digit. */
  readonly table: Uint8Array
  /** An expression of the same digits, which is compiled at its first use. */
  expression: RegExp | undefined
  /** The kernel matches the six letters from `first` on, after setting the bits of `fold`. */
  readonly fold: number
  readonly first: number
  kernel: ((text: string) => boolean) | undefined
  isLoaded: boolean
}

const createAlphabet = (digits: string, fold: number, first: number): Alphabet => {
  const table = new Uint8Array(128)
  for (const character of digits) table[character.charCodeAt(0)] = 1
  return { digits, table, expression: undefined, fold, first, kernel: undefined, isLoaded: false }
}

const ANY = /* @__PURE__ */ createAlphabet('0123456789abcdefABCDEF', 32, 97)
const LOWER = /* @__PURE__ */ createAlphabet('0123456789abcdef', 0, 97)
const UPPER = /* @__PURE__ */ createAlphabet('0123456789ABCDEF', 0, 65)

/** The longest text, prefix included, for which the table is fastest, and the longest that needs no kernel. */
const SHORTEST = 18
const SHORTER = 48

/**
 * An expression keeps its backtracking points on a stack of limited size. Longer text without a kernel is checked by
 * the table.
 */
const LONGEST_EXPRESSION = 100

const isText = (
  alphabet: Alphabet,
  value: unknown,
  least = 0,
  most = Number.POSITIVE_INFINITY,
): value is string => {
  if (typeof value !== 'string') return false
  const { length } = value
  if (length < least + 2 || length > most + 2) return false
  if (length > SHORTER && alphabet.kernel !== undefined) return alphabet.kernel(value)
  if (length > SHORTEST && length <= LONGEST_EXPRESSION) {
    alphabet.expression ??= expressionOf(alphabet)
    return alphabet.expression.test(value)
  }
  return areDigits(alphabet.table, value)
}

/** Twenty digits at a time, because an iteration costs more than a digit. */
const expressionOf = ({ digits }: Alphabet): RegExp =>
  new RegExp(`^0x(?:${`[${digits}]`.repeat(20)})*[${digits}]*$`)

const isLongText = (
  alphabet: Alphabet,
  value: unknown,
  least?: number,
  most?: number,
): value is string => {
  if (!alphabet.isLoaded && typeof value === 'string' && value.length > SHORTER) {
    alphabet.kernel = loadKernel(alphabet)
    alphabet.isLoaded = true
  }
  return isText(alphabet, value, least, most)
}

const isNumber = (
  alphabet: Alphabet,
  value: unknown,
  most = Number.POSITIVE_INFINITY,
): value is string => {
  if (typeof value !== 'string') return false
  const { length } = value
  if (length < 3 || length > most + 2) return false
  if (length > 3 && value.charCodeAt(2) === 48) return false
  if (length > SHORTER && alphabet.kernel !== undefined) return alphabet.kernel(value)
  return areDigits(alphabet.table, value)
}

const areDigits = (table: Uint8Array, text: string): boolean => {
  if (text.charCodeAt(0) !== 48 || text.charCodeAt(1) !== 120) return false
  for (let at = 2; at < text.length; at++) if (table[text.charCodeAt(at)] !== 1) return false
  return true
}

/** Checks sixteen digits at a time with WebAssembly. Undefined if WebAssembly is not allowed, or has no SIMD. */
const loadKernel = ({ fold, first }: Alphabet): ((text: string) => boolean) | undefined => {
  try {
    const { WebAssembly, TextEncoder, atob } = globalThis as unknown as Host
    const code = Uint8Array.from(atob(KERNEL), (character) => character.charCodeAt(0))
    const { memory, scan } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports
    const bytes = new Uint8Array(memory.buffer)
    const encoder = new TextEncoder()
    const isPiece = (piece: string): boolean =>
      scan(encoder.encodeInto(piece, bytes).written, fold, first) === 1
    return (text) => {
      if (!text.startsWith('0x')) return false
      // A text of up to 20,000 characters always fits the memory; a longer one is divided into pieces of one size.
      const { length } = text
      if (length <= 20_000) return isPiece(text)
      const size = Math.ceil((length - 2) / Math.ceil(length / 20_000))
      for (let at = 2; at < length; at += size) {
        if (!isPiece(text.slice(at - 2, at + size))) return false
      }
      return true
    }
  } catch {
    return undefined
  }
}

/** The common API of browsers, Node.js and edge workers, independent of their type declarations. */
type Host = {
  readonly WebAssembly: {
    readonly Module: new (code: Uint8Array) => object
    readonly Instance: new (
      module: object,
    ) => {
      readonly exports: {
        readonly memory: { readonly buffer: ArrayBuffer }
        readonly scan: (end: number, fold: number, first: number) => number
      }
    }
  }
  readonly TextEncoder: new () => {
    readonly encodeInto: (text: string, bytes: Uint8Array) => { readonly written: number }
  }
  readonly atob: (text: string) => string
}

/**
 * A module with a `memory` of 64 KB and `scan(end, fold, letter)`, which returns 1 if each byte from 2 to `end` is
 * hexadecimal. A digit is 0 to 9, or one of the six letters from `letter` on, after the bits of `fold` are set. `end`
 * is at least 18. `test/runtime/hex-kernel.ts` assembles the same bytes, instruction by instruction.
 */
const KERNEL =
  'AGFzbQEAAAABCAFgA39/fwF/AwIBAAUDAQABBxECBm1lbW9yeQIABHNjYW4AAApvAW0CAn8CeyAAQQNrQQ9xQQFqIQRBAiEDQX/9DyEGA0AgA/0AAAAiBUGwf/0P/XFBin/9D/0lIAUgAf0P/VAgAkGAAWv9D/1xQYZ//Q/9Jf1QIAb9TiEGIAMgBGohA0EQIQQgAyAASA0ACyAG/WML'
