import { CharBase, CharSet } from 'refa'
import { LAST_CHARACTER } from './automaton.js'

/**
 * One code point for each class of characters that none of the sets tells apart, the most readable
 * first. Half a surrogate pair is no character here: a text with one cannot be sent as UTF-8.
 */
export const chooseLetters = (sets: readonly CharSet[]): readonly number[] =>
  new CharBase([...sets, SURROGATES, ASTRAL, BASIC]).sets
    .filter((set) => !set.isSubsetOf(SURROGATES))
    .map(mostReadable)
    .sort((one, other) => rank(one) - rank(other))

const SURROGATES = CharSet.fromRange(LAST_CHARACTER, { min: 0xd800, max: 0xdfff })
const ASTRAL = CharSet.fromRange(LAST_CHARACTER, { min: 0x10000, max: LAST_CHARACTER })

const BASIC = SURROGATES.union(ASTRAL).negate()

const codesOf = (text: string): number[] => [...text].map((letter) => letter.codePointAt(0) ?? 0)

const READABLE = codesOf(
  `abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.:/+@#%&=!?,;*~$^'"()<>[]{}|\`\\ éñßλя中😀`,
)
const READABLE_RANKS = new Map(READABLE.map((code, at) => [code, at]))
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u
const LONGEST_LOOK = 200

/** Whatever can be seen comes before what cannot; among those, the order of their codes. */
const rank = (code: number): number => {
  const known = READABLE_RANKS.get(code)
  if (known !== undefined) return known
  const isVisible = VISIBLE.test(String.fromCodePoint(code))
  return (isVisible ? 1 : 2) * (LAST_CHARACTER + 1) + code
}

const mostReadable = (set: CharSet): number => {
  const known = READABLE.find((code) => set.has(code))
  if (known !== undefined) return known
  let looked = 0
  for (const { min, max } of set.ranges) {
    for (let code = min; code <= max; code++) {
      if (VISIBLE.test(String.fromCodePoint(code))) return code
      if (++looked > LONGEST_LOOK) return set.ranges[0]?.min ?? 0
    }
  }
  return set.ranges[0]?.min ?? 0
}
