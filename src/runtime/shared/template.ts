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

/** The percent-encoding of a character below U+0100. */
export const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** The pattern of a regular expression (without flags) that matches the text itself. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** The pattern of a template, in which `variable` is the pattern of each `{name}`. */
export const templatePattern = (template: string, variable: string): string =>
  template
    .split(/\{[^{}]+\}/)
    .map(escapePattern)
    .join(variable)

/** Percent-encodes everything except RFC 3986's unreserved characters. Half a surrogate pair becomes U+FFFD. */
export const encodeStrictly = (text: string): string =>
  encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, percent)

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
