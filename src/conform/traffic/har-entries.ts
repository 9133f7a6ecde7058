/**
 * Cuts the text of a HAR file, which comes in pieces, into the values of `log.entries`. No more than one entry is kept. Only
 * what separates the entries is read here: the caller parses each of them.
 */
export const createEntrySplitter = () => {
  const names: string[] = []
  let depth = 0
  let line = 1
  let isInString = false
  let isEscaped = false
  let hasEntries = false
  /** The depth of `log.entries`, once its list has begun. */
  let listDepth = Number.POSITIVE_INFINITY
  let hasValue = false
  /** What is collected of an entry, or of a text that may be a name. */
  let parts: string[] | undefined
  let entryLine = 0
  let lastText = ''

  const isBetween = () => depth === listDepth && parts === undefined

  return {
    push: (text: string): readonly Entry[] => {
      const found: Entry[] = []
      let from = 0
      const collected = (end: number): string => {
        const whole = [...(parts ?? []), text.slice(from, end)].join('')
        parts = undefined
        return whole
      }
      const endEntry = (end: number) => {
        found.push({ text: collected(end), line: entryLine })
      }
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (code === NEWLINE) line += 1
        if (isInString) {
          if (isEscaped) isEscaped = false
          else if (code === BACKSLASH) isEscaped = true
          else if (code === QUOTE) {
            isInString = false
            if (depth <= 2 && parts) lastText = collected(at + 1)
            else if (depth === listDepth && parts) endEntry(at + 1)
          }
          continue
        }
        if (code === SPACE || code === NEWLINE || code === RETURN || code === TAB) continue
        hasValue = true
        const isOfList = isBetween()
        if (isOfList && code !== COMMA && code !== LIST_END) {
          parts = []
          from = at
          entryLine = line
        }
        if (code === QUOTE) {
          isInString = true
          if (depth <= 2) {
            parts = []
            from = at
          }
        } else if (code === COLON && depth <= 2) names[depth] = nameIn(lastText)
        else if (code === LIST || code === OBJECT) {
          depth += 1
          if (code === LIST && depth === 3 && names[1] === 'log' && names[2] === 'entries') {
            listDepth = depth
            hasEntries = true
          }
        } else if (code === LIST_END || code === OBJECT_END) {
          // A number or a word ends where the list ends.
          if (depth === listDepth && parts) endEntry(at)
          depth -= 1
          if (depth === listDepth && parts) endEntry(at + 1)
          if (depth < listDepth) listDepth = Number.POSITIVE_INFINITY
        } else if (code === COMMA && depth === listDepth && parts) endEntry(at)
      }
      if (parts) {
        parts.push(text.slice(from))
      }
      return found
    },
    /** Whether the value came to its end, and had entries. */
    end: () => ({ line, hasEntries, isWhole: hasValue && depth === 0 && !isInString }),
  }
}

type Entry = { readonly text: string; readonly line: number }

const nameIn = (text: string): string => {
  try {
    return String(JSON.parse(text))
  } catch {
    return ''
  }
}

const [NEWLINE, RETURN, TAB, SPACE, QUOTE, BACKSLASH, COMMA, COLON] = [
  10, 13, 9, 32, 34, 92, 44, 58,
]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]
