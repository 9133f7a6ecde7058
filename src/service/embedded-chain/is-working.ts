import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Whether a process uses the processor now: one that answers nothing may only have much to do. It is watched for
 * `milliseconds`. Undefined where the machine does not tell, as all but Linux do not.
 */
export async function isWorking(pid: number, milliseconds = 2_000): Promise<boolean | undefined> {
  const before = await ticksOf(pid)
  if (before === undefined) return undefined
  await pause(milliseconds)
  const after = await ticksOf(pid)
  return after !== undefined && after - before >= LEAST_TICKS
}

/** A hundredth of a second each. A process that hangs has timers of its own, which take less. */
const LEAST_TICKS = 5

/** What a process has used, in user and in system mode: fields 14 and 15 of `/proc/PID/stat`, see proc(5). */
async function ticksOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program is field 2, and may have any character in it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined ? undefined : Number(fields[11]) + Number(fields[12])
}
