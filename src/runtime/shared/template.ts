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
 * another end: `{a}-{b}-{c}` would take cubic time otherwise. `literal` makes the pattern of the text between values, by default
 * that of the text as it is written; `isBesideValue` is false for a segment without a value.
 */
export const templatePattern = (
  template: string,
  character: string,
  literal: (text: string, isBesideValue: boolean) => string = escapePattern,
): string =>
  template
    .split('/')
    .map((segment) => {
      const [start = '', ...texts] = segment.split(/\{[^{}]+\}/)
      const values = texts.map((text, index) => {
        const end = literal(text, true)
        const upToEnd = text === '' ? character : `${character}(?:(?!${end})${character})*`
        return `(${index < texts.length - 1 ? upToEnd : `${character}+`})${end}`
      })
      return literal(start, texts.length > 0) + values.join('')
    })
    .join('\\/')

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
