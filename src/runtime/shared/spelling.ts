/** A character below U+0100 as a URL spells it. */
export const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** The pattern of a regular expression (without flags) that matches the text itself. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Percent-encodes everything but RFC 3986's unreserved characters. Half of a pair of surrogates becomes U+FFFD. */
export const encodeStrictly = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd')).replace(/[!'()*]/g, percent)
