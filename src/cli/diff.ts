import { isUndecided } from '../diff/change.js'
import type { Difference } from '../diff/differences.js'
import { isUsed } from '../diff/usage-finding.js'
import { readDocument } from '../model/document.js'
import { createFaults, type Finding } from '../model/finding.js'
import { nameOf } from '../model/names.js'
import type { Usage } from '../usage/usage.js'
import { type Missing, versions } from './against.js'
import { type Compared, compareApis, errorsOfOne } from './compare-apis.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { alsoAllowing, type Opened, openDocuments } from './documents.js'
import type { Args } from './flags.js'
import { PER_RULE } from './framed.js'
import {
  assertWritable,
  dayIn,
  type ExitCode,
  type Io,
  type Progress,
  todayIn,
  UsageError,
  withProgress,
  writeLine,
  writeWhole,
} from './io.js'
import { isAsBad, LEVELS, printRulePages, printRules } from './levels.js'
import { printErrors } from './read-api.js'
import { type Format, printReport, report, reportingRefusals } from './report.js'
import { assertUsageOf, readUsageFile } from './usage.js'

export const diff = async (
  args: Args<'diff'>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
): Promise<ExitCode> => {
  const { format, against, baseline, changelog, verbose, 'fail-on': failOn } = args
  if (failOn === 'used' && args.usage === undefined)
    throw new UsageError('--fail-on used needs --usage, a file made by `twinspec usage`')
  const { DIFF_RULES: rules } = await import('../diff/rules.js')
  if (args['list-rules']) {
    printRules(rules, format, io)
    return 0
  }
  if (args.from !== undefined) return await printHistory(args.from, args, words, io, config)
  if (args.to !== undefined)
    throw new UsageError('--to needs --from, the version after which the changelog begins')
  if (against === undefined) {
    throw new UsageError('--against names the version before: a file, a folder or git:origin/main')
  }
  if (changelog !== undefined) assertWritable(changelog)
  const missing = args['allow-missing-base'] ? 'is-new' : 'is-refused'
  const opened = await openDocuments(words, args, io, against)
  const usage = args.usage === undefined ? undefined : await readUsageFile(args.usage)
  const found = await changes({ opened, against, baseline, missing, usage }, format, io)
  const { findings: all, differences } = found ?? { findings: [], differences: [] }
  const applied = applyConfig(all, config, { today: dayIn(io), rules: rules.map(({ id }) => id) })
  const findings = [...applied.findings, ...applied.remarks]
  printReport(findings, format, io, {
    rules: format === 'sarif' ? (await import('./rules.js')).RULES : rules,
    failOn: failOn === 'used' ? 'error' : failOn,
    namesOperations: verbose,
    ...(!verbose && { perRule: PER_RULE }),
  })
  if (changelog !== undefined) writeWhole(changelog, await changelogOf(findings))
  const lines = found
    ? summary(findings, differences)
    : [`there was no document at ${against}: everything is new`]
  for (const line of lines) writeLine(io.stderr, line)
  if (format === 'text') await printRulePages(findings, io)
  const isBad = failOn === 'used' ? isUsed : ({ level }: Finding) => isAsBad(level, failOn)
  return findings.some(isBad) ? 1 : 0
}

/** Prints one changelog of all versions from `--from` to `--to`. It checks nothing: the exit code is 0. */
const printHistory = async (
  from: string,
  { to, format, changelog, usage, against, ...flags }: Args<'diff'>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
): Promise<ExitCode> => {
  if (against !== undefined)
    throw new UsageError('--from and --against both name the version before: give one of them')
  if (!['text', 'markdown', 'json'].includes(format))
    throw new UsageError(`--from prints a changelog as markdown or json, not as ${format}`)
  if (usage !== undefined)
    throw new UsageError('--usage applies to one version: give it with --against')
  if (changelog !== undefined) assertWritable(changelog)
  const { readHistory, historyMarkdown } = await import('./history.js')
  const opened = await openDocuments(words, flags, io)
  const history = await withProgress(io, (show) =>
    readHistory({ from, to, opened, config, show }, io),
  )
  const text = `# Changelog\n\n${await historyMarkdown(history)}`
  io.stdout.write(format === 'json' ? `${JSON.stringify(history, null, 2)}\n` : text)
  if (changelog !== undefined) writeWhole(changelog, text)
  for (const { version, reason } of history.leftOut)
    writeLine(io.stderr, `${version} is skipped: ${reason}`)
  const { length } = history.versions
  writeLine(
    io.stderr,
    length === 1
      ? `there is no version between ${history.from} and ${history.to}: they are compared with each other`
      : `${length} versions after ${history.from}, up to ${history.to}`,
  )
  return 0
}

/** The changes since `against` in Markdown, for callers of the service. */
export const changelogSince = async (
  { opened, against, show }: Pick<Job, 'opened' | 'against'> & Pick<Progress, 'show'>,
  io: Io,
): Promise<string> => {
  const found = await reportingRefusals('text', io, () => compared({ opened, against }, io, show))
  return changelogOf(found?.findings ?? [], 'callers')
}

/** Changes in Markdown, followed by the required version step. */
const changelogOf = async (
  findings: readonly Finding[],
  audience: 'authors' | 'callers' = 'authors',
): Promise<string> => {
  const { stepOf } = await import('../pack/change-kind.js')
  const steps = findings.map(stepOf)
  const step = (['major', 'minor', 'patch'] as const).find((one) => steps.includes(one))
  const asked = step === undefined ? '' : `\nThis requires a **${step}** version.\n`
  return `${report(findings, 'markdown', { audience })}${asked}`
}

type Job = {
  /** The new documents. */
  readonly opened: Opened
  readonly against: string
  readonly baseline?: string | undefined
  readonly missing?: Missing
  /** The recorded usage of the earlier version. */
  readonly usage?: Usage | undefined
}

const changes = (job: Job, format: Format, io: Io): Promise<Compared | undefined> =>
  withProgress(io, (show) => reportingRefusals(format, io, () => compared(job, io, show)))

/** Undefined if there is no earlier version. */
const compared = async (
  { opened, against, baseline, missing, usage }: Job,
  io: Io,
  show: (words: string) => void,
): Promise<Compared | undefined> => {
  const { before, after, tree } = versions(opened, against, missing)
  const [{ loadApi }, { DIFF_RULES }, { accept, readAcceptances }] = await Promise.all([
    import('../model/load.js'),
    import('../diff/rules.js'),
    import('../diff/acceptance.js'),
  ])
  const ids = DIFF_RULES.map(({ id }) => id)
  const faults = createFaults()
  const acceptances =
    baseline === undefined ? [] : faults.attempt(() => readAcceptances(readDocument(baseline), ids))
  show('reading the version before …')
  const old = before && (await loadApi(before, alsoAllowing(tree, opened.tree)).catch(faults.keep))
  show('reading the version after …')
  const today = todayIn(io)
  const now = await loadApi(after, opened.tree).catch(faults.keep)
  const problem = old && now && errorsOfOne(old, now)
  if (problem) faults.keep(problem)
  faults.settle(true)
  if (now) printErrors(now, io)
  if (!old || !now || !acceptances) return undefined
  if (usage) assertUsageOf(usage, old, 'the version before has')
  const { findings, differences } = await compareApis(old, now, { today, usage, show })
  const names = new Map<string, readonly string[]>()
  for (const operation of [...old.operations, ...now.operations]) {
    names.set(operation.id, [...(names.get(operation.id) ?? []), nameOf(operation)])
  }
  return { findings: accept(findings, acceptances, today, names), differences }
}

const summary = (
  findings: readonly Finding[],
  differences: readonly Difference[],
): readonly string[] => {
  const open = differences.filter(({ kind }) => kind === 'not-compared')
  if (findings.length > 0) {
    return [weight(findings), ...undecided(findings), ...placesOf('not compared', open)]
  }
  if (differences.length === 0) return ['nothing changed']
  const others = differences.filter(({ kind }) => kind !== 'not-compared')
  return [
    'no part that Twinspec compares changed',
    ...placesOf('not compared', open),
    ...placesOf('differs without an effect', others),
  ]
}

/** The operations that need manual review, because diff cannot decide about their changes. */
const undecided = (findings: readonly Finding[]): readonly string[] => {
  const names = new Set(findings.filter(isUndecided).flatMap(({ operations = [] }) => operations))
  if (names.size === 0) return []
  const shown = [...names].slice(0, MOST_PLACES)
  const more = names.size - shown.length
  const list = more > 0 ? [...shown, `… and ${more} more (the findings name all)`] : shown
  const count = `${names.size} ${names.size === 1 ? 'operation' : 'operations'}`
  return [`  undecided: ${count}: ${list.join(', ')}`]
}

const placesOf = (label: string, all: readonly Difference[]): readonly string[] => {
  const shown = all.slice(0, MOST_PLACES).map(({ location }) => {
    const { file, line, column, pointer } = location
    return `  ${label}: ${file}:${line}:${column} ${pointer || '/'}`
  })
  const more = all.length - shown.length
  return more > 0 ? [...shown, `  ${label}: … and ${more} more`] : shown
}

const MOST_PLACES = 5

const weight = (findings: readonly Finding[]): string => {
  const [errors = 0, warnings = 0, notes = 0] = LEVELS.map(
    (level) => findings.filter((finding) => finding.level === level).length,
  )
  const counted = [
    ...(errors > 0 ? [`${errors} breaking`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
    ...(notes > 0 ? [`${notes} ${notes === 1 ? 'note' : 'notes'}`] : []),
  ].join(', ')
  if (errors > 0) return `${counted}: not safe to release`
  return warnings > 0 ? `${counted}: review them before you release` : `${counted}: safe to release`
}
