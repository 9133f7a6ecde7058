import type { Shaping } from './flatten.js'
import { formedTerms } from './formats.js'
import { keywordsOf, type Terms } from './node.js'
import { numbersNear, rangeOf } from './number-range.js'
import { shortestWord } from './patterns/language.js'
import { createSamples, type SampleBudget, type Samples } from './sample.js'
import type { SampleStyle } from './sample-objects.js'
import { stringTerms } from './views.js'

/** Creates the smallest values that fulfil terms, which best show what one schema accepts and another does not. */
export const createSmallest = (shaping: Shaping, budget?: SampleBudget): Samples =>
  createSamples(shaping, SMALLEST, budget)

const SMALLEST: SampleStyle = {
  arranged: (shapes) => shapes,
  texts: shortestTexts,
  numbers: (parts) => numbersNear(rangeOf(parts)).toSorted(byMagnitude),
  written: (terms) =>
    terms.flatMap((node) => {
      const { examples = [], default: usual } = keywordsOf(node)
      return usual === undefined ? examples : [usual, ...examples]
    }),
  isFirst: false,
  levels: 0,
  mostNodes: 5_000,
  mostItems: 1_000,
}

/** The shortest text of the formats of the parts, else of their patterns and lengths; empty if none is found. */
export function shortestTexts(parts: Terms, isOut: (text: string) => boolean): readonly string[] {
  const formed = formedTerms(parts)
  const word = (formed && shortestWord(formed, isOut)) ?? shortestWord(stringTerms(parts), isOut)
  return word === undefined ? [] : [word]
}

const byMagnitude = (a: number, b: number): number =>
  Math.abs(a) - Math.abs(b) || String(a).length - String(b).length || b - a
