import { createContext, Script } from 'node:vm'
import { cpuClock } from '../cpu-time.js'

/** A regular expression can be interrupted only in a script of `vm`. */
const context = createContext({ cpuClock })

const script = new Script(`(() => {
  const timed = (text) => {
    const used = cpuClock()
    pattern.lastIndex = 0
    if (pattern.global) text.replace(pattern, '')
    else pattern.test(text)
    return used()
  }
  let slowest = { index: 0, milliseconds: 0 }
  for (const [index, text] of texts.entries()) {
    // The shorter of two: anything else may interrupt one of them.
    const milliseconds = Math.min(timed(text), timed(text))
    if (milliseconds > slowest.milliseconds) slowest = { index, milliseconds }
  }
  return slowest
})()`)

/**
 * The index of the text that takes longest, and its milliseconds of processor time, as a whole text is read: a global expression
 * is tried to its end. Undefined if all texts together take more than `patience` milliseconds by the clock on the wall.
 */
export function slowestText(
  pattern: RegExp,
  texts: readonly string[],
  patience: number,
): { readonly index: number; readonly milliseconds: number } | undefined {
  Object.assign(context, { pattern, texts })
  try {
    return script.runInContext(context, { timeout: patience })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
