import type { Measured, Tell } from './rounds.js'

/** One question with its answer in rows; a bench that cannot run here says why. */
export type Bench = {
  readonly name: string
  readonly run: (options: BenchOptions) => Promise<readonly Row[]>
  /** Why it cannot run on this machine. */
  readonly missing?: () => string | undefined
  /** Takes minutes, or GitHub's document, which is 385 MB to install: left out by `--quick`, which says so. */
  readonly isLarge?: true
}

export type BenchOptions = {
  readonly rounds: number
  readonly report: Tell
}

export type Row = {
  readonly what: string
  readonly measured: Amount
  /** What it is divided by: of the same kind as what was measured. */
  readonly against?: Amount
  /** The highest ratio that we accept. */
  readonly atMost?: number
}

/** What is weighed and not timed: a bundle, a peak of memory. */
export type Sized = { readonly name: string; readonly bytes: number }

/** What is counted: the operations of a document. */
export type Counted = { readonly name: string; readonly count: number }

type Amount = Measured | Sized | Counted

export const ratioOf = ({ measured, against }: Row): number | undefined =>
  against && amountOf(measured) / amountOf(against)

/** Milliseconds, bytes or a count. */
const amountOf = (one: Amount): number =>
  'bytes' in one ? one.bytes : 'count' in one ? one.count : one.milliseconds

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

function said(one: Amount): string {
  if ('count' in one) return `${one.name}: ${one.count}`
  if ('bytes' in one) return `${one.name}: ${sizeText(one.bytes)}`
  const memory = one.megabytes === undefined ? '' : `, ${one.megabytes.toFixed(0)} MB`
  return `${one.name}: ${timeText(one.milliseconds)}${memory}`
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(2)} KB` : `${(bytes / 1e6).toFixed(0)} MB`
}

function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`
  if (milliseconds >= 10) return `${milliseconds.toFixed(0)} ms`
  if (milliseconds >= 1) return `${milliseconds.toFixed(1)} ms`
  return `${(milliseconds * 1000).toPrecision(3)} µs`
}
