import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { type Bench, isMissed, type Row, tableOf } from './bench.js'
import { clientBenches } from './clients/clients.js'
import { diffBenches } from './diff/benches.js'
import { generationBenches } from './generation.js'
import { generatorBenches } from './generators.js'
import { githubCompiles } from './github.js'
import { growthBenches } from './growth.js'
import { serverBenches } from './servers/servers.js'
import { socketBenches } from './sockets/sockets.js'
import { typeCheckBenches } from './type-check.js'
import { coldBench } from './validators/cold.js'
import { firstCallBench } from './validators/first-call.js'
import { validatorBenches } from './validators/validators.js'
import { weighingBenches } from './validators/weigh.js'
import { MEASURED, versionsOf } from './versions.js'
import { walksBench } from './walks.js'
import { watchBench } from './watching.js'

const USAGE = `npm run bench -- [--only NAME] [--rounds N] [--quick]

  --only NAME   the benches whose names begin so
  --rounds N    rounds of A B A B …; 5 by default
  --quick       one round, without GitHub's documents (385 MB to install) and without 10,000 methods
`

const BENCHES: readonly Bench[] = [
  ...generationBenches,
  ...generatorBenches,
  ...growthBenches,
  githubCompiles,
  ...typeCheckBenches,
  watchBench,
  walksBench,
  ...diffBenches,
  ...validatorBenches,
  ...weighingBenches,
  firstCallBench,
  coldBench,
  ...clientBenches,
  ...serverBenches,
  ...socketBenches,
]

process.exitCode = await main(process.argv.slice(2))

/** 0 where all ran and every target was met, 1 where not, 2 where nothing could be run. */
async function main(argv: readonly string[]): Promise<number> {
  const flags = flagsOf(argv)
  const { only = '', quick } = flags ?? {}
  const rounds = Number(flags?.rounds ?? (quick ? 1 : 5))
  const chosen = BENCHES.filter(({ name }) => name.startsWith(only))
  if (!flags || !Number.isInteger(rounds) || rounds < 1 || chosen.length === 0) {
    process.stderr.write(`${USAGE}\nBenches: ${BENCHES.map(({ name }) => name).join(', ')}\n`)
    return 2
  }

  const rows: Row[] = []
  const notes: string[] = []
  for (const bench of chosen) {
    const isPutOff = quick && bench.isLarge && only !== bench.name
    const missing = isPutOff ? `--only ${bench.name} asks it` : bench.missing?.()
    if (missing !== undefined) {
      notes.push(`${bench.name} was left out: ${missing}`)
      continue
    }
    show('')
    try {
      const report = (progress: string) => show(`${bench.name}: ${progress}`)
      rows.push(...(await bench.run({ rounds, report })))
    } catch (error) {
      notes.push(`${bench.name} failed: ${error instanceof Error ? error.message : error}`)
    }
  }
  show('')
  const failed = notes.some((note) => note.includes(' failed: '))
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`
  const parts = [
    rows.length > 0 ? tableOf(rows) : '',
    ...notes,
    `Medians of ${rounds} interleaved rounds; Node ${process.versions.node}, ${machine}.`,
    `Beside ${versionsOf(MEASURED).join(', ')}.`,
  ]
  process.stdout.write(`${parts.filter(Boolean).join('\n\n')}\n`)
  return failed || rows.some(isMissed) ? 1 : 0
}

function flagsOf(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        only: { type: 'string' },
        rounds: { type: 'string' },
        quick: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n`)
    return undefined
  }
}

/** One line of a terminal, written over; nothing where there is no terminal. */
function show(progress: string) {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[K${progress.slice(0, (process.stderr.columns || 80) - 1)}`)
}
