import { styleText } from 'node:util'
import type { Verdict } from '../conform/conform.js'
import { acceptanceLine } from '../conform/report/baseline.js'
import type { ConformFinding } from '../conform/report/findings.js'
import { CONFORM_RULES } from '../conform/rules.js'
import { TIME_WAS_UP } from '../conform/run-cases.js'
import { withoutControls } from '../model/escape.js'
import { gapLines } from './conform-gaps.js'
import { inAYear } from './in-a-year.js'
import type { Judged } from './judged.js'
import { counted, LEVELS } from './levels.js'
import { findingLine } from './report.js'

/** A verdict for people: what fails, by rule, how to see it again, and how much was tried at all. */
export const conformText = (judged: Judged, options: TextOptions): string => {
  const { coloured, verbose } = options
  const style: Style = (format, words) =>
    coloured ? styleText(format, words, { validateStream: false }) : words
  const groups = LEVELS.flatMap((level) =>
    CONFORM_RULES.flatMap(({ id }) => {
      const own = judged.findings.filter((one) => one.rule === id && one.level === level)
      return own.length === 0 ? [] : [{ id, level, findings: own }]
    }),
  )
  const lines = [
    ...groups.flatMap((group) => groupLines(group, style, judged, verbose)),
    ...judged.remarks.map((one) => findingLine(one, coloured)),
    ...(judged.remarks.length === 0 ? [] : ['']),
    ...gapLines(judged, { verbose, title: (words) => style('bold', words) }),
    style(colourOf(judged), summary(judged)),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

export type TextOptions = { readonly coloured: boolean; readonly verbose: boolean }

/** How it came out, in a line. */
export const summary = (verdict: Verdict): string => {
  const { findings, cases, requests, seconds, seed, unjudged, notTested } = verdict
  const found = counted(findings) || 'no findings'
  const whole = `in ${cases} ${cases === 1 ? 'case' : 'cases'}, ${requests} requests and ${seconds.toFixed(1)} s (seed ${seed})`
  if (unjudged !== undefined) return `the server could not be judged ${whole}: ${unjudged}`
  const left = notTested.find(({ why }) => why === TIME_WAS_UP)
  return left === undefined
    ? `${found} ${whole}`
    : `not whole, for ${TIME_WAS_UP} before ${left.what.length} more cases: ${found} ${whole}`
}

type Style = (format: Parameters<typeof styleText>[0], words: string) => string

type Level = ConformFinding['level']

type Group = {
  readonly id: string
  readonly level: Level
  readonly findings: readonly ConformFinding[]
}

const COLOURS = { error: 'red', warning: 'yellow', note: 'cyan' } as const

const colourOf = ({ findings, unjudged }: Verdict) => {
  if (unjudged !== undefined) return 'red'
  const worst = LEVELS.find((level) => findings.some((one) => one.level === level))
  return worst === 'error' || worst === 'warning' ? COLOURS[worst] : 'green'
}

const groupLines = (
  { id, level, findings }: Group,
  style: Style,
  { today }: Judged,
  verbose: boolean,
): readonly string[] => {
  const row = CONFORM_RULES.find((one) => one.id === id)
  const checks = row?.checks === undefined ? '' : ` (${row.checks.join(', ')})`
  const source = style('dim', `${row?.clause ?? ''}${checks}`)
  const told = verbose ? findings : findings.slice(0, PER_RULE)
  const rest = findings.slice(told.length)
  const until = inAYear(today)
  return [
    `${style(COLOURS[level], level)} ${style('bold', id)}  ${row?.purpose ?? ''} ${source}`,
    ...told.flatMap((finding) => [
      `  ${withoutControls(finding.message)}${finding.count === 1 ? '' : ` (${finding.count} times)`}`,
      // What only is to be known needs no proof, unless somebody asks.
      ...(level === 'note' && !verbose ? [] : proofLines(finding, style)),
      ...(verbose
        ? [`    ${style('dim', 'accept')} ${acceptanceLine(finding.identity, until)}`]
        : []),
    ]),
    ...(rest.length > 0
      ? [`  … and ${rest.length} more${namesIn(rest)} (--verbose shows all)`]
      : []),
    '',
  ]
}

const proofLines = ({ location, shown, due }: ConformFinding, style: Style): readonly string[] =>
  [
    ['at', `${location.file}:${location.line}:${location.column}`],
    ['sent', cut(shown.request)],
    ['came', cut(shown.answer)],
    ['due', due],
    ['again', shown.curl],
  ].map(
    ([label = '', words = '']) =>
      `    ${style('dim', label.padEnd(6))} ${withoutControls(oneLine(words))}`,
  )

const oneLine = (words: string): string => words.replace(/\s*\n\s*/g, ' ')

const cut = (words: string): string =>
  words.length <= LONGEST ? words : `${words.slice(0, LONGEST)}…`

const LONGEST = 400

const PER_RULE = 3

/** Of which operations the rest is. */
const namesIn = (findings: readonly ConformFinding[]): string => {
  const names = [...new Set(findings.flatMap(({ operations = [] }) => operations))]
  if (names.length === 0) return ''
  const others = names.length > FEW ? [`${names.length - FEW} others`] : []
  return `: ${[...names.slice(0, FEW), ...others].join(', ')}`
}

const FEW = 4
