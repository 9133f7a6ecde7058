import {
  decodePercent,
  encodeStrictly,
  escapePattern,
  percentEncoded,
  templatePattern,
} from '../shared/template.js'

/**
 * The pattern of a path template as `templatePattern` makes it, in which literal text matches in any percent-encoding. But a
 * reserved character beside a value is only itself, because an encoded one is part of the value (RFC 3986, 2.2).
 */
export const pathPattern = (template: string, character: string): string =>
  templatePattern(template, character, (text, isBesideValue) =>
    literalPattern(text, isBesideValue ? RESERVED : /\//),
  )

const RESERVED = /[!#$&'()*+,/:;=?@[\]]/

/** Matches each character as it is or percent-encoded, but those of `fixed` only in the form in which they are written. */
const literalPattern = (literal: string, fixed: RegExp): string =>
  literal
    .split(/((?:%[\da-f]{2})+)/i)
    .flatMap((part, index) => {
      const isEncoded = index % 2 === 1
      return [...(isEncoded ? (decodePercent(part) ?? part) : part)].map((character) => {
        const [plain, encoded] = [escapePattern(character), encodedPattern(character)]
        if (fixed.test(character)) return isEncoded ? encoded : plain
        return `(?:${plain}|${encoded})`
      })
    })
    .join('')

/** Hexadecimal digits have no case (RFC 3986, 6.2.2.1). */
const encodedPattern = (character: string): string => {
  const encoded = encodeStrictly(character)
  const code = encoded === character ? percentEncoded(character) : encoded
  return code.replace(/[A-F]/g, (digit) => `[${digit}${digit.toLowerCase()}]`)
}
