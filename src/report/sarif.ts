import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { type Finding, isAboutFile, isAtRevision, type Location } from '../model/finding.js'
import { jsonText } from '../text/escape.js'
import { details } from './details.js'
import type { ReportFormat } from './report.js'

/** Findings in SARIF 2.1.0; columns are UTF-16 code units, as in JavaScript. */
export const sarifReport: ReportFormat = (report, { version, rules: table = [] }) => {
  const { findings, sections, facts, subject, summary, inconclusive } = report
  const ids = [...new Set(findings.map(({ rule }) => rule))].sort()
  const rows = new Map(table.map((row) => [row.id, row]))
  const fingerprint = createFingerprint()
  const results = findings.map((finding) => ({
    ruleId: finding.rule,
    ruleIndex: ids.indexOf(finding.rule),
    level: finding.level,
    message: { text: textOf(finding) },
    locations: [isAboutFile(finding) ? fileOnly(finding.location) : located(finding.location)],
    ...(finding.before && {
      relatedLocations: [
        { id: 1, ...located(finding.before), message: { text: 'the version before' } },
      ],
    }),
    partialFingerprints:
      finding.identity === undefined
        ? { 'finding/v1': fingerprint(finding) }
        : { 'identity/v1': finding.identity },
  }))
  // Rules for unreadable documents are in no table; their id reads like a sentence.
  const described = (id: string) => rows.get(id)?.purpose ?? id.replaceAll('-', ' ')
  const driver = {
    name: 'twinspec',
    ...(version && { version }),
    rules: ids.map((id) => {
      const { clause, example, fix } = rows.get(id) ?? {}
      const basis = clause === undefined ? '' : ` (${clause})`
      const more = example === undefined ? '' : `\nExample: ${example}\nFix: ${fix}`
      const help = basis + more === '' ? {} : { help: { text: `${described(id)}${basis}${more}` } }
      return { id, shortDescription: { text: described(id) }, ...help }
    }),
  }
  const invocation = {
    executionSuccessful: inconclusive === undefined,
    ...(inconclusive !== undefined && {
      toolExecutionNotifications: [{ level: 'error', message: { text: inconclusive } }],
    }),
  }
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        columnKind: 'utf16CodeUnits',
        invocations: [invocation],
        results,
        properties: { subject, summary, facts, sections },
      },
    ],
  }
  return `${jsonText(log, 2)}\n`
}

const textOf = (finding: Finding): string =>
  [
    finding.message,
    ...details({ ...finding, before: undefined }).map(({ label, words }) => `${label} ${words}`),
  ].join('\n')

/** Creates fingerprints that stay the same in each run while the finding exists, even if lines above it change. */
const createFingerprint = () => {
  const counts = new Map<string, number>()
  return ({ rule, location: { file, pointer }, message }: Finding): string => {
    const key = JSON.stringify([rule, file, pointer, message])
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}:${count}`
  }
}

const fileOnly = ({ file }: Location) => ({
  physicalLocation: { artifactLocation: { uri: uriOf(file) } },
})

const located = ({ file, line, column, pointer }: Location) => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(file) },
    region: { startLine: line, startColumn: column },
  },
  logicalLocations: [{ fullyQualifiedName: pointer }],
})

/**
 * A relative path stays relative to the reader of the log (SARIF 2.1.0, 3.4.3). A file of a revision gets a URI of
 * the scheme git: `git:origin/main:spec/openapi.yaml`.
 */
const uriOf = (file: string): string => {
  if (/^([a-z]:)?[\\/]/i.test(file)) return pathToFileURL(file).href
  const path = file.split(/[\\/]/).map(encodeURIComponent).join('/')
  return isAtRevision(file) ? path.replaceAll('%3A', ':') : path
}
