/** The members of the block between two lines, which are recognised by how far they are indented. */
export function membersOf(text: string, opening: string, closing: string): Members {
  const start = text.indexOf(opening)
  const end = text.indexOf(closing, start)
  if (start < 0 || end < 0) return { text: '', entries: [] }
  const inside = text.slice(start + opening.length, end)
  const indent = /^ */.exec(inside)?.[0] ?? ''
  const entries: (readonly [string, string])[] = []
  let first = 0
  for (let at = 0; at < inside.length; ) {
    const found = inside.indexOf('\n', at)
    const last = found < 0 ? inside.length : found
    // A comment's lines stand one character further in.
    const isOutermost =
      inside.startsWith(indent, at) && !/[\s/*]/.test(inside.charAt(at + indent.length) || ' ')
    at = last + 1
    if (!isOutermost || !inside.endsWith(';', last)) continue
    const lines = `${inside.slice(first, last)}\n`
    first = at
    const [, quoted, plain] =
      /^ *(?:("(?:[^"\\]|\\.)*")|([\w$]+))\??: /m.exec(lines.replace(COMMENT, '')) ?? []
    entries.push([quoted === undefined ? (plain ?? '') : JSON.parse(quoted), lines])
  }
  return { text: text.slice(start, end + closing.length), entries }
}

export type Members = {
  /** All of it, braces included. */
  readonly text: string
  /** Name -> the lines of a member, its comment included. */
  readonly entries: readonly (readonly [name: string, lines: string])[]
}

/** One level further out. */
export const outdented = (lines = ''): string =>
  lines.replace(/^ {4}/, '').split('\n    ').join('\n')

const COMMENT = /^ *\/\*\*.*?\*\/\n/s
