/**
 * Groups calls: inputs that arrive while `work` runs are collected, and passed to it together when it ends. So a single request
 * does not wait, and under load one transaction serves many requests.
 */
export function createGroup<In, Out>(
  work: (inputs: readonly In[]) => Promise<readonly (Out | Error)[]>,
  bounds: Bounds<In>,
): Group<In, Out> {
  const weigh = bounds.weigh ?? (() => 0)
  let queue: Pending<In, Out>[] = []
  let running: Promise<void> | undefined

  const drain = async () => {
    await undefined
    while (queue.length > 0) {
      const batch = queue.slice(0, countOf(queue, bounds, weigh))
      queue = queue.slice(batch.length)
      await answer(batch, work)
    }
    running = undefined
  }

  return {
    ask: (input) =>
      new Promise((resolve, reject) => {
        queue.push({ input, resolve, reject })
        running ??= drain()
      }),
    waiting: () => queue.length,
    idle: async () => {
      while (running) await running
    },
  }
}

export type Group<In, Out> = {
  /** Rejects with the Error that `work` returns for the input, or with the error of `work` itself. */
  readonly ask: (input: In) => Promise<Out>
  /** The number of inputs that are not yet passed to `work`. */
  readonly waiting: () => number
  /** Resolves when no input waits and `work` does not run. */
  readonly idle: () => Promise<void>
}

type Bounds<In> = {
  /** The maximum number of inputs in one call of `work`. */
  readonly atMost: number
  /** The maximum of their sum by `weigh`; a single input may exceed it. */
  readonly heaviest?: number
  readonly weigh?: (input: In) => number
}

type Pending<In, Out> = {
  readonly input: In
  readonly resolve: (output: Out) => void
  readonly reject: (error: unknown) => void
}

function countOf<In, Out>(
  queue: readonly Pending<In, Out>[],
  { atMost, heaviest = Number.POSITIVE_INFINITY }: Bounds<In>,
  weigh: (input: In) => number,
): number {
  let weight = 0
  const over = queue.findIndex(({ input }, index) => {
    weight += weigh(input)
    return index === atMost || (index > 0 && weight > heaviest)
  })
  return over === -1 ? queue.length : over
}

async function answer<In, Out>(
  batch: readonly Pending<In, Out>[],
  work: (inputs: readonly In[]) => Promise<readonly (Out | Error)[]>,
): Promise<void> {
  try {
    const outputs = await work(batch.map(({ input }) => input))
    for (const [index, { resolve, reject }] of batch.entries()) {
      const output = outputs[index] as Out | Error
      if (output instanceof Error) reject(output)
      else resolve(output)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/** Runs at most `atMost` tasks at a time, and the others in the order of their calls. */
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
