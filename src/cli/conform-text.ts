import { styleText } from 'node:util'
import type { Verdict } from '../conform/conform.js'
import { acceptanceLine } from '../conform/report/baseline.js'
import { type ConformFinding, type FindingKind, foldFindings } from '../conform/report/findings.js'
import { CONFORM_RULES } from '../conform/rules.js'
import { terminalLine } from '../model/escape.js'
import { gapLines } from './conform-gaps.js'
import type { ConformResult } from './conform-result.js'
import { inAYear } from './in-a-year.js'
import { counted, LEVELS } from './levels.js'
import { findingLine } from './report.js'

/** A verdict for people: what fails, by rule, how to see it again, and how much was tried at all. */
export const conformText = (judged: ConformResult, options: TextOptions): string => {
  const { coloured, verbose } = options
  const style: Style = (format, words) =>
    coloured ? styleText(format, words, { validateStream: false }) : words
  const groups = LEVELS.flatMap((level) =>
    CONFORM_RULES.flatMap(({ id }) => {
      const own = judged.findings.filter((one) => one.rule === id && one.level === level)
      return own.length === 0 ? [] : [{ id, level, kinds: foldFindings(own) }]
    }),
  )
  const lines = [
    ...groups.flatMap((group) => groupLines(group, style, judged, verbose)),
    ...judged.remarks.map((one) => findingLine(one, coloured)),
    ...(judged.remarks.length === 0 ? [] : ['']),
    ...gapLines(judged, { verbose, title: (words) => style('bold', words) }),
    style(colourOf(judged), terminalLine(summary(judged))),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

export type TextOptions = { readonly coloured: boolean; readonly verbose: boolean }

/** The result of the run, in a line. */
export const summary = (verdict: Verdict): string => {
  const { findings, unjudged, cutShort } = verdict
  const kinds = foldFindings(findings)
  const places = kinds.length === findings.length ? '' : ` in ${findings.length} places`
  const found = kinds.length === 0 ? 'no findings' : `${counted(kinds)}${places}`
  const whole = extent(verdict)
  if (unjudged !== undefined) return `the server could not be judged ${whole}: ${unjudged}`
  return cutShort === undefined
    ? `${found} ${whole}`
    : `not complete, because ${CUT_BY[cutShort.by]} before ${cutShort.cases} more ${cutShort.cases === 1 ? 'case' : 'cases'}: ${found} ${whole}`
}

const CUT_BY = {
  time: 'the time was up',
  ended: 'the run was ended',
  server: 'the server was gone',
} as const

/** How much was judged. Recorded traffic has neither requests of this run nor a seed. */
const extent = ({ cases, requests, seconds, seed, isRecorded }: Verdict): string =>
  isRecorded
    ? `in ${cases} recorded ${cases === 1 ? 'exchange' : 'exchanges'}`
    : `in ${cases} ${cases === 1 ? 'case' : 'cases'}, ${requests} requests and ${seconds.toFixed(1)} s (seed ${seed})`

type Style = (format: Parameters<typeof styleText>[0], words: string) => string

type Level = ConformFinding['level']

type Group = {
  readonly id: string
  readonly level: Level
  readonly kinds: readonly FindingKind[]
}

const COLOURS = { error: 'red', warning: 'yellow', note: 'cyan' } as const

const colourOf = ({ findings, unjudged }: Verdict) => {
  if (unjudged !== undefined) return 'red'
  const worst = LEVELS.find((level) => findings.some((one) => one.level === level))
  return worst === 'error' || worst === 'warning' ? COLOURS[worst] : 'green'
}

const groupLines = (
  { id, level, kinds }: Group,
  style: Style,
  { today }: ConformResult,
  verbose: boolean,
): readonly string[] => {
  const row = CONFORM_RULES.find((one) => one.id === id)
  const checks = row?.checks === undefined ? '' : ` (${row.checks.join(', ')})`
  const source = style('dim', `${row?.clause ?? ''}${checks}`)
  // What only is to be known is shown by a few of each rule.
  const shown = verbose || level !== 'note' ? kinds : kinds.slice(0, NOTES)
  const rest = kinds.slice(shown.length).flatMap(({ findings }) => findings)
  const until = inAYear(today)
  return [
    `${style(COLOURS[level], level)} ${style('bold', id)}  ${row?.purpose ?? ''} ${source}`,
    ...shown.flatMap(({ first, findings }) =>
      (verbose ? findings : [first]).flatMap((finding) => [
        `  ${terminalLine(finding.message)}${finding.count === 1 ? '' : ` (${finding.count} times)`}`,
        ...(level === 'note' && !verbose ? [] : proofLines(finding, style)),
        ...(verbose || findings.length === 1
          ? []
          : [
              `    ${style('dim', 'also in'.padEnd(WIDTH))} ${terminalLine(placesOf(findings.slice(1)))}`,
            ]),
        ...(verbose
          ? [
              `    ${style('dim', 'accept'.padEnd(WIDTH))} ${acceptanceLine(finding.identity, until)}`,
            ]
          : []),
      ]),
    ),
    ...(rest.length > 0
      ? [`  … and ${rest.length} more: ${terminalLine(placesOf(rest))} (--verbose shows all)`]
      : []),
    '',
  ]
}

const proofLines = ({ location, shown, due }: ConformFinding, style: Style): readonly string[] =>
  [
    ['at', `${location.file}:${location.line}:${location.column}`],
    ['request', cut(shown.request)],
    ['received', cut(shown.answer)],
    ['expected', due],
    ['reproduce', shown.curl],
  ].map(
    ([label = '', words = '']) => `    ${style('dim', label.padEnd(WIDTH))} ${terminalLine(words)}`,
  )

/** Of the longest label. */
const WIDTH = 9

const cut = (words: string): string =>
  words.length <= LONGEST ? words : `${words.slice(0, LONGEST)}…`

const LONGEST = 400

const NOTES = 3

/** `12 places: eth_call, eth_getLogs, … and 8 other operations`. */
const placesOf = (findings: readonly ConformFinding[]): string => {
  const names = [...new Set(findings.flatMap(({ operations = ['the protocol'] }) => operations))]
  const places = `${findings.length} ${findings.length === 1 ? 'place' : 'places'}`
  const others = names.length > FEW ? [`${names.length - FEW} other operations`] : []
  return `${places}: ${[...names.slice(0, FEW), ...others].join(', ')}`
}

const FEW = 6
