import { BASELINE_RULES } from '../conform/report/baseline.js'
import { type ConformFinding, foldFindings } from '../conform/report/findings.js'
import { CONFORM_RULES } from '../conform/rules.js'
import { jsonText } from '../model/escape.js'
import type { Finding } from '../model/finding.js'
import { nameOf } from '../model/names.js'
import { conformPage } from './conform-html/page.js'
import type { ConformResult } from './conform-text.js'
import { details, shortened } from './finding-details.js'
import type { Args } from './flags.js'
import { LEVELS } from './levels.js'
import { type JunitCase, type JunitSuite, junitXml, report } from './report.js'

export type ConformFormat = Args<'conform'>['format']

const foldedFindings = (findings: readonly ConformFinding[]): readonly ConformFinding[] =>
  foldFindings(findings).map(({ first, findings: { length } }) =>
    length === 1
      ? first
      : { ...first, message: `${first.message} (and ${length - 1} more of this cause)` },
  )

/** The result in a machine-readable format, or as an HTML page. */
export const conformReport = (
  judged: ConformResult,
  format: Exclude<ConformFormat, 'text'>,
  { version, workspace }: { readonly version: string; readonly workspace?: string | undefined },
): string => {
  if (format === 'json') {
    const { api: _, ...shown } = judged
    return `${jsonText(shown, 2)}\n`
  }
  if (format === 'html') return conformPage(judged, { version })
  if (format === 'junit') return conformJunit(judged)
  // GitHub shows at most ten annotations per level, so each cause gets one.
  const shown = format === 'github' ? foldedFindings(judged.findings) : judged.findings
  const findings = LEVELS.flatMap((level) => shown.filter((one) => one.level === level))
  const options = { version, workspace, rules: [...CONFORM_RULES, ...BASELINE_RULES] }
  return report([...findings.map(withDetails), ...judged.remarks], format, options)
}

/**
 * A suite for each operation, with a case for each finding. One case passes if no error was found; one is skipped if
 * the operation gave no documented response. Other suites are for the protocols and for what was not tested. Only
 * errors fail.
 */
const conformJunit = (result: ConformResult): string => {
  const { api, findings, remarks, coverage, notTested, unjudged } = result
  const met = coverage.find(({ kind }) => kind === 'operation')?.met ?? []
  const all = findings.map(withDetails)
  const operations = api.operations.map((operation): JunitSuite => {
    const name = nameOf(operation)
    const own = all.filter((one) => one.operations?.[0] === name)
    const cases = [
      ...own.map((one) => caseOf(name, one)),
      ...passed(name, own, met.includes(operation.id)),
    ]
    return { name, cases }
  })
  const others = all.filter(({ operations: [name] = [] }) => name === undefined)
  const server = unjudged === undefined ? [] : [caseOf('the server', notJudged(result, unjudged))]
  const isQuiet = unjudged === undefined && others.every(({ level }) => level !== 'error')
  const quiet = { name: 'conform to their specifications', className: 'the protocols' }
  const suites: readonly JunitSuite[] = [
    { name: 'the server', cases: server },
    ...operations,
    {
      name: 'the protocols',
      cases: [...others.map((one) => caseOf('the protocols', one)), ...(isQuiet ? [quiet] : [])],
    },
    { name: 'baseline', cases: remarks.map((one) => caseOf('baseline', one)) },
    {
      name: 'not tested',
      cases: notTested.flatMap(({ what, why }) =>
        what.map((name) => ({ name, className: 'not tested', skipped: why })),
      ),
    },
  ]
  const optional = ['the server', 'baseline', 'not tested']
  const shown = suites.filter(({ name, cases }) => cases.length > 0 || !optional.includes(name))
  return junitXml('twinspec conform', shown)
}

/** The finding in the general format, with request, response and expectation as details. */
const withDetails = (finding: ConformFinding): Finding => {
  const { rule, level, location, message, operations, identity, clause, shown, due } = finding
  return {
    ...{ rule, level, location, message, identity },
    ...(operations && { operations }),
    details: [
      { label: 'clause:', words: clause },
      { label: 'request:', words: shortened(shown.request) },
      { label: 'received:', words: shortened(shown.answer) },
      { label: 'expected:', words: due },
      { label: 'reproduce:', words: shown.curl },
    ],
  }
}

const notJudged = ({ subject }: ConformResult, message: string): Finding => ({
  ...{ rule: 'server-could-not-be-judged', level: 'error', message },
  location: { file: subject, line: 1, column: 1, pointer: '' },
})

const caseOf = (className: string, finding: Finding): JunitCase => {
  const { rule, level, message, location, identity } = finding
  const { file, line, column } = location
  const lines = details(finding).map(({ label, words }) => `${label} ${words}`)
  const proof = [`at ${file}:${line}:${column}`, ...lines].join('\n')
  return {
    name: identity ?? `${rule} ${line}`,
    className,
    ...(level === 'error'
      ? { failure: { rule, message, text: `${message}\n${proof}` } }
      : { output: `${level} ${message}\n${proof}` }),
  }
}

const passed = (
  className: string,
  own: readonly Finding[],
  isMet: boolean,
): readonly JunitCase[] => {
  if (own.some(({ level }) => level === 'error')) return []
  const name = 'conforms to the document'
  return [{ name, className, ...(isMet ? {} : { skipped: 'it was not covered' }) }]
}
