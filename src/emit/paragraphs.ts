/** Joins the lines of each paragraph. Lists, tables, code and empty lines are unchanged. */
export function flowed(text: string): readonly string[] {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n').map((one) => one.trimEnd())) {
    const last = lines.at(-1)
    const isFence = /^ *(?:```|~~~)/.test(line)
    const continues = !isCode && !isFence && CONTINUES.test(line) && CONTINUED.test(last ?? '')
    if (continues) lines[lines.length - 1] = `${last} ${line}`
    else lines.push(line)
    if (isFence) isCode = !isCode
  }
  return lines
}

/** A line that can continue a paragraph, and one that another line can continue. */
const CONTINUES = /^[^\s\-*|#>\d@]/
const CONTINUED = /^(?! *(?:```|~~~))[^|#@]/

/** Breaks a line into lines that are short enough for a comment. */
export function wrap(line: string): readonly string[] {
  const lines: string[] = []
  let rest = line.trimEnd()
  while (rest.length > MOST) {
    const cut = rest.lastIndexOf(' ', MOST)
    if (cut <= 0) break
    lines.push(rest.slice(0, cut))
    rest = rest.slice(cut + 1)
  }
  return [...lines, rest]
}

/** The maximum length of a line after the margin of its comment, in characters. */
const MOST = 92
