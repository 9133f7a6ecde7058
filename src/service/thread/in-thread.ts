import type { Worker } from 'node:worker_threads'
import { threadOurs } from '../fork.js'
import { RejectedSubmission } from '../zkt/rejected.js'
import type { TaskOrder, TaskReport, Tasks } from './worker.js'

/**
 * Runs a task in the single worker thread, in the order of the calls, so that a large request does not block the
 * event loop. Rejects with the error of the task. Small tasks are faster in the main thread: `LARGE` is the input
 * size from which the thread is faster.
 */
export const inThread = <Name extends keyof Tasks>(
  task: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<Awaited<ReturnType<Tasks[Name]>>> =>
  new Promise((resolve, reject) => {
    const worker = running()
    count += 1
    waiting.set(count, { resolve: resolve as (value: unknown) => void, reject })
    worker.postMessage({ id: count, task, args } satisfies TaskOrder)
  })

/** Characters of input: signing or encoding this much takes about ten milliseconds. */
export const LARGE = 32_768

/** Without limits, V8 collects the thread's garbage as late as possible. A body of 1 MB needs a tenth of this memory. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

let thread: Worker | undefined
let count = 0
const waiting = new Map<number, Waiting>()

const running = (): Worker => {
  if (thread) return thread
  const worker = threadOurs(new URL('./worker.js', import.meta.url), { resourceLimits: LIMITS })
  worker.on('message', settle)
  // The process does not wait for it at its end. A listener that is added later would undo this.
  worker.unref()
  // The end of the thread fails all its tasks; the next task starts another thread.
  const fail = (error: unknown): void => {
    if (thread !== worker) return
    thread = undefined
    const lost = [...waiting.values()]
    waiting.clear()
    for (const { reject } of lost) reject(new Error('the worker thread ended', { cause: error }))
  }
  worker.on('error', fail)
  worker.on('exit', fail)
  thread = worker
  return worker
}

const settle = ({ id, value, error, rejected }: TaskReport): void => {
  const asked = waiting.get(id)
  waiting.delete(id)
  if (rejected) {
    const { errorCode, message, details } = rejected
    asked?.reject(new RejectedSubmission(errorCode, message, { details }))
  } else if (error !== undefined) asked?.reject(error)
  else asked?.resolve(value)
}
