import { conform, type Verdict } from '../conform/conform.js'
import { keyHider } from '../conform/report/shown.js'
import { isLoopback } from '../conform/target.js'
import type { Api } from '../model/api.js'
import { type ConformFlags, refusal } from './conform-flags.js'
import { type Io, writeLine } from './io.js'
import { createProgress } from './progress.js'

/** Judges a server that runs, and says meanwhile how far it has come. Throws UsageError where nobody answers. */
export const runConform = async (
  api: Api,
  flags: ConformFlags,
  signal: AbortSignal,
  io: Io,
): Promise<Outcome> => {
  const progress = createProgress(io)
  const began = io.now()
  let named: readonly string[] = []
  const verdict = await conform(api, {
    ...flags,
    signal,
    onPlan: ({ cases, requests, seconds, addresses, isOfDocument }) => {
      if (isOfDocument) {
        named = addresses
        writeLine(
          io.stderr,
          `testing ${addresses.join(' and ')}, the server that the documents name`,
        )
      }
      const limit =
        flags.rate === undefined ? 'the rate limit of the documents' : `${flags.rate} a minute`
      const wait = seconds === 0 ? '' : `; ${limit} makes that ${lasting(seconds)} at least`
      const isOwn = flags.rate === undefined && seconds > 0 && addresses.every(isLoopback)
      const advice = isOwn ? ' (--rate 0 lifts it for a server of your own)' : ''
      writeLine(io.stderr, `${cases} cases, about ${requests} requests${wait}${advice}`)
    },
    onProgress: ({ done, cases, part, name }) => {
      const time = timeLine(io.now() - began, part)
      progress.tell(short(`${done} of ${cases}, ${time}: ${name}`))
    },
  })
    .catch((cause: Error) => {
      throw cause.name === 'TargetError' ? refusal(cause.message, cause) : cause
    })
    .finally(progress.end)
  const { url, servers, key, only } = flags
  const subject = [url, ...Object.values(servers), ...named]
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

/** Judges what was recorded. Throws UsageError where it cannot be read. */
export const checkFiles = async (
  api: Api,
  path: string,
  only: readonly string[] | undefined,
): Promise<Outcome> => {
  const [{ checkTraffic }, { operationsNamed }, { nameOf }] = await Promise.all([
    import('../conform/traffic/check-traffic.js'),
    import('../conform/only.js'),
    import('../conform/operations.js'),
  ])
  try {
    const names = only === undefined ? [] : operationsNamed(api, only).map(nameOf)
    const verdict = checkTraffic(api, path)
    const findings = verdict.findings.filter(
      ({ operations = [] }) =>
        only === undefined || operations.some((name) => names.includes(name)),
    )
    const unjudged =
      verdict.cases === 0 ? { unjudged: 'nothing that was recorded could be judged' } : {}
    return { verdict: { ...verdict, ...unjudged, findings }, isPartial: true, subject: path }
  } catch (cause) {
    if (!(cause instanceof Error) || !REFUSALS.includes(cause.name)) throw cause
    throw refusal(cause.message, cause)
  }
}

const REFUSALS: readonly string[] = ['RecordingError', 'TargetError']

export type Outcome = {
  readonly verdict: Verdict
  /** Something was left out, so that what was not found need not be gone. */
  readonly isPartial: boolean
  readonly subject: string
}

/** `8 seconds, about 2 minutes left`; the rest once there is something to guess it by. */
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

/** One line of any terminal. */
const short = (words: string): string => (words.length < 79 ? words : `${words.slice(0, 77)}…`)
