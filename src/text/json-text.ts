export type Parsed = { readonly value: unknown }

/** Parses JSON; undefined if the text is invalid. */
export const tryParseJson = (text: string): Parsed | undefined => {
  if (text === lastInvalid) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    lastInvalid = text
    return undefined
  }
}

/** Every check of a response parses it, and a million brackets without an end take 0.3 seconds each time. */
let lastInvalid: string | undefined

/**
 * The texts of the items of a list in valid JSON, unchanged: numbers keep all their digits. Empty if the text is no list. `most`
 * limits their number.
 */
export const itemsOf = (text: string, most = Number.POSITIVE_INFINITY): readonly string[] =>
  text.trimStart().startsWith('[') ? partsOf(text, most).map((part) => part.text) : []

/** The members of a JSON object, including repeated names; empty if the text is no object. */
export const membersOf = (text: string): readonly JsonMember[] =>
  text.trimStart().startsWith('{')
    ? partsOf(text).flatMap((part) =>
        part.name === undefined ? [] : [{ ...part, name: part.name }],
      )
    : []

export type JsonMember = { readonly name: string; readonly text: string }

/** Every value of a name in the text of an object. */
export const textsOf = (members: readonly JsonMember[], name: string): readonly string[] =>
  members.flatMap((member) => (member.name === name ? [member.text] : []))

/** A value as JSON, or a description if it is nested too deeply. */
export const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'absent'
  } catch {
    return 'nested very deeply'
  }
}

/** Where an invalid JSON text is cut off, as words after it; empty if its end is not missing. */
export const cutOffWords = (text: string): string => {
  const start = afterBlanks(text, 0)
  if (!'[{"'.includes(text.charAt(start)) || start === text.length) return ''
  const isWhole = levelAtEnd(text, start) <= 0
  return isWhole ? '' : `, which ends after ${text.length} characters in the middle of a value`
}

const levelAtEnd = (text: string, start: number): number => {
  let level = 0
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"') {
      at = endOfString(text, at)
      if (at >= text.length) return level + 1
    } else if (char === '[' || char === '{') level += 1
    else if (char === ']' || char === '}') level -= 1
  }
  return level
}

const partsOf = (text: string, most = Number.POSITIVE_INFINITY) => {
  const found: { readonly name: string | undefined; readonly text: string }[] = []
  let name: string | undefined
  let at = afterBlanks(text, 0) + 1
  while (at < text.length && found.length < most) {
    at = afterBlanks(text, at)
    const char = text.charAt(at)
    if (char === '' || char === ']' || char === '}') break
    if (char === ',' || char === ':') {
      at += 1
      continue
    }
    const end = endOfValue(text, at)
    const next = text.charAt(afterBlanks(text, end))
    if (char === '"' && next === ':' && name === undefined)
      name = JSON.parse(text.slice(at, end)) as string
    else {
      found.push({ name, text: text.slice(at, end) })
      name = undefined
    }
    at = end
  }
  return found
}

const afterBlanks = (text: string, start: number): number => {
  let at = start
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at += 1
  return at
}

const endOfValue = (text: string, start: number): number => {
  let level = 0
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"') at = endOfString(text, at)
    else if (char === '[' || char === '{') level += 1
    else if (char === ']' || char === '}') {
      if (level === 0) return at
      level -= 1
    } else if (level === 0 && ',: \t\n\r'.includes(char)) return at
    else if (level === 0) continue
    if (level === 0) return at + 1
  }
  return text.length
}

const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return at
}
