import { CONTENT } from './keywords.js'
import { tidyNumber } from './number-range.js'
import type { SchemaObject } from './schema.js'

/** A value at the bound of a keyword, or just beyond it. */
export type Bound = {
  readonly keyword: string
  readonly side: 'valid' | 'invalid'
  /** Undefined for an absent value. */
  readonly value: unknown
  /** The value to use instead if another keyword, or the place where it is sent, forbids the first. */
  readonly fallback?: unknown
  /** A short description of the test: `one character too many`. */
  readonly note: string
  /** The same without names of the document, if the note has some: `a required property is missing`. */
  readonly mutation?: string
  /** A list with one item more than its schema allows. */
  readonly isSurplus?: true
}

export const valid = (keyword: string, value: unknown, note: string): Bound => ({
  ...{ keyword, side: 'valid', value, note },
})

export const invalid = (keyword: string, value: unknown, note: string): Bound => ({
  ...{ keyword, side: 'invalid', value, note },
})

export type MakeValues = (schema: NonNullable<SchemaObject['not']>) => readonly unknown[]

/** Numbers at the bounds of a schema and just beyond them. */
export function* numberBounds(value: number, schema: SchemaObject): Generator<Bound> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = multipleOf ?? 1
  // JSON cannot represent numbers beyond the largest double.
  const at = (keyword: string, inside: number, outside: number, note: string): readonly Bound[] =>
    [valid(keyword, inside, 'at the bound'), invalid(keyword, outside, note)].filter(({ value }) =>
      Number.isFinite(value),
    )
  // If multiples do not start at the bound, the nearest multiple within it is used.
  const up = (bound: number) => tidyNumber(Math.ceil(bound / step) * step)
  const down = (bound: number) => tidyNumber(Math.floor(bound / step) * step)
  if (minimum !== undefined)
    yield* at('minimum', up(minimum), beyond(up(minimum), -step), 'just below the minimum')
  if (maximum !== undefined)
    yield* at('maximum', down(maximum), beyond(down(maximum), step), 'just above the maximum')
  if (exclusiveMinimum !== undefined) {
    const inside = beyond(down(exclusiveMinimum), step)
    yield* at('exclusiveMinimum', inside, exclusiveMinimum, 'the excluded minimum itself')
  }
  if (exclusiveMaximum !== undefined) {
    const inside = beyond(up(exclusiveMaximum), -step)
    yield* at('exclusiveMaximum', inside, exclusiveMaximum, 'the excluded maximum itself')
  }
  if (multipleOf === undefined) return
  yield valid('multipleOf', value, 'a whole multiple')
  // An integer that is not a multiple violates only `multipleOf`, and not the type.
  const between = Number.isInteger(value) && multipleOf > 1 ? value + 1 : value + multipleOf / 2
  yield invalid('multipleOf', between, 'between two multiples')
}

/** The nearest number beyond a bound by whole steps: for very large numbers, one step more is the same number. */
const beyond = (bound: number, step: number): number => {
  for (let far = step; Number.isFinite(far); far *= 2) {
    const next = tidyNumber(bound + far)
    if (next !== bound) return next
  }
  return bound
}

/**
 * Texts at the bounds of a pattern and of a length and just beyond them, made from a valid text. A length counts code points
 * (JSON Schema Validation, 6.3.1), so texts at its bounds end with characters that UTF-8 and UTF-16 encode in several units.
 */
export function* textBounds(
  value: string,
  schema: SchemaObject,
  takes: (text: string) => boolean,
): Generator<Bound> {
  const { pattern, minLength, maxLength } = schema
  const atBound = (keyword: string, length: number, ending: string, note: string): Bound => {
    const plain = ofLength(value, length)
    const other = isAnyText(schema) ? withEnding(plain, ending) : plain
    return { ...valid(keyword, other, note), ...(other === plain ? {} : { fallback: plain }) }
  }
  if (minLength !== undefined && minLength <= LONGEST) {
    yield atBound('minLength', minLength, IN_BMP, 'the shortest text')
    if (minLength > 0) {
      const short = ofLength(value, minLength - 1)
      yield invalid('minLength', short, 'one character too few')
      if (minLength > 1 && isAnyText(schema))
        yield invalid(
          'minLength',
          withEnding(short, ASTRAL),
          'one character too few, counted in code points',
        )
    }
  }
  if (maxLength !== undefined && maxLength <= LONGEST) {
    yield atBound('maxLength', maxLength, IN_BMP + ASTRAL, 'the longest text')
    yield invalid('maxLength', ofLength(value, maxLength + 1), 'one character too many')
  }
  if (pattern !== undefined) yield* patternBounds(value, takes)
  else if (minLength === undefined && value !== '' && takes(''))
    yield valid('type', '', 'an empty text')
}

/** Whether no keyword but a pattern, which is tried, limits the characters. What an unknown format allows is not known. */
const isAnyText = (schema: SchemaObject): boolean =>
  schema.format === undefined && !CONTENT.some((keyword) => Object.hasOwn(schema, keyword))

/** One unit of UTF-16 and three bytes of UTF-8; two units and four bytes. */
const IN_BMP = '\u8a9e'
const ASTRAL = '\u{1f600}'

/** The text with its last characters replaced, as many as it has. */
const withEnding = (text: string, ending: string): string => {
  const [all, last] = [[...text], [...ending]]
  const count = Math.min(all.length, last.length)
  return [...all.slice(0, all.length - count), ...last.slice(last.length - count)].join('')
}

/** A server reads the whole text before it rejects it. */
const LONGEST = 100_000

function* patternBounds(value: string, takes: (text: string) => boolean): Generator<Bound> {
  const longest = stretched(value, takes)
  const shortest = shrunk(value, takes)
  for (const [text, note] of [
    [longest, 'the longest text'],
    [shortest, 'the shortest text'],
  ] as const)
    if (text !== undefined && text !== value) yield valid('pattern', text, note)
  const seen = new Set<string>()
  for (const [text, note] of slips(value, longest ?? value, shortest ?? value)) {
    if (takes(text) || seen.has(text)) continue
    seen.add(text)
    yield invalid('pattern', text, note)
  }
}

/** Common mistakes of people and programs in a text; the pattern decides whether each is invalid. */
const slips = (
  value: string,
  longest: string,
  shortest: string,
): readonly (readonly [text: string, note: string])[] => [
  ...(/^0x/.test(value)
    ? ([
        [value.slice(2), 'without 0x'],
        [`0X${value.slice(2)}`, '0X in place of 0x'],
        [`0x0${value.slice(2)}`, 'a leading zero'],
        ['0x', '0x without digits'],
        [value.replace(/.$/s, 'g'), 'a letter that is no digit'],
        otherParity(value),
      ] as const)
    : []),
  [value.slice(0, -1), 'one character too few'],
  [`${value}0`, 'one character too many'],
  [longest + longest.slice(-1), 'one character more than the longest text'],
  [shortest.slice(0, -1), 'one character fewer than the shortest text'],
  [`0${value}`, 'a leading zero'],
  ['', 'an empty text'],
  [`${value}\n`, 'a line break at the end'],
  [` ${value}`, 'a space at the beginning'],
  [withMiddle(value, '\u00e9'), 'a letter outside the pattern'],
  [withMiddle(value, '!'), 'a sign outside the pattern'],
]

const withMiddle = (value: string, character: string): string => {
  const middle = value.length >> 1
  return value.slice(0, middle) + character + value.slice(middle + 1)
}

/** One digit fewer if the number of digits is even, else one more. */
const otherParity = (value: string): readonly [text: string, note: string] => {
  if (value.length % 2 === 1) return [`${value}0`, 'an even number of digits']
  return [value.length > 2 ? value.slice(0, -1) : '0x1', 'an odd number of digits']
}

/** The longest text by repeating an end, as far as the pattern allows it; undefined if it is unbounded. */
const stretched = (value: string, takes: (text: string) => boolean): string | undefined => {
  const last = value.slice(-1)
  const ends = [last, last + last, 'f', 'ff', '9', 'a']
  const most = 1_100
  // Detects an unbounded pattern at once, because adding one character at a time takes seconds for each value.
  if (ends.some((end) => takes(value + end.repeat(most)))) return undefined
  let at = value
  while (at.length < value.length + most) {
    const longer = ends.map((end) => at + end).find((text) => takes(text))
    if (longer === undefined) return at
    at = longer
  }
  return undefined
}

/** The shortest beginning of a text that the pattern allows. */
const shrunk = (value: string, takes: (text: string) => boolean): string | undefined => {
  for (let length = 0; length <= value.length; length++)
    if (takes(value.slice(0, length))) return value.slice(0, length)
  return undefined
}

/** A text of the given length: truncated, or extended by its last character. */
const ofLength = (value: string, length: number): string => {
  const characters = [...value]
  const filler = characters.at(-1) ?? 'a'
  return characters.length >= length
    ? characters.slice(0, length).join('')
    : value + filler.repeat(length - characters.length)
}
