/**
 * Runs at most `atOnce` tasks at a time. Callers with a key go first. Within each group callers take turns, even if
 * one of them has many tasks waiting.
 */
export function createTurns(options: TurnsOptions): Turns {
  const { atOnce, atOnceWithoutKey = atOnce, waiting, share, milliseconds, rest = 0 } = options
  const running = { keyed: 0, anonymous: 0 }
  /** The time before which no task of a caller without a key starts. */
  let restEnds = 0
  const groups = { keyed: new Map<string, Waiter[]>(), anonymous: new Map<string, Waiter[]>() }
  /** Callers in the order in which they were served. */
  let served: readonly string[] = []

  const isFree = (group: Group): boolean =>
    running.keyed + running.anonymous < atOnce &&
    (group === 'keyed' || running.anonymous < atOnceWithoutKey)

  const begin = (group: Group, name: string): void => {
    running[group] += 1
    served = [...served.filter((other) => other !== name), name].slice(-REMEMBERED)
  }

  const next = (): void => {
    const group = groups.keyed.size > 0 ? 'keyed' : 'anonymous'
    const queues = groups[group]
    if (queues.size === 0 || !isFree(group)) return
    const left = group === 'keyed' ? 0 : restEnds - performance.now()
    if (left > 0) {
      // A timer may fire early, because it counts from the beginning of the event loop's turn.
      setTimeout(next, left + 1)
      return
    }
    const turnOf = (name: string): number => served.indexOf(name)
    const [name = ''] = [...queues.keys()].sort((one, other) => turnOf(one) - turnOf(other))
    const queue = queues.get(name) ?? []
    const waiter = queue.shift()
    if (queue.length === 0) queues.delete(name)
    begin(group, name)
    waiter?.start()
    next()
  }

  const isFull = (queues: ReadonlyMap<string, readonly Waiter[]>, name: string): boolean => {
    let total = 0
    for (const { length } of queues.values()) total += length
    return total >= waiting || (queues.get(name)?.length ?? 0) >= share
  }

  const wait = (caller: Caller, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const { name } = caller
      const queues = groups[groupOf(caller)]
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
    const group = groupOf(caller)
    if (isFree(group) && (caller.isKeyed || performance.now() >= restEnds))
      begin(group, caller.name)
    else await wait(caller, signal)
    const begun = performance.now()
    const run = async () => {
      try {
        return await work()
      } finally {
        running[group] -= 1
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
 * Rejects with NoTurn if too many tasks wait or no turn comes in time, and with the signal's reason if it is aborted. A caller
 * that leaves does not end the turn: the work continues in the node or in a thread, and ends the turn.
 */
export type Turns = <T>(work: () => Promise<T>, options?: TurnOptions) => Promise<T>

type TurnOptions = {
  /** The service itself by default: its tasks wait with those of callers with a key, and are always accepted. */
  readonly caller?: Caller | undefined
  readonly signal?: AbortSignal | undefined
}

/** The caller of a task. */
export type Caller = { readonly name: string; readonly isKeyed: boolean }

type TurnsOptions = {
  readonly atOnce: number
  /** How many of these may be of callers without a key; all by default. */
  readonly atOnceWithoutKey?: number
  /** How many tasks may wait, of callers with a key and of callers without one, each. */
  readonly waiting: number
  /** How many waiting tasks one caller may have. */
  readonly share: number
  /** How long a task may wait. */
  readonly milliseconds: number
  /** After a task of a caller without a key, the next one of such callers waits this many times as long as it took. */
  readonly rest?: number
}

/** There is no turn for this task now: it can be retried later. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn'
  constructor(message = 'too much of this work waits already') {
    super(message)
  }
}

type Group = 'keyed' | 'anonymous'

const groupOf = ({ isKeyed }: Caller): Group => (isKeyed ? 'keyed' : 'anonymous')

/** More callers than can wait, so that a caller who has just been served does not count as a new one. */
const REMEMBERED = 1_000

type Waiter = { readonly start: () => void }

const OURSELVES: Caller = { name: '', isKeyed: true }
