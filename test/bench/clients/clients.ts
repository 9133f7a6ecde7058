import { fileURLToPath } from 'node:url'
import type { Bench, BenchOptions, Row } from '../bench.js'
import { CANNED_RESULTS, zktExchange } from '../canned.js'
import { bundleSide, installPeers } from '../peers.js'
import type { Tell } from '../rounds.js'
import { runSides } from '../sides.js'
import { clientsOfVersion1 } from '../version-1.js'

/** What a call costs the process of its caller, 64 in flight, beside the least it can cost, other clients and version 1. */
export const clientBenches: readonly Bench[] = [
  {
    name: 'clients-call',
    run: (options) =>
      race('call', 'RPC call', 1500, options, {
        'undici dispatch': 2,
        viem: 1 / 5,
        ethers: 1 / 2,
        'version 1': 1.3,
      }),
  },
  {
    name: 'clients-batch',
    run: (options) =>
      race('batch', 'RPC batch of 40', 100, options, { 'undici dispatch': 1.6, 'version 1': 1.3 }),
  },
  {
    name: 'clients-http',
    run: (options) =>
      race('http', 'HTTP call', 1000, options, { 'openapi-fetch': 1 / 2, 'version 1': 1.3 }),
  },
  {
    name: 'clients-numbers',
    run: (options) =>
      race('numbers', 'RPC call, 20,000 accounts of Solana', 3, options, { 'undici dispatch': 5 }),
  },
  {
    name: 'clients-bearer',
    run: (options) =>
      race('bearer', 'HTTP call, bearer', 1000, options, { 'openapi-fetch': 1 / 2 }),
  },
]

async function race(
  task: string,
  what: string,
  times: number,
  { rounds, report }: BenchOptions,
  targets: Readonly<Record<string, number>>,
): Promise<readonly Row[]> {
  const program = await built(report)
  const canned = fileURLToPath(new URL('canned.mjs', import.meta.url))
  const version1 = await clientsOfVersion1()
  const exchange = await zktExchange()
  const job = { task, rounds, times, canned, version1, results: CANNED_RESULTS, ...exchange }
  const [measured, ...others] = await runSides(program, job, report)
  if (!measured) throw new Error(`nobody ran for ${what}`)
  return others.map((against) => {
    const atMost = targets[against.name]
    return { what, measured, against, ...(atMost !== undefined && { atMost }) }
  })
}

async function built(report: Tell): Promise<string> {
  report('building all sides')
  await installPeers()
  return bundleSide(new URL('race.mjs', import.meta.url), 'clients')
}
