/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** No character takes more than three bytes, so that most texts need not be counted. */
export const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && bytesOf(text) > bytes
