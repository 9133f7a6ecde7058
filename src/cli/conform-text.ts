import type { Verdict } from '../conform/conform.js'
import { acceptanceLine } from '../conform/report/baseline.js'
import { type ConformFinding, type FindingKind, foldFindings } from '../conform/report/findings.js'
import { CONFORM_RULES } from '../conform/rules.js'
import type { Api } from '../model/api.js'
import { terminalLine } from '../model/escape.js'
import type { Finding } from '../model/finding.js'
import { shortened } from './finding-details.js'
import { type Style, styler } from './io.js'
import { counted, LEVELS } from './levels.js'
import { findingLine } from './report.js'

/** The result of a run, with the data for reports. */
export type ConformResult = Verdict & {
  readonly api: Api
  /** What was tested: an address without secrets, or a folder. */
  readonly subject: string
  /** `2030-01-31`. */
  readonly today: string
  readonly profile: string | undefined
  /** Findings about the baseline, with its lines. */
  readonly remarks: readonly Finding[]
}

/** The result as text: failures by rule, how to reproduce them, and how much was tested. */
export const conformText = (judged: ConformResult, options: TextOptions): string => {
  const { coloured, verbose } = options
  const style = styler(coloured)
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

/** The result of the run in one line. */
export const summary = (verdict: Verdict): string => {
  const { findings, unjudged, cutShort, notOffered } = verdict
  const kinds = foldFindings(findings)
  const places = kinds.length === findings.length ? '' : ` in ${findings.length} places`
  const found = kinds.length === 0 ? 'no findings' : `${counted(kinds)}${places}`
  const missing =
    notOffered.length === 0
      ? ''
      : `; ${notOffered.length} ${notOffered.length === 1 ? 'operation is' : 'operations are'} not offered`
  const whole = `${extent(verdict)}${missing}`
  if (unjudged !== undefined) return `the server could not be tested ${whole}: ${unjudged}`
  return cutShort === undefined
    ? `${found} ${whole}`
    : `not complete, because ${CUT_BY[cutShort.by]} before ${cutShort.cases} more ${cutShort.cases === 1 ? 'case' : 'cases'}: ${found} ${whole}`
}

const CUT_BY = {
  time: 'the time limit was reached',
  ended: 'the run was stopped',
  server: 'the server stopped responding',
} as const

/** How much was tested. Recorded traffic has no requests of this run and no seed. */
const extent = ({ cases, requests, seconds, seed, isRecorded }: Verdict): string =>
  isRecorded
    ? `in ${cases} recorded ${cases === 1 ? 'exchange' : 'exchanges'}`
    : `in ${cases} ${cases === 1 ? 'case' : 'cases'}, ${requests} requests and ${seconds.toFixed(1)} s (seed ${seed})`

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
  // Of notes, only a few per rule are shown.
  const shown = verbose || level !== 'note' ? kinds : kinds.slice(0, NOTES)
  const rest = kinds.slice(shown.length).flatMap(({ findings }) => findings)
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
              `    ${style('dim', 'accept'.padEnd(WIDTH))} ${acceptanceLine(finding.identity, today)}`,
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
    ['request', shortened(shown.request)],
    ['received', shortened(shown.answer)],
    ['expected', due],
    ['reproduce', shown.curl],
  ].map(
    ([label = '', words = '']) => `    ${style('dim', label.padEnd(WIDTH))} ${terminalLine(words)}`,
  )

/** The length of the longest label. */
const WIDTH = 9

const NOTES = 3

/** `12 places: eth_call, eth_getLogs, … and 8 other operations`. */
const placesOf = (findings: readonly ConformFinding[]): string => {
  const names = [...new Set(findings.flatMap(({ operations = ['the protocol'] }) => operations))]
  const places = `${findings.length} ${findings.length === 1 ? 'place' : 'places'}`
  const others = names.length > FEW ? [`${names.length - FEW} other operations`] : []
  return `${places}: ${[...names.slice(0, FEW), ...others].join(', ')}`
}

const FEW = 6

/** What was covered, the choices of the server, and what was not tested. */
const gapLines = (
  verdict: Verdict,
  { verbose, title }: { readonly verbose: boolean; readonly title: (words: string) => string },
): readonly string[] => {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['covered', coverageLines(verdict, verbose)],
    ['never covered', neverCovered(verdict)],
    ['not offered by the server', verdict.notOffered],
    ['values taken from responses', inferredLines(verdict)],
    ['choices of the server, where a specification allows several', choiceLines(verdict, verbose)],
    ['not tested', skippedLines(verdict, verbose)],
  ]
  return sections.flatMap(([words, lines]) =>
    lines.length === 0 ? [] : [title(words), ...lines.map((line) => terminalLine(`  ${line}`)), ''],
  )
}

const coverageLines = ({ coverage }: Verdict, verbose: boolean): readonly string[] =>
  coverage.flatMap(({ kind, declared, met }) => {
    const part = met.length / declared.length
    const full = met.length === declared.length ? BAR : Math.min(BAR - 1, Math.ceil(part * BAR))
    const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
    const count = `${String(met.length).padStart(5)} of ${String(declared.length).padEnd(5)}`
    const missed = declared.filter((name) => !met.includes(name))
    return [
      `${plural(kind).padEnd(12)} ${bar} ${count} ${percent(part)}`,
      ...(verbose && missed.length > 0 && kind !== 'operation'
        ? [`  not covered: ${missed.join(', ')}`]
        : []),
    ]
  })

/** Operations without a documented success, by name, except those that the server does not offer. */
const neverCovered = ({ coverage, notOffered }: Verdict): readonly string[] =>
  coverage
    .filter(({ kind }) => kind === 'operation')
    .flatMap(({ declared, met }) => declared.filter((name) => !met.includes(name)))
    .filter((name) => !notOffered.includes(name))

export const inferredLines = ({ inferred }: Verdict): readonly string[] =>
  inferred.map(({ operation, parameter, from }) => `${operation}: ${parameter} from ${from}`)

/** `statuses`. */
export const plural = (kind: string): string => (kind.endsWith('s') ? `${kind}es` : `${kind}s`)

const BAR = 20

/** Rounded down, so that only complete coverage is 100 %. */
export const percent = (part: number): string => `${Math.floor(part * 100)} %`.padStart(5)

const choiceLines = ({ choices }: Verdict, verbose: boolean): readonly string[] => {
  const rows = Object.entries(choices)
  if (rows.length === 0) return []
  if (!verbose) return [`${rows.length} choices were seen (--verbose lists them)`]
  const width = Math.max(...rows.map(([choice]) => choice.length))
  return rows.map(([choice, way]) => `${choice.padEnd(width)}  ${way}`)
}

const skippedLines = ({ notTested, notOffered }: Verdict, verbose: boolean): readonly string[] => {
  // Operations that are not offered have their own list.
  const others = notTested.flatMap(({ what, ...rest }) => {
    const names = what.filter((name) => !notOffered.includes(name))
    return names.length === 0 ? [] : [{ ...rest, what: names }]
  })
  const sorted = largestFirst(others)
  if (verbose)
    return sorted.flatMap(({ what, why }) => [`${why}:`, ...what.map((name) => `  ${name}`)])
  const shown = sorted.slice(0, MOST)
  const rest = sorted.slice(MOST)
  const more = rest.reduce((sum, { what }) => sum + what.length, 0)
  return [
    ...shown.map(({ what, why }) => {
      const [first = ''] = what
      return what.length === 1 ? `${first}: ${why}` : `${first} and ${what.length - 1} more: ${why}`
    }),
    ...(rest.length > 0
      ? [
          `… and ${more} more for ${rest.length === 1 ? 'another reason' : `${rest.length} other reasons`} (--verbose lists them)`,
        ]
      : []),
  ]
}

const MOST = 8

/** The list of what was not tested, whole operations first. */
export const largestFirst = (all: Verdict['notTested']): Verdict['notTested'] =>
  all.toSorted(
    (a, b) =>
      Number(b.isPart ?? false) - Number(a.isPart ?? false) || b.what.length - a.what.length,
  )
