import { readDocument } from '../read/document.js'
import { disk } from '../read/file-tree.js'
import { isAddress, nameOfAddress } from '../read/live-document.js'
import { isFailing } from '../report/levels.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { type ConformResult, conformReport } from './conform-report.js'
import { isLive, openDocuments } from './documents.js'
import type { Args } from './flags.js'
import {
  assertWritable,
  dayIn,
  type ExitCode,
  type Io,
  UsageError,
  withProgress,
  writeLine,
  writeWhole,
} from './io.js'
import { printReport, reportText } from './print-report.js'
import { readApi } from './read-api.js'
import { printRules } from './rule-list.js'
import { readConformFlags } from './run-conform.js'

export const runConformCommand = async (
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
  const result = await testOrRead(args, words, signal, io, config)
  const report = conformReport(result)
  if (html !== undefined) writeWhole(html, await reportText(report, 'html', io))
  const code = await printReport(report, { format, out, verbose }, io)
  if (report.inconclusive === STOPPED) writeLine(io.stderr, `twinspec conform: ${STOPPED}`)
  return code
}

const STOPPED = 'stopped before everything was tested, so there is no verdict'

/** Tests the server, or checks recorded traffic. */
const testOrRead = async (
  args: Args<'conform'>,
  words: readonly string[],
  signal: AbortSignal,
  io: Io,
  config: Config | undefined,
): Promise<ConformResult> => {
  const { traffic: recorded, stdio } = args
  const address = words.find(isServer)
  if (recorded !== undefined && address !== undefined)
    throw new UsageError(`--traffic checks files, but ${address} is a server: give one of them`)
  const other = address ?? (args.server.length > 0 ? '--server' : recorded && '--traffic')
  if (stdio !== undefined && other !== undefined)
    throw new UsageError(`--stdio starts the server that is tested: omit ${other}, or --stdio`)
  // Recorded traffic and a command have no address, so all arguments are documents.
  const { url, others } =
    recorded === undefined && stdio === undefined
      ? serverAndDocuments(words)
      : { url: undefined, others: words }
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
  const all = [...applied.findings, ...own.remarks, ...applied.remarks]
  const failOn = args['fail-on']
  const isStopped = signal.aborted && !all.some((one) => isFailing(one, failOn))
  const inconclusive = verdict.unjudged ?? (isStopped ? STOPPED : undefined)
  const profile = flags.profile?.name
  return { ...verdict, findings: all, inconclusive, api, subject, today, profile, failOn }
}

/** A server over HTTP, or over a WebSocket. */
const isServer = (word: string): boolean => isAddress(word) || /^wss?:\/\//i.test(word)

/** The URL of the server, which is the first argument, and the documents. Throws UsageError if the first argument is neither. */
const serverAndDocuments = (words: readonly string[]) => {
  const [first, ...others] = words
  if (first === undefined || isServer(first)) return { url: first, others }
  const address = others.find(isServer)
  if (address !== undefined)
    throw new UsageError(
      `the first argument must be the URL of the server, not ${first}: give the documents after ${nameOfAddress(address)}`,
    )
  if (isLive(first) || disk.kindOf(first) !== undefined) return { url: undefined, others: words }
  const shown = first.replace(/\/\/[^/@\s]*@/, '//')
  throw new UsageError(
    `${shown} is no file, and the URL of a server begins with http://, https://, ws:// or wss://`,
  )
}
