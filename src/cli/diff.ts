import { isUndecided } from '../diff/change.js'
import type { Difference } from '../diff/differences.js'
import { createFaults, type Finding } from '../model/finding.js'
import { nameOf } from '../model/operation-name.js'
import { readDocument } from '../read/document.js'
import type { FormatName } from '../report/formats.js'
import { isFailing, LEVELS } from '../report/levels.js'
import { changesMarkdown } from '../report/markdown.js'
import type { CheckReport, FailOn, ReportSection } from '../report/report.js'
import type { Usage } from '../usage/usage.js'
import { type Missing, versions } from './against.js'
import { type Compared, compareApis, errorsOfOne } from './compare-apis.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { alsoAllowing, type Opened, openDocuments, pathsOf } from './documents.js'
import type { Args } from './flags.js'
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
import { printReport, reportingErrors } from './print-report.js'
import { printErrors } from './read-api.js'
import { printRules } from './rule-list.js'
import { assertUsageOf, readUsageFile } from './usage.js'

export const runDiffCommand = async (
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
  const missing = args['allow-missing-base'] ? 'is-new' : 'is-rejected'
  const opened = await openDocuments(words, args, io, against)
  const usage = args.usage === undefined ? undefined : await readUsageFile(args.usage)
  const found = await changes({ opened, against, baseline, missing, usage }, format, io)
  const { findings: all, differences } = found ?? { findings: [], differences: [] }
  const applied = applyConfig(all, config, { today: dayIn(io), rules: rules.map(({ id }) => id) })
  const findings = [...applied.findings, ...applied.remarks]
  if (changelog !== undefined) writeWhole(changelog, await changelogOf(findings))
  const paths = Object.values(pathsOf(opened.documents)).filter((path) => path !== undefined)
  const step = await stepOfAll(findings)
  const report: CheckReport = {
    ...{ command: 'diff', subject: paths.join(', '), findings, failOn },
    verdict: verdictOf(findings, failOn),
    summary: found
      ? summary(findings, differences, failOn)
      : `there was no document at ${against}: everything is new`,
    facts: { 'compared with': against, ...(step && { 'version step': step }) },
    sections: sectionsOf(findings, differences),
  }
  return printReport(report, { format, verbose }, io)
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
    throw new UsageError(
      `--from prints a changelog and no findings, so --format is markdown or json, not ${format}`,
    )
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
  const found = await reportingErrors('diff', 'text', io, () =>
    compared({ opened, against }, io, show),
  )
  return changelogOf(found?.findings ?? [], 'callers')
}

/** Changes in Markdown, followed by the required version step. */
const changelogOf = async (
  findings: readonly Finding[],
  audience: 'authors' | 'callers' = 'authors',
): Promise<string> => {
  const step = await stepOfAll(findings)
  const asked = step === undefined ? '' : `\nThis requires a **${step}** version.\n`
  return `${changesMarkdown(findings, audience)}${asked}`
}

/** The version step that the changes require; undefined if nothing changed. */
const stepOfAll = async (findings: readonly Finding[]) => {
  const { stepOf } = await import('../pack/change-kind.js')
  const steps = findings.map(stepOf)
  return (['major', 'minor', 'patch'] as const).find((one) => steps.includes(one))
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

const changes = (job: Job, format: FormatName, io: Io): Promise<Compared | undefined> =>
  withProgress(io, (show) => reportingErrors('diff', format, io, () => compared(job, io, show)))

/** Undefined if there is no earlier version. */
const compared = async (
  { opened, against, baseline, missing, usage }: Job,
  io: Io,
  show: (words: string) => void,
): Promise<Compared | undefined> => {
  const { before, after, tree } = versions(opened, against, missing)
  const [{ loadApi }, { DIFF_RULES }, { accept, readAcceptances }] = await Promise.all([
    import('../read/load.js'),
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
  failOn: FailOn,
): string => {
  if (findings.length > 0) return weight(findings, failOn)
  return differences.length === 0 ? 'nothing changed' : 'no part that Twinspec compares changed'
}

/** What needs a manual review: undecided changes, and parts of the documents that are not compared. */
const sectionsOf = (
  findings: readonly Finding[],
  differences: readonly Difference[],
): readonly ReportSection[] => {
  const names = new Set(findings.filter(isUndecided).flatMap(({ operations = [] }) => operations))
  const open = differences.filter(({ kind }) => kind === 'not-compared')
  // Differences without an effect are only worth a look if there is nothing else.
  const others =
    findings.length > 0 ? [] : differences.filter(({ kind }) => kind !== 'not-compared')
  const sections: readonly (readonly [string, string, readonly string[]])[] = [
    ['undecided', 'operations with undecided changes', [...names]],
    ['not-compared', 'not compared', open.map(placeText)],
    ['without-effect', 'differs without an effect', others.map(placeText)],
  ]
  return sections.flatMap(([name, title, items]) =>
    items.length === 0 ? [] : [{ name, title, kind: 'list', items }],
  )
}

/** `api.yaml:3:5 /info/title` */
const placeText = ({ location }: Difference): string => {
  const { file, line, column, pointer } = location
  return `${file}:${line}:${column} ${pointer || '/'}`
}

/** How many findings there are, and what to do: the same verdict as the exit code. */
const weight = (findings: readonly Finding[], failOn: FailOn): string => {
  const [errors = 0, warnings = 0, notes = 0] = LEVELS.map(
    (level) => findings.filter((finding) => finding.level === level).length,
  )
  const counts = [
    ...(errors > 0 ? [`${errors} breaking`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
    ...(notes > 0 ? [`${notes} ${notes === 1 ? 'note' : 'notes'}`] : []),
  ].join(', ')
  if (findings.some((one) => isFailing(one, failOn)))
    return errors > 0 || failOn === 'used'
      ? `${counts}: not safe to release`
      : `${counts}: fails with --fail-on ${failOn}`
  if (errors > 0) return `${counts}: no recorded request used what breaks`
  return warnings > 0 ? `${counts}: review them before you release` : `${counts}: safe to release`
}

const verdictOf = (findings: readonly Finding[], failOn: FailOn): string => {
  if (findings.some((one) => isFailing(one, failOn))) return 'Not safe to release'
  return findings.some(({ level }) => level !== 'note')
    ? 'Review the changes before you release'
    : 'Safe to release'
}
