import { expect, it } from 'vitest'
import { runTrial } from '../diff/trial/run-trial.js'
import { countRuns, isFull, seedOr, sized } from './size.js'

const PAIRS = sized(300, 10_000)

/** Documents that are made and kept at once. */
const AT_ONCE = 500

it(
  `${PAIRS} random pairs of documents: ajv agrees with what diff reports`,
  async () => {
    const first = seedOr(716_883_744)
    countRuns(PAIRS)
    const total = { pairs: 0, errors: 0, undecided: 0 }
    const faults: string[] = []
    for (let done = 0; done < PAIRS; done += AT_ONCE) {
      const found = await runTrial({ pairs: Math.min(AT_ONCE, PAIRS - done), seed: first + done })
      for (const key of ['pairs', 'errors', 'undecided'] as const) total[key] += found[key]
      const strings = found.faults.map((one) => JSON.stringify(one))
      faults.push(...strings)
      // The whole trial takes long: what it has found so far is printed.
      if (isFull) console.log([`diff trial: ${JSON.stringify(total)}`, ...strings].join('\n'))
    }
    console.log(`diff trial, seed ${first}: ${JSON.stringify(total)}, ${faults.length} faults`)
    // Each has the seed and the index of its pair.
    expect(faults.slice(0, 5)).toEqual([])
    expect(total.errors).toBeGreaterThan(PAIRS / 10)
    expect(total.undecided / total.pairs).toBeLessThanOrEqual(isFull ? 0.003 : 0.01)
  },
  sized(600_000, 10_800_000),
)
