import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { createUsageFiles } from './files.js'
import { listWords } from './listed-words.js'
import { maskExchange, type SeenExchange } from './mask.js'

/** The input of the thread. */
export type WorkerData = { readonly folder: string; readonly secret: Uint8Array }

/** Exchanges to write, or the end. */
export type UsageOrder = readonly SeenExchange[] | 'end'

/** The outcome of the exchanges of some orders. */
export type UsageReport = {
  /** The number of completed orders. */
  readonly orders: number
  readonly written: number
  readonly failed: number
  /** The reason of the last failure. */
  readonly why?: string
  /** Files that were deleted because there were too many. */
  readonly deleted: readonly string[]
}

/** The time for which lines wait for others, to be compressed together. */
const FLUSH_MILLISECONDS = 2_000
/** The maximum characters of lines that wait. */
const MOST_CHARACTERS = 2 ** 20

const { folder, secret } = workerData as WorkerData
const documents = ['http.openapi.json', 'rpc.openrpc.json'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../../generated/${name}`, import.meta.url), 'utf8')),
)
const words = listWords(documents)
const files = createUsageFiles(folder)
let waiting: string[] = []
let size = 0
let orders = 0
let unread = 0
let why: string | undefined

const flush = (): void => {
  if (orders === 0) return
  let written = waiting.length
  let deleted: readonly string[] = []
  if (written > 0) {
    try {
      deleted = files.write(waiting).deleted
    } catch (error) {
      unread += written
      written = 0
      why = String(error)
    }
  }
  const report = { orders, written, failed: unread, deleted, ...(why !== undefined && { why }) }
  waiting = []
  size = 0
  orders = 0
  unread = 0
  why = undefined
  parentPort?.postMessage(report satisfies UsageReport)
}

const lineOf = (seen: SeenExchange, day: string): string | undefined => {
  try {
    return JSON.stringify(maskExchange(seen, { words, secret, day }))
  } catch (error) {
    // For example for thousands of nested lists.
    why = String(error)
    return undefined
  }
}

const timer = setInterval(flush, FLUSH_MILLISECONDS)

parentPort?.on('message', (order: UsageOrder) => {
  orders += 1
  if (order === 'end') {
    clearInterval(timer)
    flush()
    files.close()
    parentPort?.close()
    return
  }
  const day = new Date().toISOString().slice(0, 10)
  for (const seen of order) {
    const line = lineOf(seen, day)
    if (line === undefined) {
      unread += 1
      continue
    }
    waiting.push(line)
    size += line.length
  }
  if (size > MOST_CHARACTERS) flush()
})
