import { nameOf } from '../conform/operations.js'
import { xmlText } from '../model/escape.js'
import type { Finding } from '../model/finding.js'
import { withDetails } from './conform-details.js'
import type { ConformResult } from './conform-result.js'
import { details } from './finding-details.js'

/**
 * A suite for each operation, with a case for each finding, one that passes where no error was found, and one that is skipped
 * where the operation was never met; suites for the protocols and for what was not tested. Only errors fail.
 */
export const conformJunit = (judged: ConformResult): string => {
  const { api, findings, remarks, coverage, notTested, unjudged } = judged
  const met = coverage.find(({ kind }) => kind === 'operation')?.met ?? []
  const told = findings.map(withDetails)
  const operations = api.operations.map((operation) => {
    const name = nameOf(operation)
    const own = told.filter((one) => one.operations?.[0] === name)
    return suite(name, [
      ...own.map((one) => tested(name, one)),
      ...rest(name, own, met.includes(operation.id)),
    ])
  })
  const others = told.filter(({ operations: [name] = [] }) => name === undefined)
  const protocol = 'the protocols'
  const isQuiet = unjudged === undefined && others.every(({ level }) => level !== 'error')
  const closed = unjudged === undefined ? [] : [tested('the server', closedDoor(judged, unjudged))]
  const passed: readonly Case[] = isQuiet ? [{ name: 'keep to their clauses', of: protocol }] : []
  const left = notTested.flatMap(({ what, why }) =>
    what.map((name) => ({ name, of: 'not tested', skipped: why })),
  )
  const suites = [
    ...(closed.length === 0 ? [] : [suite('the server', closed)]),
    ...operations,
    suite(protocol, [...others.map((one) => tested(protocol, one)), ...passed]),
    ...(remarks.length === 0
      ? []
      : [
          suite(
            'baseline',
            remarks.map((one) => tested('baseline', one)),
          ),
        ]),
    ...(left.length === 0 ? [] : [suite('not tested', left)]),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="twinspec conform">\n${suites.join('')}</testsuites>\n`
}

const closedDoor = ({ subject }: ConformResult, message: string): Finding => ({
  ...{ rule: 'server-could-not-be-judged', level: 'error', message },
  location: { file: subject, line: 1, column: 1, pointer: '' },
})

type Case = {
  readonly name: string
  readonly of: string
  readonly failure?: Finding
  readonly said?: Finding
  readonly skipped?: string
}

const tested = (of: string, finding: Finding): Case => ({
  name: finding.identity ?? `${finding.rule} ${finding.location.line}`,
  of,
  ...(finding.level === 'error' ? { failure: finding } : { said: finding }),
})

const rest = (of: string, own: readonly Finding[], isMet: boolean): readonly Case[] => {
  if (own.some(({ level }) => level === 'error')) return []
  return isMet
    ? [{ name: 'keeps what is declared', of }]
    : [{ name: 'keeps what is declared', of, skipped: 'it was not met' }]
}

const suite = (name: string, cases: readonly Case[]): string => {
  const count = (key: 'failure' | 'skipped') => cases.filter((one) => one[key] !== undefined).length
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}"`
  return `  <testsuite name="${xmlText(name)}" ${counts}>\n${cases.map(written).join('')}  </testsuite>\n`
}

const written = ({ name, of, failure, said, skipped }: Case): string => {
  const head = `    <testcase name="${xmlText(name)}" classname="${xmlText(of)}"`
  if (skipped !== undefined) return `${head}><skipped message="${xmlText(skipped)}"/></testcase>\n`
  if (said)
    return `${head}><system-out>${xmlText(`${said.level} ${said.message}\n${proof(said)}`)}</system-out></testcase>\n`
  if (!failure) return `${head}/>\n`
  const { rule, message } = failure
  const text = xmlText(`${message}\n${proof(failure)}`)
  return `${head}><failure type="${xmlText(rule)}" message="${xmlText(message)}">${text}</failure></testcase>\n`
}

const proof = (finding: Finding): string => {
  const { file, line, column } = finding.location
  const lines = details(finding).map(({ label, words }) => `${label} ${words}`)
  return [`at ${file}:${line}:${column}`, ...lines].join('\n')
}
