import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import type { Api } from '../model/api.js'
import { loadCodecs } from '../model/load-codecs.js'
import { nameOf } from '../model/operation-name.js'
import { messageOf } from '../runtime/shared/message-of.js'
import type { RecordingError } from '../traffic/recording.js'
import { sentKey, serverName, type Unread, type Usage } from '../usage/usage.js'
import { openDocuments } from './documents.js'
import type { Args } from './flags.js'
import {
  assertWritable,
  type ExitCode,
  type Io,
  UsageError,
  withProgress,
  writeLine,
  writeWhole,
} from './io.js'
import { readApi } from './read-api.js'

/** Writes what recorded requests used, and adds up usage files. */
export const usage = async (
  args: Args<'usage'>,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const { out } = args
  if (words.length === 0)
    throw new UsageError('name recorded traffic, such as traffic/ or a.ndjson, or files of usage')
  if (out !== undefined) assertWritable(out)
  const named = eachOnce(words, io)
  const isUsage = (word: string) => word.toLowerCase().endsWith('.json')
  const files = named.filter(isUsage)
  const traffic = named.filter((word) => !isUsage(word))
  const { addUsages, usageText } = await import('../usage/usage.js')
  const [earlier, recorded] = [
    await Promise.all(files.map(readUsageFile)),
    traffic.length === 0 ? [] : [await record(args, traffic, io)],
  ]
  const sum = addUsages([...earlier, ...recorded])
  if (out === undefined) io.stdout.write(usageText(sum))
  else writeWhole(out, usageText(sum))
  for (const line of await summary(sum)) writeLine(io.stderr, line)
  return 0
}

/**
 * Removes duplicates, because their requests would be counted twice. Throws UsageError for files that do not exist or are
 * documents.
 */
const eachOnce = (words: readonly string[], { stderr }: Io): readonly string[] => {
  const paths = words.map((word) => {
    if (/\.ya?ml$/i.test(word))
      throw new UsageError(`${word} is not traffic: name documents with --openapi and --openrpc`)
    try {
      return realpathSync(word)
    } catch (cause) {
      throw new UsageError(`${word} cannot be read: ${messageOf(cause)}`, { cause })
    }
  })
  return words.filter((word, index) => {
    const path = paths[index] ?? ''
    const other = paths.findIndex(
      (one, at) => (one === path && at < index) || path.startsWith(join(one, sep)),
    )
    if (other >= 0) writeLine(stderr, `${word} is also in ${words[other]}, and is read once`)
    return other < 0
  })
}

/** Rejects with UsageError if it cannot be read, or is no usage file. */
export const readUsageFile = async (file: string): Promise<Usage> => {
  const { readUsage, UsageFileError } = await import('../usage/read-usage.js')
  try {
    return readUsage(file, readFileSync(file, 'utf8'))
  } catch (cause) {
    if (cause instanceof UsageFileError) throw new UsageError(cause.message, { cause })
    throw new UsageError(`${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}

/**
 * Throws UsageError if a usage belongs to other documents: everything would be reported as unused. `whose`: `the documents
 * have`.
 */
export const assertUsageOf = (
  usage: Usage,
  { operations, serverMethods }: Api,
  whose: string,
): void => {
  const names = [...operations.map(nameOf), ...serverMethods.map(serverName)]
  const known = new Set(names.map(sentKey))
  const all = [...Object.values(usage.consumers), usage.others ?? {}]
  const used = [...new Set(all.flatMap((one) => Object.keys(one)))]
  if (used.some((name) => known.has(sentKey(name)))) return
  throw new UsageError(
    used.length === 0
      ? '--usage has no requests: record some with `twinspec usage`'
      : `--usage belongs to other documents: ${whose} no ${used[0]}`,
  )
}

const record = async (args: Args<'usage'>, traffic: readonly string[], io: Io): Promise<Usage> => {
  const { consumer, 'max-consumers': most, 'secret-file': secretFile } = args
  const [{ createUsageCounter }, { readTraffic }, { readConsumerKind }] = await Promise.all([
    import('../usage/usage-counter.js'),
    import('../traffic/read-traffic.js'),
    import('../usage/consumers.js'),
  ])
  const by = readConsumerKind(consumer)
  if (!by) {
    const kinds = 'auto, key, user-agent, package, header:NAME or field:/request/body/tenant'
    throw new UsageError(`--consumer must be ${kinds}, not ${consumer}`)
  }
  if (!/^[1-9]\d{0,5}$/.test(most))
    throw new UsageError(`--max-consumers must be a whole number of at least 1, not ${most}`)
  const file = secretFile ?? defaultSecretFile(io)
  const secret = () =>
    secretIn(file, () =>
      writeLine(io.stderr, `${file} is new: keep it, so that keys keep their ids`),
    )
  const { documents, tree } = await openDocuments([], args, io)
  const faults: RecordingError[] = []
  let faulty = 0
  const onFault = (error: RecordingError) => {
    faulty += 1
    if (faults.length < MOST_FAULTS) faults.push(error)
  }
  const api = await readApi(documents, tree, io)
  const codecs = await loadCodecs(api)
  const counted = await withProgress(io, async (tell) => {
    const counter = createUsageCounter(api, { by, maxConsumers: Number(most), codecs, secret })
    let count = 0
    try {
      for (const path of traffic) {
        const onSkip = (skipped: string, why: string) =>
          writeLine(io.stderr, `${skipped} is skipped: ${why}`)
        for await (const one of readTraffic(path, { onFault, onSkip })) {
          counter.add(one)
          count += 1
          if (count % EVERY === 0) tell(`${count} requests …`)
        }
      }
    } catch (cause) {
      if (!(cause instanceof Error) || cause.name !== 'RecordingError') throw cause
      throw new UsageError(cause.message, { cause })
    }
    return counter
  })
  for (const { message } of faults) writeLine(io.stderr, message)
  if (faulty > faults.length) writeLine(io.stderr, `… and ${faulty - faults.length} more`)
  const made = counted.usage(faulty)
  if (made.requests === 0)
    throw new UsageError(
      'there is no recorded traffic here: name a folder or a file of .io, .har or .ndjson',
    )
  if (made.requests === made.undocumented)
    throw new UsageError(
      `no recorded request matches an operation of the documents: name the documents of this traffic`,
    )
  return made
}

const MOST_FAULTS = 5
const EVERY = 10_000

/** Outside of any repository, so that it is not committed by mistake. */
const defaultSecretFile = ({ env }: Pick<Io, 'env'>): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'twinspec', 'usage-secret')

/**
 * The secret in a file, which is created if it is missing, readable only by its owner. Throws UsageError if it cannot be read or
 * written, is too short, or can be read by others.
 */
const secretIn = (file: string, onCreate: () => void): Uint8Array => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
    onCreate()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UsageError(`the secret ${file} cannot be written: ${messageOf(cause)}`, { cause })
  }
  if (statSync(file).isDirectory()) throw new UsageError(`${file} is a folder: name a file in it`)
  const text = secretText(file)
  // With a public secret, such as a document, anybody could test which key an id belongs to.
  if (/\s/.test(text))
    throw new UsageError(
      `${file} is not a secret of one line without spaces: name a file that does not exist, and it is created`,
    )
  if (text.length < SHORTEST_SECRET)
    throw new UsageError(
      `the secret in ${file} is shorter than ${SHORTEST_SECRET} characters: delete the file, and a new one is created`,
    )
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new UsageError(`other users can read the secret ${file}: run chmod 600 on it`)
  return new TextEncoder().encode(text)
}

const secretText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new UsageError(`the secret ${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}

const SHORTEST_SECRET = 32

/** `3 (bytes: 2, json: 1)`; the guide explains the reasons. */
const wordsOf = (unread: Unread): string => {
  const counts = Object.values(unread)
  const reasons = Object.entries(unread).map(([reason, count]) => `${reason}: ${count}`)
  return `${counts.reduce((all, one) => all + one, 0)} (${reasons.join(', ')})`
}

const summary = async (sum: Usage): Promise<readonly string[]> => {
  const { addUnread, windowOf } = await import('../usage/usage.js')
  const unread = addUnread(Object.values(sum.unread))
  const { requests, consumers, operations, days } = windowOf(sum)
  const whom = `${consumers} ${consumers === '1' ? 'consumer' : 'consumers'}`
  const what = `${operations} ${operations === 1 ? 'operation' : 'operations'}`
  return [
    `${requests} ${requests === 1 ? 'request' : 'requests'} of ${whom} to ${what}${days}`,
    ...(sum.undocumented > 0
      ? [`requests that match no operation of the documents: ${sum.undocumented}`]
      : []),
    ...(Object.keys(unread).length > 0
      ? [`requests that could not be read: ${wordsOf(unread)}`]
      : []),
    ...(sum.faulty > 0 ? [`lines or entries that could not be read: ${sum.faulty}`] : []),
    ...(sum.secrets.length > 1
      ? ['the ids of keys were made with different secrets: one consumer may be counted as several']
      : []),
  ]
}
