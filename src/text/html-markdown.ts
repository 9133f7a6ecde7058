/**
 * HTML of a description as Markdown, which editors render in comments: `<p>Sends <code>x</code>.</p>` is ``Sends `x`.`` Tags
 * other than those of paragraphs, lists, code, emphasis and links are unchanged, and so is code between backticks.
 */
export const htmlAsMarkdown = (text: string): string => {
  if (!/<[a-z]/i.test(text)) return text
  const targets: string[] = []
  return text
    .replace(PIECES, (piece, close: string | undefined, name: string | undefined, rest = '') => {
      const tag = name?.toLowerCase()
      if (tag === undefined) return piece
      const [open, end] = MARKS[tag] ?? ['', '']
      if (open !== '' && open === end && !isPaired(tag, text)) return piece
      if (tag !== 'a') return close === '/' ? end : open
      if (close !== '/') {
        const [, target = ''] = /\shref\s*=\s*["']?(https?:[^"'\s>]+)/i.exec(rest) ?? []
        targets.push(target)
        return target === '' ? '' : '['
      }
      const target = targets.pop() ?? ''
      return target === '' ? '' : `](${target})`
    })
    .replace(/\n{3,}/g, '\n\n')
}

/** `List<i>` is no element. */
const isPaired = (tag: string, text: string): boolean =>
  [`<${tag}`, `</${tag}>`].every((one) => text.toLowerCase().includes(one))

/** Code between backticks, and tags. */
const PIECES = /`[^`]*`|<(\/?)(p|br|ul|ol|li|code|strong|b|em|i|a)(\s[^<>]*)?\/?>/gi

/** What is written for the beginning and for the end of an element. */
const MARKS: Readonly<Record<string, readonly [open: string, end: string]>> = {
  p: ['', '\n\n'],
  br: ['\n', ''],
  ul: ['\n', '\n'],
  ol: ['\n', '\n'],
  li: ['\n- ', ''],
  code: ['`', '`'],
  strong: ['**', '**'],
  b: ['**', '**'],
  em: ['_', '_'],
  i: ['_', '_'],
}
