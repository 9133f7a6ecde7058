import {
  endOfNumber,
  endOfString,
  isSurelyExact,
  losesDigits,
  SAFE_DIGITS,
} from './exact-number.js'

/**
 * Parses JSON like JSON.parse, and lists the tokens whose value a double or a UTF-16 string cannot represent. Throws a
 * SyntaxError if the text is not JSON, nests deeper than 256 levels, or has an object of more than `mostMembers` members. RFC
 * 8259 §9 allows such limits.
 */
export const parseExact = (text: string, mostMembers?: number): ExactJson => {
  const survey = surveyOf(text, mostMembers)
  return exactOf(text, JSON.parse(text), survey)
}

/** Whether a text may have odd tokens. Throws the same errors as `parseExact` for depth and members. */
export const surveyOf = (text: string, mostMembers = Number.POSITIVE_INFINITY): Survey => {
  const survey = isPlain(text, mostMembers) ? PLAIN : surveyText(text)
  if (survey.depth > DEEPEST) throw new SyntaxError(`Nested deeper than ${DEEPEST} levels`)
  if (survey.members > mostMembers) throw tooManyMembers(mostMembers)
  return survey
}

export const exactOf = (text: string, value: unknown, survey: Survey): ExactJson => ({
  value,
  odd: () =>
    survey.odd || (text.includes('\\') && LONE_SURROGATE.test(text)) ? findOdd(text) : NONE,
})

export const tooManyMembers = (most: number): SyntaxError =>
  new SyntaxError(`an object has more than ${most} members`, { cause: LIMIT })

/** The message of an error for too many members; undefined for other errors, such as text that is not JSON. */
export const memberLimit = (error: unknown): string | undefined =>
  error instanceof SyntaxError && error.cause === LIMIT ? error.message : undefined

const LIMIT = Symbol('limit')

export type ExactJson = {
  readonly value: unknown
  /**
   * Numbers that lose digits, texts that are not Unicode, and ids of JSON-RPC requests that JSON.stringify would write
   * differently, in document order; nearly always none. A function, so that a rejected batch does not compute it. With a
   * getter, the engine would create a hidden class for each object.
   */
  readonly odd: () => readonly OddToken[]
}

export type OddToken = {
  readonly path: MemberPath
  /** The number as it was sent: `9007199254740993`, `1.0`. */
  readonly text: string
  /** Why the value must not be used; undefined if it is the same value in another notation (`1.0`). */
  readonly loss: 'precision' | 'unicode' | undefined
}

/**
 * Member names and indexes from the root; undefined is the root itself. Paths share their ends, because a hostile text has
 * many.
 */
export type MemberPath = { readonly parent: MemberPath; readonly key: string | number } | undefined

/** The names and indexes of a path, root first. */
export const keysOf = (path: MemberPath): readonly (string | number)[] => {
  const keys: (string | number)[] = []
  for (let link = path; link !== undefined; link = link.parent) keys.push(link.key)
  return keys.reverse()
}

/** The messages for tokens with a loss. */
export const LOSS_MESSAGES = {
  precision: 'would lose digits: send it as a string',
  unicode: 'contains half a surrogate pair, which is not a character',
} as const

const NONE: readonly OddToken[] = []

/** The levels of nesting that a body may have. */
export const DEEPEST = 256
const LONE_SURROGATE = /\\u[dD][89a-fA-F]/

const QUOTE = 0x22
const MINUS = 0x2d
const NINE = 0x39
const ZERO = 0x30

type Survey = {
  readonly depth: number
  /** The number of members of the largest object. */
  readonly members: number
  readonly odd: boolean
}

const PLAIN: Survey = { depth: 0, members: 0, odd: false }

/**
 * Whether native searches prove that a survey would find nothing; they are faster than a loop over all characters. They cannot
 * distinguish strings, so `false` is inconclusive.
 */
const isPlain = (text: string, mostMembers: number): boolean =>
  OPENS.test(text) &&
  !ODD_NUMBER.test(text) &&
  !(text.includes('-0') && MINUS_ZERO.test(text)) &&
  (text.length <= DEEPEST || hasFewBrackets(text)) &&
  (text.length <= SHORTEST_MEMBER * mostMembers || hasFewCommas(text, mostMembers))

/** The pattern below does not match a number at the very start of a text. */
const OPENS = /^[[{]/

/**
 * A number with a fraction, an exponent, or more digits than a double surely keeps. The characters before it are rare in
 * strings.
 */
const ODD_NUMBER = /[:,[\s]-?\d(?:\d{15}|\d*[.eE])/

const MINUS_ZERO = /[:,[\s]-0/

/** The nesting depth is at most the number of brackets. */
const hasFewBrackets = (text: string): boolean => {
  let left = DEEPEST
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1))
    if (--left < 0) return false
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1))
    if (--left < 0) return false
  return true
}

/** `"":0,` */
const SHORTEST_MEMBER = 5

/** An object has at most one member more than its text has commas. */
const hasFewCommas = (text: string, most: number): boolean => {
  let left = most
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1))
    if (--left < 1) return false
  return true
}

/**
 * One pass over everything except strings: the nesting depth, the number of members of the largest object, and whether
 * JSON.stringify would write any number differently.
 */
const surveyText = (text: string): Survey => {
  let level = 0
  let depth = 0
  let members = 0
  let odd = false
  const counts: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === 0x5b || code === 0x7b) {
      level += 1
      if (level > depth) depth = level
      counts[level] = code === 0x7b ? 1 : OF_ARRAY
    } else if (code === 0x5d || code === 0x7d) level -= 1
    else if (code === 0x2c) {
      const count = (counts[level] ?? OF_ARRAY) + 1
      counts[level] = count
      if (count > members) members = count
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const plain = endOfDigits(text, at)
      const end = endOfNumber(text, plain)
      // An integer with so few digits has only one notation: with a leading zero it is not JSON.
      const isPlain = end === plain && end - at <= SAFE_DIGITS
      if (!(odd || isPlain)) {
        const token = text.slice(at, end)
        odd = String(Number(token)) !== token
      }
      at = end - 1
    }
  }
  return { depth, members, odd }
}

/** The initial count of an array, whose items are not members: it stays below zero for any number of items. */
const OF_ARRAY = -(2 ** 31)

/** The end of the digits from `start` on; `start` itself for a negative number, which `endOfNumber` reads. */
const endOfDigits = (text: string, start: number): number => {
  let end = start
  for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; code = text.charCodeAt(end))
    end += 1
  return end
}

type Frame = { readonly path: MemberPath; key: string | number; readonly object: boolean }

/**
 * Scans a text that JSON.parse has accepted, without validation. It stops the search for losses at the number that an error
 * lists: in the params of each JSON-RPC request, and in the rest of the text.
 */
const findOdd = (text: string): OddToken[] => {
  const found: OddToken[] = []
  const frames: Frame[] = []
  let frame: Frame | undefined
  let isInParams = false
  let roomInParams = 0
  let roomOutside = MOST_LOSSES
  const hasRoom = (): boolean => (isInParams ? roomInParams : roomOutside) > 0
  const lose = (token: string, loss: OddToken['loss']): void => {
    if (isInParams) roomInParams -= 1
    else roomOutside -= 1
    found.push({ path: path(), text: token, loss })
  }
  const path = (): MemberPath => frame && { parent: frame.path, key: frame.key }
  let expectsKey = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      const token = text.slice(at, end + 1)
      if (expectsKey && frame) {
        frame.key = JSON.parse(token)
        if (isRequest(frames)) {
          isInParams = frame.key === 'params'
          roomInParams = MOST_LOSSES
        }
      }
      if (hasRoom() && LONE_SURROGATE.test(token) && LONE.test(JSON.parse(token)))
        lose(token, 'unicode')
      expectsKey = false
      at = end
    } else if (code === 0x5b || code === 0x7b) {
      frame = { path: path(), key: 0, object: code === 0x7b }
      frames.push(frame)
      expectsKey = frame.object
    } else if (code === 0x5d || code === 0x7d) {
      if (isInParams && frame?.object && isRequest(frames)) isInParams = false
      frames.pop()
      frame = frames.at(-1)
      expectsKey = false
    } else if (code === 0x2c && frame) {
      expectsKey = frame.object
      if (typeof frame.key === 'number') frame.key += 1
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at + 1)
      const isId = frame?.object === true && frame.key === 'id' && isRequest(frames)
      if (isId) {
        const token = text.slice(at, end)
        const loss = losesDigits(token) ? 'precision' : undefined
        if (String(Number(token)) !== token) found.push({ path: path(), text: token, loss })
      } else if (hasRoom() && !isSurelyExact(text, at, end)) {
        const token = text.slice(at, end)
        if (losesDigits(token)) lose(token, 'precision')
      }
      at = end - 1
    }
  }
  return found
}

/** The maximum number of errors in the response to one request. */
const MOST_LOSSES = 20

/** Whether the innermost object may be a JSON-RPC request, alone or in a batch. Its id is returned as it was sent. */
const isRequest = (frames: readonly Frame[]): boolean =>
  frames.length === 1 || (frames.length === 2 && frames[0]?.object === false)

/** Half a surrogate pair: with the `u` flag a whole pair is one code point and does not match. */
const LONE = /[\ud800-\udfff]/u
