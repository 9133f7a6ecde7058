import { markdownBlock } from '../../model/escape.js'

/** A heading of the README with what is under it: paragraphs, and code between fences. */
export const section = (title: string, ...parts: readonly string[]): string =>
  [`## ${title}`, ...parts].join('\n\n')

export const snippet = (...lines: readonly string[]): string =>
  markdownBlock('ts', lines.join('\n').trim())

/** `import { a, b } from 'package/part'`. */
export const importing = (names: string, from: string): string =>
  `import { ${names} } from '${from}'`
