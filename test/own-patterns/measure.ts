import { createContext, Script } from 'node:vm'

/** A regular expression can be interrupted only in a script of `vm`. */
const context = createContext({ performance })

const script = new Script(`(() => {
  const timed = (text) => {
    const began = performance.now()
    pattern.lastIndex = 0
    if (pattern.global) text.replace(pattern, '')
    else pattern.test(text)
    return performance.now() - began
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
 * The index of the text that takes longest, as a whole text is read: a global expression is tried to its end. Undefined if all
 * texts together take more than `limit` milliseconds.
 */
export function slowestText(
  pattern: RegExp,
  texts: readonly string[],
  limit: number,
): { readonly index: number; readonly milliseconds: number } | undefined {
  Object.assign(context, { pattern, texts })
  try {
    return script.runInContext(context, { timeout: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
