import { type Finding, isAboutFile } from '../model/finding.js'
import { grouped } from '../schema/grouped.js'
import { xmlText } from '../text/escape.js'
import { details } from './details.js'
import { isFailing } from './levels.js'
import type { CheckReport, FailOn, ReportFormat } from './report.js'
import { placeOf } from './text.js'

/**
 * A suite for each operation with the findings about it alone, one for each document with the others, and one for what was not
 * tested. A case is a finding, which fails if it fails the run; an operation without such a finding passes if it was covered.
 */
export const junitReport: ReportFormat = (report) => {
  const { command, subject, findings, checked = [], failOn, inconclusive } = report
  const suites = grouped(findings, suiteOf)
  for (const { name } of checked) if (!suites.has(name)) suites.set(name, [])
  const covered = new Map(checked.map(({ name, isCovered }) => [name, isCovered]))
  const all: JunitSuite[] = [...suites].map(([name, own]) => {
    const passes = covered.has(name) && !own.some((one) => isFailing(one, failOn))
    const skipped = covered.get(name) ? {} : { skipped: 'it was not covered' }
    return {
      name,
      cases: [
        ...findingCases(name, own, failOn),
        ...(passes ? [{ name: 'has no failing finding', className: name, ...skipped }] : []),
      ],
    }
  })
  if (inconclusive !== undefined) {
    const failure = { rule: 'inconclusive', message: inconclusive, text: inconclusive }
    const cases = [{ name: `twinspec ${command}`, className: subject, failure }]
    all.unshift({ name: subject, cases })
  }
  const quiet = { name: 'no findings', className: 'twinspec' }
  const shown = all.length > 0 ? all : [{ name: 'documents', cases: [quiet] }]
  const name = `twinspec ${command}`
  return junitXml(name, [...shown, ...skippedSuites(report)])
}

const suiteOf = ({ operations = [], location: { file } }: Finding): string => {
  const [operation, another] = operations
  return operation !== undefined && another === undefined ? operation : file
}

/** CI servers identify cases by name, so several findings at one place are numbered. */
const findingCases = (
  className: string,
  findings: readonly Finding[],
  failOn: FailOn,
): readonly JunitCase[] => {
  const counts = new Map<string, number>()
  return findings.map((finding) => {
    const { rule, level, message, location, identity } = finding
    const own = isAboutFile(finding) ? rule : `${rule} ${location.line}:${location.column}`
    const name = identity ?? own
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const place = placeOf(finding)
    const more = details(finding).map(({ label, words }) => `\n${label} ${words}`)
    return {
      name: count === 1 ? name : `${name} (${count})`,
      className,
      ...(isFailing(finding, failOn)
        ? { failure: { rule, message, text: [place, ...more].join('') } }
        : { output: [`${place} ${level} ${message}`, ...more].join('') }),
    }
  })
}

/** What was left out is skipped, and never counts as passed. */
const skippedSuites = ({ sections }: CheckReport): readonly JunitSuite[] =>
  sections.flatMap((section) => {
    if (section.kind !== 'reasons') return []
    const { title: name, groups } = section
    const cases = groups.flatMap(({ what, why }) =>
      what.map((one) => ({ name: one, className: name, skipped: why })),
    )
    return cases.length === 0 ? [] : [{ name, cases }]
  })

type JunitSuite = { readonly name: string; readonly cases: readonly JunitCase[] }

/** A case without `failure` and `skipped` has passed. */
type JunitCase = {
  readonly name: string
  readonly className: string
  readonly failure?: { readonly rule: string; readonly message: string; readonly text: string }
  readonly skipped?: string
  readonly output?: string
}

const junitXml = (name: string, suites: readonly JunitSuite[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xmlText(name)}">\n${suites.map(suiteXml).join('')}</testsuites>\n`

const suiteXml = ({ name, cases }: JunitSuite): string => {
  const count = (key: 'failure' | 'skipped') => cases.filter((one) => one[key] !== undefined).length
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}"`
  return `  <testsuite name="${xmlText(name)}" ${counts}>\n${cases.map(caseXml).join('')}  </testsuite>\n`
}

const caseXml = ({ name, className, failure, skipped, output }: JunitCase): string => {
  const content = [
    failure &&
      `<failure type="${xmlText(failure.rule)}" message="${xmlText(failure.message)}">${xmlText(failure.text)}</failure>`,
    skipped !== undefined && `<skipped message="${xmlText(skipped)}"/>`,
    output !== undefined && `<system-out>${xmlText(output)}</system-out>`,
  ].filter((one) => typeof one === 'string')
  const head = `    <testcase name="${xmlText(name)}" classname="${xmlText(className)}"`
  return content.length === 0 ? `${head}/>\n` : `${head}>${content.join('')}</testcase>\n`
}
