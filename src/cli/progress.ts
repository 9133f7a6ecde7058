import { terminalLine } from '../model/escape.js'
import type { Io } from './io.js'

/** Says on a terminal how far long work has come; silent elsewhere, and where it takes no second. */
export const createProgress = ({ stderr, now }: Io): Progress => {
  const began = now()
  let written = began
  let isShown = false
  return {
    tell: (words) => {
      const time = now()
      if (stderr.isTTY !== true || time - began < PATIENCE || time - written < PAUSE) return
      written = time
      isShown = true
      stderr.write(`\r\u001b[K${terminalLine(words)}`)
    },
    end: () => {
      if (isShown) stderr.write('\r\u001b[K')
      isShown = false
    },
  }
}

export type Progress = { readonly tell: (words: string) => void; readonly end: () => void }

/** Milliseconds. */
const PATIENCE = 1000
const PAUSE = 200
