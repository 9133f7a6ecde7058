/** A heading of the README with what stands under it: paragraphs, and code between fences. */
export const section = (title: string, ...parts: readonly string[]): string =>
  [`## ${title}`, ...parts].join('\n\n')

export const snippet = (...lines: readonly string[]): string =>
  `\`\`\`ts\n${lines.join('\n').trim()}\n\`\`\``

/** `import { a, b } from 'package/part'`. */
export const importing = (names: string, from: string): string =>
  `import { ${names} } from '${from}'`
