/**
 * A text as lines that are short enough for a comment. Paragraphs, items of lists and quotations are wrapped again; tables and code
 * between fences keep their lines.
 */
export function commentLines(text: string): readonly string[] {
  let isCode = false
  return flowed(text).flatMap((line) => {
    const isFence = FENCE.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence || TABLE.test(line) ? line : wrap(line)
  })
}

/** Joins the lines of each paragraph, and those of each item of a list. Tables, code and empty lines are unchanged. */
function flowed(text: string): readonly string[] {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n').map((one) => one.trimEnd())) {
    const last = lines.at(-1) ?? ''
    const isFence = FENCE.test(line)
    const continues =
      (CONTINUES.test(line) && CONTINUED.test(last)) ||
      (CONTINUES_ITEM.test(line) && ITEM.test(last))
    if (!isCode && !isFence && continues) lines[lines.length - 1] = `${last} ${line.trimStart()}`
    else lines.push(line)
    if (isFence) isCode = !isCode
  }
  return lines
}

const FENCE = /^ *(?:```|~~~)/
const TABLE = /^ *\|/

/** A line that can continue a paragraph, and one that another line can continue. */
const CONTINUES = /^[^\s\-*|#>\d@]/
const CONTINUED = /^(?! *(?:```|~~~))[^|#@]/

/** The first line of an item of a list, and a line that can continue it. */
const ITEM = /^ *(?:[-*+]|\d+[.)]) /
const CONTINUES_ITEM = /^ +[^\s\-*+|#>\d@]/

/** Breaks a line into lines that are short enough for a comment. Those after the first are below the text of an item, or quoted. */
function wrap(line: string): readonly string[] {
  const [start = ''] = START.exec(line) ?? []
  const margin = start.includes('>') ? start : ' '.repeat(start.length)
  const lines: string[] = []
  let head = start
  let rest = line.slice(start.length).trimEnd()
  while (head.length + rest.length > MOST) {
    const width = MOST - head.length
    const last = rest.lastIndexOf(' ', width)
    const cut = last > 0 ? last : rest.indexOf(' ', width)
    if (cut < 0) break
    lines.push(head + rest.slice(0, cut))
    rest = rest.slice(cut + 1)
    head = margin
  }
  return [...lines, (head + rest).trimEnd()]
}

/** The marks of an item or of a quotation, or spaces, at the beginning of a line. */
const START = /^ {0,20}(?:(?:[-*+]|\d{1,9}[.)]) |(?:> ?){1,5})?/

/** The maximum length of a line after the margin of its comment, in characters. */
const MOST = 92
