/** A template with the results of `fill` for each `{name}`; `whole` is the name with its braces. */
export const fillTemplate = (
  template: string,
  fill: (name: string, whole: string) => string,
): string => template.replace(VARIABLE, (whole, name: string) => fill(name, whole))

/** The names within `{}`, in the order of the template. */
export const templateNames = (template: string): readonly string[] =>
  [...template.matchAll(VARIABLE)].map(([, name = '']) => name)

/** A template with `{}` in place of each `{name}`: equal for two that match the same paths. */
export const withoutNames = (template: string): string => template.replace(/\{[^{}]*\}/g, '{}')

const VARIABLE = /\{([^{}]+)\}/g

/** The percent-encoding of a visible ASCII character or a space. */
export const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** The pattern of a regular expression (without flags) that matches the text itself. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/**
 * The pattern of a template, with a group for each value, whose characters match `character`: `[^/]`. A value of a `{name}` has at
 * least one character. Between two names of one segment, it ends where the text between them begins, so that no matcher tries
 * another end: `{a}-{b}-{c}` would take cubic time otherwise. Literal text matches in any percent-encoding; but a reserved
 * character beside a value is only itself, because an encoded one is part of the value (RFC 3986, 2.2).
 */
export const templatePattern = (template: string, character: string): string =>
  template
    .split('/')
    .map((segment) => segmentPattern(segment, character))
    .join('\\/')

const segmentPattern = (segment: string, character: string): string => {
  const [start = '', ...texts] = segment.split(/\{[^{}]+\}/)
  if (texts.length === 0) return literalPattern(start, /\//)
  const values = texts.map((text, index) => {
    const end = literalPattern(text, RESERVED)
    const upToEnd = text === '' ? character : `${character}(?:(?!${end})${character})*`
    return `(${index < texts.length - 1 ? upToEnd : `${character}+`})${end}`
  })
  return literalPattern(start, RESERVED) + values.join('')
}

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

/** Percent-encodes everything except RFC 3986's unreserved characters. Half a surrogate pair becomes U+FFFD. */
export const encodeStrictly = (text: string): string =>
  encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, percentEncoded)

/** The text with U+FFFD instead of each half of a surrogate pair, which cannot be percent-encoded. */
export const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/gu, '\ufffd')

/** Decodes percent-encoding; undefined if it is invalid. */
export const decodePercent = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
