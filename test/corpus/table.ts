/** One command on one document. `problem` is absent where the command could read it. */
export type Cell = {
  readonly verb: string
  readonly seconds: number
  readonly problem?: string
  /** What a reader has to know of a command that could read the document. */
  readonly note?: string
  /** What is shown in place of a tick: files, kilobytes or seconds. The last row has their sum. */
  readonly amount?: number
}

export type DocumentRow = { readonly file: string; readonly cells: readonly Cell[] }

/** Documents by commands: a tick, or the number of a note below. */
function tableOf(rows: readonly DocumentRow[]): string {
  const verbs = [...new Set(rows.flatMap(({ cells }) => cells.map(({ verb }) => verb)))]
  const notes: string[] = []
  const body = rows.map(({ file, cells }) => {
    const shown = verbs.map((verb) => {
      const cell = cells.find((one) => one.verb === verb)
      if (cell === undefined) return '–'
      const { problem, note, amount } = cell
      if (amount !== undefined) return shownAmount(amount)
      if (problem === undefined && note === undefined) return '✓'
      const number = notes.push(`${file}, ${verb}: ${problem ?? note}`)
      return problem === undefined ? `✓ (${number})` : String(number)
    })
    return `| ${[file, ...shown].join(' | ')} |`
  })
  const read = verbs.map((verb) => {
    const amounts = rows.flatMap(
      ({ cells }) => cells.find((one) => one.verb === verb)?.amount ?? [],
    )
    if (amounts.length > 0) return shownAmount(amounts.reduce((sum, one) => sum + one, 0))
    const good = rows.filter(({ cells }) =>
      cells.some((cell) => cell.verb === verb && cell.problem === undefined),
    )
    return `${good.length} of ${rows.length}`
  })
  return [
    `| ${['document', ...verbs].join(' | ')} |`,
    `| --- |${verbs.map(() => ' --- |').join('')}`,
    ...body,
    `| ${['**read**', ...read].join(' | ')} |`,
    '',
    ...notes.map((note, index) => `${index + 1}. ${note.replace(/\|/g, '\\|')}`),
    '',
  ].join('\n')
}

const shownAmount = (amount: number): string =>
  Number.isInteger(amount) ? String(amount) : amount.toFixed(1)

/** The size of a folder of generated code, and how long the compiler needs for it. */
export const sizeCells = (
  { files, bytes }: { readonly files: number; readonly bytes: number },
  compiled: readonly Cell[],
  prefix = '',
): readonly Cell[] => {
  const tsc = compiled.find(({ verb }) => verb === '5.9 strict')
  const amounts = {
    files,
    KB: Math.ceil(bytes / 1_000),
    ...(tsc && { 'tsc s': tenths(tsc.seconds) }),
  }
  return Object.entries(amounts).map(([name, amount]) => ({
    ...{ verb: `${prefix}${name}`, seconds: 0, amount },
  }))
}

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10

/** docs/real-documents.md. */
export const pageOf = (rows: readonly DocumentRow[]): string => `# Real documents

\`npm run corpus -- --write\` writes this page. It runs each command on documents as their owners publish them, and compiles what is generated
with TypeScript 5.9, 6 and 7: with \`strict\` alone, and with all strict flags ("all"). A tick means that the command read the whole document.
In the column "types" it means that no type is \`unknown\` and no operation is missing that the document states. "files" and "KB" are what \`generate\` writes
by default, which includes validators. "tsc s" is how long TypeScript 5.9 needs for it under \`strict\`, its start included. The last row has their sums.
[Other generators](other-generators.md) has the same table for other tools.

${tableOf(rows)}`

/** docs/other-generators.md. */
export const toolPageOf = (
  rows: readonly DocumentRow[],
): string => `# Other generators on real documents

\`npm run corpus -- --tools --write\` writes this page: the documents, compilers and flags of [real documents](real-documents.md). Each tool is called as
its guide shows it, in the version that \`test/corpus/tools/package.json\` names. The tools of OpenRPC read JSON only: documents in YAML are converted for them.
What a converted document refers to in other files is not found by them.
"strict" and "all" have a tick where TypeScript 5.9, 6 and 7 accept the output. "files", "KB" and "tsc s" are measured as there, on what a tool could read: the sums of
two tools are comparable where they have read the same documents. Called so, no other tool writes validators; hey-api and orval do with plugins and clients
for Zod, and hey-api for Valibot.

## OpenAPI

${tableOf(rows.filter(({ file }) => file.startsWith('openapi/')))}
## OpenRPC

${tableOf(rows.filter(({ file }) => file.startsWith('openrpc/')))}`
