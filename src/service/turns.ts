/**
 * Runs at most `atOnce` pieces of work at a time. Callers take turns: with a key before those without one, and within each
 * group one after the other, however many pieces one of them has waiting.
 */
export function createTurns(options: TurnsOptions): Turns {
  const { atOnce, waiting, share, milliseconds, rest = 0 } = options
  let running = 0
  /** Until then no piece of a caller without a key begins. */
  let restEnds = 0
  const groups = { keyed: new Map<string, Waiter[]>(), anonymous: new Map<string, Waiter[]>() }

  const next = (): void => {
    if (running >= atOnce) return
    const isKeyed = groups.keyed.size > 0
    const left = isKeyed ? 0 : restEnds - performance.now()
    if (left > 0) {
      // A timer may fire early, as it counts from the moment at which the event loop began to turn.
      if (groups.anonymous.size > 0) setTimeout(next, left + 1)
      return
    }
    const queues = isKeyed ? groups.keyed : groups.anonymous
    const [first] = queues
    if (first === undefined) return
    const [name, queue] = first
    const waiter = queue.shift()
    queues.delete(name)
    // The caller's next piece waits until all other callers had their turn.
    if (queue.length > 0) queues.set(name, queue)
    running += 1
    waiter?.start()
  }

  const isFull = (queues: ReadonlyMap<string, readonly Waiter[]>, name: string): boolean => {
    let total = 0
    for (const { length } of queues.values()) total += length
    return total >= waiting || (queues.get(name)?.length ?? 0) >= share
  }

  const wait = (caller: Caller, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const { name, isKeyed } = caller
      const queues = isKeyed ? groups.keyed : groups.anonymous
      const queue = queues.get(name) ?? []
      if (caller !== OURSELVES && isFull(queues, name)) return reject(new NoTurn())
      const leave = (reason: unknown): void => {
        done()
        queue.splice(queue.indexOf(waiter), 1)
        if (queue.length === 0 && queues.get(name) === queue) queues.delete(name)
        reject(reason)
      }
      const abort = (): void => leave(signal?.reason)
      const timer = setTimeout(() => leave(new NoTurn()), milliseconds)
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const waiter = {
        start: () => {
          done()
          resolve()
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      queue.push(waiter)
      queues.set(name, queue)
    })

  return async (work, { caller = OURSELVES, signal } = {}) => {
    signal?.throwIfAborted()
    const mayBegin = running < atOnce && (caller.isKeyed || performance.now() >= restEnds)
    if (mayBegin) running += 1
    else await wait(caller, signal)
    const begun = performance.now()
    const run = async () => {
      try {
        return await work()
      } finally {
        running -= 1
        if (rest > 0 && !caller.isKeyed) {
          const pause = rest * (performance.now() - begun)
          restEnds = performance.now() + pause
          setTimeout(next, pause + 1)
        }
        next()
      }
    }
    return unlessAborted(run(), signal)
  }
}

const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  signal === undefined
    ? work
    : new Promise((resolve, reject) => {
        const abort = (): void => reject(signal.reason)
        signal.addEventListener('abort', abort, { once: true })
        const done = (): void => signal.removeEventListener('abort', abort)
        work.finally(done).then(resolve, reject)
      })

/**
 * Rejects with NoTurn where too many wait already, or a turn does not come in time; with the signal's reason where it ends.
 * A caller who leaves does not end the turn: the work goes on in the node or in a thread, and the turn ends when it does.
 */
export type Turns = <T>(work: () => Promise<T>, options?: TurnOptions) => Promise<T>

type TurnOptions = {
  /** The service itself where absent: its work waits with that of callers with a key, and always finds a place. */
  readonly caller?: Caller | undefined
  readonly signal?: AbortSignal | undefined
}

/** Who a piece of work is for. */
export type Caller = { readonly name: string; readonly isKeyed: boolean }

type TurnsOptions = {
  readonly atOnce: number
  /** How many pieces may wait, of callers with a key and of callers without one. */
  readonly waiting: number
  /** How many of these one caller may have. */
  readonly share: number
  /** How long a piece may wait. */
  readonly milliseconds: number
  /** After a piece of a caller without a key, the next one of such callers waits for this many times as long as it took. */
  readonly rest?: number
}

/** There is no turn for this piece of work now: it can be tried again later. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn'
  constructor() {
    super('too much of this work waits already')
  }
}

type Waiter = { readonly start: () => void }

const OURSELVES: Caller = { name: '', isKeyed: true }
