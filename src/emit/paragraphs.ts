/** Joins the lines of each paragraph. Lists, tables, code and empty lines are unchanged. */
export function flowed(text: string): readonly string[] {
  const lines: string[] = []
  for (const line of text.split('\n').map((one) => one.trimEnd())) {
    const last = lines.at(-1)
    const continues = /^[^\s\-*|#>`\d@]/.test(line) && last !== undefined && /^[^|#`@]/.test(last)
    if (continues) lines[lines.length - 1] = `${last} ${line}`
    else lines.push(line)
  }
  return lines
}

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
