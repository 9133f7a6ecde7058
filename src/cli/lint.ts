import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Api } from '../model/api.js'
import { type Finding, isAboutFile, type RuleRow } from '../model/finding.js'
import type { ApiFiles } from '../model/load.js'
import { nearest } from '../model/nearest.js'
import { currentRule } from '../model/old-names.js'
import type { Args } from './commands.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { openDocuments, pathsOf } from './documents.js'
import { framed, PER_RULE } from './framed.js'
import {
  dayIn,
  type ExitCode,
  type Io,
  isColoured,
  isExpected,
  UsageError,
  withProgress,
  writeLine,
  writeStyled,
} from './io.js'
import { counted, hintAtExplain, isAsBad, type Level, printRules } from './levels.js'
import { type Format, report } from './report.js'
import { version } from './version.js'

export const lint = async (
  args: Args<'lint'>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
): Promise<ExitCode> => {
  const { format, only, 'fail-on': failOn, verbose } = args
  const { LINT_RULES, lint: lintApi, inOrder } = await import('../lint/lint.js')
  if (args['list-rules']) {
    printRules(LINT_RULES, format, io)
    return 0
  }
  const rules = only === undefined ? undefined : rulesNamed(only, LINT_RULES)
  const found = await findingsOf(format, io, async () => {
    const { loadApi } = await import('../model/load.js')
    const { documents, tree } = await openDocuments(words, args, io)
    const load = (files: ApiFiles) =>
      withProgress(io, (show) => {
        show('reading the documents …')
        return loadApi(files, tree)
      })
    const api = await load(documents)
    const isFixed =
      args.fix && (rules === undefined || rules.includes(FIXED)) && (await fix(api, format, io))
    const linted = isFixed ? await load(pathsOf(documents)) : api
    const all = await withProgress(io, (show) => {
      show(`linting ${linted.operations.length} operations …`)
      return lintApi(linted, { only: rules, today: dayIn(io) })
    })
    const { findings, remarks } = applyConfig(all, config, {
      today: dayIn(io),
      rules: rules ?? LINT_RULES.map(({ id }) => id),
      files: Object.values(pathsOf(documents)).filter((path) => path !== undefined),
    })
    return [...findings, ...remarks]
  })
  const findings = inOrder(found)
  if (format === 'text')
    printText(findings, { only: rules, failOn, verbose }, LINT_RULES.length, io)
  else
    io.stdout.write(
      report(findings, format, {
        version,
        rules: format === 'sarif' ? (await import('./rules.js')).RULES : LINT_RULES,
        failOn,
        workspace: io.env.GITHUB_WORKSPACE,
      }),
    )
  return findings.some(({ level }) => isAsBad(level, failOn)) ? 1 : 0
}

/** The rule whose findings `--fix` removes. */
const FIXED = 'server-status-is-undeclared'

/** Declares the statuses that generated servers answer, prints what was changed, and returns whether anything was. */
const fix = async (api: Api, format: Format, io: Io): Promise<boolean> => {
  const { declareStatuses } = await import('../lint/fix-statuses.js')
  const out = format === 'text' ? io.stdout : io.stderr
  const files = declareStatuses(api, (file) =>
    existsSync(file) ? readFileSync(file, 'utf8') : undefined,
  )
  for (const one of files) {
    if ('refused' in one) {
      writeLine(io.stderr, `${one.file} is not changed: ${one.refused}`)
      continue
    }
    writeFileSync(one.file, one.text)
    for (const { location, operation, statuses } of one.missing) {
      const { file, line } = location
      const what = `${operation.method} ${operation.path}`
      writeLine(out, `fixed ${file}:${line} ${what} declares ${statuses.join(', ')}`)
    }
  }
  return files.some((one) => 'text' in one)
}

type Shown = {
  readonly only: readonly string[] | undefined
  readonly failOn: Level
  readonly verbose: boolean
}

const rulesNamed = (list: string, rules: readonly RuleRow[]): readonly string[] => {
  const ids = rules.map(({ id }) => id)
  const named = list.split(',').map((name) => currentRule(name.trim()))
  for (const name of named) {
    if (ids.includes(name)) continue
    const near = nearest(name, ids)
    const meant = near === undefined ? '--list-rules lists them' : `did you mean ${near}?`
    throw new UsageError(`there is no rule ${name || '""'}: ${meant}`)
  }
  return named
}

/** What keeps a document from being read is a finding of it; that it is not there at all is none. */
const findingsOf = async (
  format: Format,
  io: Io,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> => {
  try {
    return await work()
  } catch (error) {
    if (!isExpected(error) || !('finding' in error)) throw error
    const { findings } = error
    if (!findings.some(isAboutFile)) return findings
    if (format !== 'text')
      io.stdout.write(report(findings, format, { version, workspace: io.env.GITHUB_WORKSPACE }))
    throw error
  }
}

/** Findings with the lines that they are about, and how many there are of each level. */
const printText = (findings: readonly Finding[], options: Shown, rules: number, io: Io): void => {
  const coloured = isColoured(io.stdout)
  const { verbose, failOn, only } = options
  const shown = findings.filter(
    ({ level }) => level !== 'note' || verbose || failOn === 'note' || only !== undefined,
  )
  const hint = ' (--verbose shows all)'
  const bound = verbose ? {} : { perRule: PER_RULE, hint }
  for (const line of framed(shown, { coloured, ...bound })) writeStyled(io.stdout, line)
  const hidden = findings.length > shown.length ? ' (--verbose shows the notes)' : ''
  writeLine(io.stderr, `${summary(findings, only?.length ?? rules)}${hidden}`)
  hintAtExplain(shown, io)
}

const summary = (findings: readonly Finding[], rules: number): string => {
  const asked = rules === 1 ? 'one rule' : `${rules} rules`
  return `${counted(findings) || 'clean'} by ${asked}`
}
