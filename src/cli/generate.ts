import { existsSync } from 'node:fs'
import type { EnumScope } from '../emit/enums.js'
import { ofPreset } from '../lint/presets.js'
import { withSentDefaults } from '../model/defaults.js'
import type { Finding } from '../model/finding.js'
import type { parseDocument } from '../read/document.js'
import type { FileTree } from '../read/file-tree.js'
import { formatMarker } from '../read/mark-formats.js'
import type { FormatName } from '../report/formats.js'
import type { CheckReport } from '../report/report.js'
import { findingLine, findingLines } from '../report/text.js'
import { TEXT_FORMATS } from '../runtime/validate/formats.js'
import { grouped } from '../schema/grouped.js'
import { shellPath } from '../text/escape.js'
import { nearest } from '../text/nearest.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { isLive, type Opened, openDocuments, pathsOf } from './documents.js'
import type { Args } from './flags.js'
import {
  dayIn,
  type ExitCode,
  errorsIn,
  type Io,
  isColoured,
  isExpected,
  type Progress,
  UsageError,
  withProgress,
  writeLine,
  writeStyled,
} from './io.js'
import { reportingErrors, reportText } from './print-report.js'
import { fileDifferences, STALE_RULE, staleFindings } from './stale-files.js'
import { createParser, watchDocuments } from './watch.js'
import { folderName, writeTree } from './write-tree.js'

export const generate = async (
  args: Args<'generate'>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
): Promise<ExitCode> => {
  const { out, check, watch, verbose, format } = args
  if (watch && (check || format !== 'text')) {
    const other = check ? '--check' : '--format'
    throw new UsageError(`--watch and ${other} cannot be combined`)
  }
  if (/\.[cm]?[jt]sx?$/.test(out) && !existsSync(out)) {
    const folder = shellPath(out.replace(/(?:\.d)?\.\w+$/, ''))
    throw new UsageError(`--out names a folder, and ${out} ends like a file: write --out ${folder}`)
  }
  const named = [...words, args.openapi, args.openrpc, args.arazzo]
  const live = named.find((word) => word !== undefined && isLive(word))
  if (watch && live !== undefined) {
    throw new UsageError(`--watch waits for changes of files, but ${live} is not a file`)
  }
  const job: Job = {
    ...(await openDocuments(words, args, io)),
    out,
    language: args.language,
    module: args.module,
    extras: listOf(args.with) ?? [],
    only: listOf(args.only),
    bigint: listOf(args.bigint) ?? [],
    formats: listOf(args.formats) ?? [],
    dates: args.dates,
    defaults: args.defaults,
    typeOptions: listOf(args['type-options']) ?? [],
    enumScope: args.enums ? 'all' : 'named',
    format,
    verbose,
    config,
  }
  if (check) return checkOnce(job, io)
  return watch ? keepGenerating(job, io) : generateOnce(job, io)
}

const listOf = (names: string | undefined): readonly string[] | undefined =>
  names?.split(',').map((name) => name.trim())

type Job = Pick<Opened, 'documents' | 'tree'> & {
  readonly parse?: typeof parseDocument
  readonly out: string
  readonly language: 'typescript' | 'python' | 'go'
  /** The path of a Go module. */
  readonly module: string | undefined
  /** The arguments as given; they are checked before any document is read. */
  readonly extras: readonly string[]
  /** Kinds of files; undefined for those of callers. */
  readonly only: readonly string[] | undefined
  readonly bigint: readonly string[]
  readonly formats: readonly string[]
  readonly dates: boolean
  readonly defaults: boolean
  readonly typeOptions: readonly string[]
  readonly enumScope: EnumScope
  readonly format: FormatName
  readonly verbose: boolean
  readonly config: Config | undefined
}

const generateOnce = async (job: Job, io: Io): Promise<ExitCode> => {
  const isFirst = !existsSync(job.out) && job.only === undefined && job.extras.length === 0
  const { summary, findings } = await withProgress(io, (show) =>
    reportingErrors('generate', job.format, io, () => build(job, show, io)),
  )
  await printFindings(findings, { ...job, summary }, io)
  writeLine(io.stderr, summary)
  if (isFirst && io.stderr.isTTY === true) {
    const { optionalNames } = await import('../emit/plugins.js')
    writeLine(io.stderr, `--with adds ${optionalNames.join(', ')}`)
  }
  return 0
}

const checkOnce = async (job: Job, io: Io): Promise<ExitCode> => {
  const { findings, files } = await withProgress(io, (show) =>
    reportingErrors('generate', job.format, io, () => emit(job, show, io)),
  )
  const drift = staleFindings(job.out, await fileDifferences(job.out, files))
  const isStale = drift.length > 0
  const state = isStale ? 'is out of date' : 'is up to date with the documents'
  const summary = `${folderName(job.out)} ${state}`
  if (job.format === 'text') {
    await printFindings(findings, { ...job, summary }, io)
    for (const line of findingLines(drift, { coloured: isColoured(io.stdout), verbose: true }))
      writeStyled(io.stdout, line)
    if (!isStale) writeLine(io.stderr, summary)
  } else await printFindings([...findings, ...drift], { ...job, summary }, io)
  return isStale ? 1 : 0
}

/** Prints one line per run; after an error in a document, waits for the next change. */
const keepGenerating = async (job: Job, io: Io): Promise<ExitCode> => {
  const documents = pathsOf(job.documents)
  const parse = createParser()
  const printErrors = (found: Parameters<typeof errorsIn>[0]) => {
    for (const finding of errorsIn(found))
      writeStyled(io.stderr, findingLine(finding, isColoured(io.stderr)))
  }
  const generateAgain = async (tree: FileTree) => {
    try {
      const { summary, findings } = await build(
        { ...job, documents, tree, parse },
        () => undefined,
        io,
      )
      printErrors({ findings })
      const count = findings.length === 0 ? '' : `, ${findings.length} findings`
      writeLine(io.stderr, `${summary}${count}`)
    } catch (error) {
      if (!isExpected(error)) throw error
      if (!('findings' in error)) writeLine(io.stderr, `twinspec generate: ${error.message}`)
      else printErrors(error)
    }
  }
  await watchDocuments(documents, generateAgain, io.interrupted(), job.tree)
  return 0
}

const build = async (job: Job, show: Progress['show'], io: Io) => {
  const began = io.now()
  const { findings, files } = await emit(job, show, io)
  const changes = await writeTree(job.out, files, {
    written: (count) => show(`${count} of ${files.length} files were written`),
  })
  const seconds = ((io.now() - began) / 1000).toFixed(1)
  const unchanged = changes.length === 0 ? ', nothing changed' : ''
  const summary = `generated ${files.length} ${files.length === 1 ? 'file' : 'files'} in ${seconds} s into ${folderName(job.out)}${unchanged}`
  return { summary, findings }
}

/** Generates everything in memory, so that nothing is written if anything fails. */
const emit = async (
  {
    documents,
    tree,
    parse,
    language,
    module,
    extras,
    only,
    bigint,
    formats,
    dates,
    defaults,
    typeOptions,
    enumScope,
    config,
  }: Job,
  show: Progress['show'],
  io: Io,
) => {
  // Imported here, because the compiler that prints the types loads slowly, and `--help` does not need it.
  const [
    { loadApi },
    { emitAll },
    { PLUGINS, pluginNames, isPlugin },
    { DEFAULT_KINDS, isKind, kindNames, withNeeded },
    { typeOptionNames },
  ] = await Promise.all([
    import('../read/load.js'),
    import('../emit/emit.js'),
    import('../emit/plugins.js'),
    import('../emit/kinds.js'),
    import('../emit/type-options.js'),
  ])
  const known = nameReader('--with', [...kindNames, ...pluginNames])
  const added = extras.map(known)
  const names = added.filter(isPlugin)
  const kinds = only?.map(nameReader('--only', kindNames))
  const all = [...(kinds ?? DEFAULT_KINDS), ...added.filter(isKind)]
  const chosen = typeOptions.map(nameReader('--type-options', typeOptionNames))
  if (chosen.length > 0 && (names.length > 0 || withNeeded(all).has('client')))
    throw new UsageError(
      '--type-options is for types without a client, which needs them as they are: add --only types',
    )
  show('reading the documents …')
  const checked = formats.map(nameReader('--formats', Object.keys(TEXT_FORMATS)))
  const marked = formatMarker({ bigint, checked, dates })
  const api = await loadApi(documents, tree, parse, marked)
  for (const name of names) {
    const why = PLUGINS[name].whyNot(api)
    if (why !== undefined)
      throw new UsageError(`--with ${name} does not apply to these documents: ${why}`)
  }
  show(`writing code for ${api.operations.length} operations`)
  const { findings } = applyConfig(api.findings, config, { today: dayIn(io), rules: [] })
  if (language === 'python') {
    const { emitPython } = await import('../emit/python/python.js')
    return { findings, files: emitPython(api) }
  }
  if (language === 'go') {
    const { emitGo } = await import('../emit/go/go.js')
    return { findings, files: emitGo(api, { module }) }
  }
  const sent = defaults ? withSentDefaults(api) : api
  return { findings, files: emitAll(sent, names, all, chosen, enumScope) }
}

/** Throws UsageError for a name that is not among `all`. */
const nameReader =
  <Name extends string>(flag: string, all: readonly Name[]) =>
  (name: string): Name => {
    const found = all.find((one) => one === name)
    if (found !== undefined) return found
    const near = nearest(name, all)
    const hint = near === undefined ? `: there are ${all.join(', ')}` : `: did you mean ${near}?`
    throw new UsageError(`${flag} cannot be ${JSON.stringify(name)}${hint}`)
  }

/** Text goes to standard error, because the files are the result. */
const printFindings = async (
  findings: readonly Finding[],
  { format, verbose, out, summary }: Job & { readonly summary: string },
  io: Io,
): Promise<void> => {
  const isStale = findings.some(({ rule }) => rule === STALE_RULE.id)
  const report: CheckReport = {
    ...{ command: 'generate', subject: folderName(out), findings, failOn: 'error', summary },
    verdict: isStale ? 'The generated code is out of date' : 'The code was generated',
    ...{ facts: {}, sections: [] },
  }
  const coloured = isColoured(io.stderr)
  if (format !== 'text') io.stdout.write(await reportText(report, format, io))
  else if (verbose) io.stderr.write(await reportText(report, 'text', io, { coloured, verbose }))
  else for (const line of briefLines(findings, coloured)) writeStyled(io.stderr, line)
}

/** What changes generated code, a line for each rule, errors first; the other findings are counted in one line. */
const briefLines = (findings: readonly Finding[], coloured: boolean): readonly string[] => {
  const changing = ofPreset(findings, 'consumer')
  const rules = [...grouped(changing, ({ rule }) => rule).values()].sort(
    ([a], [b]) => severity(b) - severity(a),
  )
  const isWhole = rules.length < MOST_LINES
  const shown = isWhole ? rules : rules.slice(0, MOST_LINES - 1)
  const rest = findings.length - shown.flat().length
  const others = rest === 1 ? 'another finding' : `${rest} other findings`
  return [
    ...shown.flatMap(([first, ...same]) => {
      if (first === undefined) return []
      const more = same.length === 0 ? '' : `, and ${same.length} more like it`
      return [findingLine({ ...first, message: `${first.message}${more}` }, coloured)]
    }),
    ...(rest === 0 ? [] : [`${others}: twinspec lint shows them`]),
  ]
}

const severity = (finding: Finding | undefined): number =>
  finding === undefined ? 0 : SEVERITY.indexOf(finding.level)

const SEVERITY: readonly Finding['level'][] = ['note', 'warning', 'error']

const MOST_LINES = 10
