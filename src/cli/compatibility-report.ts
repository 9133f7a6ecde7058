import type { Cell, Matrix } from '../compatibility/cell.js'
import { jsonText, markdownCode, markdownText, terminalLine } from '../model/escape.js'
import type { Finding } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
import { type Style, styler } from './io.js'

/** The matrix as text: a table if it fits the terminal, else a list per version of all cells that are not `works`. */
export const matrixText = (matrix: Matrix, coloured = false): string => {
  const { versions, cells } = matrix
  const rows = rowsOf(matrix)
  const isSmall = versions.length <= MOST_COLUMNS && rows.length <= MOST_ROWS
  const lines = isSmall ? tableLines(versions, rows, styler(coloured)) : listLines(versions, cells)
  return lines.map((line) => `${line}\n`).join('')
}

const MOST_COLUMNS = 8
const MOST_ROWS = 60

type Row = { readonly operation: string; readonly cells: ReadonlyMap<string, Cell> }

/** The operations in document order, each with its cells by version. */
const rowsOf = ({ cells }: Matrix): readonly Row[] =>
  [...grouped(cells, ({ operation }) => operation)].map(([operation, own]) => ({
    operation,
    cells: new Map(own.map((cell) => [cell.version, cell])),
  }))

const tableLines = (
  versions: readonly string[],
  rows: readonly Row[],
  style: Style,
): readonly string[] => {
  const shown = versions.map((one) => terminalLine(one))
  const widths = shown.map((one) => Math.max(one.length, 'untested'.length))
  const names = rows.map(({ operation }) => terminalLine(operation))
  const width = Math.max(0, ...names.map((one) => one.length))
  const head = [''.padEnd(width), ...shown.map((one, at) => one.padEnd(widths[at] ?? 0))]
  const body = rows.map(({ cells }, row) => [
    (names[row] ?? '').padEnd(width),
    ...versions.map((version, at) => {
      const verdict = cells.get(version)?.verdict
      const words = (verdict ?? '-').padEnd(widths[at] ?? 0)
      return verdict === undefined ? words : style(COLOURS[verdict], words)
    }),
  ])
  return [head, ...body].map((parts) => parts.join('  ').trimEnd())
}

const COLOURS = { works: 'green', warns: 'yellow', breaks: 'red', untested: 'magenta' } as const

const listLines = (versions: readonly string[], cells: readonly Cell[]): readonly string[] =>
  versions.flatMap((version) => {
    const own = cells.filter((one) => one.version === version)
    const bad = own.filter(({ verdict }) => verdict !== 'works')
    return [
      `${terminalLine(version)}: ${countsText(own)}`,
      ...bad.map(({ verdict, operation }) => `  ${verdict.padEnd(8)}  ${terminalLine(operation)}`),
    ]
  })

/** `70 work, 2 warn, 3 break, 1 untested`; zero counts are omitted. */
export const countsText = (cells: readonly Cell[]): string => {
  const parts = WORDS.flatMap(([verdict, one, more]) => {
    const count = cells.filter((cell) => cell.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : more}`]
  })
  return parts.length === 0 ? 'no operations' : parts.join(', ')
}

const WORDS = [
  ['works', 'works', 'work'],
  ['warns', 'warns', 'warn'],
  ['breaks', 'breaks', 'break'],
  ['untested', 'untested', 'untested'],
] as const

/** The matrix as JSON: versions, cells with their differences and their level in `diff`, and findings. */
export const matrixJson = (
  { versions, cells, findings: changes }: Matrix,
  findings: readonly Finding[],
): string => {
  const levelIn = ({ version, operation }: Cell) =>
    (['error', 'warning', 'note'] as const).find((level) =>
      changes
        .get(version)
        ?.some((one) => one.level === level && one.operations?.includes(operation)),
    )
  const shown = cells.map((all) => {
    const { places: _, mismatch: __, ...cell } = all
    const diff = levelIn(all)
    return { ...cell, ...(diff && { diff }) }
  })
  return `${jsonText({ versions, cells: shown, findings }, 2)}\n`
}

/** A table for a pull request, and the first difference of each cell that is not `works`. */
export const matrixMarkdown = (matrix: Matrix, findings: readonly Finding[]): string => {
  const { versions } = matrix
  const all = rowsOf(matrix)
  const rows = all.filter(({ cells }) =>
    [...cells.values()].some(({ verdict }) => verdict !== 'works'),
  )
  const line = (parts: readonly string[]) => `| ${parts.join(' | ')} |`
  const table =
    rows.length === 0
      ? []
      : [
          line(['operation', ...versions.map(markdownText)]),
          line(['---', ...versions.map(() => '---')]),
          ...rows.map(({ operation, cells }) =>
            line([
              markdownCode(operation),
              ...versions.map((version) => MARKS[cells.get(version)?.verdict ?? 'none']),
            ]),
          ),
          '',
        ]
  const others = all.length - rows.length
  const rest = `${others} of ${all.length} operations work with clients of all versions.`
  const list = findings.map(
    ({ message, rule }) => `- ${markdownText(message)} (${markdownCode(rule)})`,
  )
  return `${[...table, rest, ...(list.length > 0 ? ['', ...list] : [])].join('\n')}\n`
}

const MARKS = {
  works: 'works',
  warns: 'warns',
  breaks: '**breaks**',
  untested: '**untested**',
  none: '',
} as const
