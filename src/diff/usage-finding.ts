import type { Api } from '../model/api.js'
import type { Finding, FindingUsage } from '../model/finding.js'
import { daysText, mergedDays } from '../usage/days.js'
import type { Usage } from '../usage/usage.js'
import type { Evidence, Judge, Use } from './change.js'
import { createEvidence } from './usage-evidence.js'

/**
 * Adds the usage in recorded requests to findings. Counts can decide a change that the schemas leave undecided. A removal
 * before its sunset day becomes a warning if no recorded request used it.
 */
export const createJudge = (before: Api, usage: Usage): Judge => ({
  evidenceOf: createEvidence(before, usage),
  judged: (finding, evidence, { isWhole, sentence }) => {
    const found = usageOf(evidence, isWhole)
    const counted = {
      ...finding,
      usage: found,
      details: [...(finding.details ?? []), ...lines(found)],
    }
    if (BEFORE_SUNSET.has(finding.rule) && found.verdict === 'unused') {
      const message = `${finding.message}. No recorded request used it, so it can be removed before that day`
      return { ...counted, level: 'warning', message }
    }
    if (finding.rule !== 'request-change-is-undecided') return counted
    const message = `${sentence ?? finding.message}: recorded requests show it`
    if (found.verdict === 'unused')
      return {
        ...counted,
        level: 'note',
        message: `${message}, because no recorded request is affected`,
      }
    if (found.verdict === 'used')
      return { ...counted, level: 'error', message: `${message}, because some would be rejected` }
    return counted
  },
})

const BEFORE_SUNSET: ReadonlySet<string> = new Set([
  'operation-removed-before-sunset',
  'parameter-removed-before-sunset',
])

const usageOf = (evidence: readonly Evidence[], isWhole: boolean): FindingUsage => {
  const all = evidence.flatMap(({ uses }) => [...uses])
  const sum = (take: (use: Use) => number) => all.reduce((total, [, use]) => total + take(use), 0)
  const least = sum(({ range }) => range.least)
  const most = sum(({ range }) => range.most)
  const met = all.filter(([, { range }]) => range.most > 0)
  const shape = evidence.flatMap((one) => one.shape ?? [])[0]
  const isSent = evidence.some(({ direction }) => direction === 'response')
  const verdict = isSent
    ? 'sent'
    : least > 0
      ? 'used'
      : most > 0 || !isWhole
        ? 'possible'
        : 'unused'
  return {
    verdict,
    requests: { least, most, of: evidence.reduce((total, { of }) => total + of, 0) },
    consumers: [...new Set(met.map(([consumer]) => consumer))].sort(),
    ...mergedDays(met.map(([, use]) => use)),
    ...(shape !== undefined && verdict === 'used' && { shape }),
  }
}

const lines = (usage: FindingUsage): NonNullable<Finding['details']> => [
  { label: 'usage:', words: words(usage) },
  ...(usage.shape === undefined ? [] : [{ label: 'such as:', words: usage.shape }]),
]

const words = ({ verdict, requests, consumers, ...days }: FindingUsage): string => {
  const { least, most, of } = requests
  if (of === 0) return 'no request to the operation was recorded'
  const all = `${of} recorded ${of === 1 ? 'request' : 'requests'}`
  const names = consumers.slice(0, MOST_NAMES)
  const more = consumers.length - names.length
  const list = more > 0 ? [...names, `${more} more`] : names
  const whom = `${consumers.length} ${consumers.length === 1 ? 'consumer' : 'consumers'} (${list.join(', ')})${daysText(days)}`
  if (verdict === 'unused' || (verdict !== 'sent' && most === 0))
    return `none of ${all} would be affected`
  if (verdict === 'sent')
    return most === 0
      ? `no response to ${all} contained it`
      : `it was in responses to ${most} of ${all}, to ${whom}; the recordings do not show who reads it`
  const count = least === most ? `${most}` : least === 0 ? `up to ${most}` : `${least} to ${most}`
  const met = least === 0 ? 'may be affected, which counts do not decide' : 'would be affected'
  return `${count} of ${all} ${met}: ${whom}`
}

const MOST_NAMES = 5

/**
 * Whether a finding counts for `--fail-on used`: an error, unless no recorded request was affected, and a warning that affected
 * a recorded request.
 */
export const isUsed = ({ level, usage }: Finding): boolean => {
  if (level === 'error') return usage?.verdict !== 'unused'
  return level === 'warning' && usage?.verdict === 'used'
}
