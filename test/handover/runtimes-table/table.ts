import type { Runtime } from './runtimes.js'
import type { Use } from './uses.js'

/** The table as Markdown that a terminal can be read with too: a row for each use, notes below. */
export const writeTable = ({ uses, columns }: Table): string => {
  const notes: string[] = []
  const textOf = (cell: Cell, { title }: Runtime): string => {
    if (cell.why === undefined) return SIGNS[cell.kind]
    const isOfUse = cell.kind === 'works' || cell.kind === 'not-meant'
    const note = isOfUse ? cell.why : `${title}: ${cell.why}`
    if (!notes.includes(note)) notes.push(note)
    return `${SIGNS[cell.kind]} ${raised(notes.indexOf(note) + 1)}`
  }
  const rows = uses.map(({ name }, index) => [
    name,
    ...columns.map(({ runtime, cells }) => textOf(cells[index] ?? NOTHING, runtime)),
  ])
  const all = [['', ...columns.map(({ runtime }) => runtime.title)], ...rows]
  const widths = (all[0] ?? []).map((_, index) =>
    Math.max(...all.map((row) => row[index]?.length ?? 0), 3),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = all
  const rule = widths.map((width) => '-'.repeat(width))
  const lines = [head, rule, ...body].map(line)
  const below = notes.map((note, index) => `${raised(index + 1)} ${note}`)
  return [lines.join('\n'), ...(below.length > 0 ? [below.join('  \n')] : [])].join('\n\n')
}

/** Which versions the columns were tried with. */
export const versionsOf = ({ columns }: Table): string => {
  const tried = columns.flatMap(({ runtime, version }) =>
    version === undefined
      ? []
      : [`${runtime.title.replace(/ .*/, '').replace(',', '')} ${version}`],
  )
  return `Tried with ${[...new Set(tried)].join(', ')}.`
}

/** Title -> name of a row -> what stands there, a note in place of its number. */
export const readTable = (text: string): ReadonlyMap<string, ReadonlyMap<string, string>> => {
  const lines = text.split('\n').map((line) => line.trim())
  const notes = new Map(
    lines.flatMap((line) => {
      const [, number = '', note = ''] = /^([¹²³⁴⁵⁶⁷⁸⁹⁰]+) (.*)$/.exec(line) ?? []
      return number === '' ? [] : [[number, note] as const]
    }),
  )
  const [head = [], , ...rows] = lines
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const spelt = (cell: string) =>
    cell.replace(/[¹²³⁴⁵⁶⁷⁸⁹⁰]+$/, (number) => `(${notes.get(number) ?? 'no such note'})`)
  return new Map(
    head
      .slice(1)
      .map((title, index) => [
        title,
        new Map(rows.map(([name = '', ...cells]) => [name, spelt(cells[index] ?? '')] as const)),
      ]),
  )
}

/** What differs between what was found and the table that is kept, in its columns and all of its rows: a sentence each. */
export const differences = (found: string, kept: string): readonly string[] => {
  const before = readTable(kept)
  return [...readTable(found)].flatMap(([title, cells]) => {
    const column = before.get(title)
    if (column === undefined) return [`there is no column ${title}`]
    return [...new Set([...cells.keys(), ...column.keys()])].flatMap((name) => {
      const [now, then] = [cells.get(name), column.get(name)]
      return now === then
        ? []
        : [`${name} in ${title} is ${now ?? 'gone'}, and was ${then ?? 'not there'}`]
    })
  })
}

export type Table = { readonly uses: readonly Use[]; readonly columns: readonly Column[] }

export type Column = {
  readonly runtime: Runtime
  /** Undefined where it was not there to be tried. */
  readonly version?: string
  /** One for each use. */
  readonly cells: readonly Cell[]
}

export type Cell =
  /** With what is to be known of it. */
  | { readonly kind: 'works'; readonly why?: string }
  | { readonly kind: 'fails' | 'not-meant' | 'untried'; readonly why: string }

const SIGNS = { works: '✓', fails: '✗', 'not-meant': '–', untried: 'not tried' } as const

const NOTHING: Cell = { kind: 'untried', why: 'nothing was reported of it' }

const raised = (number: number): string =>
  [...String(number)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')
