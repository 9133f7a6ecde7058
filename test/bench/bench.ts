import type { Measured, Tell } from './rounds.js'

/** One question with its answer in rows; a bench that cannot run here says why. */
export type Bench = {
  readonly name: string
  readonly run: (options: BenchOptions) => Promise<readonly Row[]>
  /** Why it cannot run on this machine. */
  readonly missing?: () => string | undefined
  /** Needs GitHub's document, which is 385 MB to install: left out by `--quick`. */
  readonly isLarge?: true
}

export type BenchOptions = {
  readonly rounds: number
  readonly tell: Tell
  /** The number of methods that growth is measured up to. */
  readonly methods: number
}

export type Row = {
  readonly what: string
  readonly measured: Measured
  /** What it is divided by. */
  readonly against?: Measured
  /** The highest ratio that we accept. */
  readonly atMost?: number
}

export const ratioOf = ({ measured, against }: Row): number | undefined =>
  against && measured.milliseconds / against.milliseconds

export function isMissed(row: Row): boolean {
  const ratio = ratioOf(row)
  return row.atMost !== undefined && ratio !== undefined && ratio > row.atMost
}

/** All rows as one Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const ratio = ratioOf(row)
    const verdict = isMissed(row) ? 'missed' : 'met'
    return [
      row.what,
      said(row.measured),
      row.against ? said(row.against) : '',
      ratio === undefined ? '' : ratio.toFixed(2),
      row.atMost === undefined ? '' : `${row.atMost}, ${verdict}`,
    ]
  })
  const head = ['bench', 'measured', 'against', 'ratio', 'at most']
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n')
}

function said({ name, milliseconds, megabytes }: Measured): string {
  const time =
    milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(2)} s`
  return `${name}: ${time}${megabytes === undefined ? '' : `, ${megabytes.toFixed(0)} MB`}`
}
