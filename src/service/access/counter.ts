/**
 * Counts in the memory of this process. No span of the window's length ever has more points granted than the limit, apart
 * from the last grant of a budget. Past `most` counters it forgets the one whose last grant is the oldest.
 */
export const countInMemory = (options: WindowOptions, most: number): Take => {
  const { limit, milliseconds, grantsWhole = false } = options
  // In the order of their last grants.
  const counters = new Map<string, Slot[]>()
  const forget = (now: number): void => {
    for (const [who, slots] of counters) {
      const [last = 0] = slots.at(-1) ?? []
      if (counters.size <= most && last > now - milliseconds) return
      counters.delete(who)
    }
  }
  return async (who, points) => {
    const now = performance.now()
    const slots = (counters.get(who) ?? []).filter(([time]) => time > now - milliseconds)
    const left = limit - sumOf(slots)
    const granted = grantsWhole && left > 0 ? points : Math.max(0, Math.min(points, left))
    if (granted > 0) {
      const slot = milliseconds / SLOTS
      const [time = Number.NEGATIVE_INFINITY, before = 0] = slots.at(-1) ?? []
      const isSame = Math.floor(time / slot) === Math.floor(now / slot)
      if (isSame) slots.pop()
      slots.push([now, isSame ? before + granted : granted])
      counters.delete(who)
      counters.set(who, slots)
      forget(now)
    }
    return spentBy(granted, slots, now, options)
  }
}

/** What a counter says after `granted` points were taken; `slots` includes them. */
export const spentBy = (
  granted: number,
  slots: readonly Slot[],
  now: number,
  { limit, milliseconds }: WindowOptions,
): Spent => {
  let used = sumOf(slots)
  const remaining = Math.max(0, limit - used)
  for (const [time, points] of slots) {
    used -= points
    if (used < limit) return { granted, remaining, milliseconds: time + milliseconds - now }
  }
  return { granted, remaining, milliseconds: 0 }
}

/**
 * A counter keeps the grants of a window in so many slots (and one that is ending), instead of each by itself. A slot counts
 * until its last grant is as old as the window. So grants may return a slot's length late, and never early.
 */
export const SLOTS = 60

/** When its last point was granted, in milliseconds, and how many points were. */
export type Slot = readonly [time: number, points: number]

/** Takes points for one counter. */
export type Take = (who: string, points: number) => Promise<Spent>

export type Spent = {
  readonly granted: number
  readonly remaining: number
  /** Until more is left than now. */
  readonly milliseconds: number
}

export type WindowOptions = {
  readonly name: string
  /** How many points are granted in any span of `milliseconds`. */
  readonly limit: number
  readonly milliseconds: number
  /** Grants all points while any is left, as a budget does: the cost of one submission cannot be granted in part. */
  readonly grantsWhole?: boolean
}

const sumOf = (slots: readonly Slot[]): number => slots.reduce((sum, [, points]) => sum + points, 0)
