import { readdirSync, readFileSync } from 'node:fs'

/** The processes whose command line has the text, by number, without this one. For machines with /proc. */
export function processesWith(text: string): readonly number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((pid) => pid !== process.pid && commandOf(pid).includes(text))
}

/** Its arguments, a zero byte after each. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
