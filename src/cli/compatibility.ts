import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { OldVersion } from '../compatibility/compatibility.js'
import { COMPATIBILITY_RULES } from '../compatibility/findings.js'
import type { ClientFolder } from '../compatibility/load-client.js'
import type { Api } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import type { FileTree } from '../read/file-tree.js'
import { isFailing } from '../report/levels.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { compatibilityReport } from './compatibility-report.js'
import { type NamedVersion, namedVersions } from './compatibility-versions.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { alsoAllowing, type Opened, openDocuments, pathsOf } from './documents.js'
import type { Args } from './flags.js'
import {
  assertWritable,
  dayIn,
  type ExitCode,
  type Io,
  todayIn,
  UsageError,
  withProgress,
  writeLine,
  writeWhole,
} from './io.js'
import { printReport, reportText } from './print-report.js'
import { readApi } from './read-api.js'
import { printRules } from './rule-list.js'

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
  const { matrix, consumer, subject } = await tryVersions(args, words, io, signal)
  const { compatibilityFindings } = await import('../compatibility/findings.js')
  const all = [...compatibilityFindings(matrix), ...consumer]
  const applied = applyConfig(all, config, {
    today: dayIn(io),
    rules: COMPATIBILITY_RULES.map(({ id }) => id),
  })
  const findings = [...applied.findings, ...applied.remarks]
  const failOn = args['fail-on']
  const isStopped = signal.aborted && !findings.some((one) => isFailing(one, failOn))
  const report = compatibilityReport(matrix, {
    ...{ subject, findings, failOn },
    ...(isStopped && { inconclusive: STOPPED }),
  })
  if (args.matrix !== undefined) writeWhole(args.matrix, await reportText(report, 'markdown', io))
  const code = await printReport(report, { format, verbose: args.verbose }, io)
  if (isStopped) writeLine(io.stderr, `twinspec compatibility: ${STOPPED}`)
  return code
}

const STOPPED = 'stopped before everything was tested, so there is no verdict'

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
      const paths = Object.values(pathsOf(opened.documents)).filter((path) => path !== undefined)
      return { matrix, consumer, subject: server ?? paths.join(', ') }
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
    import('../read/load.js'),
    import('../compatibility/client-files.js'),
    import('../compatibility/load-client.js'),
  ])
  // The documents of a package have the overlays that it was made with.
  const old = await loadApi(before, packed ? tree : alsoAllowing(tree, sources))
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
    import('../read/load.js'),
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
