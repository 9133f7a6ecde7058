import { fork } from 'node:child_process'
import type { Bench, BenchOptions, Row } from './bench.js'
import { compiledProgram } from './compiled.js'
import type { GrowthJob, GrowthMessage } from './growth-side.js'
import type { Measured, Tell } from './rounds.js'

/** Ten times the input may take eleven times the time. */
export const growthBenches: readonly Bench[] = [
  growth('growth-openrpc', 'methods, OpenRPC', 'methods', 1000),
  growth('growth-openapi', 'operations, OpenAPI', 'operations', 1000),
  once(growth('growth-huge-openrpc', 'methods, OpenRPC', 'methods', 10_000)),
  once(growth('growth-huge-openapi', 'operations, OpenAPI', 'operations', 10_000)),
  growth('growth-alias-chain', 'references, each schema only the next', 'aliases', 1000),
  growth('growth-long-chain', 'references, each schema only the next', 'aliases', 10_000),
  growth('growth-union', 'branches of one union', 'union', 1000),
  growth('growth-object-chain', 'references, each schema holding the next', 'objects', 1000),
  growth('growth-long-object-chain', 'references, each schema holding the next', 'objects', 10_000),
]

const AT_MOST = 11

function growth(name: string, what: string, work: GrowthJob['work'], size: number): Bench {
  const run = async ({ rounds, report }: BenchOptions): Promise<readonly Row[]> => {
    const job = { work, sizes: [size / 10, size], perRound: size, rounds }
    const [against, measured] = await growing(job, report)
    if (!measured || !against) return []
    return [{ what: `growth, ${measured.name} ${what}`, measured, against, atMost: AT_MOST }]
  }
  return { name, run }
}

/** What takes a minute, and is not asked again in every round. */
function once({ name, run }: Bench): Bench {
  const onceAsked = async (options: BenchOptions) => {
    const rows = await run({ ...options, rounds: 1 })
    return rows.map((row) => ({ ...row, what: `${row.what}, one round` }))
  }
  return { name, isLarge: true, run: onceAsked }
}

/** What each size takes, in a process of its own: what benches before it left alive would have to be looked through here too. */
export async function growing(job: GrowthJob, report: Tell): Promise<readonly Measured[]> {
  const program = await compiledProgram('growth-side')
  return new Promise((resolve, reject) => {
    const child = fork(program, [JSON.stringify(job)], { execArgv: ['--expose-gc'] })
    child.on('message', (message: GrowthMessage) => {
      if ('report' in message) return report(message.report)
      resolve(
        job.sizes.map((size, index) => ({
          name: size.toLocaleString('en'),
          milliseconds: message.milliseconds[index] ?? Number.NaN,
        })),
      )
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the growth of ${job.work} ended with exit code ${code}`)),
    )
  })
}
