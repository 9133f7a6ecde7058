/** 2020-12 validation 6.3 counts characters like RFC 8259: a surrogate pair is one. */
export const countCharacters = (text: string): number => {
  let pairs = 0
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) continue
    if ((text.charCodeAt(at + 1) & 0xfc00) !== 0xdc00) continue
    pairs++
    at++
  }
  return text.length - pairs
}

/** Whether a text has at most `most` characters. They are counted only if the length does not decide it. */
export const hasAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && countCharacters(text) <= most)

/** Whether a text has at least `least` characters. */
export const hasAtLeast = (text: string, least: number): boolean =>
  text.length >= least && (text.length >= 2 * least || countCharacters(text) >= least)
