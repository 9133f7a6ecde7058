import { templateText } from '../model/escape.js'
import { code, type Fragment, join, raw, string } from './file.js'

/**
 * A text as a reader takes it in: one of many lines by its lines, and what repeats a character over and over by how often.
 * Any other is what it is.
 */
export function longText(text: string): string | Fragment {
  if (text.length <= 80) return text
  if (text.split('\n').length > 2) return byLine(text)
  const runs = text.match(RUNS)?.join('').length ?? 0
  return runs > text.length / 2 ? byRuns(text) : text
}

const byLine = (text: string): Fragment => {
  const lines = text.split('\n').map((line) => code`${string(line)},`)
  return code`[\n  ${join(lines)}\n].join('\\n')`
}

/** What repeats a character 24 times and more. */
const RUNS = /(.)\1{23,}/gs

const byRuns = (text: string): Fragment => {
  const pieces = text.split(/((.)\2{23,})/s)
  // Of three pieces the second is a run, and the third the character that it is of.
  const written = pieces.map((piece, at) => {
    if (at % 3 === 0) return templateText(piece)
    return at % 3 === 1 ? `\${${string(piece[0] ?? '')}.repeat(${piece.length})}` : ''
  })
  return raw(`\`${written.join('')}\``)
}
