import fc, { type Arbitrary } from 'fast-check'
import type { Complaint } from '../case.js'
import type { Trial } from '../values/trials.js'

/**
 * Sends so many generated values, and for what is complained of looks for the smallest value of which the same is complained. That
 * one is checked and sent once more: where it is not what it was any more, the value that was found first is told. Each complaint
 * is told once, and a search ends after a few of them.
 */
export const search = async (searching: Searching): Promise<readonly Complaint[]> => {
  const told = new Map<string, Complaint>()
  let left = searching.maxExamples
  for (let round = 0; round < ROUNDS && left > 0; round++) {
    const { found, sent } = await searchOnce(searching, left, searching.seed + round, told)
    left -= sent
    for (const complaint of found) told.set(keyOf(complaint), complaint)
    if (found.length === 0) break
  }
  return [...told.values()]
}

export type Searching = {
  readonly trials: Arbitrary<Trial>
  readonly maxExamples: number
  readonly seed: number
  /** Whether a value is as right, or as wrong, as it was meant to be. */
  readonly isStill: (trial: Trial) => boolean
  /** What is complained of when it is sent; undefined where no more need be sent. */
  readonly send: (trial: Trial) => Promise<readonly Complaint[] | undefined>
}

const ROUNDS = 3
/** Requests for the sake of a smaller value. */
const SMALLER = 80

const searchOnce = async (
  { trials, isStill, send }: Omit<Searching, 'maxExamples'>,
  maxExamples: number,
  seed: number,
  told: ReadonlyMap<string, Complaint>,
) => {
  const count = { sent: 0, smaller: 0 }
  let first: readonly Complaint[] = []
  let isOver = false
  let smallest: Trial | undefined
  const isNew = (complaint: Complaint) => !told.has(keyOf(complaint))
  const property = fc.asyncProperty(trials, async (trial) => {
    if (isOver) return true
    const isSearching = first.length > 0
    if (isSearching && (count.smaller >= SMALLER || !isStill(trial))) return true
    if (isSearching) count.smaller += 1
    else count.sent += 1
    const complaints = await send(trial)
    if (complaints === undefined) {
      isOver = true
      return true
    }
    if (!isSearching) {
      first = complaints.filter(isNew)
      // A server that has crashed or hangs may fail for smaller values that are no cause of it.
      if (first.some(({ exchange }) => exchange.answer === undefined)) count.smaller = SMALLER
      return first.length === 0
    }
    const isSame = sameAs(first, complaints).length > 0
    if (isSame) smallest = trial
    return !isSame
  })
  const { failed, errorInstance } = await fc.check(property, { numRuns: maxExamples, seed })
  // What a trial throws is no failure that was looked for: it must not pass for none.
  if (failed && first.length === 0) throw errorInstance
  if (first.length === 0) return { found: [], sent: isOver ? maxExamples : count.sent }
  const again = smallest && isStill(smallest) ? await send(smallest) : undefined
  const same = sameAs(first, again ?? [])
  // What comes only once in a while is told as it came.
  const others = first.filter((one) => !same.some((other) => keyOf(other) === keyOf(one)))
  return { found: [...same, ...others], sent: count.sent }
}

const sameAs = (
  first: readonly Complaint[],
  complaints: readonly Complaint[],
): readonly Complaint[] => {
  const keys = new Set(first.map(keyOf))
  return complaints.filter((one) => keys.has(keyOf(one)))
}

const keyOf = ({ rule, operation, aspect }: Complaint): string =>
  `${rule} ${operation?.id} ${aspect}`
