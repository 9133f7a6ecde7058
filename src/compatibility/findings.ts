import type { Finding, RuleRow } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
import type { Cell, Matrix, ResponseDifference } from './cell.js'

/**
 * The findings of a matrix: one for each operation and difference, which names the versions. Its location is the
 * operation in the new documents, or the document if the operation is removed.
 */
export const compatibilityFindings = ({ versions, cells }: Matrix): readonly Finding[] => {
  const bad = cells.filter(({ verdict }) => verdict !== 'works')
  return [...grouped(bad, keyOf).values()].map((own) => findingOf(own, versions))
}

const keyOf = ({ operation, verdict, difference, why }: Cell): string =>
  JSON.stringify([operation, verdict, difference, why])

const VERDICTS = {
  breaks: { rule: 'old-client-breaks', says: (whom: string) => `breaks clients of ${whom}` },
  warns: { rule: 'old-client-warns', says: (whom: string) => `makes clients of ${whom} warn` },
  untested: {
    rule: 'old-operation-untested',
    says: (whom: string) => `was not tested with clients of ${whom}`,
  },
} as const

const findingOf = (own: readonly Cell[], versions: readonly string[]): Finding => {
  // The newest version is the one that most callers use.
  const cell = own.at(-1)
  if (cell === undefined || cell.verdict === 'works') throw new Error('a group has a bad cell')
  const { operation, verdict, places, difference, why } = cell
  const { rule, says } = VERDICTS[verdict]
  const whom = versionNames(
    own.map(({ version }) => version),
    versions,
  )
  return {
    rule,
    level: levelOf(rule),
    location: places.after,
    before: places.before,
    message: `${operation} ${says(whom)}${difference ? `: ${differenceText(difference)}` : ''}${why === undefined ? '' : `: ${why}`}`,
    operations: [operation],
    identity: JSON.stringify([rule, operation, difference?.pointer]),
    ...(verdict === 'untested' && {
      advice:
        'show a request and a response in the old documents, or give the server what it needs',
    }),
  }
}

/** `v1.0.0`, `v1.0.0 to v1.3.0` for a range without gaps, `v1.0.0 and v1.2.0`. */
export const versionNames = (some: readonly string[], all: readonly string[]): string => {
  const [first = '', second] = some
  const last = some.at(-1) ?? ''
  if (second === undefined) return first
  const between = all.slice(all.indexOf(first), all.indexOf(last) + 1)
  if (some.length > 2 && between.length === some.length) return `${first} to ${last}`
  return `${some.slice(0, -1).join(', ')} and ${last}`
}

/** `the example paid, 400, /body/status: expected …, received …` */
const differenceText = (difference: ResponseDifference): string => {
  const { sent, status, pointer, expected, received } = difference
  const place = [
    sent,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(pointer === undefined ? [] : [pointer === '' ? 'the whole value' : pointer]),
  ].join(', ')
  return `${place}: expected: ${expected}; received: ${received}`
}

/** The rules for old clients and for the code of consumers. */
export const COMPATIBILITY_RULES = [
  {
    id: 'old-client-breaks',
    level: 'error',
    purpose: 'A client of an older version throws for a request that its documents contain.',
  },
  {
    id: 'old-client-warns',
    level: 'warning',
    purpose:
      'A client of an older version returns a response but calls onWarning, because the response differs from its documents.',
  },
  {
    id: 'old-operation-untested',
    level: 'error',
    purpose:
      'An operation of an older version was not tested: its client sent no request, or no response was available.',
  },
  {
    id: 'consumer-does-not-compile',
    level: 'error',
    purpose: 'The code of a consumer compiles with its current client, but not with the new one.',
  },
] as const satisfies readonly RuleRow[]

export type CompatibilityRule = (typeof COMPATIBILITY_RULES)[number]['id']

export const levelOf = (rule: CompatibilityRule): RuleRow['level'] =>
  COMPATIBILITY_RULES.find(({ id }) => id === rule)?.level ?? 'error'
