import { defineCommand } from 'citty'
import { readDocument } from '../model/document.js'
import { type ConformArgs, readConformFlags } from './conform-flags.js'
import { CONFORM_FORMATS, type ConformFormat, conformReport } from './conform-report.js'
import type { ConformResult } from './conform-result.js'
import { conformText, summary } from './conform-text.js'
import { arazzoFlag, diskAllowing, documentFlags, documentsNamed } from './documents.js'
import { type Io, isColoured, writeLine } from './io.js'
import { failOnFlag, isAsBad } from './levels.js'
import { assertWritable, writeWhole } from './out-file.js'
import { printRules } from './rule-table.js'
import { version } from './version.js'

export const conform = defineCommand({
  meta: {
    name: 'conform',
    description: 'Tests whether a live server conforms to the documents',
  },
  args: {
    url: {
      type: 'positional',
      required: false,
      description: 'Address of the server; the paths of the documents are appended',
    },
    ...documentFlags,
    arazzo: arazzoFlag,
    server: {
      type: 'string',
      valueHint: 'name=url',
      description: 'URL of a server by its name in the documents; may be repeated',
    },
    'api-key': {
      type: 'string',
      valueHint: 'key',
      description: 'The API key of the server; it is never shown (TWINSPEC_KEY)',
    },
    only: {
      type: 'string',
      valueHint: 'name,name',
      description:
        'Test only these: operations (eth_call, "GET /orders", an operationId, a tag) and cases, as --verbose names them',
    },
    profile: { type: 'string', valueHint: 'name', description: 'The dialect of the server' },
    seed: {
      type: 'string',
      valueHint: 'number',
      default: '1',
      description: 'Seed of generated values',
    },
    'max-examples': {
      type: 'string',
      valueHint: 'number',
      default: '10',
      description: 'Valid and invalid values generated for each operation',
    },
    rate: {
      type: 'string',
      valueHint: 'number',
      description: 'Requests a minute, 0 for no limit; the limit of the documents by default',
    },
    'max-time': {
      type: 'string',
      valueHint: 'time',
      description: 'Start no case after this time (90s, 5m), and report what was skipped',
    },
    disruptive: {
      type: 'boolean',
      description: 'Also test what disturbs other callers: rate limit, slow clients, bursts',
    },
    stateless: {
      type: 'boolean',
      description: 'The server keeps no state and computes no values, as a mock',
    },
    'read-only': {
      type: 'boolean',
      description: 'Send nothing that could write: GET, HEAD, and methods marked x-idempotent',
    },
    traffic: {
      type: 'string',
      valueHint: 'folder',
      description: 'Check recorded traffic instead of a server: .io, HAR and NDJSON files',
    },
    baseline: {
      type: 'string',
      valueHint: 'file',
      description: 'Accepted findings: each with rule, where, reason and until',
    },
    format: {
      type: 'enum',
      options: [...CONFORM_FORMATS],
      default: 'text',
      description: 'Format of the report',
    },
    out: {
      type: 'string',
      valueHint: 'file',
      description: 'Write the report to this file, and text to the terminal',
    },
    html: {
      type: 'string',
      valueHint: 'file',
      description: 'Also write one HTML page with filters to this file',
    },
    'fail-on': failOnFlag('finding'),
    'list-rules': { type: 'boolean', description: 'Print the table of rules, as text or json' },
    verbose: {
      type: 'boolean',
      description: 'Print every finding, choice and gap',
    },
  },
  run: async ({ args, rawArgs, data }) => {
    const io = data as Io
    const format = CONFORM_FORMATS.find((one) => one === args.format) ?? 'text'
    if (args['list-rules']) {
      const { CONFORM_RULES } = await import('../conform/rules.js')
      printRules('conform', CONFORM_RULES, format === 'html' ? 'sarif' : format, io)
      return 0
    }
    const { out, html, verbose = false } = args
    for (const path of [out, html]) if (path !== undefined) assertWritable(path)
    const signal = io.interrupted()
    const judged = await judge(args, rawArgs, signal, io)
    if (html !== undefined) writeWhole(html, conformReport(judged, 'html', { version }))
    print(judged, format, { out, verbose }, io)
    const isBad = judged.findings.some(({ level }) => isAsBad(level, args['fail-on']))
    if (judged.unjudged !== undefined) return 2
    if (isBad || !signal.aborted) return isBad ? 1 : 0
    writeLine(io.stderr, 'twinspec conform: ended before all was tried, so nothing is proved')
    return 2
  },
})

const judge = async (
  args: ConformArgs,
  rawArgs: readonly string[],
  signal: AbortSignal,
  io: Io,
): Promise<ConformResult> => {
  const text = (flag: string) => args[flag] as string | undefined
  const flags = await readConformFlags(args, rawArgs, io)
  const files = documentsNamed({
    openapi: text('openapi'),
    openrpc: text('openrpc'),
    arazzo: text('arazzo'),
  })
  const [{ loadApi }, { applyBaseline, readBaseline }] = await Promise.all([
    import('../model/load.js'),
    import('../conform/report/baseline.js'),
  ])
  const list = text('baseline')
  const accepted = list === undefined ? [] : readBaseline(readDocument(list))
  const api = await loadApi(files, diskAllowing(text('allow-outside')))
  const { traffic } = flags
  const { runConform, checkFiles } = await import('./run-conform.js')
  const { verdict, isPartial, subject } =
    traffic === undefined
      ? await runConform(api, flags, signal, io)
      : await checkFiles(api, traffic, flags.only)
  const today = (io.today?.() ?? new Date()).toISOString().slice(0, 10)
  // What a gateway answered is no finding about the server behind it.
  const findings = verdict.unjudged === undefined ? verdict.findings : []
  const applied = applyBaseline(findings, accepted, { today, isPartial })
  return { ...verdict, ...applied, api, subject, today, profile: flags.profile?.name }
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
      : conformReport(judged, format, {
          version,
          workspace: env.GITHUB_WORKSPACE,
        })
  if (out !== undefined) {
    writeWhole(out, report())
    stdout.write(text(isColoured(stdout)))
    writeLine(stderr, `the verdict is in ${out}`)
    return
  }
  if (format === 'text') {
    stdout.write(text(isColoured(stdout)))
    return
  }
  stdout.write(report())
  writeLine(stderr, summary(judged))
}
