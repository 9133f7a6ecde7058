import type { Finding } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
import type { Cell, Difference, Matrix } from './cell.js'
import { type CompatibilityRule, levelOf } from './rules.js'

/**
 * What the cells of a matrix say as findings: one for each operation and difference, which names the versions. Its place is that of the
 * operation in the new documents; of one that is removed, the document.
 */
export const compatibilityFindings = ({ versions, cells }: Matrix): readonly Finding[] => {
  const bad = cells.filter(({ verdict }) => verdict !== 'works')
  return [...grouped(bad, keyOf).values()].map((own) => findingOf(own, versions))
}

const keyOf = ({ operation, verdict, difference, why }: Cell): string =>
  JSON.stringify([operation, verdict, difference, why])

const RULES = {
  breaks: 'old-client-breaks',
  warns: 'old-client-warns',
  untested: 'old-operation-untested',
} as const satisfies Readonly<Record<Exclude<Cell['verdict'], 'works'>, CompatibilityRule>>

const findingOf = (own: readonly Cell[], versions: readonly string[]): Finding => {
  // The last one shows it as it is for most callers.
  const cell = own.at(-1)
  if (cell === undefined || cell.verdict === 'works') throw new Error('a group has a bad cell')
  const { operation, verdict, places, difference, why } = cell
  const rule = RULES[verdict]
  const whom = namesOf(
    own.map(({ version }) => version),
    versions,
  )
  return {
    rule,
    level: levelOf(rule),
    location: places.after,
    before: places.before,
    message: `${operation} ${messageOf(verdict, whom)}${difference ? `: ${differenceText(difference)}` : ''}${why === undefined ? '' : `: ${why}`}`,
    operations: [operation],
    identity: JSON.stringify([rule, operation, difference?.pointer]),
    ...(verdict === 'untested' && {
      advice:
        'show a request and a response in the old documents, or give the server what it needs',
    }),
  }
}

const messageOf = (verdict: Exclude<Cell['verdict'], 'works'>, whom: string): string =>
  verdict === 'breaks'
    ? `breaks clients of ${whom}`
    : verdict === 'warns'
      ? `makes clients of ${whom} warn`
      : `was not tested with clients of ${whom}`

/** `v1.0.0`, `v1.0.0 to v1.3.0` where none is left out between, `v1.0.0 and v1.2.0`. */
export const namesOf = (some: readonly string[], all: readonly string[]): string => {
  const [first = '', second] = some
  const last = some.at(-1) ?? ''
  if (second === undefined) return first
  const between = all.slice(all.indexOf(first), all.indexOf(last) + 1)
  if (some.length > 2 && between.length === some.length) return `${first} to ${last}`
  return `${some.slice(0, -1).join(', ')} and ${last}`
}

/** `the example paid, 400, /body/status: expected …, received …` */
export const differenceText = (difference: Difference): string => {
  const { sent, status, pointer, expected, received } = difference
  const place = [
    sent,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(pointer === undefined ? [] : [pointer === '' ? 'the whole value' : pointer]),
  ].join(', ')
  return `${place}: expected: ${expected}; received: ${received}`
}
