import { parseDocument } from '../model/document.js'
import type { FileTree } from '../model/file-tree.js'
import type { Finding } from '../model/finding.js'
import { markBigints } from '../model/mark-bigints.js'
import { nearest } from '../model/nearest.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { isLive, type Opened, openDocuments, pathsOf } from './documents.js'
import type { Args } from './flags.js'
import { PER_RULE } from './framed.js'
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
import { type Format, findingLine, printReport, report, reportingRefusals } from './report.js'
import { differences, staleFindings } from './stale-files.js'
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
  const named = [...words, args.openapi, args.openrpc, args.arazzo]
  const live = named.find((word) => word !== undefined && isLive(word))
  if (watch && live !== undefined) {
    throw new UsageError(`--watch waits for changes of files, but ${live} is not a file`)
  }
  const job: Job = {
    ...(await openDocuments(words, args, io)),
    out,
    extras: listOf(args.with) ?? [],
    only: listOf(args.only),
    bigint: listOf(args.bigint) ?? [],
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
  /** The arguments as given; they are checked before any document is read. */
  readonly extras: readonly string[]
  /** Kinds of files; undefined for all. */
  readonly only: readonly string[] | undefined
  readonly bigint: readonly string[]
  readonly format: Format
  readonly verbose: boolean
  readonly config: Config | undefined
}

const generateOnce = async (job: Job, io: Io): Promise<ExitCode> => {
  const { summary, findings } = await withProgress(io, (show) =>
    reportingRefusals(job.format, io, () => build(job, show, io)),
  )
  printFindings(findings, job, io)
  writeLine(io.stderr, summary)
  return 0
}

const checkOnce = async (job: Job, io: Io): Promise<ExitCode> => {
  const { findings, files } = await withProgress(io, (show) =>
    reportingRefusals(job.format, io, () => emit(job, show, io)),
  )
  const drift = staleFindings(job.out, await differences(job.out, files))
  if (job.format === 'text') {
    printFindings(findings, job, io)
    printReport(drift, 'text', io)
    if (drift.length === 0)
      writeLine(io.stderr, `${folderName(job.out)} is up to date with the documents`)
  } else printReport([...findings, ...drift], job.format, io)
  return drift.length === 0 ? 0 : 1
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
  { documents, tree, parse, extras, only, bigint, config }: Job,
  show: Progress['show'],
  io: Io,
) => {
  // Imported here, because the compiler that prints the types loads slowly, and `--help` does not need it.
  const [
    { loadApi },
    { emitAll },
    { PLUGINS, pluginNames, isPlugin },
    { isKind, kindNames, usualKinds },
  ] = await Promise.all([
    import('../model/load.js'),
    import('../emit/emit.js'),
    import('../emit/plugins.js'),
    import('../emit/kinds.js'),
  ])
  const known = nameReader('--with', [...pluginNames, ...kindNames])
  const added = extras.map(known)
  const names = added.filter(isPlugin)
  const kinds = only?.map(nameReader('--only', kindNames))
  show('reading the documents …')
  const parseMarked: typeof parseDocument = (...given) =>
    markBigints((parse ?? parseDocument)(...given), bigint)
  const api = await loadApi(documents, tree, bigint.length > 0 ? parseMarked : parse)
  for (const name of names) {
    const why = PLUGINS[name].whyNot(api)
    if (why !== undefined)
      throw new UsageError(`--with ${name} does not apply to these documents: ${why}`)
  }
  show(`writing code for ${api.operations.length} operations`)
  const { findings } = applyConfig(api.findings, config, { today: dayIn(io), rules: [] })
  const all = [...(kinds ?? usualKinds(api)), ...added.filter(isKind)]
  return { findings, files: emitAll(api, names, all) }
}

/** Throws UsageError for a name that is not among `all`. */
const nameReader =
  <Name extends string>(flag: string, all: readonly Name[]) =>
  (name: string): Name => {
    const found = all.find((one) => one === name)
    if (found !== undefined) return found
    const near = nearest(name, all)
    const meant = near === undefined ? `: there are ${all.join(', ')}` : `: did you mean ${near}?`
    throw new UsageError(`${flag} cannot be ${JSON.stringify(name)}${meant}`)
  }

const printFindings = (findings: readonly Finding[], { format, verbose }: Job, io: Io): void => {
  if (format !== 'text') printReport(findings, format, io)
  else {
    const coloured = isColoured(io.stderr)
    io.stderr.write(report(findings, 'text', { coloured, ...(!verbose && { perRule: PER_RULE }) }))
  }
}
