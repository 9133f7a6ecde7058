import {
  maximumDepth,
  type NodePlace,
  type ParsedText,
  type Reject,
  type ReportFault,
} from './format.js'
import { jsonFault } from './json-fault.js'

/**
 * Parses JSON with JSON.parse, which is 50 times faster than any parser with positions. Places are found in the text on
 * request. Duplicate keys are reported, like those of YAML.
 */
export const readJson = (text: string, reject: Reject, report: ReportFault): ParsedText => {
  const { tooDeep, members } = measured(text, maximumDepth)
  if (tooDeep !== undefined) {
    const message = `the document nests more than ${maximumDepth} levels deep: flatten it`
    return reject('document-nests-too-deep', message, tooDeep)
  }
  const children = childrenIn(text)
  const value = parse(text, reject)
  // JSON.parse keeps the last of two duplicate keys, so no member is missing if all keys are distinct.
  const duplicate = countMembers(value) < members ? duplicateKey(text) : undefined
  if (duplicate) {
    const message = `the key ${JSON.stringify(duplicate.key)} occurs twice in this object: keep one`
    report('document-key-is-duplicate', message, duplicate.offset, duplicate.segments)
  }
  return {
    value,
    find: (segments) => {
      let place: NodePlace = { segments: [], key: undefined, value: afterSpace(text, 0) }
      for (const segment of segments) {
        const child = children(place.value).get(segment)
        if (!child) break
        place = { ...child, segments: [...place.segments, segment] }
      }
      return place
    },
  }
}

const parse = (text: string, reject: Reject): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    const fault = jsonFault(text)
    return reject('document-does-not-parse', `the JSON is invalid: ${fault.why}`, fault.offset)
  }
}

type Child = { readonly key: number | undefined; readonly value: number }

/** The members of the container at an offset; each container is scanned once. */
const childrenIn = (text: string) => {
  const known = new Map<number, ReadonlyMap<string, Child>>()
  return (offset: number): ReadonlyMap<string, Child> => {
    const children = known.get(offset) ?? scanChildren(text, offset)
    known.set(offset, children)
    return children
  }
}

const scanChildren = (text: string, offset: number): ReadonlyMap<string, Child> => {
  const children = new Map<string, Child>()
  const open = text[offset]
  if (open !== '{' && open !== '[') return children
  let at = afterSpace(text, offset + 1)
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    if (open === '{') {
      const end = afterString(text, at)
      const value = afterSpace(text, afterSpace(text, end) + 1)
      children.set(JSON.parse(text.slice(at, end)), { key: at, value })
      at = afterValue(text, value)
    } else {
      children.set(String(children.size), { key: undefined, value: at })
      at = afterValue(text, at)
    }
    at = afterSpace(text, at)
    if (text[at] === ',') at = afterSpace(text, at + 1)
  }
  return children
}

// The functions below require a text that JSON.parse has accepted.
const afterSpace = (text: string, offset: number): number => {
  let at = offset
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}

const afterString = (text: string, offset: number): number => {
  let end = text.indexOf('"', offset + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end + 1
}

const isEscaped = (text: string, offset: number): boolean => {
  let slashes = 0
  while (text[offset - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

const afterValue = (text: string, offset: number): number => {
  if (text[offset] === '"') return afterString(text, offset)
  let at = offset
  let depth = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at = afterString(text, at)
      continue
    }
    if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && (code === 0x2c || code <= 0x20)) return at
    at++
  }
  return at
}

const countMembers = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  let members = Array.isArray(value) ? 0 : inside.length
  for (const one of inside) if (typeof one === 'object') members += countMembers(one)
  return members
}

/** The number of members in the text, and the offset of the first container below `limit` levels. */
const measured = (
  text: string,
  limit: number,
): { readonly members: number; readonly tooDeep: number | undefined } => {
  let members = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = afterString(text, at) - 1
    else if (code === 0x3a) members++
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return { members, tooDeep: at }
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return { members, tooDeep: undefined }
}

/**
 * The first duplicate key of a JSON text; undefined if all keys are distinct. Requires a text that JSON.parse has accepted: it
 * silently keeps the last value of such a key (RFC 8259, 4).
 */
const duplicateKey = (text: string): DuplicateKey | undefined => {
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

type DuplicateKey = {
  readonly key: string
  /** The offset of the second one, in UTF-16 code units. */
  readonly offset: number
  readonly segments: readonly string[]
}

type Container = {
  /** Undefined for an array. */
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
