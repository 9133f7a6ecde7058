import type { Gap, Path } from '../schema/contain/gap.js'
import type { Change } from './gather.js'
import { CHANGES, schemaRule } from './schema-rules.js'
import { wordsOf } from './schema-words.js'
import { consequenceOf, locate, named, type Subject } from './subject.js'

/**
 * What a gap means. `isLess`: the version after accepts less than the one before. `level` is that of a gap that breaks nobody, or
 * of one that only an alternative besides the meant one accepts; without it the gap breaks.
 */
export function findingOf(
  subject: Subject,
  gap: Gap,
  isLess: boolean,
  level?: 'note' | 'warning',
): Change {
  const { direction } = subject
  const isDecided = gap.isCertain || gap.witness !== undefined
  const kind = gap.kind === 'value' && gap.inner.says === undefined ? 'list' : gap.kind
  const isBreaking = level !== 'note'
  const rule = schemaRule(
    kind === 'undecided' || (isBreaking && !isDecided)
      ? `${direction}-change-is-undecided`
      : `${direction}-${CHANGES[kind][isLess ? 'less' : 'more']}`,
  )
  const [was, is] = isLess ? [gap.inner, gap.outer] : [gap.outer, gap.inner]
  const words = wordsOf(gap, isLess)
  const sentence = sentenceOf(subject.what, gap, isLess, words)
  const overlooked = level === 'warning' ? OVERLOOKED : ''
  const message = !isDecided
    ? `cannot decide whether this breaks anybody: ${sentence}`
    : isBreaking
      ? `${sentence}: ${consequenceOf(subject)}${overlooked}`
      : sentence
  // An error has a value that shows it, or one that is too large to be shown.
  const isShown = isBreaking && (gap.witness !== undefined || isTooLarge(gap))
  return {
    rule: rule.id,
    level: level ?? (isShown ? rule.level : 'warning'),
    location: locate(is, subject.after),
    before: locate(was, subject.before),
    message,
    ...(isBreaking && gap.witness && { witness: gap.witness }),
    ...(isBreaking && rule.advice !== undefined && { advice: rule.advice }),
    cause: JSON.stringify([gap.path.at(-1), words]),
    subject: subject.what,
    sentence,
  }
}

const OVERLOOKED = ', although another alternative of the old version accepts it'

const isTooLarge = ({ kind, inner, outer }: Gap): boolean =>
  LENGTHS.has(kind) && Math.max(Number(inner.says ?? 0), Number(outer.says ?? 0)) > LARGE

const LENGTHS = new Set(
  'shortest longest fewest-items most-items fewest-properties most-properties'.split(' '),
)

/** Items, properties or characters. */
const LARGE = 100

/** Subject, verb and object of a gap; of one within an alternative, it says so. */
function sentenceOf(what: string, gap: Gap, isLess: boolean, words: string): string {
  const { path, alternative } = gap
  if (alternative === undefined || gap.kind === 'alternative')
    return `${named(what, path)} ${words}`
  const union = named(what, unionOf(gap))
  const inner = path.slice(path.length - alternative)
  const lacking = lackedBy(gap)
  if (lacking !== undefined) return lackingWords(union, [lacking], isLess)
  return inner.length === 0
    ? `an alternative of ${union} ${words}`
    : `${named(`an alternative of ${union}`, inner)} ${words}`
}

/** Where the alternatives are that a gap lies in one of. */
export const unionOf = ({ path, alternative = 0 }: Gap): Path =>
  path.slice(0, path.length - alternative)

/** The property that one alternative does not declare and the nearest alternative of the other version requires. */
export function lackedBy({ kind, path, alternative, inner }: Gap): string | undefined {
  const last = path.at(-1)
  const isLacked = kind === 'required' && alternative === 1 && inner.says === undefined
  return isLacked && last?.kind === 'property' ? last.name : undefined
}

export function lackingWords(union: string, names: readonly string[], isLess: boolean): string {
  const [last = '', ...others] = names.map((name) => `\`${name}\``).reverse()
  const list = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`
  return isLess
    ? `${union} can no longer be an alternative without ${list}`
    : `${union} may be a new alternative, which has no ${list}`
}
