/** Trials run at a small size with every test run, and at full size with `npm run trials`. */
export const isFull = process.env.TRIALS === 'full'

export const sized = (small: number, full: number): number => (isFull ? full : small)
