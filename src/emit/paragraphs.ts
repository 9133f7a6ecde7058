/** Lines that only continue a paragraph join it; lists, tables, code and empty lines stay as they are. */
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

/** A line as several, none longer than a comment may be. */
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

/** Characters of a line behind the margin of its comment. */
const MOST = 92
