import { TestRunner } from 'vitest'

/** Trials run at a small size with every test run, and at full size with `npm run trials`. */
export const isFull = process.env.TRIALS === 'full'

export const sized = (small: number, full: number): number => (isFull ? full : small)

/** Of random cases: the same in each test run. `npm run trials` sets SEED to a new number and prints it. */
export const seedOr = (fixed: number): number => Number(process.env.SEED ?? fixed)

/** How many cases the current test tries: `npm run trials` prints the sum for each of its parts. */
export const countRuns = (runs: number): void => {
  Object.assign(TestRunner.getCurrentTest()?.meta ?? {}, { runs })
}
