import { conform, type Verdict } from '../conform/conform.js'
import { commandWords, type StdioServer } from '../conform/duplex/command.js'
import type { Profile } from '../conform/profile-list.js'
import { keyHider } from '../conform/report/shown.js'
import { isLoopback } from '../conform/target.js'
import type { Api } from '../model/api.js'
import { nameOf } from '../model/operation-name.js'
import { suggestion } from '../text/nearest.js'
import type { Args } from './flags.js'
import { createProgress, type Io, UsageError, writeLine } from './io.js'

/** Tests a running server and shows the progress. Throws UsageError if the server does not respond. */
export const runConform = async (
  api: Api,
  flags: ConformFlags,
  signal: AbortSignal,
  io: Io,
): Promise<ConformRun> => {
  let progress = createProgress(io)
  progress.show('planning the cases …')
  const began = io.now()
  let named: readonly string[] = []
  const verdict = await conform(api, {
    ...flags,
    signal,
    onPlan: ({ cases, requests, seconds, addresses, isOfDocument }) => {
      progress.end()
      if (isOfDocument) {
        named = addresses
        writeLine(
          io.stderr,
          `testing ${addresses.join(' and ')}, the server that the documents name`,
        )
      }
      const limit =
        flags.rate === undefined ? 'the rate limit of the documents' : `${flags.rate} a minute`
      const wait = seconds === 0 ? '' : `; with ${limit}, this takes at least ${lasting(seconds)}`
      const isOwn = flags.rate === undefined && seconds > 0 && addresses.every(isLoopback)
      const advice = isOwn ? ' (--rate 0 removes it for your own server)' : ''
      writeLine(io.stderr, `${cases} cases, about ${requests} requests${wait}${advice}`)
      progress = createProgress(io)
    },
    onProgress: ({ done, cases, part, name }) => {
      const time = timeLine(io.now() - began, part)
      progress.show(short(`${done} of ${cases}, ${time}: ${name}`))
    },
  })
    .catch((cause: Error) => {
      throw cause.name === 'TargetError' ? new UsageError(cause.message, { cause }) : cause
    })
    .finally(() => progress.end())
  const { url, stdio, servers, key, only } = flags
  const subject = [url ?? stdio?.words.join(' '), ...Object.values(servers), ...named]
    .filter((one) => one !== undefined)
    .join(', ')
  return {
    verdict,
    isPartial:
      only !== undefined ||
      flags.readOnly ||
      verdict.unjudged !== undefined ||
      verdict.cutShort !== undefined,
    subject: keyHider(key === undefined ? [] : [key])(subject.replace(/\/\/[^/@\s]*@/g, '//')),
  }
}

/** Checks recorded traffic. Throws UsageError if it cannot be read. */
export const checkFiles = async (
  api: Api,
  path: string,
  only: readonly string[] | undefined,
): Promise<ConformRun> => {
  const [{ checkTraffic }, { operationsNamed }] = await Promise.all([
    import('../conform/check-traffic.js'),
    import('../conform/selection.js'),
  ])
  try {
    const names = only === undefined ? [] : operationsNamed(api, only).map(nameOf)
    const verdict = await checkTraffic(api, path)
    const findings = verdict.findings.filter(
      ({ operations = [] }) =>
        only === undefined || operations.some((name) => names.includes(name)),
    )
    const unjudged = verdict.cases === 0 ? { unjudged: 'no recorded request could be checked' } : {}
    return { verdict: { ...verdict, ...unjudged, findings }, isPartial: true, subject: path }
  } catch (cause) {
    if (!(cause instanceof Error) || !REJECTIONS.includes(cause.name)) throw cause
    throw new UsageError(cause.message, { cause })
  }
}

const REJECTIONS: readonly string[] = ['RecordingError', 'TargetError']

export type ConformRun = {
  readonly verdict: Verdict
  /** Whether something was not tested, so that missing findings need not be fixed. */
  readonly isPartial: boolean
  readonly subject: string
}

/** `8 seconds, about 2 minutes left`; the remaining time is shown once it can be estimated. */
const timeLine = (milliseconds: number, part: number): string => {
  const seconds = milliseconds / 1_000
  const spent = lasting(seconds)
  return seconds < 3 || part < 0.02
    ? spent
    : `${spent}, about ${lasting((seconds * (1 - part)) / part)} left`
}

const lasting = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

/** Truncates text to one line of any terminal. */
const short = (words: string): string => (words.length < 79 ? words : `${words.slice(0, 77)}…`)

/** The options in the flags of `conform`. Throws UsageError for invalid values. */
export const readConformFlags = async (
  args: Args<'conform'>,
  url: string | undefined,
  { env }: Pick<Io, 'env'>,
): Promise<ConformFlags> => {
  const maxTime = args['max-time']
  return {
    url,
    traffic: args.traffic,
    stdio: args.stdio === undefined ? undefined : stdioOf(args.stdio, args.framing),
    servers: serversOf(args.server),
    key: args['api-key'] ?? (env.TWINSPEC_KEY || undefined),
    // Names may contain commas, so the text is split later, when the names are known.
    only: args.only.length === 0 ? undefined : args.only,
    seed: numberOf('seed', args.seed),
    maxExamples: numberOf('max-examples', args['max-examples']),
    ...rateOf(args.rate),
    maxSeconds: maxTime === undefined ? undefined : secondsOf('max-time', maxTime),
    disruptive: args.disruptive,
    stateless: args.stateless,
    readOnly: args['read-only'],
    profile: await profileOf(args.profile),
  }
}

export type ConformFlags = {
  readonly url: string | undefined
  /** A file or folder of traffic; then nothing is sent. */
  readonly traffic: string | undefined
  readonly stdio: StdioServer | undefined
  readonly servers: Readonly<Record<string, string>>
  readonly key: string | undefined
  readonly only: readonly string[] | undefined
  readonly seed: number
  readonly maxExamples: number
  readonly rate?: number | null
  readonly maxSeconds: number | undefined
  readonly disruptive: boolean
  readonly stateless: boolean
  readonly readOnly: boolean
  readonly profile: Profile | undefined
}

const stdioOf = (command: string, framing: StdioServer['framing']): StdioServer => {
  const words = commandWords(command)
  if (words !== undefined && words.length > 0) return { words, framing }
  throw new UsageError(
    `--stdio must be a program and its arguments, each quote closed, not ${command}`,
  )
}

/** Parses `testnet=https://rpc.example/zone/{apiKey},mainnet=…`; the flag can be repeated. */
const serversOf = (urls: readonly string[]): Readonly<Record<string, string>> => {
  // A URL may contain a comma; a comma between two servers is followed by a name.
  const pairs = urls
    .flatMap((text) => text.split(/,(?=[^,=/?]+=)/))
    .map((pair) => {
      const [, name, url] = /^([^=/]+)=(.+)/s.exec(pair.trim()) ?? []
      if (name !== undefined && url !== undefined) return [name.trim(), url.trim()] as const
      const hint = /^\s*(?:https?|wss?):/.test(pair)
        ? '; a URL alone is the argument before the documents'
        : ''
      throw new UsageError(
        `--server must be a name of the documents and a URL, name=https://…, not ${pair}${hint}`,
      )
    })
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new UsageError(`--server gives ${twice} two URLs`)
  return Object.fromEntries(pairs)
}

const rateOf = (text: string | undefined): Pick<ConformFlags, 'rate'> => {
  if (text === undefined) return {}
  const rate = numberOf('rate', text)
  return { rate: rate === 0 ? null : rate }
}

const numberOf = (flag: string, text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${flag} must be a whole number, not ${text}`)
}

/** `90`, `90s`, `5m` or `1h`. */
const secondsOf = (flag: string, text: string): number => {
  const [, count, unit = 's'] = /^(\d{1,7})([smh]?)$/.exec(text) ?? []
  if (count === undefined)
    throw new UsageError(`--${flag} must be a time such as 90, 90s, 5m or 1h, not ${text}`)
  return Number(count) * (unit === 'h' ? 3_600 : unit === 'm' ? 60 : 1)
}

const profileOf = async (name: string | undefined): Promise<Profile | undefined> => {
  if (name === undefined) return undefined
  const { PROFILES } = await import('../conform/profile-list.js')
  const found = PROFILES.find((one) => one.name === name)
  if (found) return found
  const names = PROFILES.map((one) => one.name)
  throw new UsageError(`there is no profile ${name}${suggestion(name, names)}`)
}
