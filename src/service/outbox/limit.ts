/** Runs no more than so many at a time, and the others in the order in which they came. */
export function createLimit(atMost: number): <T>(run: () => Promise<T>) => Promise<T> {
  let busy = 0
  const queue: (() => void)[] = []
  return async (run) => {
    if (busy >= atMost) await new Promise<void>((resolve) => queue.push(resolve))
    else busy++
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next) next()
      else busy--
    }
  }
}
