import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { isMissed, type Row, tableOf } from '../bench.js'
import { startScene } from './bench-service.js'
import { chainIdRows, usageRows } from './reads.js'
import { oneAndTwoGateways, writeRows } from './writes.js'

const USAGE = `npm run bench:service -- [--rounds N] [--writes N]

  --rounds N    rounds of A B A B …; 5 by default
  --writes N    messages of one round; 1,000 by default

It needs PostgreSQL: DATABASE_URL, or the programs of the server on this machine.
`

process.exitCode = await main(process.argv.slice(2))

/** 0 where every target was met, 1 where not, 2 where nothing could be run. */
async function main(argv: readonly string[]): Promise<number> {
  const flags = flagsOf(argv)
  const rounds = Number(flags?.rounds ?? 5)
  const writes = Number(flags?.writes ?? 1000)
  if (
    !flags ||
    !(Number.isInteger(rounds) && rounds > 0 && Number.isInteger(writes) && writes > 0)
  ) {
    process.stderr.write(USAGE)
    return 2
  }
  const scene = await startScene()
  if (scene === undefined) {
    process.stderr.write(`There is no PostgreSQL on this machine.\n\n${USAGE}`)
    return 2
  }
  const rows: Row[] = []
  try {
    rows.push(...(await writeRows(scene, { rounds, writes, report: show })))
    rows.push(...(await chainIdRows(scene, { rounds, report: show })))
    rows.push(...(await usageRows(scene, { rounds, report: show })))
    rows.push(...(await oneAndTwoGateways(scene, { rounds, writes, report: show })))
  } finally {
    show('')
    await scene.stop()
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`
  process.stdout.write(
    `${tableOf(rows)}\n\nMedians of ${rounds} interleaved rounds; Node ${process.versions.node}, ${machine}.\n`,
  )
  return rows.some(isMissed) ? 1 : 0
}

function flagsOf(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: { rounds: { type: 'string' }, writes: { type: 'string' } },
    }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n`)
    return undefined
  }
}

/** One line of a terminal, written over; nothing where there is no terminal. */
function show(progress: string) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${progress.slice(0, 79)}`)
}
