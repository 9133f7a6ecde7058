/**
 * Runs all sides in turn, round after round (A B A B …), so that a busy machine slows them alike.
 * Gives the median of each side in the order of the sides.
 */
export async function interleave(
  sides: readonly Side[],
  rounds: number,
  report: Tell,
): Promise<readonly Measured[]> {
  const costs: Cost[][] = sides.map(() => [])
  for (let round = 1; round <= rounds; round++) {
    for (const [index, side] of sides.entries()) {
      report(`round ${round} of ${rounds}: ${side.name}`)
      costs[index]?.push(await side.run())
    }
  }
  return sides.map(({ name }, index) => ({ name, ...medians(costs[index] ?? []) }))
}

export type Side = { readonly name: string; readonly run: () => Promise<Cost> }

export type Cost = {
  readonly milliseconds: number
  /** The most memory that a process of its own held; unknown where sides share a process. */
  readonly megabytes?: number
}

export type Measured = Cost & { readonly name: string }

/** Shows what is going on, in place of what was shown before. */
export type Tell = (progress: string) => void

/** What one run of a function takes. */
export async function timed(work: () => unknown): Promise<Cost> {
  const start = performance.now()
  await work()
  return { milliseconds: performance.now() - start }
}

function medians(costs: readonly Cost[]): Cost {
  const megabytes = costs.flatMap((cost) => cost.megabytes ?? [])
  return {
    milliseconds: median(costs.map((cost) => cost.milliseconds)),
    ...(megabytes.length > 0 && { megabytes: median(megabytes) }),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? Number.NaN
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  return (lower + upper) / 2
}
