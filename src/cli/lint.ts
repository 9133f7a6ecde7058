import { existsSync, readFileSync } from 'node:fs'
import type { Api } from '../model/api.js'
import {
  DocumentError,
  type Finding,
  isAboutFile,
  type Level,
  type Location,
  type RuleRow,
} from '../model/finding.js'
import type { ApiFiles } from '../model/load.js'
import { nearest } from '../model/nearest.js'
import { currentRule } from '../model/old-names.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { openDocuments, pathsOf } from './documents.js'
import type { Args } from './flags.js'
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
  writeWhole,
} from './io.js'
import { counted, isAsBad, printRulePages, printRules } from './levels.js'
import { type Format, printReport } from './report.js'

export const lint = async (
  args: Args<'lint'>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
): Promise<ExitCode> => {
  const { format, only, 'fail-on': failOn, verbose } = args
  const { LINT_RULES, lint: lintApi, inOrder, distinct } = await import('../lint/lint.js')
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
    const lintedBy = async (linted: Api, only: readonly string[] | undefined) => {
      const all = await withProgress(io, (show) => {
        show(`linting ${linted.operations.length} operations …`)
        return lintApi(linted, { only, today: dayIn(io) })
      })
      return applyConfig(all, config, {
        today: dayIn(io),
        rules: only ?? LINT_RULES.map(({ id }) => id),
        files: Object.values(pathsOf(documents)).filter((path) => path !== undefined),
      })
    }
    const api = await load(documents).catch(keep)
    if (api instanceof DocumentError) return lintedAlone(api)
    const { findings, remarks } = await lintedBy(await fixed(api, documents), rules)
    return [...findings, ...remarks]

    /** An error in one document must not hide the findings of the other. */
    async function lintedAlone(error: DocumentError): Promise<readonly Finding[]> {
      const { openapi, openrpc } = documents
      const isOne = openapi === undefined || openrpc === undefined
      if (isOne || error.findings.some(isAboutFile)) throw error
      const found: Finding[] = error.findings.filter(({ level }) => level === 'error')
      for (const one of [{ openapi }, { openrpc }]) {
        const read = await load(one).catch(keep)
        found.push(
          ...(read instanceof DocumentError
            ? read.findings
            : (await lintedBy(await fixed(read, one), rules)).findings),
        )
      }
      return distinct(found)
    }

    async function fixed(before: Api, of: ApiFiles): Promise<Api> {
      if (!args.fix) return before
      const { fixFindings, FIXED_RULES } = await import('../lint/fix-findings.js')
      const isMeant = (rule: string) => rules === undefined || rules.includes(rule)
      const out = format === 'text' ? io.stdout : io.stderr
      const reload = () => load(pathsOf(of))
      const fixable = FIXED_RULES.filter(isMeant)
      const places =
        fixable.length > 0 ? fixFindings((await lintedBy(before, fixable)).open, read) : []
      for (const { fixed, ...file } of places)
        write(file, () => {
          for (const { location, words, rule } of fixed)
            writeLine(out, `fixed ${location.file}:${location.line} ${words} [${rule}]`)
        })
      const now = places.some(isChanged) ? await reload() : before
      if (!isMeant(DECLARED)) return now
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

    function write(file: Fixed, said: () => void): void {
      if ('refused' in file) {
        writeLine(io.stderr, `${file.file} was not changed: ${file.refused}`)
        return
      }
      writeWhole(file.file, file.text)
      said()
    }
  })
  const findings = inOrder(found)
  if (format === 'text')
    await printText(findings, { only: rules, failOn, verbose }, LINT_RULES.length, io)
  else
    printReport(findings, format, io, {
      rules: format === 'sarif' ? (await import('./rules.js')).RULES : LINT_RULES,
      failOn,
    })
  return findings.some(({ level }) => isAsBad(level, failOn)) ? 1 : 0
}

const keep = (error: unknown): DocumentError => {
  if (error instanceof DocumentError) return error
  throw error
}

/** The rule that `--fix` corrects from the whole document; `fix-findings.ts` corrects the others. */
const DECLARED = 'server-status-is-undeclared'

type Fixed = { readonly file: string } & ({ readonly text: string } | { readonly refused: string })

const placeKey = ({ file, pointer }: Location): string => `${file}#${pointer}`

const isChanged = (file: object): boolean => 'text' in file

const read = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined

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

/** Errors that prevent reading a document become findings, except a missing file. */
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
    if (format !== 'text') printReport(findings, format, io)
    throw error
  }
}

/** Prints findings with their source lines, and the number of each level. */
const printText = async (
  findings: readonly Finding[],
  options: Shown,
  rules: number,
  io: Io,
): Promise<void> => {
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
  await printRulePages(shown, io)
}

const summary = (findings: readonly Finding[], rules: number): string => {
  const asked = rules === 1 ? 'one rule' : `${rules} rules`
  return `${counted(findings) || 'clean'} by ${asked}`
}
