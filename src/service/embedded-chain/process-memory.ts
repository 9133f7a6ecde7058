import { readFile, writeFile } from 'node:fs/promises'

/** Bytes that a process has in memory, now and at most since `forgetPeak`. Undefined where the machine does not show it: Linux alone does. */
export async function memoryOf(pid: number): Promise<ProcessMemory | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const bytes = (name: string): number =>
    1_024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN)
  const now = bytes('VmRSS')
  return Number.isNaN(now) ? undefined : { now, peak: bytes('VmHWM') }
}

export type ProcessMemory = { readonly now: number; readonly peak: number }

/** Has the kernel record the peak of a process from now on; see `clear_refs` in proc(5). */
export async function forgetPeak(pid: number): Promise<void> {
  // Where that is not allowed, the peak is the one since the start.
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined)
}
