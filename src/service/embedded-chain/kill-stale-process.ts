import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * Ends the anvil whose number a supervisor left at `path` when it was killed. Whoever has that number by now is left alone unless
 * `mark`, the folder that only this anvil was started with, is among its arguments.
 */
export async function killStaleProcess(path: string, mark: string): Promise<number | undefined> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''))
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  const isOurs = (await argumentsOf(pid)).includes(mark)
  if (isOurs) {
    try {
      process.kill(pid, 'SIGKILL')
      for (let tries = 0; tries < 100 && (await argumentsOf(pid)).includes(mark); tries += 1) {
        await pause(10)
      }
    } catch {
      // It ended by itself.
    }
  }
  await rm(path, { force: true })
  return isOurs ? pid : undefined
}

/** The command line of a process; nothing where it cannot be told. */
async function argumentsOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  }
  if (process.platform === 'win32') return ''
  return promisify(execFile)('ps', ['-p', String(pid), '-o', 'args='])
    .then(({ stdout }) => stdout)
    .catch(() => '')
}
