import type { Logger } from 'pino'
import {
  type ExitCode,
  helpText,
  type Io,
  isHelp,
  type Program,
  readFlags,
  writeLine,
} from './command-line.js'
import type { RunningService } from './serve.js'
import type { Settings } from './setting-rows.js'
import { readSettings, settingFlags, settingVariables, variableNames } from './settings.js'
import { UsageError } from './usage-error.js'

/** `npm start`: runs the service until it is interrupted. */
export const service: Program = {
  name: 'service',
  run: async (args, io) => {
    const flags = settingFlags()
    if (isHelp(args)) {
      io.stdout.write(helpText({ ...HELP, flags, variables: settingVariables() }))
      return 0
    }
    // Called first, because a signal during the start must stop it too.
    const interrupted = io.interrupted()
    const { values, words } = readFlags(args, flags)
    if (words.length > 0) throw new UsageError(`"${words[0]}" is no flag: flags begin with --`)
    assertVariables(io.env)
    return serveUntilInterrupted(readSettings(values, io.env), io, interrupted)
  },
}

const HELP = {
  about: 'Runs the service that spec/ describes, with an embedded chain or with your node',
  usage: 'npm start -- [OPTIONS]',
  examples: [
    'npm start',
    'npm start -- --data ./data --port 80 --host 0.0.0.0',
    'DATABASE_URL=postgres://db/one TWINSPEC_MNEMONIC="…" npm start -- --upstream http://node:8545',
  ],
}

const serveUntilInterrupted = async (
  settings: Settings,
  { stdout, stderr }: Io,
  interrupted: AbortSignal,
): Promise<ExitCode> => {
  // The service takes a moment to load; help and errors of the command line do not need it.
  const [{ createLog }, { startService }] = await Promise.all([
    import('./log.js'),
    import('./serve.js'),
  ])
  const form = stderr.isTTY ? 'plain' : 'json'
  const log = createLog(settings, { write: (line) => stderr.write(line), form })
  const crash = watchCrashes(log, settings.stopSeconds + EXIT_SECONDS)
  const signal = AbortSignal.any([interrupted, crash.signal])
  try {
    const started = await startService(settings, { log, signal })
    for (const line of bannerOf(started, settings)) writeLine(stdout, line)
    await aborted(signal)
    await started.close()
    return crash.signal.aborted ? CRASHED : 0
  } finally {
    crash.stop()
  }
}

/** Seconds for the other parts to stop, in addition to those for requests. */
const EXIT_SECONDS = 15

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Throws UsageError for a variable that looks like a setting and is not one, such as a misspelled name. */
const assertVariables = (env: Io['env']): void => {
  const known = variableNames()
  const faults = Object.entries(env).flatMap(([name, value]) =>
    !name.startsWith('TWINSPEC_') || !value || known.includes(name) || OF_ORCHESTRATORS.test(name)
      ? []
      : `there is no variable ${name}: --help lists those that are read`,
  )
  if (faults.length > 0) throw new UsageError(faults)
}

/** Kubernetes and Docker set such variables for a service called `twinspec` or `twinspec-db`. */
const OF_ORCHESTRATORS = /_SERVICE_(HOST|PORT)|_PORT(_\d|$)/

/**
 * An uncaught exception or unhandled rejection is logged and aborts `signal`, so that the service stops normally, without
 * interrupting its requests. A process that has not ended `exitSeconds` later is ended with `CRASHED`.
 */
const watchCrashes = (
  log: Logger,
  exitSeconds: number,
): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const crashed = new AbortController()
  const report = (error: unknown, origin: string): void => {
    log.fatal({ err: error, origin }, 'an unexpected error was not caught: the service stops')
    if (crashed.signal.aborted) return
    setTimeout(() => process.exit(CRASHED), 1_000 * exitSeconds).unref()
    crashed.abort()
  }
  // Node also reports unhandled rejections here, if there is no listener for them.
  process.on('uncaughtException', report)
  return {
    signal: crashed.signal,
    stop: () => {
      process.off('uncaughtException', report)
    },
  }
}

/** The exit code of a service that had to stop, after which a supervisor restarts it. */
const CRASHED = 2

/** The lines for a person when the service is ready. Each curl command works as printed. */
const bannerOf = ({ url, key }: RunningService, settings: Settings): readonly string[] => {
  // The address that means all interfaces cannot be called.
  const address = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  const json = `-H 'content-type: application/json'`
  const submit = `curl -s ${address}/zkt/try-it-out ${json} -d '{"arguments":"hello"}'`
  const queueId = `$(${submit} | sed 's/.*"queueId":"\\([^"]*\\)".*/\\1/')`
  return [
    `The service is ready at ${url}`,
    '',
    ...(key === undefined ? [] : [`API key  ${key}  (shown once)`]),
    `Chain    ${chainOf(settings)}`,
    `Store    ${storeOf(settings)}`,
    ...(!settings.noDocs ? [`Docs     ${address}/docs/`] : []),
    '',
    'Read the chain, write a message to it, and see how far another one has come:',
    '',
    `  curl -s ${address}/zgt/try-it-out ${json} -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`,
    `  curl -s ${address}/zkt/${key ?? 'try-it-out'} ${json} -d '{"arguments":"hello"}'`,
    `  curl -s ${address}/gtn/v1/zkt/transaction/${queueId}`,
    '',
    'Ctrl-C ends it.',
  ]
}

const chainOf = ({ chainId, upstream, data }: Settings): string => {
  // Without user and path, because either may be a key of the operator.
  if (upstream !== undefined) return `${chainId} at ${new URL(upstream).host}`
  return `${chainId}, our own, ${data === undefined ? NOT_KEPT : `kept in ${data}`}`
}

const storeOf = ({ databaseUrl, data }: Settings): string => {
  if (databaseUrl !== undefined) return `PostgreSQL at ${new URL(databaseUrl).host}`
  return `embedded, ${data === undefined ? NOT_KEPT : `kept in ${data}`}`
}

const NOT_KEPT = 'gone when the service ends (--data keeps it in a folder)'
