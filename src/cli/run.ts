import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { DocumentError } from '../model/finding.js'
import { framed } from '../report/framed.js'
import { withoutControls } from '../text/escape.js'
import { suggestion } from '../text/nearest.js'
import { COMMANDS, type Verb } from './commands.js'
import type { Config } from './config/read.js'
import { type Args, completeFlags, completeWords, misspeltVariables, readFlags } from './flags.js'
import { help } from './help.js'
import {
  type ExitCode,
  errorsIn,
  type Io,
  isColoured,
  isExpected,
  UsageError,
  writeLine,
  writeStyled,
} from './io.js'
import { version } from './version.js'

/** Runs the command line `args` and returns its exit code. Never throws. */
export const run = (args: readonly string[], io: Io): Promise<ExitCode> =>
  reporting('twinspec', io, () => dispatch(args, io))

/** Returns the result of `work`; if it throws, prints the error with the name of the command and returns 2. */
const reporting = async (
  command: string,
  io: Io,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> => {
  try {
    return await work()
  } catch (error) {
    if (isExpected(error)) report(error, command, io)
    else writeStyled(io.stderr, withoutControls(bug(error)))
    return 2
  }
}

type Run<V extends Verb> = (
  args: Args<V>,
  words: readonly string[],
  io: Io,
  config: Config | undefined,
) => ExitCode | Promise<ExitCode>

/** Modules are imported when they run: `lint` does not load the compiler that `pack` needs. */
const RUNS: { readonly [V in Verb]: () => Promise<Run<V>> } = {
  init: async () => (await import('./init.js')).init,
  generate: async () => (await import('./generate.js')).generate,
  lint: async () => (await import('./lint.js')).runLintCommand,
  diff: async () => (await import('./diff.js')).runDiffCommand,
  docs: async () => (await import('./docs.js')).docs,
  mock: async () => (await import('./mock.js')).mock,
  pack: async () => (await import('./pack.js')).runPackCommand,
  conform: async () => (await import('./conform.js')).runConformCommand,
  compatibility: async () => (await import('./compatibility.js')).compatibility,
  usage: async () => (await import('./usage.js')).usage,
  explain: async () => (await import('./explain.js')).explain,
  completion: async () => (await import('./completion.js')).completion,
}

const dispatch = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const [first, ...rest] = args
  if (first === undefined) {
    writeStyled(io.stderr, help(undefined, io.stderr))
    return 2
  }
  if (first === '--version' || first === '-v') {
    writeLine(io.stdout, version)
    return 0
  }
  if (first === 'complete') {
    const { complete } = await import('./completion.js')
    return complete(rest.slice(rest[0] === '--' ? 1 : 0), io)
  }
  const isHelp = first === 'help' || HELP.includes(first)
  const name = isHelp ? rest[0] : first
  if (isHelp && name === undefined) {
    writeStyled(io.stdout, help(undefined, io.stdout))
    return 0
  }
  const verb = verbOf(name ?? '')
  if (isHelp || rest.some((one) => HELP.includes(one))) {
    writeStyled(io.stdout, help(verb, io.stdout))
    return 0
  }
  return reporting(`twinspec ${verb}`, io, () => start(verb, rest, io))
}

const start = async <V extends Verb>(
  verb: V,
  args: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const flags = readFlags(verb, args)
  for (const { name, nearest } of misspeltVariables(io.env))
    writeLine(io.stderr, `warning: the variable ${name} has no effect: did you mean ${nearest}?`)
  const config = UNCONFIGURED.includes(verb) ? undefined : await configOf(flags.config, io)
  const values = completeFlags(verb, flags, io.env, config)
  const runVerb = await RUNS[verb]()
  // `completeFlags` derives the values from the table that also defines the type.
  return runVerb(values as Args<V>, completeWords(verb, flags, config), io, config)
}

/** Commands without configuration. */
const UNCONFIGURED: readonly Verb[] = ['init', 'explain', 'completion']

/** Undefined if there is none. The rules are loaded only for a configuration, which may refer to any of them. */
const configOf = async (flag: string | undefined, { env }: Io): Promise<Config | undefined> => {
  const file = findConfig(flag ?? (env.TWINSPEC_CONFIG || undefined))
  if (file === undefined) return undefined
  const [{ readConfig }, { RULES }] = await Promise.all([
    import('./config/read.js'),
    import('./rules.js'),
  ])
  return readConfig(file, RULES)
}

const CONFIG_FILE = 'twinspec.config.yaml'

/**
 * The configuration file in `flags`, else the nearest one from the working directory up to the top of the git repository.
 * Outside of a repository, only the working directory is searched. `none` reads none. Throws UsageError if the named file does
 * not exist.
 */
const findConfig = (flags: string | undefined): string | undefined => {
  if (flags === 'none') return undefined
  if (flags !== undefined) {
    if (existsSync(flags)) return flags
    throw new UsageError(`there is no configuration ${flags}`)
  }
  const found: string[] = []
  const here = resolve('.')
  for (let at = here; ; at = dirname(at)) {
    const file = join(at, CONFIG_FILE)
    if (existsSync(file)) found.push(file)
    const isTop = existsSync(join(at, '.git'))
    if (!isTop && dirname(at) !== at) continue
    const [first] = found
    if (first === undefined || (!isTop && dirname(first) !== here)) return undefined
    return relative(here, first)
  }
}

const HELP: readonly string[] = ['--help', '-h']

const verbOf = (name: string): Verb => {
  if (Object.hasOwn(COMMANDS, name)) return name as Verb
  if (name.startsWith('-')) {
    const flags = ['--help', '--version']
    throw new UsageError(`there is no flag ${name}${suggestion(name, flags)}`)
  }
  const other = Object.hasOwn(OF_OTHER_TOOLS, name) ? OF_OTHER_TOOLS[name] : undefined
  const hint =
    other === undefined ? suggestion(name, Object.keys(COMMANDS)) : `: did you mean ${other}?`
  throw new UsageError(`there is no command ${name}${hint}`)
}

/** What other tools call a command. */
const OF_OTHER_TOOLS: Readonly<Record<string, string>> = {
  breaking: 'diff',
  'build-docs': 'docs',
  bundle: 'generate --only documents',
  changelog: 'diff',
  'preview-docs': 'docs',
  respect: 'conform',
  validate: 'lint',
}

/** Prints an error that the user can fix: a sentence, or each error of the documents with its lines. */
const report = (error: DocumentError | UsageError, command: string, { stderr }: Io): void => {
  if (!('findings' in error)) {
    const [first = '', ...others] = error.lines
    for (const line of [`${command}: ${first}`, ...others]) writeLine(stderr, line)
    return
  }
  const options = { coloured: isColoured(stderr), command }
  for (const line of framed(errorsIn(error), options)) writeStyled(stderr, line)
}

const bug = (error: unknown): string => {
  const trace = error instanceof Error ? error.stack : String(error)
  return `this is a bug in twinspec ${version}, not an error in your documents:\n${trace}`
}
