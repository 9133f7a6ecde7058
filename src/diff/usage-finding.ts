import type { Api } from '../model/api.js'
import type { Finding, FindingUsage } from '../model/finding.js'
import type { UnreadReason } from '../runtime/wire/unread.js'
import { daysText, mergedDays } from '../usage/days.js'
import { addUnread, type Usage } from '../usage/usage.js'
import type { ChangeEvaluator, Evidence, Use } from './change.js'
import { createEvidence } from './usage-evidence.js'

/**
 * Adds the usage in recorded requests to findings. Counts can decide a change that the schemas leave undecided. A removal
 * before its sunset day becomes a warning if no recorded request used it.
 */
export const createChangeEvaluator = (before: Api, usage: Usage): ChangeEvaluator => ({
  evidenceOf: createEvidence(before, usage),
  withEvidence: (finding, evidence, { isWhole, sentence }) => {
    const found = usageOf(evidence, isWhole)
    const counted = {
      ...finding,
      usage: found,
      details: [...(finding.details ?? []), ...lines(found, wordsFor(evidence))],
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
  const others = addUnread(evidence.map(({ unread }) => unread))
  const unread = addUnread([...all.flatMap(([, use]) => use.unread ?? []), others])
  const verdict = isSent
    ? 'sent'
    : least > 0
      ? 'used'
      : most > 0 || !isWhole || Object.keys(others).length > 0
        ? 'possible'
        : 'unused'
  return {
    verdict,
    requests: { least, most, of: evidence.reduce((total, { of }) => total + of, 0) },
    consumers: [...new Set(met.map(([consumer]) => consumer))].sort(),
    ...mergedDays(met.map(([, use]) => use)),
    ...(Object.keys(unread).length > 0 && { unread }),
    ...(shape !== undefined && verdict === 'used' && { shape }),
  }
}

const lines = (usage: FindingUsage, about: typeof REQUESTS): NonNullable<Finding['details']> => [
  { label: 'usage:', words: words(usage, about) },
  ...(usage.unread === undefined ? [] : [{ label: 'unread:', words: unreadWords(usage.unread) }]),
  ...(usage.shape === undefined ? [] : [{ label: 'such as:', words: usage.shape }]),
]

/** Why requests could not be read: `2 requests: the body is compressed`. */
const unreadWords = (unread: NonNullable<FindingUsage['unread']>): string =>
  Object.entries(unread)
    .map(
      ([reason, count]) =>
        `${count} ${count === 1 ? 'request' : 'requests'}: ${reasonWords(reason)}`,
    )
    .join('; ')

const reasonWords = (reason: string): string =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as UnreadReason] : reason

const REASONS: Readonly<Record<UnreadReason, string>> = {
  'not-recorded': 'the recording lacks it',
  incomplete: 'the recording is incomplete',
  'content-encoding': 'it is compressed',
  'media-type': 'its media type is not declared, or cannot be read',
  bytes: 'it is a file or bytes',
  charset: 'it is not UTF-8',
  'percent-encoding': 'its percent-encoding is invalid',
  precision: 'it has a number with too many digits, or a text that is not Unicode',
  json: 'it is not JSON',
  codec: 'it cannot be decoded as its media type',
  form: 'it is not a valid form',
  style: 'it is not in the declared style',
  address: 'its address belongs to no declared server',
}

/** What the recorded requests are: calls of clients, or messages of the server. */
const wordsFor = (evidence: readonly Evidence[]) =>
  evidence.some(({ sender }) => sender === 'server') ? MESSAGES : REQUESTS

const REQUESTS = {
  one: 'request',
  many: 'requests',
  none: 'no request to the operation was recorded',
  no: 'no response to',
  answers: 'responses to ',
}
const MESSAGES: typeof REQUESTS = {
  one: 'message of the server',
  many: 'messages of the server',
  none: 'no message of the method was recorded',
  no: 'none of',
  answers: '',
}

const words = (usage: FindingUsage, about: typeof REQUESTS): string => {
  const { verdict, requests, consumers, ...days } = usage
  const { least, most, of } = requests
  if (of === 0) {
    const { none } = about
    return usage.unread === undefined ? none : `${none}, but some could not be read`
  }
  const all = `${of} recorded ${of === 1 ? about.one : about.many}`
  const readable = usage.unread === undefined ? '' : ', as far as they could be read,'
  const names = consumers.slice(0, MOST_NAMES)
  const more = consumers.length - names.length
  const list = more > 0 ? [...names, `${more} more`] : names
  const whom = `${consumers.length} ${consumers.length === 1 ? 'consumer' : 'consumers'} (${list.join(', ')})${daysText(days)}`
  if (verdict === 'unused' || (verdict !== 'sent' && most === 0))
    return `none of ${all}${readable} would be affected`
  if (verdict === 'sent')
    return most === 0
      ? `${about.no} ${all}${readable} contained it`
      : `it was in ${about.answers}${most} of ${all}, to ${whom}; the recordings do not show who reads it`
  const count = least === most ? `${most}` : least === 0 ? `up to ${most}` : `${least} to ${most}`
  const met = least === 0 ? 'may be affected, which counts do not decide' : 'would be affected'
  return `${count} of ${all} ${met}: ${whom}`
}

const MOST_NAMES = 5
