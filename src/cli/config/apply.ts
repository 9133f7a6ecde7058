import type { Day } from '../../model/day.js'
import type { Finding, Level } from '../../model/finding.js'
import { isAtPlace } from '../../read/accepted-list.js'
import { matchesPattern } from '../../runtime/validate/pattern.js'
import { type IgnoreComment, ignoreComments } from './comments.js'
import type { Config, Ignore } from './read.js'

/**
 * Applies a configuration to findings: sets their levels and drops rules that are off. Findings that an entry of `ignore` or a
 * comment in a document accepts become notes. The remarks are about these entries and comments: expired, unused, or invalid.
 */
export const applyConfig = <F extends Configurable>(
  findings: readonly F[],
  config: Config | undefined,
  { today, rules, files = [] }: ApplyOptions,
): Applied<F> => {
  const levelled = findings.flatMap((finding): readonly F[] => {
    const level = config === undefined ? finding.level : levelOf(finding, config)
    if (level === 'off') return []
    return [level === finding.level ? finding : { ...finding, level }]
  })
  const ignores = config?.ignores ?? []
  const named = [...levelled.map(({ location }) => location.file), ...files]
  const read = [...new Set(named)].map(ignoreComments)
  const comments = read.flatMap((one) => one.comments)
  const used = new Set<Ignore | IgnoreComment>()
  const evaluated = levelled.map((finding): F => {
    const matching = ignores.filter((one) => one.rule === finding.rule && isMatching(one, finding))
    const beside = comments.filter((one) => isCommented(one, finding))
    for (const one of [...matching, ...beside]) used.add(one)
    const valid = matching.find(({ until }) => today <= until)
    const [comment] = beside
    if (valid === undefined && comment === undefined) return finding
    const why = valid
      ? `ignored until ${valid.until}: ${valid.reason}`
      : `ignored: ${comment?.reason}`
    return { ...finding, level: 'note', message: `${finding.message} (${why})` }
  })
  const remarks = [
    ...read.flatMap(({ faults }) => faults),
    ...ignores
      .filter(({ rule }) => rules.includes(rule))
      .flatMap((one) => remarkOf(one, used.has(one), today)),
    ...comments
      .filter((one) => rules.includes(one.rule) && !used.has(one))
      .map(({ rule, location }) =>
        unused(location, `there is no ${rule} here: remove the comment`),
      ),
  ]
  const open = evaluated.filter((one, index) => one === levelled[index])
  return { findings: evaluated, open, remarks }
}

export type ApplyOptions = {
  readonly today: Day
  /** All checked rules; an entry for one of them without a finding is unused. */
  readonly rules: readonly string[]
  /** Documents whose comments are read, in addition to files with a finding. */
  readonly files?: readonly string[]
}

export type Applied<F> = {
  readonly findings: readonly F[]
  /** The findings that nothing ignores. */
  readonly open: readonly F[]
  readonly remarks: readonly Finding[]
}

/** The members that findings of all commands have. */
export type Configurable = Pick<
  Finding,
  'rule' | 'level' | 'location' | 'before' | 'message' | 'operations' | 'identity'
>

const levelOf = ({ rule, level, location }: Configurable, config: Config): Level | 'off' => {
  const file = location.file.replace(/^git:[^:]*:/, '').replaceAll('\\', '/')
  const override = config.overrides.findLast(
    (one) => one.levels.has(rule) && one.files.some((pattern) => matchesPattern(pattern, file)),
  )
  return (override?.levels ?? config.levels).get(rule) ?? level
}

const isMatching = ({ rule, where }: Ignore, finding: Configurable): boolean =>
  finding.identity === `${rule} ${where}` || isAtPlace(where, finding)

const isCommented = (
  { rule, location, first, last }: IgnoreComment,
  { rule: found, location: { file, line } }: Configurable,
): boolean => rule === found && location.file === file && first <= line && line <= last

const remarkOf = (
  { rule, where, until, location }: Ignore,
  isUsed: boolean,
  today: Day,
): readonly Finding[] => {
  if (!isUsed)
    return [
      unused(
        location,
        `${rule} at ${where} is ignored, but there is no such finding: remove the entry`,
      ),
    ]
  if (today <= until) return []
  const message = `${rule} at ${where} was ignored until ${until}, and still occurs`
  return [{ rule: 'acceptance-expired', level: 'note', location, message }]
}

const unused = (location: Finding['location'], message: string): Finding => ({
  rule: 'acceptance-is-unused',
  level: 'note',
  location,
  message,
})
