import { fileURLToPath } from 'node:url'
import type { Bench, BenchOptions, Row } from '../bench.js'
import { bundleSide, installPeers } from '../peers.js'
import { runSides } from '../sides.js'

/** What a message over a WebSocket costs the process of the client, beside the least that it can cost, and other clients. */
export const socketBenches: readonly Bench[] = [
  { name: 'sockets-call', run: (options) => race('call', 'call, 64 in flight', 3_000, options) },
  { name: 'sockets-items', run: (options) => race('items', 'item', 10_000, options) },
]

/** Before the name of a side: milliseconds of the clock. */
const WALL = 'wall, '

async function race(
  task: string,
  what: string,
  times: number,
  { rounds, report }: BenchOptions,
): Promise<readonly Row[]> {
  report('building all sides')
  await installPeers()
  const program = await bundleSide(new URL('race.mjs', import.meta.url), 'sockets')
  const feed = fileURLToPath(new URL('feed.mjs', import.meta.url))
  const all = await runSides(program, { task, rounds, times, feed }, report)
  const [measured, ...others] = all.filter(({ name }) => !name.startsWith(WALL))
  if (!measured) throw new Error(`nobody ran for ${what}`)
  const rates = all
    .filter(({ name }) => name.startsWith(WALL))
    .map(({ name, milliseconds }) => ({
      name: name.slice(WALL.length),
      count: Math.round(1_000 / milliseconds),
    }))
  const [own, ...theirs] = rates
  return [
    ...others.map((against) => ({ what: `WebSocket, CPU of a ${what}`, measured, against })),
    ...theirs.flatMap((against) =>
      own ? [{ what: `WebSocket, messages a second, ${what}`, measured: own, against }] : [],
    ),
  ]
}
