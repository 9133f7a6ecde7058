/**
 * What is quoted of others in a message, whole: half a key is not known as one, so it is cut only where keys have been taken
 * out, by `cutQuotes`.
 */
export const quoted = (text: string): string =>
  text.length <= LONGEST ? text : `${BEGIN}${text.replace(MARKS, '')}${END}`

const LONGEST = 80

/** Each quotation that is too long to be read, cut short; and the marks around all of them are gone. */
export const cutQuotes = (text: string): string =>
  text.includes(BEGIN) ? text.replace(QUOTATION, (_, inside: string) => cut(inside)) : text

const cut = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`

/** Noncharacters, which no text holds that is meant to be read (Unicode, 23.7). */
const BEGIN = '\ufdd0'
const END = '\ufdd1'
const MARKS = /[\ufdd0\ufdd1]/g
const QUOTATION = /\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/g
