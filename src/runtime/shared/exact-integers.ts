import type { BigintPlaces } from '../operation.js'
import type { Fault } from '../validate/validator.js'
import {
  endOfNumber,
  endOfString,
  isIntegerToken,
  losesDigits,
  MOST_DIGITS,
  toBigint,
} from './exact-number.js'
import type { pointerStep } from './pointer.js'

/**
 * The value of a JSON text that JSON.parse read as `value`. The integers at `places` are bigints, and with `keepsAll` those
 * beyond 2^53 - 1, too. Time and memory are linear in the length of the text, whatever its numbers are. `step` is
 * `pointerStep`: this module is loaded on demand, and bundlers would split its imports from the rest of a client.
 */
export const readExactly = (
  text: string,
  value: unknown,
  terms: BigintTerms,
  step: typeof pointerStep,
): ExactValue => {
  const hasBigints = terms.places !== undefined || terms.keepsAll === true
  const marked = markNumbers(text, hasBigints ? 'large' : 'rounded')
  if (marked === undefined) return convert(value, terms, step)
  const read = convert(JSON.parse(marked.text), { ...terms, mark: marked.mark }, step)
  return hasBigints ? read : { ...read, value }
}

export type BigintTerms = {
  readonly places?: BigintPlaces | undefined
  readonly named?: Readonly<Record<string, BigintPlaces>> | undefined
  readonly keepsAll?: boolean
  /** Dates stay texts, as validators know them. */
  readonly keepsTexts?: boolean
}

/**
 * `faults` are the first numbers that differ from their text. A value that `isUnreadable` has no correct form, because an
 * integer has more than `MOST_DIGITS`, or because it is nested too deep.
 */
export type ExactValue = {
  readonly value: unknown
  readonly faults: readonly Fault[]
  readonly isUnreadable?: boolean
}

/** The same for a value with bigints, or whose strings that begin with `mark` are numbers, as `markNumbers` writes them. */
export const convert = (
  from: unknown,
  terms: BigintTerms & { readonly mark?: string },
  step: typeof pointerStep,
): ExactValue => {
  const { places, named = {}, keepsAll = false, keepsTexts = false, mark = '' } = terms
  const isDate = (here: Places): boolean => !keepsTexts && here.some((one) => one.isDate === true)
  const faults: Fault[] = []
  const path: (string | number)[] = []
  let isUnreadable = false
  const placesOf = createResolver(named)

  const report = (objection: (token: string) => string | undefined, token = ''): void => {
    const message = faults.length < MOST_FAULTS ? objection(token) : undefined
    if (message !== undefined)
      faults.push({ pointer: path.map(step).join(''), keyword: 'precision', message })
  }

  /** The first character is compared alone, because most values are strings of another. */
  const first = mark.charCodeAt(0)
  const isMarked = (value: string): boolean =>
    mark !== '' && value.charCodeAt(0) === first && value.startsWith(mark)

  const readToken = (token: string, here: Places): unknown => {
    if (here.some(isBigint) || (keepsAll && isIntegerToken(token))) {
      const exact = toBigint(token)
      if (typeof exact === 'bigint') return exact
      isUnreadable ||= exact === 'too-long'
    }
    report(objectionTo, token)
    return Number(token)
  }

  const read = (value: unknown, here: Places): unknown => {
    if (typeof value === 'string')
      return isMarked(value)
        ? readToken(value.slice(mark.length), here)
        : isDate(here)
          ? (readDate(value) ?? value)
          : value
    if (typeof value === 'bigint') return readToken(String(value), here)
    if (typeof value === 'number') {
      const isExact = !here.some(isBigint) || !Number.isInteger(value)
      // The digits of its text: those of the double are others from 2^53 on.
      return isExact ? value : toBigint(String(value))
    }
    if (typeof value !== 'object' || value === null) return value
    if (mark === '' && here.length === 0) return value
    if (path.length === DEEPEST) {
      isUnreadable = places !== undefined || keepsAll
      report(() => `is nested deeper than ${DEEPEST} levels: its numbers are not compared`)
      return value
    }
    const isPlain = here.every(({ properties }) => properties === undefined)
    const others = placesOf(here, '')
    const members = value as Readonly<Record<string, unknown>>
    const isList = Array.isArray(value)
    const keys = isList ? undefined : Object.keys(value)
    const { length } = keys ?? (value as readonly unknown[])
    let copy: unknown[] | Record<string, unknown> | undefined
    for (let at = 0; at < length; at += 1) {
      const key = keys?.[at] ?? at
      const member = members[key]
      const within = isPlain ? others : undefined
      if (typeof member === 'string' && !isMarked(member) && !isDate(within ?? placesOf(here, key)))
        continue
      path.push(key)
      const result = read(member, within ?? placesOf(here, key))
      path.pop()
      if (result === member) continue
      // In a copy, `__proto__` is a property of its own, so that no assignment calls a setter.
      copy ??= isList ? [...value] : { ...value }
      ;(copy as Record<string, unknown>)[key] = result
    }
    return copy ?? value
  }

  return {
    value: read(from, placesOf([{ ...(places && { others: places }) }], '')),
    faults,
    isUnreadable,
  }
}

/**
 * The moment of a text with a date and a time; undefined for another text, which an alternative of the schema may allow. A leap
 * second is the one after it.
 */
const readDate = (text: string): Date | undefined => {
  const [, day, minute, second, rest] = DATE_TIME.exec(text) ?? []
  if (day === undefined) return undefined
  const isLeap = second === '60'
  const at = new Date(`${day}T${minute}:${isLeap ? '59' : second}${rest?.toUpperCase()}`)
  const time = at.getTime() + (isLeap ? 1_000 : 0)
  return Number.isNaN(time) ? undefined : new Date(time)
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)((?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))$/

/** The most faults of one value. */
const MOST_FAULTS = 20

/** Deeper values may exhaust the stack. */
const DEEPEST = 1_000

type Places = readonly BigintPlaces[]

const NONE: Places = []

const isBigint = ({ isBigint }: BigintPlaces): boolean => isBigint === true

/** Returns a function for the places in a property or item, with those of the schemas in their `refs`. */
const createResolver = (named: NonNullable<BigintTerms['named']>) => {
  const resolved = new Map<BigintPlaces, Places>()
  const resolve = (places: BigintPlaces): Places => {
    const known = resolved.get(places)
    if (known !== undefined) return known
    const found = new Set([places])
    // The iteration of a set includes members that are added during it.
    for (const { refs = [] } of found)
      for (const name of refs) if (named[name] !== undefined) found.add(named[name])
    resolved.set(places, [...found])
    return [...found]
  }
  return (here: Places, key: string | number): Places => {
    if (here.length === 0) return NONE
    const within = here.flatMap(({ properties, others }) => {
      const places =
        properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : others
      return places === undefined ? NONE : resolve(places)
    })
    return within.length > 1 ? [...new Set(within)] : within
  }
}

/** Why a number must not stand for its text; undefined if it is the same. */
const objectionTo = (token: string): string | undefined => {
  const number = Number(token)
  const shown = token.length > 60 ? `${token.slice(0, 40)}… (${token.length} characters)` : token
  if (!isIntegerToken(token))
    return losesDigits(token) ? `is ${shown}, which a number rounds to ${number}` : undefined
  if (Number.isSafeInteger(number)) return undefined
  const exact = toBigint(token)
  if (exact === 'too-long') return `is ${shown}, an integer of more than ${MOST_DIGITS} digits`
  const isExact = Number.isFinite(number) && BigInt(number) === exact
  return isExact ? undefined : `is ${shown}, which a number rounds: ${KEEPS}`
}

const KEEPS = "x-bigint in the document, or the client option integers: 'bigint', keeps it exact"

/**
 * A JSON text with long numbers as strings, after a mark; undefined if it has none. `rounded` are the first numbers that a
 * double rounds, at most `most`; `large` are these and all beyond 2^53 - 1, without a limit.
 */
export const markNumbers = (
  text: string,
  kind: 'rounded' | 'large',
  most = MOST_FAULTS,
): { readonly text: string; readonly mark: string } | undefined => {
  const limit = kind === 'rounded' ? most : Number.POSITIVE_INFINITY
  const isMarked = kind === 'rounded' ? isRounded : isLarge
  const long = new RegExp(LONG_NUMBER, 'g')
  const mark = freeMark(text)
  const parts: string[] = []
  let from = 0
  let quote = text.indexOf('"')
  for (let found = long.exec(text); found !== null; found = long.exec(text)) {
    const start = found.index + (found[1]?.length ?? 0)
    let close = start
    // Skips the strings before the number, or the string that it is in.
    while (quote !== -1 && quote < start) {
      close = text.indexOf('"', quote + 1)
      if (text.charCodeAt(close - 1) === BACKSLASH) close = endOfString(text, quote)
      quote = text.indexOf('"', close + 1)
    }
    if (close > start) {
      long.lastIndex = close
      continue
    }
    const end = endOfNumber(text, start + 1)
    const token = text.slice(start, end)
    long.lastIndex = end
    if (!isMarked(token)) continue
    parts.push(text.slice(from, start), `"${mark}${token}"`)
    from = end
    if (parts.length === 2 * limit) break
  }
  return parts.length === 0 ? undefined : { text: parts.join('') + text.slice(from), mark }
}

const isRounded = (token: string): boolean => objectionTo(token) !== undefined

const isLarge = (token: string): boolean =>
  Math.abs(Number(token)) > Number.MAX_SAFE_INTEGER || losesDigits(token)

/** A number that is not surely exact: 16 digits, 17 characters with a point, or an exponent of two digits. */
const LONG_NUMBER = /(^|[\s:,[])-?(?:\d{16}|\d[\d.]{16}|\d[\d.]*[eE][-+]?\d\d)/

const BACKSLASH = 0x5c

/** Text that the JSON text does not contain. It is random, so that no text can contain many candidates. */
const freeMark = (text: string): string => {
  const mark = `~${Math.random()}:`
  return text.includes(mark) ? freeMark(text) : mark
}

/** The value of a JSON text, in which each integer beyond 2^53 - 1 is a bigint, if it has at most `MOST_DIGITS`. */
export const parseExactly = (text: string): unknown =>
  readExactly(text, JSON.parse(text), { keepsAll: true }, () => '').value
