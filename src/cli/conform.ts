import { defineCommand } from 'citty'
import type { ConformOptions, Verdict } from '../conform/conform.js'
import type { Finding } from '../model/finding.js'
import { nearest, suggestion } from '../model/nearest.js'
import { CONFORM_FORMATS, type ConformFormat, conformReport } from './conform-report.js'
import { conformText } from './conform-text.js'
import { documentsNamed } from './documents.js'
import { type ExitCode, type Io, isColoured, UsageError, writeLine } from './io.js'
import { createProgress } from './progress.js'
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
    openapi: { type: 'string', valueHint: 'file', description: 'The OpenAPI document, 3.0 or 3.1' },
    openrpc: { type: 'string', valueHint: 'file', description: 'The OpenRPC document, 1.2 to 1.4' },
    arazzo: { type: 'string', valueHint: 'file', description: 'The Arazzo document, 1.0' },
    server: {
      type: 'string',
      valueHint: 'name=url,name=url',
      description: 'The whole URL of a server, by its name in the documents',
    },
    key: {
      type: 'string',
      valueHint: 'key',
      description: 'What opens the server, told to nobody (TWINSPEC_KEY)',
    },
    only: {
      type: 'string',
      valueHint: 'name,name',
      description: 'Judge these operations alone: ids, methods, paths or tags',
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
      valueHint: 'seconds',
      description: 'Begin nothing after so long, and say what was left out',
    },
    disruptive: {
      type: 'boolean',
      description: 'Try what troubles other callers too: its rate limit, slow clients, bursts',
    },
    stateless: { type: 'boolean', description: 'It remembers nothing, as a mock' },
    recorded: {
      type: 'string',
      valueHint: 'folder',
      description: 'Judge recorded traffic instead: .io, HAR and NDJSON files',
    },
    baseline: {
      type: 'string',
      valueHint: 'file',
      description: 'Findings that are accepted, each with a reason and a date',
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
      description: 'Write the verdict there, and text here',
    },
    'fail-on': {
      type: 'enum',
      options: ['error', 'warning', 'note'],
      default: 'error',
      description: 'The mildest finding that ends with exit code 1',
    },
    rules: { type: 'boolean', description: 'Print the table of rules, as text or json' },
    verbose: { type: 'boolean', description: 'Print every finding, not the first of each kind' },
  },
  run: async ({ args, data }) => {
    const io = data as Io
    const format = CONFORM_FORMATS.find((one) => one === args.format) ?? 'text'
    const { CONFORM_RULES } = await import('../conform/rules.js')
    if (args.rules) {
      printRules('conform', CONFORM_RULES, format === 'html' ? 'sarif' : format, io)
      return 0
    }
    return judge(args as Args, format, io)
  },
})

type Args = {
  readonly _: readonly string[]
  readonly [flag: string]: unknown
}

const judge = async (args: Args, format: ConformFormat, io: Io): Promise<ExitCode> => {
  const text = (flag: string) => args[flag] as string | undefined
  const documents = documentsNamed({
    openapi: text('openapi'),
    openrpc: text('openrpc'),
    arazzo: text('arazzo'),
  })
  const [url, ...more] = args._
  if (more.length > 0) throw new UsageError(`twinspec conform: "${more[0]}" is a word too many`)
  const options = {
    url,
    servers: serversOf(text('server')),
    key: text('key') ?? io.env.TWINSPEC_KEY,
    only: listOf(text('only')),
    seed: numberOf('seed', text('seed') ?? '1'),
    runs: numberOf('runs', text('runs') ?? '10'),
    ...rateOf(text('rate')),
    maxSeconds: text('max-time') === undefined ? undefined : numberOf('max-time', text('max-time')),
    disruptive: args.disruptive === true,
    stateless: args.stateless === true,
    profile: await profileOf(text('profile')),
  }
  const signal = io.interrupted()
  const [{ loadApi }, { conform: run, namesOf }] = await Promise.all([
    import('../model/load.js'),
    import('../conform/conform.js'),
  ])
  const api = await loadApi(documents)
  for (const name of options.only ?? []) {
    const names = api.operations.flatMap(namesOf)
    if (names.includes(name)) continue
    const meant = nearest(name, names)
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`
    throw new UsageError(`twinspec conform: no operation is called ${name}${hint}`)
  }
  const progress = createProgress(io)
  const verdict = await run(api, {
    ...options,
    signal,
    onPlan: ({ requests, seconds }) => {
      const wait =
        seconds === 0 ? '' : `, which its rate limit makes last ${minutes(seconds)} at least`
      writeLine(io.stderr, `${requests} requests at most${wait}`)
    },
    onProgress: ({ done, cases, name }) => progress.tell(`${done} of ${cases}: ${name}`),
  })
    .catch((cause: Error) => {
      if (cause.name !== 'TargetError') throw cause
      throw new UsageError(`twinspec conform: ${cause.message}`, { cause })
    })
    .finally(progress.end)
  print(verdict, format, args, io)
  return verdict.findings.some(({ level }) => isAsBad(level, String(args['fail-on']))) ? 1 : 0
}

const print = (verdict: Verdict, format: ConformFormat, args: Args, io: Io): void => {
  const verbose = args.verbose === true
  if (format !== 'text') io.stdout.write(conformReport(verdict, format, version))
  else io.stdout.write(conformText(verdict, { coloured: isColoured(io.stdout), verbose }))
}

const LEVELS: readonly string[] = ['error', 'warning', 'note'] satisfies Finding['level'][]

const isAsBad = (level: string, bound: string) => LEVELS.indexOf(level) <= LEVELS.indexOf(bound)

const minutes = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`

const listOf = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').map((one) => one.trim())

/** `testnet=https://rpc.example/zgt/{apiKey},mainnet=…`. */
const serversOf = (text: string | undefined): Readonly<Record<string, string>> => {
  const pairs = (listOf(text) ?? []).map((pair) => {
    const [, name, url] = /^([^=]+)=(.+)$/.exec(pair) ?? []
    if (name !== undefined && url !== undefined) return [name, url] as const
    throw new UsageError(`twinspec conform: --server wants name=url, not ${pair}`)
  })
  return Object.fromEntries(pairs)
}

const rateOf = (text: string | undefined): Pick<ConformOptions, 'rate'> => {
  if (text === undefined) return {}
  const rate = numberOf('rate', text)
  return { rate: rate === 0 ? null : rate }
}

const numberOf = (flag: string, text: string | undefined): number => {
  if (/^\d{1,9}$/.test(text ?? '')) return Number(text)
  throw new UsageError(`twinspec conform: --${flag} must be a whole number, not ${text}`)
}

const profileOf = async (name: string | undefined) => {
  if (name === undefined) return undefined
  const { PROFILES } = await import('../conform/profile-list.js')
  const found = PROFILES.find((one) => one.name === name)
  if (found) return found
  const names = PROFILES.map((one) => one.name)
  const hint = suggestion(name, names)
  throw new UsageError(`twinspec conform: there is no profile ${name}${hint}`)
}
