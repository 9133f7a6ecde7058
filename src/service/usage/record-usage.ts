import { randomBytes } from 'node:crypto'
import { access, constants, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { threadOurs } from '../fork.js'
import { makeFolder } from '../store/folder-lock.js'
import { assertLinksStayInside } from '../store/links.js'
import { reasonOf } from '../store/store.js'
import { UsageError } from '../usage-error.js'
import type { SeenExchange } from './mask.js'
import type { UsageOrder, UsageReport, WorkerData } from './worker.js'

/**
 * Records the use of the service into a folder, in a separate thread. Exchanges that are too many for the
 * thread are dropped and counted: no request waits for it, and none fails because of it. Rejects with a
 * UsageError if the folder cannot be written.
 */
export const recordUsage = async (
  folder: string,
  { log, onRecords, mostBytes = MOST_BYTES }: RecordOptions,
): Promise<UsageRecorder> => {
  const secret = await prepareFolder(folder)
  const worker = threadOurs(new URL('./worker.js', import.meta.url), {
    workerData: { folder, secret } satisfies WorkerData,
    resourceLimits: LIMITS,
  })
  let batch: SeenExchange[] = []
  let batchBytes = 0
  let timer: NodeJS.Timeout | undefined
  /** Bytes and exchanges of each order that the thread has not reported yet. */
  const open: { readonly bytes: number; readonly count: number }[] = []
  let openBytes = 0
  let isOver = false
  let quietUntil = 0

  const warn = (details: object, message: string): void => {
    // With a full disk, warnings would fill the log too.
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + QUIET_MILLISECONDS
    log.warn({ folder, ...details }, message)
  }
  const post = (): void => {
    timer = undefined
    if (batch.length === 0) return
    open.push({ bytes: batchBytes, count: batch.length })
    openBytes += batchBytes
    worker.postMessage(batch satisfies UsageOrder)
    batch = []
    batchBytes = 0
  }
  const ended = new Promise<void>((resolve) => {
    const stop = (error?: unknown): void => {
      if (!isOver) {
        warn({ err: error }, 'usage is no longer recorded: the thread ended')
        onRecords('failed', open.reduce((sum, { count }) => sum + count, 0) + batch.length)
      }
      isOver = true
      batch = []
      resolve()
    }
    worker.on('error', stop)
    worker.on('exit', () => stop())
  })
  worker.on('message', ({ orders, written, failed, why, deleted }: UsageReport) => {
    for (const { bytes } of open.splice(0, orders)) openBytes -= bytes
    if (written > 0) onRecords('written', written)
    if (failed > 0) onRecords('failed', failed)
    if (why !== undefined) warn({ why, failed }, 'records of usage were not written')
    if (deleted.length > 0)
      log.warn({ folder, deleted }, 'old records of usage were deleted: read them more often')
  })
  worker.unref()

  return {
    add: (seen) => {
      const bytes = sizeOf(seen.body) + sizeOf(seen.reply) + OVERHEAD
      if (isOver || openBytes + batchBytes + bytes > mostBytes) {
        onRecords('dropped', 1)
        return
      }
      batch.push(seen)
      batchBytes += bytes
      timer ??= setTimeout(post, POST_MILLISECONDS).unref()
    },
    close: async () => {
      if (isOver) return
      clearTimeout(timer)
      post()
      isOver = true
      worker.ref()
      worker.postMessage('end' satisfies UsageOrder)
      await ended
    },
  }
}

export type UsageRecorder = {
  /** Never throws, and takes negligible time. */
  readonly add: (seen: SeenExchange) => void
  /** Writes all pending exchanges. */
  readonly close: () => Promise<void>
}

/** The outcome of records of exchanges. */
export type RecordOutcome = 'written' | 'dropped' | 'failed'

type RecordOptions = {
  readonly log: Pick<Logger, 'warn'>
  readonly onRecords: (outcome: RecordOutcome, count: number) => void
  /** The maximum bytes of exchanges that wait for the thread. */
  readonly mostBytes?: number
}

/** Bytes of bodies that wait for the thread. */
const MOST_BYTES = 32 * 2 ** 20
/** The estimated size of an exchange without its bodies. */
const OVERHEAD = 500
const POST_MILLISECONDS = 50
const QUIET_MILLISECONDS = 60_000
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const

const sizeOf = (body: string | Uint8Array | undefined): number => body?.length ?? 0

/** The secret of the folder, created if there is none: without it, a record cannot be matched with a key. */
const prepareFolder = async (folder: string): Promise<Uint8Array> => {
  const file = join(folder, '.usage-secret')
  await assertLinksStayInside(folder, '--usage')
  try {
    await makeFolder(folder, 0o700)
    await access(folder, constants.W_OK | constants.X_OK)
    await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
    const text = (await readFile(file, 'utf8')).trim()
    if (/^[\da-f]{64}$/.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  } catch (cause) {
    throw new UsageError(`--usage ${folder} cannot be written: ${reasonOf(cause)}`, { cause })
  }
  throw new UsageError(`${file} is no secret of 64 hex digits: delete it, and a new one is made`)
}
