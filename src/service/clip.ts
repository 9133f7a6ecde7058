/** A text with at most `most` characters, and `…` if it has more: texts of callers, nodes and programs may have any length. */
export const clip = (text: string, most = 80): string =>
  text.length > most ? `${text.slice(0, most)}…` : text
