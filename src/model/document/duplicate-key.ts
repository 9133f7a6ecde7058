/**
 * The first key of a JSON text that stands a second time in its object; undefined where all keys are distinct. Only for texts that
 * JSON.parse has accepted: it keeps the last value of such a key and says nothing (RFC 8259, 4: what comes of it is unpredictable).
 */
export const duplicateKey = (text: string): DuplicateKey | undefined => {
  const open: Container[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const top = open.at(-1)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      if (top?.keys && top.isKeyNext) {
        const raw = text.slice(at + 1, end)
        const key: string = raw.includes('\\') ? JSON.parse(text.slice(at, end + 1)) : raw
        top.segment = key
        top.isKeyNext = false
        if (top.keys.has(key)) return { key, offset: at, segments: open.map(segmentOf) }
        top.keys.add(key)
      }
      at = end
    } else if (code === BRACE) {
      open.push({ keys: new Set(), isKeyNext: true, segment: '', index: 0 })
    } else if (code === BRACKET) {
      open.push({ keys: undefined, isKeyNext: false, segment: '', index: 0 })
    } else if (code === BRACE_END || code === BRACKET_END) {
      open.pop()
    } else if (code === COMMA && top) {
      top.isKeyNext = true
      top.index += 1
    }
  }
  return undefined
}

export type DuplicateKey = {
  readonly key: string
  /** Of the second of the two, in UTF-16 code units. */
  readonly offset: number
  readonly segments: readonly string[]
}

type Container = {
  /** Undefined of an array. */
  readonly keys: Set<string> | undefined
  isKeyNext: boolean
  segment: string
  index: number
}

const segmentOf = ({ keys, segment, index }: Container): string => (keys ? segment : String(index))

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return text.length
}

const QUOTE = 0x22
const COMMA = 0x2c
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d
