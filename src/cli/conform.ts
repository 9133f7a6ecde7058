import { readDocument } from '../model/document.js'
import { disk } from '../model/file-tree.js'
import { isAddress, nameOfAddress } from '../model/live-document.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { type ConformFormat, conformReport } from './conform-report.js'
import { type ConformResult, conformText, summary } from './conform-text.js'
import { isLive, openDocuments } from './documents.js'
import type { Args } from './flags.js'
import {
  assertWritable,
  dayIn,
  type ExitCode,
  type Io,
  isColoured,
  UsageError,
  withProgress,
  writeLine,
  writeWhole,
} from './io.js'
import { isAsBad, printRulePages, printRules } from './levels.js'
import { readApi } from './read-api.js'
import { readConformFlags } from './run-conform.js'
import { version } from './version.js'

export const conform = async (
  args: Args<'conform'>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
): Promise<ExitCode> => {
  const { format, out, html, verbose } = args
  if (args['list-rules']) {
    const { CONFORM_RULES } = await import('../conform/rules.js')
    printRules(CONFORM_RULES, format, io)
    return 0
  }
  for (const path of [out, html]) if (path !== undefined) assertWritable(path)
  const signal = io.interrupted()
  const judged = await judge(args, words, signal, io, config)
  if (html !== undefined) writeWhole(html, conformReport(judged, 'html', { version }))
  print(judged, format, { out, verbose }, io)
  if (format === 'text' || out !== undefined)
    await printRulePages([...judged.findings, ...judged.remarks], io)
  const isBad = judged.findings.some(({ level }) => isAsBad(level, args['fail-on']))
  if (judged.unjudged !== undefined) return 2
  if (isBad || !signal.aborted) return isBad ? 1 : 0
  writeLine(
    io.stderr,
    'twinspec conform: stopped before everything was tested, so there is no verdict',
  )
  return 2
}

const judge = async (
  args: Args<'conform'>,
  words: readonly string[],
  signal: AbortSignal,
  io: Io,
  config: Config | undefined,
): Promise<ConformResult> => {
  const { traffic: recorded } = args
  const address = words.find(isAddress)
  if (recorded !== undefined && address !== undefined)
    throw new UsageError(`--traffic checks files, but ${address} is a server: give one of them`)
  // Recorded traffic has no address, so all arguments are documents.
  const { url, others } =
    recorded === undefined ? serverAndDocuments(words) : { url: undefined, others: words }
  const flags = await readConformFlags(args, url, io)
  const { documents, tree } = await openDocuments(others, args, io)
  const [{ applyBaseline, readBaseline }, { CONFORM_RULES }] = await Promise.all([
    import('../conform/report/baseline.js'),
    import('../conform/rules.js'),
  ])
  const { baseline } = args
  const accepted = baseline === undefined ? [] : readBaseline(readDocument(baseline))
  const api = await readApi(documents, tree, io)
  const { traffic } = flags
  const { runConform, checkFiles } = await import('./run-conform.js')
  const { verdict, isPartial, subject } =
    traffic === undefined
      ? await runConform(api, flags, signal, io)
      : await withProgress(io, (show) => {
          show('checking the recorded traffic …')
          return checkFiles(api, traffic, flags.only)
        })
  const today = dayIn(io)
  // Responses of a gateway are no findings about the server behind it.
  const findings = verdict.unjudged === undefined ? verdict.findings : []
  const own = applyBaseline(findings, accepted, { today, isPartial })
  const rules = isPartial ? [] : CONFORM_RULES.map(({ id }) => id)
  const applied = applyConfig(own.findings, config, { today, rules })
  const { findings: judged } = applied
  const remarks = [...own.remarks, ...applied.remarks]
  const profile = flags.profile?.name
  return { ...verdict, findings: judged, remarks, api, subject, today, profile }
}

/** The URL of the server, which is the first argument, and the documents. Throws UsageError if the first argument is neither. */
const serverAndDocuments = (words: readonly string[]) => {
  const [first, ...others] = words
  if (first === undefined || isAddress(first)) return { url: first, others }
  const address = others.find(isAddress)
  if (address !== undefined)
    throw new UsageError(
      `the first argument must be the URL of the server, not ${first}: give the documents after ${nameOfAddress(address)}`,
    )
  if (isLive(first) || disk.kindOf(first) !== undefined) return { url: undefined, others: words }
  const shown = first.replace(/\/\/[^/@\s]*@/, '//')
  throw new UsageError(
    `${shown} is no file, and the URL of a server begins with http:// or https://`,
  )
}

const print = (
  judged: ConformResult,
  format: ConformFormat,
  { out, verbose }: { readonly out: string | undefined; readonly verbose: boolean },
  { stdout, stderr, env }: Io,
): void => {
  const text = (coloured: boolean) => conformText(judged, { coloured, verbose })
  const report = () =>
    format === 'text'
      ? text(false)
      : conformReport(judged, format, { version, workspace: env.GITHUB_WORKSPACE })
  if (out !== undefined) writeWhole(out, report())
  if (out !== undefined || format === 'text') stdout.write(text(isColoured(stdout)))
  else {
    stdout.write(report())
    writeLine(stderr, summary(judged))
  }
  if (out !== undefined) writeLine(stderr, `the report is in ${out}`)
}
