import type { Cell, Matrix } from '../compatibility/cell.js'
import type { Finding } from '../model/finding.js'
import type { CheckReport, FailOn, TableSection } from '../report/report.js'
import { grouped } from '../schema/grouped.js'

/** The report of a matrix: its findings, and the matrix as a table. */
export const compatibilityReport = (matrix: Matrix, result: CompatibilityResult): CheckReport => {
  const { versions, cells } = matrix
  const requests = cells.reduce((sum: number, cell: Cell) => sum + cell.requests, 0)
  const whom = versions.length === 1 ? 'a version' : `${versions.length} versions`
  const { rows, columns } = tableOf(matrix)
  const has = (verdict: Cell['verdict']) => cells.some((cell) => cell.verdict === verdict)
  return {
    ...{ command: 'compatibility', ...result },
    verdict: has('breaks')
      ? 'Clients of earlier versions break'
      : has('untested')
        ? 'Clients of earlier versions were not tested completely'
        : has('warns')
          ? 'Clients of earlier versions work, with warnings'
          : 'Clients of earlier versions work',
    summary: `${countsText(cells)}: ${requests} requests by clients of ${whom}`,
    facts: { versions: versions.length, requests },
    checked: rows.map(({ name, cells: own }) => ({
      name,
      isCovered: own.some(({ text }) => text !== 'untested'),
    })),
    sections: [
      {
        ...{ name: 'matrix', title: 'operations by version', isOverview: true, kind: 'table' },
        ...{ columns, rows },
      },
    ],
  }
}

export type CompatibilityResult = {
  /** The address of the server, or the new documents. */
  readonly subject: string
  readonly findings: readonly Finding[]
  readonly failOn: FailOn
  readonly inconclusive?: string
}

/** The operations in document order, each with its cell by version; the cells have their differences, and their level in `diff`. */
const tableOf = ({ versions, cells, findings }: Matrix): Pick<TableSection, 'columns' | 'rows'> => {
  const levelIn = ({ version, operation }: Cell) =>
    (['error', 'warning', 'note'] as const).find((level) =>
      findings
        .get(version)
        ?.some((one) => one.level === level && one.operations?.includes(operation)),
    )
  const rows = [...grouped(cells, ({ operation }) => operation)].map(([name, own]) => ({
    name,
    cells: versions.map((version) => {
      const cell = own.find((one) => one.version === version)
      if (cell === undefined) return { text: '-', level: 'good' as const }
      const { verdict, requests, difference, why } = cell
      const diff = levelIn(cell)
      const data = { requests, ...(difference && { difference }), ...(why && { why }) }
      return { text: verdict, level: LEVEL_OF[verdict], data: { ...data, ...(diff && { diff }) } }
    }),
  }))
  return { columns: ['operation', ...versions], rows }
}

const LEVEL_OF = { works: 'good', warns: 'warning', breaks: 'error', untested: 'error' } as const

/** `70 work, 2 warn, 3 break, 1 untested`; zero counts are omitted. */
const countsText = (cells: readonly Cell[]): string => {
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
