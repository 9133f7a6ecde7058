import { readdir, readFile } from 'node:fs/promises'

/** The value that the given share of all does not pass. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Bytes that a process and all that it has started hold in memory. */
export const memoryOf = async (pid: number): Promise<number> => {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const states = await Promise.all(processes.map(stateOf))
  const family = new Set([pid])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const state of states) if (state && family.has(state.parent)) family.add(state.pid)
  }
  return states.reduce((sum, state) => sum + (state && family.has(state.pid) ? state.bytes : 0), 0)
}

const stateOf = async (pid: number) => {
  // One that has ended meanwhile holds nothing.
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1])
  return { pid, parent: numberOf('PPid'), bytes: 1_024 * (numberOf('VmRSS') || 0) }
}
