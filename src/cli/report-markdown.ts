import { markdownCode, markdownText } from '../model/escape.js'
import type { Finding } from '../model/finding.js'
import { details } from './finding-details.js'

/** A changelog for people: what breaks, what may, and what is new, by operation. Fit for a pull request. */
export const markdown = (findings: readonly Finding[]): string => {
  const sections = SECTIONS.flatMap(([level, title]) => {
    const own = findings.filter((finding) => finding.level === level)
    return own.length === 0 ? [] : [`## ${title}\n`, ...byOperation(own)]
  })
  return sections.length === 0 ? 'No changes.\n' : `${sections.join('\n').trimEnd()}\n`
}

const SECTIONS = [
  ['error', 'Breaking'],
  ['warning', 'Warnings'],
  ['note', 'Added and changed'],
] as const

const byOperation = (findings: readonly Finding[]): readonly string[] => {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const name = titleOf(finding)
    groups.set(name, [...(groups.get(name) ?? []), finding])
  }
  return [...groups].map(([name, own]) => `### ${name}\n\n${own.map(item).join('\n')}\n`)
}

const titleOf = ({ operations = [] }: Finding): string => {
  const [first, ...others] = operations
  if (first === undefined) return 'The document'
  return others.length === 0
    ? markdownCode(first)
    : `${markdownCode(first)} and ${others.length} more`
}

const item = (finding: Finding): string => {
  const { location, message, rule } = finding
  const place = `${location.file}:${location.line}`
  const lines = details(finding).map(({ label, words }) =>
    label === 'instead:' || label === 'follows:'
      ? `  - ${label} ${sentence(words)}`
      : `  - ${label} ${markdownCode(words)}`,
  )
  return [`- ${sentence(message)} (${markdownCode(rule)}, ${markdownCode(place)})`, ...lines].join(
    '\n',
  )
}

/** A message with its names as code. Where a name of the document has backticks itself, all of the message is text. */
function sentence(message: string): string {
  const pieces = message.split('`')
  if (pieces.length % 2 === 0 || message.includes('``')) return markdownText(message)
  const text = (piece: string) => {
    const space = (isThere: boolean) => (isThere ? ' ' : '')
    return piece.trim() === ''
      ? space(piece !== '')
      : `${space(/^\s/.test(piece))}${markdownText(piece)}${space(/\s$/.test(piece))}`
  }
  return pieces
    .map((piece, index) => (index % 2 === 1 ? markdownCode(piece) : text(piece)))
    .join('')
}
