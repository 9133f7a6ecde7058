import type { ReasonSection, TableSection } from './report.js'

/** The rows of a table that people need to see: those in which all is good are left out. */
export const notableRows = ({ rows }: TableSection): TableSection['rows'] =>
  rows.filter(({ cells }) => cells.length === 0 || cells.some(({ level }) => level !== 'good'))

/** `eth_call and 3 more: the time limit was reached`. */
export const groupLine = ({ what, why }: ReasonSection['groups'][number]): string => {
  const [first = ''] = what
  return what.length === 1 ? `${first}: ${why}` : `${first} and ${what.length - 1} more: ${why}`
}

/** `statuses`. */
export const plural = (name: string): string => (name.endsWith('s') ? `${name}es` : `${name}s`)

/** Rounded down, so that only complete coverage is 100 %. */
export const percent = (met: number, declared: number): string =>
  `${Math.floor((met / declared) * 100)} %`
