import type { Bound } from './bound.js'

/** Texts at the bounds of a pattern and of a length and just beyond them, made from one that is right. */
export function* textBounds(
  value: string,
  schema: {
    readonly pattern?: string
    readonly minLength?: number
    readonly maxLength?: number
  },
  takes: (text: string) => boolean,
): Generator<Bound> {
  const { pattern, minLength, maxLength } = schema
  if (minLength !== undefined && minLength <= LONGEST) {
    yield {
      keyword: 'minLength',
      side: 'valid',
      value: ofLength(value, minLength),
      note: 'the shortest text',
    }
    if (minLength > 0)
      yield {
        ...{ keyword: 'minLength', side: 'invalid' },
        ...{ value: ofLength(value, minLength - 1), note: 'one character too few' },
      }
  }
  if (maxLength !== undefined && maxLength <= LONGEST) {
    yield {
      keyword: 'maxLength',
      side: 'valid',
      value: ofLength(value, maxLength),
      note: 'the longest text',
    }
    yield {
      ...{ keyword: 'maxLength', side: 'invalid' },
      ...{ value: ofLength(value, maxLength + 1), note: 'one character too many' },
    }
  }
  if (pattern !== undefined) yield* patternBounds(value, takes)
  else if (minLength === undefined && value !== '' && takes(''))
    yield { keyword: 'type', side: 'valid', value: '', note: 'an empty text' }
}

/** A server reads it before it refuses it. */
const LONGEST = 100_000

function* patternBounds(value: string, takes: (text: string) => boolean): Generator<Bound> {
  const longest = stretched(value, takes)
  const shortest = shrunk(value, takes)
  for (const [text, note] of [
    [longest, 'the longest text'],
    [shortest, 'the shortest text'],
  ] as const)
    if (text !== undefined && text !== value)
      yield { keyword: 'pattern', side: 'valid', value: text, note }
  const told = new Set<string>()
  for (const [text, note] of slips(value, longest ?? value, shortest ?? value)) {
    if (takes(text) || told.has(text)) continue
    told.add(text)
    yield { keyword: 'pattern', side: 'invalid', value: text, note }
  }
}

/** What people and programs get wrong about a text; whether it is wrong, the pattern says. */
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
  [
    `${value.slice(0, value.length >> 1)}\u00e9${value.slice((value.length >> 1) + 1)}`,
    'a letter outside the pattern',
  ],
  [
    `${value.slice(0, value.length >> 1)}!${value.slice((value.length >> 1) + 1)}`,
    'a sign outside the pattern',
  ],
]

/** A digit left out where they come in pairs, and one added where they do not. */
const otherParity = (value: string): readonly [text: string, note: string] => {
  if (value.length % 2 === 1) return [`${value}0`, 'an even number of digits']
  return [value.length > 2 ? value.slice(0, -1) : '0x1', 'an odd number of digits']
}

/** As far as the pattern lets a text grow at its end; undefined where it may grow for ever. */
const stretched = (value: string, takes: (text: string) => boolean): string | undefined => {
  const last = value.slice(-1)
  const ends = [last, last + last, 'f', 'ff', '9', 'a']
  let at = value
  while (at.length < value.length + 1_100) {
    const longer = ends.map((end) => at + end).find((text) => takes(text))
    if (longer === undefined) return at
    at = longer
  }
  return undefined
}

/** As far as the pattern lets a text shrink from its end. */
const shrunk = (value: string, takes: (text: string) => boolean): string | undefined => {
  for (let length = 0; length <= value.length; length++)
    if (takes(value.slice(0, length))) return value.slice(0, length)
  return undefined
}

/** A text of so many characters: cut, or what it ends with again. */
const ofLength = (value: string, length: number): string => {
  const characters = [...value]
  const filler = characters.at(-1) ?? 'a'
  return characters.length >= length
    ? characters.slice(0, length).join('')
    : value + filler.repeat(length - characters.length)
}
