import { styleText } from 'node:util'
import type { Verdict } from '../conform/conform.js'
import type { ConformFinding } from '../conform/findings.js'
import { CONFORM_RULES } from '../conform/rules.js'
import { printable } from './report.js'

/** A verdict for people: what fails, by rule, how to see it again, and how much was tried at all. */
export const conformText = (verdict: Verdict, { coloured, verbose }: TextOptions): string => {
  const style: Style = (format, words) =>
    coloured ? styleText(format, words, { validateStream: false }) : words
  const rules = CONFORM_RULES.flatMap(({ id }) => {
    const findings = verdict.findings.filter(({ rule }) => rule === id)
    return findings.length === 0 ? [] : [{ id, findings }]
  })
  const lines = [
    ...rules
      .toSorted(byLevel)
      .flatMap(({ id, findings }) => ruleLines(id, findings, style, verbose)),
    ...coverageLines(verdict),
    ...choiceLines(verdict, verbose),
    ...skippedLines(verdict, verbose),
    summary(verdict),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

type TextOptions = { readonly coloured: boolean; readonly verbose: boolean }

type Style = (format: Parameters<typeof styleText>[0], words: string) => string

type Group = { readonly id: string; readonly findings: readonly ConformFinding[] }

const LEVELS = ['error', 'warning', 'note'] as const

const byLevel = (a: Group, b: Group): number => levelOf(a) - levelOf(b)

const levelOf = ({ findings: [first] }: Group): number => LEVELS.indexOf(first?.level ?? 'note')

const ruleLines = (
  id: string,
  findings: readonly ConformFinding[],
  style: Style,
  verbose: boolean,
): readonly string[] => {
  const row = CONFORM_RULES.find((one) => one.id === id)
  const level = findings[0]?.level ?? 'note'
  const checks = row?.checks === undefined ? '' : ` (${row.checks.join(', ')})`
  const source = style('dim', `${row?.clause ?? ''}${checks}`)
  const shown = verbose ? findings : findings.slice(0, PER_RULE)
  const rest = findings.length - shown.length
  return [
    `${style(COLOURS[level], level)} ${style('bold', id)}  ${row?.purpose ?? ''} ${source}`,
    ...shown.flatMap(findingLines),
    ...(rest > 0 ? [`  … and ${rest} more of ${id} (--verbose shows all)`] : []),
    '',
  ]
}

const findingLines = ({ message, location, shown, due, count }: ConformFinding) =>
  [
    `  ${message}${count === 1 ? '' : ` (${count} times)`}`,
    `    at    ${location.file}:${location.line}:${location.column}`,
    `    sent  ${shown.request}`,
    `    came  ${shown.answer}`,
    `    due   ${due}`,
    `    again ${shown.curl}`,
  ].map(printable)

const PER_RULE = 3

const COLOURS = { error: 'red', warning: 'yellow', note: 'cyan' } as const

const coverageLines = ({ coverage }: Verdict): readonly string[] => [
  `tried       ${coverage
    .map(({ kind, declared, met }) => `${kind}s ${met.length} of ${declared.length}`)
    .join(', ')}`,
]

const choiceLines = ({ choices }: Verdict, verbose: boolean): readonly string[] => {
  const told = Object.entries(choices).map(([choice, way]) => `${choice} ${way}`)
  return told.length === 0 || !verbose ? [] : [`chosen      ${told.join(', ')}`]
}

const skippedLines = ({ notTested }: Verdict, verbose: boolean): readonly string[] =>
  notTested.map(({ what, why }) => {
    const names =
      verbose || what.length <= FEW ? what : [...what.slice(0, FEW), `${what.length - FEW} more`]
    return `not tested  ${names.join(', ')}: ${why}`
  })

const FEW = 3

const summary = ({ findings, cases, requests, seconds, seed }: Verdict): string => {
  const counts = LEVELS.flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length
    return count === 0 ? [] : [`${count} ${level}${count === 1 ? '' : 's'}`]
  })
  const verdict = counts.length === 0 ? 'no findings' : counts.join(', ')
  return `${verdict} in ${cases} cases, ${requests} requests and ${seconds.toFixed(1)} s (seed ${seed})`
}
