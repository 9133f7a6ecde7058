/** Numbers from 0 up to 1, the same for the same seed (xorshift). */
export type Random = () => number

export function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

export const below = (random: Random, most: number): number => Math.floor(random() * most)

export function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[below(random, from.length)]
  if (one === undefined && from.length === 0) throw new Error('nothing to pick from')
  return one as T
}
