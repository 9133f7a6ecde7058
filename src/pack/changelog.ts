import type { Finding } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
import { markdownCode, markdownSentence } from '../text/escape.js'
import {
  type ChangelogSection,
  changeKind,
  consumerKind,
  type ServiceChangelogSection,
} from './change-kind.js'

/**
 * CHANGELOG.md with a section for this version above the earlier ones. A section for the same version is replaced if there is a
 * change, because a package may be created twice before it is published.
 */
export const writeChangelog = (input: ChangelogInput): string => {
  const { head, sections } = read(input.before)
  const isListed = sections.some((text) => versionOf(text) === input.version)
  const { findings, gone = [], texts } = input
  if (isListed && findings.length + gone.length + texts.length === 0) {
    return `${[head, ...sections].join('\n\n')}\n`
  }
  const older = sections.filter((text) => versionOf(text) !== input.version)
  return `${[head, section(input), ...older].join('\n\n')}\n`
}

export type ChangelogInput = {
  readonly version: string
  /** The current time; the changelog contains its day in UTC. */
  readonly today: Date
  /** The findings of `diff`; none without an earlier version. */
  readonly findings: readonly Finding[]
  /** The exports that the package no longer has, one clause each. */
  readonly gone?: readonly string[]
  /** Differences without a finding, as for `nextVersion`. */
  readonly texts: readonly string[]
  /** CHANGELOG.md of the earlier package. */
  readonly before: string | undefined
}

const HEAD = `# Changelog

What changed for those who use this package, version by version.`

/** Maintainers may add text above the first version, and in each version. */
const read = (text: string | undefined) => {
  const parts = (text ?? HEAD).replace(/\r\n/g, '\n').split(/^(?=## )/m)
  const [head = '', ...sections] = /^## /.test(parts[0] ?? '') ? [HEAD, ...parts] : parts
  return { head: head.trim(), sections: sections.map((one) => one.trim()) }
}

/** `## 1.2.0 (2026-11-22)`, or `## [1.2.0] - 2026-11-22` of a changelog written by hand. */
const versionOf = (text: string): string | undefined => /^## \[?v?([^\s\]]+)/.exec(text)?.[1]

const section = (input: ChangelogInput): string => {
  const { version, today, findings, gone = [], texts, before } = input
  const parts = SECTIONS.flatMap(([kind, title]) => {
    const own = findings.filter((finding) => changeKind(finding) === kind)
    const names = kind === 'breaking' && gone.length > 0 ? [removed(gone)] : []
    return titled(title, [...byOperation(own), ...names])
  })
  const rest = parts.length === 0 && texts.length > 0 ? ['### Fixed', textual(texts)] : []
  const all = [...parts, ...rest]
  const nothing = before === undefined ? 'The first version.' : 'Nothing changed.'
  const title = `## ${version} (${today.toISOString().slice(0, 10)})`
  return [title, ...(all.length === 0 ? [nothing] : all)].join('\n\n')
}

const titled = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`### ${title}`, ...lines]

const SECTIONS: readonly (readonly [ChangelogSection, string])[] = [
  ['breaking', 'Breaking'],
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['deprecated', 'Deprecated'],
]

/** The section of one version of the documents, for callers of the service. */
export const versionSection = ({ title, changes }: VersionChanges): string => {
  const parts = CONSUMER_SECTIONS.flatMap(([kind, name]) =>
    titled(name, byOperation(changes[kind])),
  )
  return [`## ${title}`, ...(parts.length === 0 ? ['Nothing changed for callers.'] : parts)].join(
    '\n\n',
  )
}

export type VersionChanges = {
  /** `v1.2.0 (2026-11-22)` */
  readonly title: string
  readonly changes: Readonly<Record<ServiceChangelogSection, readonly Finding[]>>
}

const CONSUMER_SECTIONS: readonly (readonly [ServiceChangelogSection, string])[] = [
  ...SECTIONS,
  ['removed', 'Removed'],
]

/** Findings by their meaning for callers of the service. */
export const byConsumerKind = (findings: readonly Finding[]): VersionChanges['changes'] => {
  const own = (kind: ServiceChangelogSection) =>
    findings.filter((one) => consumerKind(one) === kind)
  return {
    breaking: own('breaking'),
    added: own('added'),
    changed: own('changed'),
    deprecated: own('deprecated'),
    removed: own('removed'),
  }
}

const removed = (gone: readonly string[]): string =>
  `**Names in code**\n\n${gone.map((clause) => `- ${clause}`).join('\n')}`

const textual = (texts: readonly string[]): string =>
  `- Without effect on callers: texts and code of ${texts.map(markdownCode).join(', ')}`

const byOperation = (findings: readonly Finding[]): readonly string[] =>
  [...grouped(findings, titleOf)].map(([name, own]) => `${name}\n\n${own.map(item).join('\n')}`)

const titleOf = ({ operations = [] }: Finding): string => {
  if (operations.length === 0) return '**All operations**'
  const names = operations.slice(0, MOST_NAMES).map((name) => `**${markdownCode(name)}**`)
  const others = operations.length - names.length
  return `${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

const MOST_NAMES = 3

/** Places in the documents and advice for their authors do not help users of the package. */
const item = ({ message, rule }: Finding): string =>
  `- ${markdownSentence(message)} (${markdownCode(rule)})`
