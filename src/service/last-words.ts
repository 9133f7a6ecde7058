import type { Readable } from 'node:stream'
import { clip } from './clip.js'

/**
 * Keeps the end of what a process prints, and returns it in one line of at most 300 characters: the reason for its end. A
 * process that nobody reads would stop when the pipe is full.
 */
export const lastWordsOf = (printed: Readable | null): (() => string) => {
  let text = ''
  printed?.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-MOST)
  })
  return () => clip(text.replace(/\s+/g, ' ').trim(), 300)
}

const MOST = 2_000
