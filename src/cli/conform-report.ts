import type { Verdict } from '../conform/conform.js'
import { ownName } from '../conform/operations.js'
import { acceptanceLine } from '../conform/report/baseline.js'
import type { Api } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { nameOf } from '../model/operation-name.js'
import { foldFindings } from '../report/fold.js'
import { counted, LEVELS } from '../report/levels.js'
import type { CheckReport, FailOn, ReportSection } from '../report/report.js'

/** The result of a run, with the data for its report. */
export type ConformResult = Omit<Verdict, 'findings'> & {
  /** Those about the baseline and the configuration are among them. */
  readonly findings: readonly Finding[]
  readonly api: Api
  /** What was tested: an address without secrets, or a folder. */
  readonly subject: string
  /** `2030-01-31`. */
  readonly today: string
  readonly profile: string | undefined
  readonly failOn: FailOn
  /** Why there is no verdict. */
  readonly inconclusive: string | undefined
}

/** The report of a run. */
export const conformReport = (result: ConformResult): CheckReport => {
  const { api, subject, today, profile, failOn, coverage, inconclusive } = result
  const { cases, requests, seconds, seed, isRecorded } = result
  const met = coverage.find(({ kind }) => kind === 'operation')?.met ?? []
  const titles = [api.http?.title, api.rpc?.title].filter((one) => one !== undefined)
  const findings = LEVELS.flatMap((level) => result.findings.filter((one) => one.level === level))
  return {
    ...{ command: 'conform', subject, failOn },
    findings: findings.map((finding) =>
      finding.exchange === undefined || finding.identity === undefined
        ? finding
        : { ...finding, acceptance: acceptanceLine(finding.identity, today) },
    ),
    verdict: verdictOf(result),
    summary: summaryOf(result),
    ...(inconclusive !== undefined && { inconclusive }),
    facts: {
      documents: [...new Set(titles)].join(' and '),
      'tested on': today,
      ...(isRecorded
        ? { 'recorded exchanges': cases }
        : { cases, requests, seconds: Number(seconds.toFixed(1)), seed }),
      ...(profile !== undefined && { profile }),
    },
    checked: api.operations.map((one) => ({
      name: nameOf(one),
      isCovered: met.includes(ownName(one)),
    })),
    sections: sectionsOf(result),
  }
}

const verdictOf = ({ findings, unjudged }: ConformResult): string => {
  if (unjudged !== undefined) return 'The server could not be tested'
  if (findings.some(({ level }) => level === 'error')) return 'The server does not conform'
  return findings.some(({ level }) => level === 'warning')
    ? 'The server conforms, with warnings'
    : 'The server conforms, as far as it was tested'
}

const summaryOf = (result: ConformResult): string => {
  const { findings, unjudged, cutShort, notOffered } = result
  const kinds = foldFindings(findings).map(({ first }) => first)
  const places = kinds.length === findings.length ? '' : ` in ${findings.length} places`
  const found = kinds.length === 0 ? 'no findings' : `${counted(kinds)}${places}`
  const missing =
    notOffered.length === 0
      ? ''
      : `; ${notOffered.length} ${notOffered.length === 1 ? 'operation is' : 'operations are'} not offered`
  const whole = `${extent(result)}${missing}`
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
const extent = ({ cases, requests, seconds, seed, isRecorded }: ConformResult): string =>
  isRecorded
    ? `in ${cases} recorded ${cases === 1 ? 'exchange' : 'exchanges'}`
    : `in ${cases} ${cases === 1 ? 'case' : 'cases'}, ${requests} requests and ${seconds.toFixed(1)} s (seed ${seed})`

/** What was covered, the choices of the server, and what was not tested. */
const sectionsOf = (result: ConformResult): readonly ReportSection[] => {
  const { coverage, notOffered, inferred, choices, notTested } = result
  const lists = [
    ['never-covered', 'never covered', neverCovered(result)],
    ['not-offered', 'not offered by the server', notOffered],
    [
      'inferred',
      'values taken from responses',
      inferred.map(({ operation, parameter, from }) => `${operation}: ${parameter} from ${from}`),
    ],
  ] as const
  const rows = Object.entries(choices).map(([name, way]) => ({ name, cells: [{ text: way }] }))
  const groups = largestFirst(withoutOffers(notTested, notOffered))
  return [
    {
      ...{ name: 'coverage', title: 'covered', isOverview: true, kind: 'coverage' },
      rows: coverage.map(({ kind, ...row }) => ({ name: kind, ...row })),
    },
    ...lists.flatMap(([name, title, items]): readonly ReportSection[] =>
      items.length === 0 ? [] : [{ name, title, kind: 'list', items }],
    ),
    ...(rows.length === 0
      ? []
      : [
          {
            ...{ name: 'choices', kind: 'table' as const, rows, columns: ['choice', 'way'] },
            title: 'choices of the server, where a specification allows several',
          },
        ]),
    ...(groups.length === 0
      ? []
      : [{ name: 'not-tested', title: 'not tested', kind: 'reasons' as const, groups }]),
  ]
}

/** Operations without a documented success, by name, except those that the server does not offer. */
const neverCovered = ({ coverage, notOffered }: ConformResult): readonly string[] =>
  coverage
    .filter(({ kind }) => kind === 'operation')
    .flatMap(({ declared, met }) => declared.filter((name) => !met.includes(name)))
    .filter((name) => !notOffered.includes(name))

/** Operations that are not offered have their own list. */
const withoutOffers = (
  all: Verdict['notTested'],
  notOffered: readonly string[],
): Verdict['notTested'] =>
  all.flatMap((group) => {
    const what = group.what.filter((name) => !notOffered.includes(name))
    return what.length === 0 ? [] : [{ ...group, what }]
  })

/** What was not tested, whole operations first. */
const largestFirst = (all: Verdict['notTested']) =>
  all
    .toSorted(
      (a, b) =>
        Number(b.isPart ?? false) - Number(a.isPart ?? false) || b.what.length - a.what.length,
    )
    .map(({ why, what }) => ({ why, what }))
