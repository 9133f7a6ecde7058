import { readFileSync, statSync } from 'node:fs'
import type { Location } from '../model/finding.js'
import { withoutMark } from '../runtime/wire/text.js'
import { withoutControls } from '../text/escape.js'
import { styler } from './style.js'

/**
 * The line of a place with the two lines before it and a caret below; empty if the file cannot be read. A long line is truncated
 * around the caret.
 */
export const codeFrame = (
  { file, line, column }: Location,
  { coloured = false, lines: linesIn = linesOf }: FrameOptions = {},
): string => {
  const lines = linesIn(file)
  if (lines[line - 1] === undefined) return ''
  const first = Math.max(1, line - 2)
  const width = String(line).length
  const start = column <= WIDTH ? 0 : column - 1 - WIDTH / 2
  const style = styler(coloured)
  const row = (label: string, words: string) =>
    `${style('dim', `${label.padStart(width + 1)} |`)}${words === '' ? '' : ` ${words}`}`

  const shown = lines
    .slice(first - 1, line)
    .map((source, index) => row(String(first + index), windowed(source, start)))
  const before = windowed(lines[line - 1] ?? '', start).slice(
    0,
    column - 1 - start + (start > 0 ? 1 : 0),
  )
  const caret = before.replace(/[^\t]/g, ' ') + style(['bold', 'red'], '^')
  return [...shown, row('', caret)].join('\n')
}

type FrameOptions = {
  readonly coloured?: boolean
  /** Returns the lines of a file; by default, it is read for each frame. */
  readonly lines?: (file: string) => readonly string[]
}

/** Returns the lines of files and reads each only once, for many frames. */
export const createLines = (): ((file: string) => readonly string[]) => {
  const read = new Map<string, readonly string[]>()
  return (file) => {
    const lines = read.get(file) ?? linesOf(file)
    read.set(file, lines)
    return lines
  }
}

const WIDTH = 100

/** The part of a line from `start` on, with an ellipsis where it was truncated. */
const windowed = (source: string, start: number): string => {
  const part = withoutControls(source.slice(start, start + WIDTH))
  return `${start > 0 ? '…' : ''}${part}${source.length > start + WIDTH ? '…' : ''}`.trimEnd()
}

const linesOf = (file: string): readonly string[] => {
  try {
    // A pipe can be read only once, and a device may have no end.
    if (!statSync(file).isFile()) return []
    return withoutMark(readFileSync(file, 'utf8')).split(/\r?\n/)
  } catch {
    // The finding itself reports that the file cannot be read.
    return []
  }
}
