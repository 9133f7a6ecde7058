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
      ? `  - ${label} ${markdownText(words)}`
      : `  - ${label} ${markdownCode(words)}`,
  )
  return [
    `- ${markdownText(message)} (${markdownCode(rule)}, ${markdownCode(place)})`,
    ...lines,
  ].join('\n')
}
