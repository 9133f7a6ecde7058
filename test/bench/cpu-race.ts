import { median } from './rounds.js'

/**
 * Milliseconds of this process's own CPU for one time of each work, medians of interleaved rounds; what other processes do
 * for it (a server, who loads it) is not in it. A work is given how often it is to be done. Rounds before those are not counted:
 * whose code the engine's compiler comes to first is chance, and a process that calls others lives longer than that takes.
 */
export async function cpuRace(
  works: Readonly<Record<string, (times: number) => Promise<void>>>,
  { times, rounds, report }: CpuRace,
): Promise<Readonly<Record<string, number>>> {
  const lanes = Object.entries(works).map(([side, work]) => ({ side, work, costs: [] as number[] }))
  for (let round = 1; round <= WARMING; round++) {
    for (const { side, work } of lanes) {
      report(`warming up, ${round} of ${WARMING}: ${side}`)
      await work(times)
    }
  }
  for (let round = 1; round <= rounds; round++) {
    for (const { side, work, costs } of lanes) {
      report(`round ${round} of ${rounds}: ${side}`)
      globalThis.gc?.()
      const begun = process.cpuUsage()
      await work(times)
      const { user, system } = process.cpuUsage(begun)
      costs.push((user + system) / 1000 / times)
    }
  }
  return Object.fromEntries(lanes.map(({ side, costs }) => [side, median(costs)]))
}

const WARMING = 5

type CpuRace = {
  readonly times: number
  readonly rounds: number
  readonly report: (progress: string) => void
}

/** Calls so often, so many at a time. */
export async function inFlight(
  call: () => Promise<unknown>,
  times: number,
  width: number,
): Promise<void> {
  let left = times
  const lane = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: Math.min(width, times) }, lane))
}
