import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cell, Matrix } from '../compatibility/cell.js'
import type { OldVersion } from '../compatibility/compatibility.js'
import { COMPATIBILITY_RULES } from '../compatibility/findings.js'
import type { ClientFolder } from '../compatibility/load-client.js'
import type { Api } from '../model/api.js'
import type { FileTree } from '../model/file-tree.js'
import type { Finding } from '../model/finding.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { countsText, matrixJson, matrixMarkdown, matrixText } from './compatibility-report.js'
import { type NamedVersion, namedVersions } from './compatibility-versions.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { alsoAllowing, type Opened, openDocuments, pathsOf } from './documents.js'
import type { Args } from './flags.js'
import { PER_RULE } from './framed.js'
import {
  assertWritable,
  dayIn,
  type ExitCode,
  type Io,
  isColoured,
  todayIn,
  UsageError,
  withProgress,
  writeLine,
  writeWhole,
} from './io.js'
import { isAsBad, printRulePages, printRules } from './levels.js'
import { readApi } from './read-api.js'
import { printReport } from './report.js'

/** Runs the clients of older versions against a server or a mock of the documents. */
export const compatibility = async (
  args: Args<'compatibility'>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
): Promise<ExitCode> => {
  const { format } = args
  if (args['list-rules']) {
    printRules(COMPATIBILITY_RULES, format, io)
    return 0
  }
  if (args.matrix !== undefined) assertWritable(args.matrix)
  const signal = io.interrupted()
  const { matrix, consumer } = await tryVersions(args, words, io, signal)
  const { compatibilityFindings } = await import('../compatibility/findings.js')
  const all = [...compatibilityFindings(matrix), ...consumer]
  const applied = applyConfig(all, config, {
    today: dayIn(io),
    rules: COMPATIBILITY_RULES.map(({ id }) => id),
  })
  const findings = [...applied.findings, ...applied.remarks]
  if (args.matrix !== undefined) writeWhole(args.matrix, matrixMarkdown(matrix, findings))
  print(matrix, findings, args, io)
  writeLine(io.stderr, summary(matrix))
  if (format === 'text') await printRulePages(findings, io)
  const isBad = findings.some(({ level }) => isAsBad(level, args['fail-on']))
  if (!signal.aborted || isBad) return isBad ? 1 : 0
  writeLine(
    io.stderr,
    'twinspec compatibility: stopped before everything was tested, so there is no verdict',
  )
  return 2
}

const print = (
  matrix: Matrix,
  findings: readonly Finding[],
  { format, verbose, 'fail-on': failOn }: Args<'compatibility'>,
  io: Io,
): void => {
  const { stdout } = io
  if (format === 'json') return void stdout.write(matrixJson(matrix, findings))
  if (format === 'markdown') return void stdout.write(matrixMarkdown(matrix, findings))
  if (format === 'text') stdout.write(`${matrixText(matrix, isColoured(stdout))}\n`)
  const bound = verbose ? {} : { perRule: PER_RULE }
  printReport(findings, format, io, { rules: COMPATIBILITY_RULES, failOn, ...bound })
}

const summary = ({ versions, cells }: Matrix): string => {
  const requests = cells.reduce((sum: number, cell: Cell) => sum + cell.requests, 0)
  const whom = versions.length === 1 ? 'a version' : `${versions.length} versions`
  return `${countsText(cells)}: ${requests} requests by clients of ${whom}`
}

const tryVersions = async (
  args: Args<'compatibility'>,
  words: readonly string[],
  io: Io,
  signal: AbortSignal,
) => {
  const [first = ''] = words
  const server = /^https?:/.test(first) ? first : undefined
  const named = server === undefined ? words : words.slice(1)
  const key = args['api-key'] ?? (io.env.TWINSPEC_KEY || undefined)
  const opened = await openDocuments(named, args, io)
  const old = namedVersions(args, opened)
  if (server !== undefined) await assertReachable(server)
  const [{ compareVersions }, { createClientFolder }] = await Promise.all([
    import('../compatibility/compatibility.js'),
    import('../compatibility/load-client.js'),
  ])
  const pairs = await readCurrent(old, opened.tree, io)
  const folder = createClientFolder()
  try {
    return await withProgress(io, async (show) => {
      const versions: OldVersion[] = []
      for (const [index, { one, after }] of pairs.entries()) {
        show(`making the client of ${one.name} …`)
        versions.push(await loadVersion(one, after, opened.tree, folder, `client-${index + 1}`))
      }
      const matrix = await compareVersions(versions, {
        today: todayIn(io),
        server,
        key,
        readOnly: args['read-only'],
        ...(server !== undefined && { take: await takeFor(versions, args.rate, io, signal) }),
        signal,
        onProgress: (name, done, total) => show(`${name}: ${done} of ${total} operations …`),
      })
      const consumer = await consumerFindings(args.consumer, opened, show, io)
      return { matrix, consumer }
    })
  } catch (cause) {
    if (cause instanceof Error && ['ClientError', 'ConsumerError'].includes(cause.name))
      throw new UsageError(cause.message, { cause })
    throw cause
  } finally {
    folder.remove()
  }
}

/** Reads the new documents that each old version is compared with: those of the same kinds. */
const readCurrent = async (
  old: readonly NamedVersion[],
  tree: FileTree,
  io: Io,
): Promise<readonly { readonly one: NamedVersion; readonly after: Api }[]> => {
  const read = new Map<string, Api>()
  const pairs: { readonly one: NamedVersion; readonly after: Api }[] = []
  for (const one of old) {
    const key = JSON.stringify(pathsOf(one.after))
    const after = read.get(key) ?? (await readApi(one.after, tree, io))
    read.set(key, after)
    pairs.push({ one, after })
  }
  return pairs
}

/** Loads the documents of an old version, and generates and loads its client. */
const loadVersion = async (
  { name, before, tree, packed }: NamedVersion,
  after: Api,
  sources: FileTree,
  folder: ClientFolder,
  place: string,
): Promise<OldVersion> => {
  const [{ loadApi }, { clientFiles }, { loadClient }] = await Promise.all([
    import('../model/load.js'),
    import('../compatibility/client-files.js'),
    import('../compatibility/load-client.js'),
  ])
  const old = await loadApi(before, alsoAllowing(tree, sources))
  const entry = packed ? packed.pathOf('./client') : 'client.js'
  if (entry === undefined)
    throw new UsageError(`the package ${name} has no ./client: name its documents instead`)
  const files = packed
    ? [...packed.files].map(([path, text]) => ({ name: `${place}/${path}`, text }))
    : clientFiles(old, place)
  const createClient = await loadClient(join(folder.write(files), place, entry))
  return { name, before: old, after, createClient }
}

/** Compiles the code of consumers with the client of the new documents, and returns the errors. */
const consumerFindings = async (
  paths: readonly string[],
  { documents, tree }: Opened,
  show: (words: string) => void,
  io: Io,
): Promise<readonly Finding[]> => {
  if (paths.length === 0) return []
  const [{ loadApi }, { compileConsumer }] = await Promise.all([
    import('../model/load.js'),
    import('../compatibility/consumer.js'),
  ])
  const api = await loadApi(documents, tree)
  const found: Finding[] = []
  for (const path of paths) {
    show(`compiling ${path} …`)
    found.push(...(await compileConsumer(path, api, { today: todayIn(io) })))
  }
  return found
}

/** Limits requests to the rate of the new documents, or to `--rate`; 0 means no limit. */
const takeFor = async (
  versions: readonly OldVersion[],
  rate: string | undefined,
  { now }: Io,
  signal: AbortSignal,
): Promise<() => Promise<void>> => {
  const { createPace, limitOf } = await import('../conform/wire/pace.js')
  if (rate !== undefined && !/^\d{1,9}$/.test(rate))
    throw new UsageError(`--rate must be a whole number, not ${rate}`)
  const limits = versions.flatMap(({ after }) => limitOf(after) ?? [])
  const declared = limits.length === 0 ? undefined : Math.min(...limits)
  const perMinute = rate === undefined ? declared : Number(rate) || undefined
  const sleep = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal }).catch(() => undefined)
  const pace = createPace(perMinute, { now, sleep, signal })
  pace.expect(Number.POSITIVE_INFINITY)
  return () => pace.take(1)
}

/** Rejects with UsageError if the server does not respond, so that no version is blamed. */
const assertReachable = async (url: string): Promise<void> => {
  if (!URL.canParse(url) || /[?#]/.test(url))
    throw new UsageError(
      'the URL of the server must end before any ? or #: paths of the documents are added to it',
    )
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(REACHABLE),
      redirect: 'manual',
    })
    await response.body?.cancel()
  } catch (cause) {
    throw new UsageError(`${url} does not respond: ${messageOf(cause)}`, { cause })
  }
}

const REACHABLE = 10_000
