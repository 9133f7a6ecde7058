import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { FolderInUse, type FolderLock, lockFolder } from '../store/folder-lock.js'
import { watchMemory } from './memory-limit.js'
import { superviseChain } from './supervise.js'
import type { SupervisorMessage, SupervisorOptions, WriteLog } from './supervisor-messages.js'

// The process that keeps the chain: it outlives a killed gateway, saves the chain and then ends.

const options = JSON.parse(process.argv[2] ?? '{}') as SupervisorOptions
const stop = new AbortController()

// Ctrl-C and the end of a terminal reach all processes of the group: the gateway decides, by message or by its own end.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.on('SIGTERM', () => stop.abort())
process.on('disconnect', () => stop.abort())
process.on('message', (message: { readonly kind?: string }) => {
  if (message.kind === 'close') stop.abort()
})

keep().then(
  () => process.exit(0),
  async (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    await tell({ kind: 'failed', message })
    process.exit(1)
  },
)

async function keep(): Promise<void> {
  const { folder, isTemporary } = options
  const lock = await lockPatiently(folder)
  if (lock === undefined) return
  const log: WriteLog = (level, message, details = {}) => {
    void tell({ kind: 'log', level, message, details })
  }
  let times = 1
  let sent = 0
  const onMemory = (now: number): void => {
    const bytes = Math.round(times * now)
    if (Math.abs(bytes - sent) < LEAST_CHANGE) return
    sent = bytes
    void tell({ kind: 'memory', bytes })
  }
  void watchMemory({ ...options, signal: stop.signal, log, onMemory })
  try {
    await superviseChain({
      ...options,
      signal: stop.signal,
      log,
      onSaveCost: (cost) => {
        times = cost
      },
      onReady: (url, port) => {
        void tell({ kind: 'ready', url, port })
      },
    })
  } finally {
    // The successor of a killed supervisor also uses the temporary folder, so only a normal end removes it.
    if (isTemporary && stop.signal.aborted) await rm(folder, { recursive: true, force: true })
    await lock.release()
  }
}

/** Bytes. */
const LEAST_CHANGE = 1_000_000

/** A supervisor whose gateway was killed may still be saving. */
async function lockPatiently(folder: string): Promise<FolderLock | undefined> {
  for (const end = Date.now() + (options.patience ?? 15_000); !stop.signal.aborted; ) {
    try {
      return await lockFolder(folder)
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() > end) throw error
      await pause(50)
    }
  }
  return undefined
}

/** Resolves when the message is sent, or if there is no receiver. */
function tell(message: SupervisorMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve()
    process.send(message, undefined, undefined, () => resolve())
  })
}
