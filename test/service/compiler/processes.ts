import { execFileSync } from 'node:child_process'

/** The compiling processes that `parent` has started: their ids. */
export function compilingProcesses(parent = process.pid): number[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, ppid, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return Number(ppid) === parent && /compiler\/compile\.(ts|js)/.test(args ?? '')
        ? [Number(pid)]
        : []
    })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Looks again and again, as long as a busy machine may need. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not so within ${PATIENCE} ms: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const PATIENCE = 20_000
