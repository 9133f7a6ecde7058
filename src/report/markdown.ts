import type { Finding } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
import { markdownCell, markdownCode, markdownText } from '../text/escape.js'
import { details } from './details.js'
import { foldedFindings } from './fold.js'
import { LEVELS } from './levels.js'
import type { ReportFormat, ReportSection, TableSection } from './report.js'
import { groupLine, notableRows, percent, plural } from './sections.js'

/** A comment for a pull request: overviews, the findings by level and operation, the other sections and the summary. */
export const markdownReport: ReportFormat = (report) => {
  const { findings, sections, summary, inconclusive, facts } = report
  const titles = report.command === 'diff' ? CHANGE_TITLES : FINDING_TITLES
  const overviews = sections.filter(({ isOverview }) => isOverview)
  const others = sections.filter(({ isOverview }) => !isOverview)
  const lines = Object.entries(facts).map(([name, value]) => markdownText(`${name}: ${value}`))
  const blocks = [
    ...(inconclusive === undefined ? [] : [`**${markdownText(inconclusive)}**\n`]),
    ...overviews.flatMap(sectionBlocks),
    ...levelBlocks(foldedFindings(findings), titles, item),
    ...others.flatMap(sectionBlocks),
    `${markdownText(summary)}\n`,
    ...(lines.length === 0 ? [] : [`${lines.join('; ')}\n`]),
  ]
  return blocks.join('\n')
}

/** A changelog; the one for callers has no places, rules and advice, which are for authors. */
export const changesMarkdown = (
  findings: readonly Finding[],
  audience: 'authors' | 'callers',
): string => {
  const blocks = levelBlocks(findings, CHANGE_TITLES, audience === 'callers' ? plainItem : item)
  return blocks.length === 0 ? 'No changes.\n' : `${blocks.join('\n').trimEnd()}\n`
}

type Titles = Readonly<Record<Finding['level'], string>>

const CHANGE_TITLES: Titles = {
  error: 'Breaking',
  warning: 'Warnings',
  note: 'Added and changed',
}

const FINDING_TITLES: Titles = { error: 'Errors', warning: 'Warnings', note: 'Notes' }

const levelBlocks = (
  findings: readonly Finding[],
  titles: Titles,
  line: (finding: Finding) => string,
): readonly string[] =>
  LEVELS.flatMap((level) => {
    const own = findings.filter((finding) => finding.level === level)
    if (own.length === 0) return []
    const operations = [...grouped(own, titleOf)].map(
      ([name, some]) => `### ${name}\n\n${some.map(line).join('\n')}\n`,
    )
    return [`## ${titles[level]}\n`, ...operations]
  })

const titleOf = ({ operations = [] }: Finding): string => {
  const [first, ...others] = operations
  if (first === undefined) return 'The document'
  return others.length === 0
    ? markdownCode(first)
    : `${markdownCode(first)} and ${others.length} more`
}

const plainItem = ({ message }: Finding): string => `- ${sentence(message)}`

const item = (finding: Finding): string => {
  const { location, message, rule } = finding
  const place = `${location.file}:${location.line}`
  const lines = details(finding).map(({ label, words }) =>
    SENTENCES.has(label)
      ? `  - ${label} ${sentence(words)}`
      : `  - ${label} ${markdownCode(words)}`,
  )
  return [`- ${sentence(message)} (${markdownCode(rule)}, ${markdownCode(place)})`, ...lines].join(
    '\n',
  )
}

/** The labels of details that are sentences, and not code. */
const SENTENCES: ReadonlySet<string> = new Set([
  ...['instead:', 'follows:', 'usage:', 'unread:'],
  ...['clause:', 'expected:', 'seen:', 'also in:'],
])

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

const sectionBlocks = (section: ReportSection): readonly string[] => {
  const lines = sectionLines(section)
  const title = `${section.title[0]?.toUpperCase()}${section.title.slice(1)}`
  return lines.length === 0 ? [] : [`## ${markdownText(title)}\n`, `${lines.join('\n')}\n`]
}

const sectionLines = (section: ReportSection): readonly string[] => {
  switch (section.kind) {
    case 'list':
      return section.items.map((one) => `- ${markdownText(one)}`)
    case 'reasons':
      return section.groups.map((group) => `- ${markdownText(groupLine(group))}`)
    case 'coverage':
      return section.rows.map(
        ({ name, declared, met }) =>
          `- ${markdownText(plural(name))}: ${met.length} of ${declared.length} (${percent(met.length, declared.length)})`,
      )
    case 'table':
      return tableLines(section)
  }
}

const tableLines = (table: TableSection): readonly string[] => {
  const { columns, rows } = table
  const shown = notableRows(table)
  const line = (parts: readonly string[]) => `| ${parts.map(markdownCell).join(' | ')} |`
  const others = rows.length - shown.length
  return [
    ...(shown.length === 0
      ? []
      : [
          line(columns.map(markdownText)),
          line(columns.map(() => '---')),
          ...shown.map(({ name, cells }) =>
            line([
              markdownCode(name),
              ...cells.map(({ text, level }) =>
                level === 'error' ? `**${markdownText(text)}**` : markdownText(text),
              ),
            ]),
          ),
        ]),
    ...(shown.length > 0 && others > 0 ? [''] : []),
    ...(others > 0 ? [`${others} of ${rows.length} rows have no problem.`] : []),
  ]
}
