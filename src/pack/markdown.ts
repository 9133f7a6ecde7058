/** Text that Markdown reads as nothing but text, in one line. */
export const plain = (words: string): string =>
  words
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#|~]/g, '\\$&')

/** Between as many backticks as it takes. */
export const code = (words: string): string => {
  const text = words.replace(/\s+/g, ' ')
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(0, ...runs) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}
