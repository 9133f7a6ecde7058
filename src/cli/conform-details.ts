import type { ConformFinding } from '../conform/report/findings.js'
import type { Finding } from '../model/finding.js'

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
