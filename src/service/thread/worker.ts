import { parentPort } from 'node:worker_threads'
import { readCostly } from '../node/read-raw.js'
import { signLegacy } from '../wallet/sign-legacy.js'
import { creationCode, prepareCall, prepareMessage } from '../zkt/prepare.js'
import { RejectedSubmission, type RejectionCode } from '../zkt/rejected.js'

/** The tasks of the thread: functions of plain data that use much processor time if their input is large. */
const TASKS = { signLegacy, readCostly, prepareCall, prepareMessage, creationCode } as const

export type Tasks = typeof TASKS

export type TaskOrder = {
  readonly id: number
  readonly task: keyof Tasks
  readonly args: readonly unknown[]
}

export type TaskReport = {
  readonly id: number
  readonly value?: unknown
  readonly error?: unknown
  readonly rejected?: {
    readonly errorCode: RejectionCode
    readonly message: string
    readonly details: unknown
  }
}

/** Messages between threads lose the class of an error, so a RejectedSubmission is sent as its fields. */
const reportOf = (error: unknown): Omit<TaskReport, 'id'> => {
  if (!(error instanceof RejectedSubmission)) return { error }
  const { errorCode, message, details } = error
  return { rejected: { errorCode, message, details } }
}

parentPort?.on('message', async ({ id, task, args }: TaskOrder) => {
  const work = TASKS[task] as (...values: readonly unknown[]) => unknown
  const report = await Promise.resolve()
    .then(async () => ({ value: await work(...args) }))
    .catch(reportOf)
  parentPort?.postMessage({ id, ...report } satisfies TaskReport)
})
