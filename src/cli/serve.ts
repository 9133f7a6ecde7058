import { type ArgsDef, defineCommand } from 'citty'
import { assertVariables } from './flags.js'
import { type ExitCode, ended, type Io, isColoured, UsageError, writeLine } from './io.js'
import { loadService } from './load-service.js'
import { createReference } from './reference.js'

export const serve = defineCommand({
  meta: {
    name: 'serve',
    description:
      'Runs the service whose documents these are, with a chain of its own or a node behind',
  },
  args: async (): Promise<ArgsDef> => (await settingsModule()).settingFlags(),
  run: ({ args, data }) => serveUntilInterrupted(args, data as Io),
})

/** What the command reads from the environment alone, for `--help`. */
export const serveVariables = async () => (await settingsModule()).settingVariables()

const serveUntilInterrupted = async (flags: Flags, io: Io): Promise<ExitCode> => {
  const { stdout, stderr, env } = io
  // Asked for before anything runs: an end in the middle of starting must stop it too.
  const interrupted = io.interrupted()
  const { readSettings, variableNames } = await settingsModule()
  assertVariables('serve', env, variableNames())
  return inSentences(async () => {
    const settings = readSettings(flags, env)
    const [{ createLog }, crashes, { startService }, { bannerOf }, { documents }, { threadOurs }] =
      await Promise.all([
        import('../service/log.js'),
        import('../service/crash-watch.js'),
        import('../service/serve.js'),
        import('../service/banner.js'),
        import('../service/documents.js'),
        import('../service/fork.js'),
      ])
    const form = isColoured(stderr) ? 'coloured' : stderr.isTTY ? 'plain' : 'json'
    const log = createLog(settings, { write: (line) => stderr.write(line), form })
    const crash = crashes.watchCrashes(log, settings.stopSeconds + EXIT_SECONDS)
    const signal = AbortSignal.any([interrupted, crash.signal])
    try {
      const reference = settings.docs ? createReference(documents, threadOurs) : undefined
      const started = await startService(settings, { log, signal, reference: reference?.read })
      for (const line of bannerOf(started, settings)) writeLine(stdout, line)
      await ended(signal)
      await Promise.all([started.close(), reference?.close()])
      return crash.signal.aborted ? crashes.EXIT_CODE : 0
    } finally {
      crash.stop()
    }
  })
}

/** Beside the seconds that requests get: as long as the other parts take to stop. */
const EXIT_SECONDS = 15

type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

const settingsModule = () => loadService('serve', () => import('../service/read-settings.js'))

/** By name, as errors of modules that are loaded late: what the user can mend is told, a line for each. */
const inSentences = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await loadService('serve', work)
  } catch (error) {
    if (!(error instanceof Error && MENDABLE.includes(error.name))) throw error
    const lines = error.message.split('\n').map((line) => `twinspec serve: ${line}`)
    throw new UsageError(lines, { cause: error })
  }
}

const MENDABLE = ['SettingsError', 'StartError']
