import { readdir, readFile } from 'node:fs/promises'

/** The value that the given share of all does not pass. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** The most memory that each process of a family was seen to hold. */
export const watchMemory = (pid: number) => {
  const most = new Map<number, Held>()
  let sum = 0
  return {
    look: async (): Promise<void> => {
      const family = await familyOf(pid)
      let shares = 0
      for (const { pid: member, name, resident } of family) {
        const share = await shareOf(member)
        shares += share
        const known = most.get(member)?.resident ?? 0
        most.set(member, { name, resident: Math.max(known, resident) })
      }
      sum = Math.max(sum, shares)
    },
    /** One for each process, those that have ended among them. */
    processes: (): readonly Held[] => [...most.values()],
    /** Bytes of all at one time; a page that several share is counted once. */
    together: (): number => sum,
  }
}

type Held = {
  readonly name: string
  /** Bytes in memory, shared pages among them. */
  readonly resident: number
}

/** A process and all that it has started. */
const familyOf = async (pid: number) => {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const states = (await Promise.all(processes.map(stateOf))).filter((state) => state !== undefined)
  const family = new Set([pid])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const state of states) if (family.has(state.parent)) family.add(state.pid)
  }
  return states.filter((state) => family.has(state.pid))
}

const stateOf = async (pid: number) => {
  // One that has ended meanwhile holds nothing.
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const words = line.split('\0')
  const file =
    words.find((word) => /\/(main|supervisor|compile)\.[jt]s$/.test(word)) ?? words[0] ?? ''
  const resident = 1_024 * numberIn(text, 'VmRSS')
  return { pid, parent: numberIn(text, 'PPid'), name: file.replace(/^.*\//, ''), resident }
}

/** Bytes in memory, of each shared page the share that is left when it is divided by those who share it. */
const shareOf = async (pid: number): Promise<number> =>
  1_024 * numberIn(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''), 'Pss')

const numberIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0)
