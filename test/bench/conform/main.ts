import { parseArgs } from 'node:util'
import { judged } from '../../conform/seeded/checked.js'
import { startClean } from '../../conform/seeded/clean-server.js'
import type { Defect } from '../../conform/seeded/defect.js'
import { DEFECTS } from '../../conform/seeded/defects.js'
import { smallApi } from '../../conform/seeded/small-api.js'
import { prism } from './prism.js'
import { benchShelf } from './shelf.js'
import type { Side } from './side.js'
import { testCoverage } from './test-coverage.js'

const USAGE = `npm run bench:conform -- [--only TEXT] [--whole] [--part service|shelf]

  --only TEXT   the defects whose names hold it
  --whole       all cases for each defect, not those alone that meet it
  --part NAME   service: the service, beside @open-rpc/test-coverage and Prism; shelf: a service that keeps books,
                beside Schemathesis, which takes a minute or more for each defect
`

process.exitCode = await main(process.argv.slice(2))

/** 0 where each defect was found by us, 1 where not, 2 where nothing could be run. */
async function main(argv: readonly string[]): Promise<number> {
  const flags = flagsOf(argv)
  if (!flags) {
    process.stderr.write(USAGE)
    return 2
  }
  const isWhole = flags.part === 'shelf' || (await benchService(flags))
  const isShelfWhole = flags.part === 'service' || (await benchShelf(flags.only))
  return isWhole && isShelfWhole ? 0 : 1
}

/** Resolves with whether each defect was found by us. */
async function benchService(flags: Flags): Promise<boolean> {
  const groups = Object.entries(DEFECTS).map(
    ([group, rows]) => [group, rows.filter(({ name }) => name.includes(flags.only ?? ''))] as const,
  )
  const sides = [await testCoverage(), await prism()]
  try {
    const quiet = await onServer({}, sides)
    const lines: string[] = []
    const totals = { all: 0, ours: 0, others: sides.map(() => 0) }
    for (const [group, rows] of groups)
      for (const defect of rows) {
        const { verdict } = await judged(
          smallApi,
          defect.around,
          flags.whole ? {} : { only: defect.only },
        )
        const isFound = verdict.findings.some(({ rule }) => defect.by.includes(rule))
        const others = (await onServer(defect.around, sides)).map((complaints, at) =>
          [...complaints].some((one) => !quiet[at]?.has(one)),
        )
        totals.all += 1
        totals.ours += Number(isFound)
        for (const [at, found] of others.entries())
          totals.others[at] = (totals.others[at] ?? 0) + Number(found)
        lines.push(row([`${group}: ${defect.name}`, ...[isFound, ...others].map(mark)]))
        process.stderr.write('.')
      }
    process.stderr.write('\n')
    const names = ['defect', 'twinspec conform', ...sides.map(({ name }) => name)]
    const sums = [totals.ours, ...totals.others].map((count) => `${count} of ${totals.all}`)
    const table = [row(names), row(names.map(() => '---')), ...lines, row(['**found**', ...sums])]
    process.stdout.write(`${table.join('\n')}\n`)
    return totals.ours === totals.all
  } finally {
    for (const side of sides) await side.stop()
  }
}

function mark(isFound: boolean): string {
  return isFound ? 'found' : ''
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

async function onServer(around: Defect['around'], sides: readonly Side[]) {
  const complaints: ReadonlySet<string>[] = []
  for (const side of sides) {
    // Each has a server of its own, which remembers nothing of the others.
    const server = await startClean(smallApi, around)
    try {
      complaints.push(await side.complaints(server.url))
    } finally {
      await server.stop()
    }
  }
  return complaints
}

type Flags = { readonly only?: string; readonly whole?: boolean; readonly part?: string }

function flagsOf(argv: readonly string[]): Flags | undefined {
  try {
    const options = {
      only: { type: 'string' },
      whole: { type: 'boolean' },
      part: { type: 'string' },
    } as const
    const flags: Flags = parseArgs({ args: [...argv], options }).values
    return ['service', 'shelf', undefined].includes(flags.part) ? flags : undefined
  } catch {
    return undefined
  }
}
