import type { Verdict } from '../conform/conform.js'
import type { ConformFinding } from '../conform/report/findings.js'
import type { Api } from '../model/api.js'
import type { Finding } from '../model/finding.js'

/** A verdict with all that is reported with it. */
export type ConformResult = Verdict & {
  readonly api: Api
  /** What was judged: an address, without what is secret in it, or a folder. */
  readonly subject: string
  /** `2030-01-31`. */
  readonly today: string
  readonly profile: string | undefined
  /** About the baseline, at its lines. */
  readonly remarks: readonly Finding[]
}

/** The same as formats of any finding print it, with request, response and what was expected. */
export const withDetails = (finding: ConformFinding): Finding => {
  const { rule, level, location, message, operations, identity, clause, shown, due } = finding
  return {
    ...{ rule, level, location, message, identity },
    ...(operations && { operations }),
    details: [
      { label: 'clause:', words: clause },
      { label: 'request:', words: cut(shown.request) },
      { label: 'received:', words: cut(shown.answer) },
      { label: 'expected:', words: due },
      { label: 'reproduce:', words: shown.curl },
    ],
  }
}

const cut = (words: string): string =>
  words.length <= LONGEST ? words : `${words.slice(0, LONGEST)}…`

const LONGEST = 400

/** The same day of the next year, `2031-01-31`: a day to begin an argument with. */
export const inAYear = (today: string): string =>
  `${Number(today.slice(0, 4)) + 1}${today.slice(4).replace('-02-29', '-02-28')}`
