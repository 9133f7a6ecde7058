import { kernelText } from './kernel.js'
import type { Alphabet, HexPattern } from './patterns.js'

/** What each alphabet is called, and what `loadKernel` is told of its letters. */
const NAMES = {
  any: {
    name: 'Hex',
    prefix: '',
    kernel: 'kernel',
    letters: '32, 97',
    digit: '[0-9a-fA-F]',
    digits: '0123456789abcdefABCDEF',
  },
  lower: {
    name: 'LowerHex',
    prefix: 'LOWER_',
    kernel: 'lowerKernel',
    letters: '0, 97',
    digit: '[0-9a-f]',
    digits: '0123456789abcdef',
  },
  upper: {
    name: 'UpperHex',
    prefix: 'UPPER_',
    kernel: 'upperKernel',
    letters: '0, 65',
    digit: '[0-9A-F]',
    digits: '0123456789ABCDEF',
  },
} as const

/** The longest text, prefix included, that the table is the quickest for, and the longest that expressions are. */
const SHORTEST = 18
const SHORTER = 48

/** Expressions keep what they could go back to, on a stack that has an end; where there is no kernel, the table takes over. */
const LONGEST_EXPRESSION = 100

/**
 * How hexadecimal text is looked at: a few digits by a table, up to a hash by a regular expression, more by a WebAssembly
 * kernel. Expressions are the quickest on what they have just seen; on digits that no processor can guess, they and the table
 * cost the same, and the kernel a third from 64 digits on. Numbers and hashes use it where others loaded it: to make it takes as
 * long as 1,000 hashes gain by it.
 */
export const HEX_HELPERS = {
  isHex: hexHelper('any'),
  isLowerHex: hexHelper('lower'),
  isUpperHex: hexHelper('upper'),
  isHexNumber: hexNumberHelper('any'),
  isLowerHexNumber: hexNumberHelper('lower'),
  isUpperHexNumber: hexNumberHelper('upper'),
  isLongHex: longHexHelper('any'),
  isLongLowerHex: longHexHelper('lower'),
  isLongUpperHex: longHexHelper('upper'),
  areHexDigits: digitsHelper('any'),
  areLowerHexDigits: digitsHelper('lower'),
  areUpperHexDigits: digitsHelper('upper'),
  HEX: tableOf('any'),
  LOWER_HEX: tableOf('lower'),
  UPPER_HEX: tableOf('upper'),
  HEX_TEXT: textOf('any'),
  LOWER_HEX_TEXT: textOf('lower'),
  UPPER_HEX_TEXT: textOf('upper'),
  tableOf: {
    text: `/** 1 at the code of each of the characters. */
function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}`,
  },
  textOf: {
    text: `/** Twenty digits at a time: to begin another turn of a loop costs more than a digit. */
function textOf(digit: string): RegExp {
  return new RegExp(\`^0x(?:\${digit.repeat(20)})*\${digit}*$\`)
}`,
  },
  loadKernel: {
    text: `/**
 * Looks at sixteen digits at a time, by WebAssembly: at \`0\` to \`9\`, and at six letters from \`first\` on, once \`fold\` is set in
 * them. Undefined where that may not be compiled, or has no SIMD.
 */
function loadKernel(fold: number, first: number): ((text: string) => boolean) | undefined {
  try {
    const { WebAssembly, TextEncoder, atob } = globalThis as unknown as Host
    const code = Uint8Array.from(atob(KERNEL), (character) => character.charCodeAt(0))
    const { memory, scan } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports
    const bytes = new Uint8Array(memory.buffer)
    const encoder = new TextEncoder()
    const areDigits = (piece: string): boolean =>
      scan(encoder.encodeInto(piece, bytes).written, fold, first) === 1
    return (text) => {
      if (!text.startsWith('0x')) return false
      // So short that the memory holds it whatever it consists of; what is longer comes in pieces of one size.
      const { length } = text
      if (length <= 20_000) return areDigits(text)
      const size = Math.ceil((length - 2) / Math.ceil(length / 20_000))
      for (let at = 2; at < length; at += size) {
        if (!areDigits(text.slice(at - 2, at + size))) return false
      }
      return true
    }
  } catch {
    return undefined
  }
}

/** What browsers, Node.js and edge workers have in common, whichever of their declarations are there. */
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
}`,
    needs: ['KERNEL'],
  },
  KERNEL: { text: `const KERNEL =\n  '${kernelText()}'` },
}

/** Whether texts of a pattern are long as a rule: then its check loads the kernel. */
export const isLongByRule = ({ form, least, most }: HexPattern): boolean =>
  least + 2 > LONGEST_EXPRESSION ||
  (most === Number.POSITIVE_INFINITY && form !== 'number' && form !== 'positive')

function hexHelper(alphabet: Alphabet) {
  const { name, prefix } = NAMES[alphabet]
  const text = (kernelLine: string) => `/** \`0x\` and from \`least\` to \`most\` digits. */
function is${name}(value: unknown, least = 0, most = Number.POSITIVE_INFINITY): value is string {
  if (typeof value !== 'string') return false
  const { length } = value
  if (length < least + 2 || length > most + 2) return false
${kernelLine}  if (length > ${SHORTEST} && length <= ${LONGEST_EXPRESSION}) return ${prefix}HEX_TEXT.test(value)
  return are${name}Digits(value)
}`
  return {
    text: text(''),
    needs: [`are${name}Digits`, `${prefix}HEX_TEXT`],
    beside: { helper: `isLong${name}`, text: text(byKernel(alphabet)) },
  }
}

/** Without the expression: what asks for numbers alone, as a page may, carries one way of looking at them. */
function hexNumberHelper(alphabet: Alphabet) {
  const { name } = NAMES[alphabet]
  const text = (kernelLine: string) => `/** \`0x0\`, or digits that do not begin with a zero. */
function is${name}Number(value: unknown, most = Number.POSITIVE_INFINITY): value is string {
  if (typeof value !== 'string') return false
  const { length } = value
  if (length < 3 || length > most + 2) return false
  if (length > 3 && value.charCodeAt(2) === 48) return false
${kernelLine}  return are${name}Digits(value)
}`
  return {
    text: text(''),
    needs: [`are${name}Digits`],
    beside: { helper: `isLong${name}`, text: text(byKernel(alphabet)) },
  }
}

function byKernel(alphabet: Alphabet): string {
  const { kernel } = NAMES[alphabet]
  return `  if (length > ${SHORTER} && ${kernel} !== undefined) return ${kernel}(value)\n`
}

function digitsHelper(alphabet: Alphabet) {
  const { name, prefix } = NAMES[alphabet]
  return {
    text: `function are${name}Digits(text: string): boolean {
  if (text.charCodeAt(0) !== 48 || text.charCodeAt(1) !== 120) return false
  for (let at = 2; at < text.length; at++) if (${prefix}HEX[text.charCodeAt(at)] !== 1) return false
  return true
}`,
    needs: [`${prefix}HEX`],
  }
}

function longHexHelper(alphabet: Alphabet) {
  const { name, kernel, letters } = NAMES[alphabet]
  return {
    text: `/** The same of what is long as a rule: the first long text loads the kernel. */
function isLong${name}(value: unknown, least = 0, most = Number.POSITIVE_INFINITY): value is string {
  if (!${kernel}IsLoaded && typeof value === 'string' && value.length > ${SHORTER}) {
    ${kernel} = loadKernel(${letters})
    ${kernel}IsLoaded = true
  }
  return is${name}(value, least, most)
}

let ${kernel}: ((text: string) => boolean) | undefined
let ${kernel}IsLoaded = false`,
    needs: [`is${name}`, 'loadKernel'],
  }
}

function tableOf(alphabet: Alphabet) {
  const { prefix, digits } = NAMES[alphabet]
  return {
    text: `const ${prefix}HEX = /* @__PURE__ */ tableOf('${digits}')`,
    needs: ['tableOf'],
  }
}

function textOf(alphabet: Alphabet) {
  const { prefix, digit } = NAMES[alphabet]
  return {
    text: `const ${prefix}HEX_TEXT = /* @__PURE__ */ textOf('${digit}')`,
    needs: ['textOf'],
  }
}
