import { isSurelyExact, losesDigits, SAFE_DIGITS } from './exact-number.js'
/**
 * Parses JSON like JSON.parse, and lists the tokens whose value a double or a UTF-16 string cannot hold. Throws a
 * SyntaxError if the text is not JSON, nests deeper than 256 levels, or has an object of more than `mostMembers`
 * members. RFC 8259 §9 allows such limits.
 */
export const parseExact = (text: string, mostMembers?: number): ExactJson => {
  const survey = surveyOf(text, mostMembers)
  return exactOf(text, JSON.parse(text), survey)
}

/** Whether a text that passes may have odd tokens. Throws what `parseExact` throws of depth and members. */
export const surveyOf = (text: string, mostMembers = Number.POSITIVE_INFINITY): Survey => {
  const survey = isPlain(text, mostMembers) ? PLAIN : surveyText(text)
  if (survey.depth > DEEPEST) throw new SyntaxError(`Nested deeper than ${DEEPEST} levels`)
  if (survey.members > mostMembers)
    throw new SyntaxError(`an object has more than ${mostMembers} members`, { cause: LIMIT })
  return survey
}

export const exactOf = (text: string, value: unknown, survey: Survey): ExactJson => ({
  value,
  odd: () =>
    survey.odd || (text.includes('\\') && LONE_SURROGATE.test(text)) ? findOdd(text) : NONE,
})

/** What is said of a text that has too many members; undefined where it is not JSON. */
export const limitOf = (error: unknown): string | undefined =>
  error instanceof SyntaxError && error.cause === LIMIT ? error.message : undefined

const LIMIT = Symbol('limit')

export type ExactJson = {
  readonly value: unknown
  /**
   * Numbers that lose digits, texts that are not Unicode, and ids of JSON-RPC requests that JSON.stringify would write
   * differently, in document order; nearly always none. A function, so that a rejected batch costs nothing more; a getter in
   * each object would take the engine a hidden class for each.
   */
  readonly odd: () => readonly OddToken[]
}

export type OddToken = {
  readonly path: Path
  /** The number as it was sent: `9007199254740993`, `1.0`. */
  readonly text: string
  /** Why the value must not be used; undefined where it is the same value in another spelling (`1.0`). */
  readonly loss: 'precision' | 'unicode' | undefined
}

/** Member names and indexes from the root; undefined is the root itself. Shared tails, since a hostile text has many. */
export type Path = { readonly parent: Path; readonly key: string | number } | undefined

/** The names and indexes of a path, root first. */
export const keysOf = (path: Path): readonly (string | number)[] => {
  const keys: (string | number)[] = []
  for (let link = path; link !== undefined; link = link.parent) keys.push(link.key)
  return keys.reverse()
}

/** What to tell a caller whose token was lost. */
export const LOSS_MESSAGES = {
  precision: 'would lose digits: send it as a string',
  unicode: 'holds half a surrogate pair, which is no character',
} as const

const NONE: readonly OddToken[] = []

const DEEPEST = 256
const LONE_SURROGATE = /\\u[dD][89a-fA-F]/

const QUOTE = 0x22
const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const NINE = 0x39
const ZERO = 0x30
const BACKSLASH = 0x5c
const SMALL_E = 0x65
const LARGE_E = 0x45

type Survey = {
  readonly depth: number
  /** Of the largest object. */
  readonly members: number
  readonly odd: boolean
}

const PLAIN: Survey = { depth: 0, members: 0, odd: false }

/**
 * Whether searches of the engine's own show that a survey would find nothing, which is sooner known than by looking at each
 * character. They do not know what is inside strings, so false says nothing.
 */
const isPlain = (text: string, mostMembers: number): boolean =>
  OPENS.test(text) &&
  !ODD_NUMBER.test(text) &&
  !(text.includes('-0') && MINUS_ZERO.test(text)) &&
  (text.length <= DEEPEST || hasFewBrackets(text)) &&
  (text.length <= SHORTEST_MEMBER * mostMembers || hasFewCommas(text, mostMembers))

/** A number after nothing at all is not looked for below. */
const OPENS = /^[[{]/

/** With a fraction, an exponent or more digits than are surely kept. What a number begins after is rare outside of JSON. */
const ODD_NUMBER = /[:,[\s]-?\d(?:\d{15}|\d*[.eE])/

const MINUS_ZERO = /[:,[\s]-0/

/** No text is deeper than it has brackets. */
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

/** An object has no more members than its text has commas, and one. */
const hasFewCommas = (text: string, most: number): boolean => {
  let left = most
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1))
    if (--left < 1) return false
  return true
}

/**
 * One pass over everything but strings: how deep it nests, how many members the largest object has, and whether any number is
 * spelled unlike JSON.stringify's.
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
      // A whole number of so few digits is spelled in one way only: where it could begin with a zero, it is no JSON.
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

/** Where the count of an array begins, whose items are no members: below zero, however many there are. */
const OF_ARRAY = -(2 ** 31)

/** The index of the quote that closes the string opened at `start`; the end of the text where none does. */
export const endOfString = (text: string, start: number): number => {
  // Most strings are short, and looked through sooner than a search has begun.
  const near = Math.min(start + NEAR, text.length)
  let from = start + 1
  for (; from < near; from += 1) {
    const code = text.charCodeAt(from)
    if (code === QUOTE) return from
    if (code === BACKSLASH) from += 1
  }
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

const NEAR = 24

/** Where the digits from `start` on end; `start` itself for a number below zero, which `endOfNumber` reads. */
const endOfDigits = (text: string, start: number): number => {
  let end = start
  for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; code = text.charCodeAt(end))
    end += 1
  return end
}

/** Where a number ends whose characters before `from` are known. */
const endOfNumber = (text: string, from: number): number => {
  let end = from
  while (isOfNumber(text.charCodeAt(end))) end += 1
  return end
}

/** False at the end of the text, where the code is NaN. */
const isOfNumber = (code: number): boolean =>
  (code >= ZERO && code <= NINE) ||
  code === POINT ||
  code === SMALL_E ||
  code === LARGE_E ||
  code === PLUS ||
  code === MINUS

type Frame = { readonly path: Path; key: string | number; readonly object: boolean }

/**
 * Walks a text that JSON.parse has accepted, so it checks nothing. It stops looking for losses when it has as many as
 * an error lists: in the params of each JSON-RPC request, and in the rest of the text.
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
  const path = (): Path => frame && { parent: frame.path, key: frame.key }
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

/** As many as the errors of one request. */
const MOST_LOSSES = 20

/** Whether the innermost object may be a JSON-RPC request, alone or in a batch. Its id is returned as it was written. */
const isRequest = (frames: readonly Frame[]): boolean =>
  frames.length === 1 || (frames.length === 2 && frames[0]?.object === false)

/** Half a surrogate pair: with the `u` flag a whole pair is one code point and does not match. */
const LONE = /[\ud800-\udfff]/u
