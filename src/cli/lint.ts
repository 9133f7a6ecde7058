import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ofPreset } from '../lint/presets.js'
import { scoreLines, scoreOf } from '../lint/score.js'
import { findByTeam, type TeamRule, TeamRuleError } from '../lint/team-rules.js'
import type { Api } from '../model/api.js'
import {
  DocumentError,
  type Finding,
  isAboutFile,
  type Location,
  type RuleRow,
} from '../model/finding.js'
import type { ApiFiles } from '../read/load.js'
import { isWithin } from '../read/reference-copies.js'
import type { FormatName } from '../report/formats.js'
import { counted } from '../report/levels.js'
import type { CheckReport } from '../report/report.js'
import { nearest } from '../text/nearest.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { openDocuments, pathsOf } from './documents.js'
import type { Args } from './flags.js'
import {
  dayIn,
  type ExitCode,
  type Io,
  isExpected,
  UsageError,
  withProgress,
  writeLine,
  writeWhole,
} from './io.js'
import { printReport, reportingErrors } from './print-report.js'
import { printRules } from './rule-list.js'

export const runLintCommand = async (
  args: Args<'lint'>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
): Promise<ExitCode> => {
  const { format, only, 'fail-on': failOn, verbose, preset } = args
  const { LINT_RULES, lint, inOrder, distinct } = await import('../lint/lint.js')
  const ofTeam = args.rules === undefined ? [] : await teamRules(args.rules, LINT_RULES)
  const known = [...LINT_RULES, ...ofTeam]
  if (args['list-rules']) {
    printRules(known, format, io)
    return 0
  }
  const rules = only === undefined ? undefined : rulesNamed(only, known)
  let operations = 0
  const found = await findingsOf(format, io, async () => {
    const { loadApi } = await import('../read/load.js')
    const { documents, tree } = await openDocuments(words, args, io)
    const load = (files: ApiFiles) =>
      withProgress(io, (show) => {
        show('reading the documents …')
        return loadApi(files, tree)
      })
    const lintedBy = async (linted: Api, only: readonly string[] | undefined) => {
      const all = await withProgress(io, (show) => {
        show(`linting ${linted.operations.length} operations …`)
        return [...lint(linted, { only, today: dayIn(io) }), ...byTeam(linted, only)]
      })
      operations = Math.max(operations, linted.operations.length)
      return applyConfig(all, config, {
        today: dayIn(io),
        rules: only ?? known.map(({ id }) => id),
        files: Object.values(pathsOf(documents)).filter((path) => path !== undefined),
      })
    }
    const api = await load(documents).catch(keep)
    const files = Object.values(pathsOf(documents)).filter((path) => path !== undefined)
    if (api instanceof DocumentError) return { findings: await lintedAlone(api), files }
    const { findings, remarks } = await lintedBy(await fixed(api, documents), rules)
    return { findings: [...findings, ...remarks], files }

    function byTeam(linted: Api, only: readonly string[] | undefined): readonly Finding[] {
      const asked = ofTeam.filter(({ id }) => only === undefined || only.includes(id))
      try {
        return findByTeam(asked, linted)
      } catch (error) {
        if (error instanceof TeamRuleError) throw new UsageError(error.message)
        throw error
      }
    }

    /** An error in one document must not hide the findings of the other. */
    async function lintedAlone(error: DocumentError): Promise<readonly Finding[]> {
      const { openapi, openrpc } = documents
      const isOne = openapi === undefined || openrpc === undefined
      if (isOne || error.findings.some(isAboutFile)) throw error
      const found: Finding[] = error.findings.filter(({ level }) => level === 'error')
      for (const one of [{ openapi }, { openrpc }]) {
        const read = await load(one).catch(keep)
        const own =
          read instanceof DocumentError
            ? read.findings
            : (await lintedBy(await fixed(read, one), rules)).findings
        // What an overlay matches shows only if both documents are read.
        found.push(...own.filter(({ rule }) => rule !== 'overlay-target-matches-nothing'))
      }
      return distinct(found)
    }

    async function fixed(before: Api, of: ApiFiles): Promise<Api> {
      if (!args.fix) return before
      const { fixFindings, FIXED_RULES } = await import('../lint/fix-findings.js')
      const isSelected = (rule: string) => rules === undefined || rules.includes(rule)
      const out = format === 'text' ? io.stdout : io.stderr
      const reload = () => load(pathsOf(of))
      const fixable = FIXED_RULES.filter(isSelected)
      const places =
        fixable.length > 0 ? fixFindings((await lintedBy(before, fixable)).open, read) : []
      for (const { fixed, ...file } of places)
        write(file, () => {
          for (const { location, words, rule } of fixed)
            writeLine(out, `fixed ${location.file}:${location.line} ${words} [${rule}]`)
        })
      const now = places.some(isChanged) ? await reload() : before
      if (!isSelected(DECLARED)) return now
      const { declareStatuses } = await import('../lint/fix-statuses.js')
      const { open: undeclared } = await lintedBy(now, [DECLARED])
      const wanted = new Set(undeclared.map(({ location }) => placeKey(location)))
      const files = declareStatuses(now, read, (place) => wanted.has(placeKey(place)))
      for (const { missing, ...file } of files)
        write(file, () => {
          for (const { location, operation, statuses } of missing) {
            const what = `${operation.method} ${operation.path} declares ${statuses.join(', ')}`
            writeLine(out, `fixed ${location.file}:${location.line} ${what}`)
          }
        })
      return files.some(isChanged) ? await reload() : now
    }

    function write(file: Fixed, print: () => void): void {
      if ('problem' in file) {
        writeLine(io.stderr, `${file.file} was not changed: ${file.problem}`)
        return
      }
      const folders = Object.values(pathsOf(documents)).flatMap((path) =>
        path === undefined ? [] : [dirname(path)],
      )
      const folder = folders.find((one) => isWithin(resolve(one), resolve(file.file)))
      if (folder === undefined) {
        const where = [...new Set(folders)].join(' and ')
        writeLine(
          io.stderr,
          `${file.file} was not changed: it is outside of ${where}, the folder of the documents, and references only read it; correct it by hand, or run lint --fix on a document in its folder`,
        )
        return
      }
      writeWhole(file.file, file.text, folder)
      print()
    }
  })
  const all = inOrder(found.findings)
  const findings = ofPreset(all, preset)
  // Notes are not printed for people unless they are wanted.
  const hides =
    format === 'text' && !verbose && failOn !== 'note' && rules === undefined && preset !== 'strict'
  const shown = hides ? findings.filter(({ level }) => level !== 'note') : findings
  const score = args.score ? scoreOf(all, operations) : undefined
  const count = rules?.length ?? known.length
  const others = all.length - findings.length
  const hints = [
    ...(findings.length > shown.length ? ['--verbose shows the notes'] : []),
    ...(others > 0 ? [`${others} more concern only the owner of the documents`] : []),
  ]
  const hint = hints.length === 0 ? '' : ` (${hints.join('; ')})`
  const by = count === 1 ? 'one rule' : `${count} rules`
  const report: CheckReport = {
    ...{ command: 'lint', subject: found.files.join(', '), findings: shown, failOn },
    verdict: findings.some(({ level }) => level === 'error')
      ? 'The documents have errors'
      : 'The documents have no errors',
    summary: `${counted(findings) || 'clean'} by ${by}${hint}`,
    facts: { rules: count, ...(score && { score: score.points }) },
    sections: score
      ? [
          {
            ...{ name: 'score', title: `score: ${score.points} of 100`, kind: 'list' },
            ...{ isOverview: true, items: scoreLines(score, known) },
          },
        ]
      : [],
  }
  return printReport(report, { format, verbose, frames: true }, io)
}

const teamRules = async (file: string, rules: readonly RuleRow[]): Promise<readonly TeamRule[]> => {
  const { readTeamRules } = await import('./read-team-rules.js')
  return readTeamRules(file, new Set(rules.map(({ id }) => id)))
}

const keep = (error: unknown): DocumentError => {
  if (error instanceof DocumentError) return error
  throw error
}

/** The rule that `--fix` corrects from the whole document; `fix-findings.ts` corrects the others. */
const DECLARED = 'server-status-is-undeclared'

type Fixed = { readonly file: string } & ({ readonly text: string } | { readonly problem: string })

const placeKey = ({ file, pointer }: Location): string => `${file}#${pointer}`

const isChanged = (file: object): boolean => 'text' in file

const read = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined

const rulesNamed = (list: string, rules: readonly RuleRow[]): readonly string[] => {
  const ids = rules.map(({ id }) => id)
  const named = list.split(',').map((name) => name.trim())
  for (const name of named) {
    if (ids.includes(name)) continue
    const near = nearest(name, ids)
    const hint = near === undefined ? '--list-rules lists them' : `did you mean ${near}?`
    throw new UsageError(`there is no rule ${name || '""'}: ${hint}`)
  }
  return named
}

/** Errors that prevent reading a document become findings, except a missing file. */
const findingsOf = async (
  format: FormatName,
  io: Io,
  work: () => Promise<Linted>,
): Promise<Linted> =>
  reportingErrors('lint', format, io, async () => {
    try {
      return await work()
    } catch (error) {
      if (!isExpected(error) || !('finding' in error)) throw error
      const { findings } = error
      if (findings.some(isAboutFile)) throw error
      return { findings, files: [error.finding.location.file] }
    }
  })

type Linted = { readonly findings: readonly Finding[]; readonly files: readonly string[] }
