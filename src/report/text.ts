import { type Finding, isAboutFile } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
import { terminalLine } from '../text/escape.js'
import { codeFrame, createLines } from './code-frame.js'
import { details } from './details.js'
import { foldedFindings } from './fold.js'
import type {
  CoverageSection,
  ReasonSection,
  ReportFormat,
  ReportSection,
  ReportSetting,
  TableSection,
} from './report.js'
import { groupLine, notableRows, percent, plural } from './sections.js'
import { LEVEL_COLOURS, styler, type TextStyle } from './style.js'

/** Lines for people: the findings, then the sections. The summary goes to standard error, as with every format. */
export const textReport: ReportFormat = ({ findings, sections }, setting) => {
  const { coloured = false } = setting
  const blocks = [
    findingLines(findings, setting),
    ...sections.map((section) => {
      const lines = sectionLines(section, setting).map((line) => `  ${line}`)
      return lines.length === 0 ? [] : [styler(coloured)('bold', section.title), ...lines]
    }),
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n')
}

/**
 * `file:line:col level message [rule]` and details, in the given order. Without `verbose`, findings of one cause are one, and those
 * beyond ten of a rule are only counted.
 */
export const findingLines = (
  findings: readonly Finding[],
  { coloured = false, verbose = false, frames = false, hint = HINT }: LineOptions = {},
): readonly string[] => {
  const lines = createLines()
  const linesOf = (finding: Finding): readonly string[] => {
    const frame =
      frames && !isAboutFile(finding) ? codeFrame(finding.location, { coloured, lines }) : ''
    return [
      findingLine(finding, coloured),
      ...(frame === '' ? [] : [frame]),
      ...detailLines(finding, verbose),
    ]
  }
  const folded = verbose ? findings : foldedFindings(findings)
  const rules = [...grouped(folded, ({ rule }) => rule)]
  const most = verbose ? Number.POSITIVE_INFINITY : PER_RULE
  const shown = new Set(rules.flatMap(([, own]) => own.slice(0, most)))
  return [
    ...folded.filter((one) => shown.has(one)).flatMap(linesOf),
    ...rules.flatMap(([rule, { length }]) =>
      length > most ? [`… and ${length - most} more ${rule}${hint}`] : [],
    ),
  ]
}

export type LineOptions = Pick<ReportSetting, 'coloured' | 'verbose' | 'frames'> & {
  /** How to see the findings that are only counted. */
  readonly hint?: string
}

const HINT = ' (--verbose shows all)'

/** How many findings of a rule are shown without `verbose`. */
const PER_RULE = 10

/** One finding in one line, even if names of the document contain line breaks. */
export const findingLine = (finding: Finding, coloured = false): string => {
  const { rule, level, message } = finding
  const style = styler(coloured)
  const place = terminalLine(placeOf(finding))
  return `${style('bold', place)} ${style(LEVEL_COLOURS[level], level)} ${terminalLine(message)} ${style('dim', `[${rule}]`)}`
}

/** `api.yaml:3:5`; only the name for a file that could not be read. */
export const placeOf = (finding: Finding): string => {
  const { file, line, column } = finding.location
  return isAboutFile(finding) ? file : `${file}:${line}:${column}`
}

/** A note shows its exchange only with `verbose`, because nothing is wrong. */
const detailLines = (finding: Finding, verbose: boolean): readonly string[] => {
  const { level, exchange, clause, operations = [], acceptance, ...rest } = finding
  const isBrief = level === 'note' && exchange !== undefined && !verbose
  const known = details(isBrief ? rest : finding)
  const names = operations.join(', ')
  const isNamed = operations.length < 2 || known.some(({ words }) => words === names)
  return [
    ...known,
    ...(verbose && !isNamed ? [{ label: 'affects:', words: names }] : []),
    ...(verbose && acceptance !== undefined ? [{ label: 'accept:', words: acceptance }] : []),
  ].map(({ label, words }) => `    ${label} ${terminalLine(words)}`)
}

/** The content of a section in lines, empty if there is nothing to show. */
export const sectionLines = (
  section: ReportSection,
  { verbose = false, coloured = false }: ReportSetting,
): readonly string[] => {
  switch (section.kind) {
    case 'list':
      return bounded(section.items.map(terminalLine), verbose, 'more')
    case 'reasons':
      return reasonLines(section, verbose).map(terminalLine)
    case 'coverage':
      return coverageLines(section, verbose).map(terminalLine)
    case 'table':
      return tableLines(section, verbose, styler(coloured))
  }
}

const bounded = (items: readonly string[], verbose: boolean, what: string): readonly string[] => {
  const more = items.length - MOST_ITEMS
  return verbose || more <= 0
    ? items
    : [...items.slice(0, MOST_ITEMS), `… and ${more} ${what} (--verbose lists them)`]
}

const MOST_ITEMS = 10

const reasonLines = ({ groups }: ReasonSection, verbose: boolean): readonly string[] => {
  if (verbose)
    return groups.flatMap(({ what, why }) => [`${why}:`, ...what.map((name) => `  ${name}`)])
  const rest = groups.slice(MOST_REASONS)
  const more = rest.reduce((sum, { what }) => sum + what.length, 0)
  const reasons = rest.length === 1 ? 'another reason' : `${rest.length} other reasons`
  return [
    ...groups.slice(0, MOST_REASONS).map(groupLine),
    ...(rest.length > 0 ? [`… and ${more} more for ${reasons} (--verbose lists them)`] : []),
  ]
}

const MOST_REASONS = 8

const coverageLines = ({ rows }: CoverageSection, verbose: boolean): readonly string[] =>
  rows.flatMap(({ name, declared, met }) => {
    const part = met.length / declared.length
    const full = met.length === declared.length ? BAR : Math.min(BAR - 1, Math.ceil(part * BAR))
    const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
    const count = `${String(met.length).padStart(5)} of ${String(declared.length).padEnd(5)}`
    const missed = declared.filter((one) => !met.includes(one))
    return [
      `${plural(name).padEnd(12)} ${bar} ${count} ${percent(met.length, declared.length).padStart(5)}`,
      ...(verbose && missed.length > 0 ? [`  not covered: ${missed.join(', ')}`] : []),
    ]
  })

const BAR = 20

/** A table of results if it fits the terminal, else each bad cell in a line; a table without results only with `verbose`. */
const tableLines = (table: TableSection, verbose: boolean, style: TextStyle): readonly string[] => {
  const { columns, rows } = table
  const isOfResults = rows.some(({ cells }) => cells.some(({ level }) => level !== undefined))
  if (!isOfResults && !verbose)
    return rows.length === 0 ? [] : [`${rows.length} rows (--verbose lists them)`]
  if (isOfResults && (columns.length > MOST_COLUMNS || rows.length > MOST_ROWS)) {
    const bad = notableRows(table).flatMap(({ name, cells }) =>
      cells.flatMap(({ text, level }, at) =>
        level === 'good' ? [] : [`${columns[at + 1]}: ${text.padEnd(9)} ${name}`],
      ),
    )
    return bad.map(terminalLine)
  }
  const texts = [
    ...(isOfResults ? [columns] : []),
    ...rows.map(({ name, cells }) => [name, ...cells.map(({ text }) => text)]),
  ].map((line) => line.map(terminalLine))
  const widths = columns.map((_, at) => Math.max(...texts.map((line) => line[at]?.length ?? 0)))
  return texts.map((line, at) => {
    const cells = rows[isOfResults ? at - 1 : at]?.cells
    const parts = line.map((text, column) => {
      const level = column === 0 ? undefined : cells?.[column - 1]?.level
      const words = text.padEnd(widths[column] ?? 0)
      return level === undefined ? words : style(LEVEL_COLOURS[level], words)
    })
    return parts.join('  ').trimEnd()
  })
}

const MOST_COLUMNS = 9
const MOST_ROWS = 60
