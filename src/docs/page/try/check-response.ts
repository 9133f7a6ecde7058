import type { Fault } from '../../../runtime/validate.js'

/** What an answer is by the document. */
export type Verdict = {
  /** As promised; a refusal that the document declares; or nothing that it allows. */
  readonly tone: 'fits' | 'refused' | 'wrong'
  readonly headline: string
  readonly faults: readonly (Pick<Fault, 'pointer' | 'message'> &
    Partial<Pick<Fault, 'keyword' | 'params'>> & {
      /** A header; else it is about the whole. */
      readonly whose?: string
    })[]
  readonly notes: readonly string[]
  /** What pointers go into: `the result`, `the body`. */
  readonly whole: string
  /** Where the site says more of it, from the page. */
  readonly link?: { readonly href: string; readonly words: string } | undefined
}

/** `in 1 place`, `in 3 places`. */
export const places = (count: number): string => (count === 1 ? 'in 1 place' : `in ${count} places`)
