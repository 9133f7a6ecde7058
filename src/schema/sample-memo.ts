import type { Found } from './contain/gap.js'

/**
 * Remembers what was found for each key. A value that needs itself is never finished: a key that is asked within itself has
 * none, and what was not found because of that is asked again later, when the outer key is no longer open.
 */
export function createMemo(isSpent: () => boolean): Memo {
  /** What was found; undefined where there is nothing, whatever else is open. */
  const known = new Map<string, Found | undefined>()
  const open = new Map<string, number>()
  /** Keys without a value as long as others are open, and the outermost of these by its depth. */
  const blocked = new Map<string, number>()
  let blockedAt = Number.POSITIVE_INFINITY

  return {
    depth: () => open.size,
    block: () => {
      blockedAt = 0
    },
    ask: (key, find) => {
      if (known.has(key)) return known.get(key)
      const block = open.get(key) ?? blocked.get(key) ?? (open.size > DEEPEST ? 0 : undefined)
      if (block !== undefined) {
        blockedAt = Math.min(blockedAt, block)
        return undefined
      }
      const around = blockedAt
      const depth = open.size
      blockedAt = Number.POSITIVE_INFINITY
      open.set(key, depth)
      const found = find()
      open.delete(key)
      for (const [other, at] of blocked) if (at >= depth) blocked.delete(other)
      if (found || (blockedAt >= depth && !isSpent())) known.set(key, found)
      else blocked.set(key, blockedAt)
      blockedAt = Math.min(around, blockedAt < depth ? blockedAt : around)
      return found
    },
  }
}

export type Memo = {
  readonly ask: (key: string, find: () => Found | undefined) => Found | undefined
  /** How many keys are open. */
  readonly depth: () => number
  /** What is being asked is not found here, but may be elsewhere. */
  readonly block: () => void
}

/** Levels of a value that is put together. */
const DEEPEST = 40
