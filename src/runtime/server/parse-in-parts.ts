import { type ExactJson, exactOf, parseExact, surveyOf } from '../shared/exact-json.js'
import { endOfString } from '../shared/exact-number.js'
import type { Piece } from '../streams/pieces.js'

/** Parses a text like `parseExact`, in parts if it is large. Rejects with the errors of `parseExact`. */
export const parseLargeJson = async (text: string, mostMembers: number): Promise<ExactJson> =>
  text.length > MOST_AT_ONCE ? parseInParts(text, mostMembers) : parseExact(text, mostMembers)

/**
 * Parses a large text like `parseExact`, with pauses in which other requests are served. A text of 1 MB may contain 80,000
 * objects with different names, and JSON.parse takes up to 80 ms for them. Rejects with the errors of `parseExact`.
 */
export const parseInParts = async (text: string, mostMembers?: number): Promise<ExactJson> => {
  const survey = surveyOf(text, mostMembers)
  const steps = parts(text, PART)
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve))
    const step = steps.next()
    if (step.done) return exactOf(text, step.value, survey)
  }
}

/**
 * Parses the texts of items as one list, with the same pauses. Rejects with an ItemError for a text that is not JSON, and with
 * the errors of `parseExact` for the limits of the list.
 */
export const parseItems = async (
  pieces: readonly Piece[],
  mostMembers?: number,
): Promise<ExactJson> => {
  const whole = listText(pieces)
  const survey = surveyOf(whole, mostMembers)
  const items: unknown[] = []
  let waiting = 0
  for (const { data, isCutOff } of pieces) {
    try {
      if (isCutOff) throw noJson()
      items.push(JSON.parse(data))
    } catch {
      throw new ItemError(`Item ${items.length + 1} of the body`)
    }
    waiting += data.length
    if (waiting < PART) continue
    waiting = 0
    await new Promise((resolve) => setTimeout(resolve))
  }
  return exactOf(whole, items, survey)
}

/** The items as the JSON text of one list. */
export const listText = (pieces: readonly Piece[]): string =>
  `[${pieces.map(({ data }) => data).join()}]`

/** An item that is not JSON; the message is its place. */
export class ItemError extends SyntaxError {}

/**
 * Serves other requests after a long step for a large text. Parsing 1 MB, finding numbers that lose digits and
 * validating it take up to 30 ms each.
 */
export const breakAfterLarge = (text: string): Promise<void> | undefined =>
  text.length < LARGE ? undefined : new Promise((resolve) => setTimeout(resolve))

/** Characters. A step takes about a millisecond for this number. */
const LARGE = 32_768

/** Characters. Up to this number, a text is parsed at once. */
export const MOST_AT_ONCE = 262_144

/** Characters that are parsed between two pauses. */
const PART = 65_536

/**
 * Returns the value of JSON.parse, and yields after each part of about `part` characters. Throws a SyntaxError like JSON.parse.
 *
 * Brackets and commas outside of strings are counted, and JSON.parse reads the runs of items between them. A list or object
 * that is longer than two parts is opened: its items are parsed in several runs and combined here.
 */
export function* parts(text: string, part: number): Generator<void, unknown> {
  const first = /[^ \t\n\r]/.exec(text)?.index ?? 0
  if (!isOpening(text.charCodeAt(first))) return JSON.parse(text)
  /** The position of each open bracket, and the last comma in it. */
  const opens: number[] = []
  const commas: number[] = []
  /** The open brackets that are parsed in several runs: always the outermost ones. */
  const opened: Opened[] = []
  let innermost = open(text, first)
  opened.push(innermost)
  for (let at = first; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (isOpening(code)) {
      opens.push(at)
      commas.push(at)
    } else if (code === COMMA) {
      const level = opens.length
      if (level === opened.length) {
        if (innermost.hasClosed || at - innermost.start >= part) {
          readRun(text, innermost, at)
          innermost.start = at + 1
          yield
        }
      } else if (at - innermost.start >= 2 * part) {
        for (let next = opened.length; next < level; next += 1) {
          innermost = openItem(text, innermost, commas[next - 1] ?? 0, opens[next] ?? 0)
          opened.push(innermost)
        }
        yield
      }
      commas[level - 1] = at
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      const isOpened = opens.length === opened.length
      opens.pop()
      commas.pop()
      if (!isOpened) continue
      if ((code === CLOSE_LIST) !== Array.isArray(innermost.value)) throw noJson()
      readRun(text, innermost, at)
      opened.pop()
      const outer = opened.at(-1)
      if (outer === undefined) {
        if (!BLANK.test(text.slice(at + 1))) throw noJson()
        return innermost.value
      }
      innermost = outer
      innermost.start = at + 1
      innermost.hasClosed = true
    }
  }
  throw noJson()
}

/** A list or object that is parsed in several runs. */
type Opened = {
  readonly value: unknown[] | Record<string, unknown>
  /** The start of its next run. */
  start: number
  /** The last item was opened and has closed: only blanks may precede the next comma. */
  hasClosed: boolean
  /** It already has items, so an item must follow the last comma. */
  hasItems: boolean
}

const open = (text: string, at: number): Opened => ({
  value: text.charCodeAt(at) === OPEN_LIST ? [] : {},
  start: at + 1,
  hasClosed: false,
  hasItems: false,
})

/** Opens the item whose bracket is at `at`, after the items up to the comma. */
const openItem = (text: string, outer: Opened, comma: number, at: number): Opened => {
  if (comma >= outer.start) {
    readRun(text, outer, comma)
    outer.start = comma + 1
  }
  const item = open(text, at)
  if (outer.hasClosed) throw noJson()
  const before = text.slice(outer.start, at)
  if (!Array.isArray(outer.value)) {
    // With an empty list instead of the item, to parse its name.
    const [name] = Object.keys(JSON.parse(`{${before}[]}`) as object)
    if (name === undefined) throw noJson()
    put(outer.value, name, item.value)
  } else if (BLANK.test(before)) outer.value.push(item.value)
  else throw noJson()
  outer.hasItems = true
  return item
}

/** Reads the items between the start of the run and a comma or bracket. */
const readRun = (text: string, into: Opened, end: number): void => {
  const run = text.slice(into.start, end)
  const isBlank = BLANK.test(run)
  if (into.hasClosed) {
    if (!isBlank) throw noJson()
    into.hasClosed = false
    return
  }
  const { value } = into
  // An empty list or object has neither items nor a comma.
  const isEmpty = isBlank && !into.hasItems && CLOSING.test(text.charAt(end))
  if (isBlank && !isEmpty) throw noJson()
  into.hasItems = true
  if (Array.isArray(value)) for (const item of JSON.parse(`[${run}]`)) value.push(item)
  else
    for (const [name, item] of Object.entries(JSON.parse(`{${run}}`) as object))
      put(value, name, item)
}

/** As JSON.parse does: `__proto__` is a name like any other. */
const put = (object: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === '__proto__')
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  else object[name] = value
}

const isOpening = (code: number): boolean => code === OPEN_LIST || code === OPEN_OBJECT

const BLANK = /^[ \t\n\r]*$/
const CLOSING = /[\]}]/

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d

const noJson = (): SyntaxError => new SyntaxError('The text is not valid JSON')
