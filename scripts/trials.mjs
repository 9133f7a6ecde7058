/**
 * `npm run trials`: every random test at its full size, each part in a process of its own, and a summary of one line a part.
 * `npm run trials -- diff soundness` runs the parts that have such a name. All draw from one seed, which the summary prints:
 * `SEED=1234 npm run trials -- diff` draws the same again. Ends with 1 if a part fails.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRun } from './named-run.mjs'
import { computed, measured, service } from './trial-parts.mjs'
import { summaryLine } from './trial-summary.mjs'

/** A priority as `nice` has it. */
const BEHIND = 5

const wanted = process.argv.slice(2)
const isWanted = ({ name }) => wanted.length === 0 || wanted.includes(name)
const all = [...measured, ...service, ...computed]
const unknown = wanted.filter((one) => !all.some(({ name }) => name === one))
if (unknown.length > 0)
  throw new Error(`no part ${unknown.join(', ')}: name ${all.map(({ name }) => name).join(', ')}`)

const seed = process.env.SEED ?? String(Date.now() % 2 ** 31)
const variables = { TRIALS: 'full', SEED: seed, VITEST_MAX_WORKERS: '1' }
const folder = await mkdtemp(join(tmpdir(), 'twinspec-trials-'))
const count = all.filter(isWanted).length
const rows = []

const run = async ({ name, files }, priority) => {
  const file = join(folder, `${name}.json`)
  const begun = performance.now()
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await startRun(name, ['vitest', '--', ...files, ...reports], variables, priority)
  const report = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
  const seconds = (performance.now() - begun) / 1_000
  const line = summaryLine({ name, code, seconds, seed, report })
  rows.push({ code, line })
  console.log(`trials | ${rows.length} of ${count} | ${line}`)
}

const drain = async (queue, priority = 0) => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next, priority)
}

const queues = [measured, service, computed].map((list) => list.filter(isWanted))
// A terminal sends Ctrl-C to each run, which ends by itself.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const queue of queues) queue.length = 0
  })
const [alone, beside, compute] = queues
const begun = performance.now()
try {
  console.log(`trials | ${count} parts, seed ${seed}`)
  await drain(alone)
  // The processes of the service run by clocks.
  await Promise.all([drain(beside), drain(compute, BEHIND), drain(compute, BEHIND)])
} finally {
  await rm(folder, { recursive: true, force: true })
}
const minutes = ((performance.now() - begun) / 60_000).toFixed(0)
console.log(
  ['', ...rows.map(({ line }) => line), `${rows.length} parts in ${minutes} minutes`].join('\n'),
)
if (process.env.DATABASE_URL === undefined)
  console.log(
    'Without DATABASE_URL the parts of PostgreSQL are skipped: scripts/postgres.sh run npm run trials',
  )
process.exitCode = rows.length === count && rows.every(({ code }) => code === 0) ? 0 : 1
