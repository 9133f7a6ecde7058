/**
 * `npm test` and `npm run test:e2e`: what can run beside each other does, so that no processor waits. Options of vitest are
 * passed to each run of it; `npm run vitest` runs single files. Ends with 1 if a run fails. Each line of output begins with the
 * name of its run. Each run writes a JSON report of its own: `--outputFile.json=e2e.json` is `e2e.compute.json` and
 * `e2e.service.json`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRun } from './named-run.mjs'

const [tier, ...options] = process.argv.slice(2)

const vitest = (name, projects) => [
  'vitest',
  '--',
  ...projects.map((project) => `--project=${project}`),
  ...options.map((one) => one.replace(/^(--outputFile\.json=.*)(\.json)$/, `$1.${name}$2`)),
]

/** Scripts of package.json by the names of the runs, and their arguments. */
const TIERS = {
  unit: {
    types: ['typecheck'],
    unit: vitest('unit', ['unit', 'unit-service']),
  },
  e2e: {
    service: vitest('service', ['e2e-service', 'trials']),
    compute: vitest('compute', ['e2e', 'e2e-docs']),
  },
}

const runs = TIERS[tier ?? '']
if (runs === undefined) throw new Error(`name a tier: ${Object.keys(TIERS).join(' or ')}`)

// A terminal sends Ctrl-C to each run, which ends by itself.
process.on('SIGINT', () => undefined)

/** What one test has made lies here for those of both runs. */
const shelf = await mkdtemp(join(tmpdir(), 'twinspec-shelf-'))
try {
  const codes = Object.entries(runs).map(([name, args]) => {
    // The processes of `service` run by clocks. A child has the priority of its parent, so the one behind gets a lower one.
    if (name === 'compute') setPriority(5)
    // It waits for programs and browsers, so it has a worker more.
    const workers = availableParallelism() + (name === 'compute' ? 1 : 0)
    return startRun(name, args, { SHELF: shelf, VITEST_MAX_WORKERS: String(workers) })
  })
  process.exitCode = (await Promise.all(codes)).every((code) => code === 0) ? 0 : 1
} finally {
  await rm(shelf, { recursive: true, force: true })
}
