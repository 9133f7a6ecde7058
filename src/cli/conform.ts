import { defineCommand } from 'citty'
import { readDocument } from '../model/document.js'
import { type ConformArgs, readConformFlags } from './conform-flags.js'
import { CONFORM_FORMATS, type ConformFormat, conformReport } from './conform-report.js'
import { conformText, summary } from './conform-text.js'
import { arazzoFlag, diskAllowing, documentFlags, documentsNamed } from './documents.js'
import { type Io, isColoured, writeLine } from './io.js'
import type { Judged } from './judged.js'
import { failOnFlag, isAsBad } from './levels.js'
import { assertWritable, writeWhole } from './out-file.js'
import { printRules } from './rule-table.js'
import { version } from './version.js'

export const conform = defineCommand({
  meta: {
    name: 'conform',
    description: 'Says whether a live server keeps the contract of the documents',
  },
  args: {
    url: {
      type: 'positional',
      required: false,
      description: 'Where the server is; the paths of the documents are added',
    },
    ...documentFlags,
    arazzo: arazzoFlag,
    server: {
      type: 'string',
      valueHint: 'name=url',
      description: 'The whole URL of a server, by its name in the documents; as often as needed',
    },
    key: {
      type: 'string',
      valueHint: 'key',
      description: 'What opens the server, told to nobody (TWINSPEC_KEY)',
    },
    only: {
      type: 'string',
      valueHint: 'name,name',
      description:
        'Try these alone: operations (eth_call, "GET /orders", an operationId, a tag) and cases, as --verbose names them',
    },
    profile: { type: 'string', valueHint: 'name', description: 'The dialect that it speaks' },
    seed: { type: 'string', valueHint: 'number', default: '1', description: 'Of generated values' },
    runs: {
      type: 'string',
      valueHint: 'number',
      default: '10',
      description: 'Values generated for each operation, of either kind',
    },
    rate: {
      type: 'string',
      valueHint: 'number',
      description: 'Requests a minute, 0 for no limit; that of the documents unless told',
    },
    'max-time': {
      type: 'string',
      valueHint: 'time',
      description: 'Begin nothing after so long (90s, 5m), and say what was left out',
    },
    disruptive: {
      type: 'boolean',
      description: 'Try what troubles other callers too: its rate limit, slow clients, bursts',
    },
    stateless: {
      type: 'boolean',
      description: 'It remembers nothing and works nothing out, as a mock',
    },
    'read-only': {
      type: 'boolean',
      description: 'Send nothing that could write: GET, HEAD, and methods marked x-idempotent',
    },
    recorded: {
      type: 'string',
      valueHint: 'folder',
      description: 'Judge recorded traffic instead: .io, HAR and NDJSON files',
    },
    baseline: {
      type: 'string',
      valueHint: 'file',
      description: 'Findings that are accepted: each with finding, reason and until',
    },
    format: {
      type: 'enum',
      options: [...CONFORM_FORMATS],
      default: 'text',
      description: 'How the verdict is printed',
    },
    out: {
      type: 'string',
      valueHint: 'file',
      description: 'Write the verdict there, and text to the terminal',
    },
    html: {
      type: 'string',
      valueHint: 'file',
      description: 'Write one page to read and filter there, besides',
    },
    'fail-on': failOnFlag('finding'),
    rules: { type: 'boolean', description: 'Print the table of rules, as text or json' },
    verbose: {
      type: 'boolean',
      description: 'Print every finding, choice and gap, not the first of each',
    },
  },
  run: async ({ args, rawArgs, data }) => {
    const io = data as Io
    const format = CONFORM_FORMATS.find((one) => one === args.format) ?? 'text'
    if (args.rules) {
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
): Promise<Judged> => {
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
  const { recorded } = flags
  const { judgeLive, judgeFiles } = await import('./conform-judge.js')
  const { verdict, isPartial, subject } =
    recorded === undefined
      ? await judgeLive(api, flags, signal, io)
      : await judgeFiles(api, recorded, flags.only)
  const today = (io.today?.() ?? new Date()).toISOString().slice(0, 10)
  // What was found at a closed door is no finding about what stands behind it.
  const findings = verdict.unjudged === undefined ? verdict.findings : []
  const applied = applyBaseline(findings, accepted, { today, isPartial })
  return { ...verdict, ...applied, api, subject, today, profile: flags.profile?.name }
}

const print = (
  judged: Judged,
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
