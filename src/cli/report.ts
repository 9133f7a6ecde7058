import { isAbsolute, relative, resolve, sep } from 'node:path'
import {
  annotationProperty,
  annotationText,
  jsonText,
  markdownCode,
  markdownText,
  terminalLine,
  xmlText,
} from '../model/escape.js'
import { type Finding, isAboutFile } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
import { isAtRevision } from './against.js'
import { details, operationsOf } from './finding-details.js'
import type { Args } from './flags.js'
import { errorsIn, type Io, isColoured, isExpected, styler } from './io.js'
import { isAsBad } from './levels.js'
import { type RuleText, sarif } from './report-sarif.js'
import { version } from './version.js'

/** Findings as text or in a machine-readable format; ends with a newline unless it is empty. */
export const report = (
  findings: readonly Finding[],
  format: Format,
  options: ReportOptions = {},
): string => REPORTS[format](findings, options)

export type Format = Args<'diff'>['format']

/** Prints findings with this program's version and the settings of the terminal or of GitHub Actions. */
export const printReport = (
  findings: readonly Finding[],
  format: Format,
  { stdout, env }: Io,
  options: ReportOptions = {},
): void => {
  const own = { version, coloured: isColoured(stdout), workspace: env.GITHUB_WORKSPACE }
  stdout.write(report(findings, format, { ...own, ...options }))
}

/** Runs work; in machine-readable formats, errors that prevent reading documents are also printed as findings. */
export const reportingRefusals = async <T>(
  format: Format,
  io: Io,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (format !== 'text' && isExpected(error) && 'findings' in error)
      printReport(errorsIn(error), format, io)
    throw error
  }
}

export type ReportOptions = {
  readonly coloured?: boolean
  /** The maximum number of findings per rule in `text`; all by default. */
  readonly perRule?: number
  /** The mildest level that fails in `junit`; errors by default. */
  readonly failOn?: Finding['level']
  /** Whether `text` lists all operations of a finding. */
  readonly namesOperations?: boolean
  /** The top folder of the repository; paths in `github` are relative to it. */
  readonly workspace?: string | undefined
  /** For callers of the service, `markdown` omits places, rules and advice. */
  readonly audience?: 'authors' | 'callers'
  readonly version?: string
  readonly rules?: readonly RuleText[]
}

/** `file:line:col level message [rule]` and details, in the given order; findings beyond `perRule` are only counted. */
const text = (
  findings: readonly Finding[],
  { coloured = false, perRule, namesOperations }: ReportOptions,
): string => {
  const linesOf = (finding: Finding) => {
    const known = [...details(finding), ...(namesOperations ? operationsOf(finding) : [])]
    const more = known.map(({ label, words }) => `    ${label} ${terminalLine(words)}`)
    return [findingLine(finding, coloured), ...more]
  }
  const lines = linesPerRule(findings, linesOf, perRule, ' (--verbose shows all)')
  return lines.map((line) => `${line}\n`).join('')
}

/** The lines of findings, at most `most` per rule, and the number of the others; `hint` explains how to show them. */
export const linesPerRule = (
  findings: readonly Finding[],
  linesOf: (finding: Finding) => readonly string[],
  most = Number.POSITIVE_INFINITY,
  hint = '',
): readonly string[] => {
  const rules = [...grouped(findings, ({ rule }) => rule)]
  const shown = new Set(rules.flatMap(([, own]) => own.slice(0, most)))
  return [
    ...findings.filter((one) => shown.has(one)).flatMap(linesOf),
    ...rules.flatMap(([rule, { length }]) =>
      length > most ? [`… and ${length - most} more ${rule}${hint}`] : [],
    ),
  ]
}

/** One finding in one line, even if names of the document contain line breaks. */
export const findingLine = (finding: Finding, coloured = false): string => {
  const { rule, level, message } = finding
  const style = styler(coloured)
  const place = terminalLine(placeOf(finding))
  return `${style('bold', place)} ${style(COLOURS[level], level)} ${terminalLine(message)} ${style('dim', `[${rule}]`)}`
}

/** `api.yaml:3:5`; only the name for a file that could not be read. */
const placeOf = (finding: Finding): string => {
  const { file, line, column } = finding.location
  return isAboutFile(finding) ? file : `${file}:${line}:${column}`
}

const COLOURS = { error: 'red', warning: 'yellow', note: 'cyan' } as const

const json = (findings: readonly Finding[]): string => `${jsonText(findings, 2)}\n`

/** Workflow commands, which GitHub shows next to the lines of a pull request. */
const github = (findings: readonly Finding[], { workspace }: ReportOptions): string =>
  findings
    .map((finding) => {
      const { rule, level, message } = finding
      const { file, line, column } = finding.location
      // A file of another revision is not in the pull request, so its annotation has no place.
      const isElsewhere = isAtRevision(file)
      const said = isElsewhere ? `${placeOf(finding)} ${message}` : message
      const lines = [said, ...details(finding).map(({ label, words }) => `${label} ${words}`)]
      const kind = level === 'note' ? 'notice' : level
      const place = isElsewhere
        ? ''
        : `file=${annotationProperty(fromTop(file, workspace))},${isAboutFile(finding) ? '' : `line=${line},col=${column},`}`
      return `::${kind} ${place}title=${annotationProperty(rule)}::${annotationText(lines.join('\n'))}\n`
    })
    .join('')

/** The path from the top of the repository; files outside of it keep their path. */
const fromTop = (file: string, workspace: string | undefined): string => {
  if (!workspace) return file
  const path = relative(workspace, resolve(file))
  return isAbsolute(path) || path.startsWith('..') ? file : path.split(sep).join('/')
}

/** A suite per file, a case per finding; findings that fail the run fail here. Without findings, one case passes. */
const junit = (findings: readonly Finding[], { failOn = 'error' }: ReportOptions): string => {
  const files = grouped(findings, ({ location }) => location.file)
  const suites = [...files].map(([name, own]) => ({ name, cases: junitCases(own, failOn) }))
  const passed = { name: 'no findings', className: 'twinspec' }
  return junitXml('twinspec', suites.length > 0 ? suites : [{ name: 'documents', cases: [passed] }])
}

/** CI servers identify cases by name, so several findings at one place are numbered. */
const junitCases = (
  findings: readonly Finding[],
  failOn: Finding['level'],
): readonly JunitCase[] => {
  const counts = new Map<string, number>()
  return findings.map((finding) => {
    const { rule, level, message, location } = finding
    const name = isAboutFile(finding) ? rule : `${rule} ${location.line}:${location.column}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const place = placeOf(finding)
    const more = details(finding).map(({ label, words }) => `\n${label} ${words}`)
    return {
      name: count === 1 ? name : `${name} (${count})`,
      className: location.file,
      ...(isAsBad(level, failOn)
        ? { failure: { rule, message, text: [place, ...more].join('') } }
        : { output: [`${place} ${level} ${message}`, ...more].join('') }),
    }
  })
}

/** A report in JUnit XML for CI servers. */
export const junitXml = (name: string, suites: readonly JunitSuite[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xmlText(name)}">\n${suites.map(suiteXml).join('')}</testsuites>\n`

export type JunitSuite = { readonly name: string; readonly cases: readonly JunitCase[] }

/** A case without `failure` and `skipped` has passed. */
export type JunitCase = {
  readonly name: string
  readonly className: string
  readonly failure?: { readonly rule: string; readonly message: string; readonly text: string }
  readonly skipped?: string
  readonly output?: string
}

const suiteXml = ({ name, cases }: JunitSuite): string => {
  const count = (key: 'failure' | 'skipped') => cases.filter((one) => one[key] !== undefined).length
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}"`
  return `  <testsuite name="${xmlText(name)}" ${counts}>\n${cases.map(caseXml).join('')}  </testsuite>\n`
}

const caseXml = ({ name, className, failure, skipped, output }: JunitCase): string => {
  const content = [
    failure &&
      `<failure type="${xmlText(failure.rule)}" message="${xmlText(failure.message)}">${xmlText(failure.text)}</failure>`,
    skipped !== undefined && `<skipped message="${xmlText(skipped)}"/>`,
    output !== undefined && `<system-out>${xmlText(output)}</system-out>`,
  ].filter((one) => typeof one === 'string')
  const head = `    <testcase name="${xmlText(name)}" classname="${xmlText(className)}"`
  return content.length === 0 ? `${head}/>\n` : `${head}>${content.join('')}</testcase>\n`
}

/** A changelog in Markdown, by level and operation, suitable for a pull request. */
const markdown = (findings: readonly Finding[], { audience }: ReportOptions): string => {
  const sections = SECTIONS.flatMap(([level, title]) => {
    const own = findings.filter((finding) => finding.level === level)
    return own.length === 0 ? [] : [`## ${title}\n`, ...byOperation(own, audience)]
  })
  return sections.length === 0 ? 'No changes.\n' : `${sections.join('\n').trimEnd()}\n`
}

const SECTIONS = [
  ['error', 'Breaking'],
  ['warning', 'Warnings'],
  ['note', 'Added and changed'],
] as const

const byOperation = (
  findings: readonly Finding[],
  audience: ReportOptions['audience'],
): readonly string[] => {
  const line = audience === 'callers' ? plainItem : item
  return [...grouped(findings, titleOf)].map(
    ([name, own]) => `### ${name}\n\n${own.map(line).join('\n')}\n`,
  )
}

const titleOf = ({ operations = [] }: Finding): string => {
  const [first, ...others] = operations
  if (first === undefined) return 'The document'
  return others.length === 0
    ? markdownCode(first)
    : `${markdownCode(first)} and ${others.length} more`
}

/** A list item for callers, without places and advice, which are for authors. */
const plainItem = ({ message }: Finding): string => `- ${sentence(message)}`

const item = (finding: Finding): string => {
  const { location, message, rule } = finding
  const place = `${location.file}:${location.line}`
  const lines = details(finding).map(({ label, words }) =>
    label === 'instead:' || label === 'follows:' || label === 'usage:'
      ? `  - ${label} ${sentence(words)}`
      : `  - ${label} ${markdownCode(words)}`,
  )
  return [`- ${sentence(message)} (${markdownCode(rule)}, ${markdownCode(place)})`, ...lines].join(
    '\n',
  )
}

/** A message with its names as code. If a name contains backticks, the whole message is plain text. */
function sentence(message: string): string {
  const pieces = message.split('`')
  if (pieces.length % 2 === 0 || message.includes('``')) return markdownText(message)
  const text = (piece: string) => {
    const space = (isThere: boolean) => (isThere ? ' ' : '')
    return piece.trim() === ''
      ? space(piece !== '')
      : `${space(/^\s/.test(piece))}${markdownText(piece)}${space(/\s$/.test(piece))}`
  }
  return pieces
    .map((piece, index) => (index % 2 === 1 ? markdownCode(piece) : text(piece)))
    .join('')
}

const REPORTS: Readonly<
  Record<Format, (findings: readonly Finding[], options: ReportOptions) => string>
> = { text, json, github, sarif, junit, markdown }
