import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.js'

/** The parts of the process that a program of the service uses; tests pass their own. */
export type Io = {
  readonly stdout: Sink
  readonly stderr: Sink
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted by SIGINT or SIGTERM. Called once; a second signal ends the process immediately. */
  readonly interrupted: () => AbortSignal
}

/** A stream; `process.stdout` is one. */
type Sink = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean
}

/** 0: the program ended normally, 2: it could not run. */
export type ExitCode = 0 | 2

/** Runs a program with the arguments and the streams of this process, and sets its exit code. */
export const runProcess = async (program: Program): Promise<void> => {
  let isLost = false
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // `npm start | head` closes the pipe early, and a disk may be full: the service goes on.
      if (error.code === 'EPIPE' || isLost) return
      isLost = true
      process.exitCode = 2
      writeLine(process.stderr, `${program.name}: the output cannot be written: ${error.message}`)
    })
  }
  const { stdout, stderr, env } = process
  // Not process.exit(): output that is not yet in the pipe must arrive.
  const code = await run(program, process.argv.slice(2), { stdout, stderr, env, interrupted })
  process.exitCode = isLost ? 2 : code
}

/** Runs a program and returns its exit code. Never throws: errors are printed to standard error. */
export const run = async (
  { name, run }: Program,
  args: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  try {
    return await run(args, io)
  } catch (error) {
    if (error instanceof UsageError)
      for (const line of error.message.split('\n')) writeLine(io.stderr, `${name}: ${line}`)
    else io.stderr.write(`${withoutControls(error instanceof Error ? error.stack : error)}\n`)
    return 2
  }
}

export type Program = {
  /** The prefix of its error messages. */
  readonly name: string
  readonly run: (args: readonly string[], io: Io) => Promise<ExitCode>
}

const interrupted = (): AbortSignal => {
  const ending = new AbortController()
  let first: number | undefined
  const end = (signal: NodeJS.Signals) => {
    // If npm runs this process, it gets each Ctrl-C twice: as a member of the group, and from npm.
    if (first !== undefined && performance.now() - first > ECHO_MILLISECONDS)
      process.exit(128 + (signal === 'SIGINT' ? 2 : 15))
    first ??= performance.now()
    ending.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  return ending.signal
}

const ECHO_MILLISECONDS = 500

/** Writes one line; control characters and line breaks in it are replaced. */
export const writeLine = (sink: Sink, line: string): void => {
  sink.write(
    `${withoutControls(line.replace(/\s+/g, (blanks) => (/[\n\u2028\u2029]/.test(blanks) ? ' ' : blanks)))}\n`,
  )
}

/** The text without characters that control a terminal or change the direction of text. */
const withoutControls = (text: unknown): string =>
  String(text).replace(/[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

/** A flag; one without `hint` takes no value. */
type Flag = {
  readonly says: string
  readonly hint?: string | undefined
  readonly choices?: readonly string[]
}

export type Flags = Readonly<Record<string, Flag>>

/**
 * The values of flags by name (`true` for flags without a value) and the other arguments. Throws UsageError for a flag that is
 * unknown, repeated, without its value, or with a value that is not one of its choices.
 */
export const readFlags = (args: readonly string[], flags: Flags): CommandLine => {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { hint }]) => [
      name,
      { type: hint === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values: Record<string, string | true> = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
    if (flag === undefined) {
      const names = Object.keys(flags).map((one) => `--${one}`)
      throw new UsageError(`there is no flag ${rawName}: there are ${names.join(', ')}`)
    }
    if (Object.hasOwn(values, name)) throw new UsageError(`${rawName} is given twice`)
    if (flag.hint === undefined) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value`)
      values[name] = true
      continue
    }
    // A negative number is a value, but in `--host --port`, the value is missing.
    const isFlag = !inlineValue && /^-(?!\d)/.test(value ?? '')
    if (value === undefined || value === '' || isFlag)
      throw new UsageError(`${rawName} needs a value`)
    if (flag.choices && !flag.choices.includes(value))
      throw new UsageError(`${rawName} cannot be ${value}: there are ${flag.choices.join(', ')}`)
    values[name] = value
  }
  return { values, words }
}

export type CommandLine = {
  readonly values: Readonly<Record<string, string | true>>
  readonly words: readonly string[]
}

export const isHelp = (args: readonly string[]): boolean =>
  args.includes('--help') || args.includes('-h')

/** The text of `--help`. */
export const helpText = ({ about, usage, flags, variables, examples }: Help): string => {
  const rows = Object.entries(flags).map(([name, { hint, says }]) => [
    hint === undefined ? `--${name}` : `--${name} <${hint}>`,
    says,
  ])
  const width = Math.max(...rows.map(([flag = '']) => flag.length))
  return [
    about,
    '',
    `USAGE ${usage}`,
    ...['', 'OPTIONS', '', ...rows.map(([flag = '', says]) => `  ${flag.padEnd(width)}  ${says}`)],
    ...['', 'ENVIRONMENT', '', ...variables.map(([name, says]) => `  ${name}  ${says}`)],
    ...['', 'EXAMPLES', '', ...examples.map((example) => `  ${example}`)],
    '',
  ].join('\n')
}

type Help = {
  readonly about: string
  readonly usage: string
  readonly flags: Flags
  /** Variables that have no flag: name and meaning. */
  readonly variables: readonly (readonly [string, string])[]
  readonly examples: readonly string[]
}
