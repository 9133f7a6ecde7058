import { readFile, readlink, realpath, writeFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { anvilHome, pidFile } from './run-anvil.js'
import type { WriteLog } from './supervisor-messages.js'

/**
 * Kills the anvil of the folder if it uses too much memory; its supervisor restarts it from its last saved state. A chain that
 * is already large may use twice the memory of its first measurement. Only Linux reports the memory.
 */
export async function watchMemory(options: MemoryOptions): Promise<void> {
  const { folder, signal, log, mostMemory = MOST, onMemory } = options
  if (process.platform !== 'linux') return
  let watched = 0
  let most = mostMemory
  while (!signal.aborted) {
    await pause(LOOK_PAUSE, undefined, { signal }).catch(() => undefined)
    const pid = await anvilOf(folder)
    if (pid === undefined) continue
    const bytes = (await memoryOf(pid))?.now
    if (bytes !== undefined) onMemory?.(bytes)
    if (pid !== watched) {
      watched = pid
      // During the start, it is reading its state.
      most = Math.max(mostMemory, 2 * (bytes ?? 0))
    }
    if (bytes === undefined || bytes <= most) continue
    log('error', 'the chain takes too much memory and is ended', { bytes, most })
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

type MemoryOptions = {
  readonly folder: string
  readonly signal: AbortSignal
  readonly log: WriteLog
  /** Bytes; by default 4 GB, or half the memory of a smaller machine. */
  readonly mostMemory?: number | undefined
  /** Receives the bytes that anvil uses, several times a second. */
  readonly onMemory?: (bytes: number) => void
}

const MOST = Math.min(4 * 2 ** 30, totalmem() / 2)

/** Milliseconds, in which anvil allocates a few hundred megabytes at most. */
const LOOK_PAUSE = 200

/** The process id of anvil. Another process may have it by now, but only this anvil works in the folder. */
async function anvilOf(folder: string): Promise<number | undefined> {
  try {
    const pid = Number(await readFile(pidFile(folder), 'utf8'))
    const isOurs = (await readlink(`/proc/${pid}/cwd`)) === (await realpath(anvilHome(folder)))
    return pid > 0 && isOurs ? pid : undefined
  } catch {
    return undefined
  }
}

/** Bytes of memory that a process uses, now and at most since `forgetPeak`. Undefined except on Linux. */
export async function memoryOf(pid: number): Promise<ProcessMemory | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const bytes = (name: string): number =>
    1_024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN)
  const now = bytes('VmRSS')
  return Number.isNaN(now) ? undefined : { now, peak: bytes('VmHWM') }
}

type ProcessMemory = { readonly now: number; readonly peak: number }

/** Makes the kernel record the peak of a process from now on; see `clear_refs` in proc(5). */
export async function forgetPeak(pid: number): Promise<void> {
  // Without permission, the peak is that since the start.
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined)
}
