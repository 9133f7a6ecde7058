import { parseArgs } from 'node:util'
import { FORMATS, type FormatName } from '../report/formats.js'
import { nearest, suggestion } from '../text/nearest.js'
import { CONFIG_FLAG, type Command } from './command.js'
import { COMMANDS, type Verb } from './commands.js'
import type { Config, FlagValue } from './config/read.js'
import type { Permission } from './fetch-references.js'
import { assertInProject, type Io, UsageError } from './io.js'

/** The values of the flags of a command. */
export type Args<V extends Verb> = {
  readonly [F in keyof (typeof COMMANDS)[V]['flags'] as NameOf<F>]: ValueOf<F>
}

type NameOf<F> = F extends `${string}--${infer Flag}`
  ? Flag extends `${infer Name}=${string}`
    ? Name
    : Flag
  : never

type ValueOf<F> = F extends `${string}>...`
  ? readonly string[]
  : F extends `${string}=<${infer Hint}>${infer Usual}`
    ? Hint extends 'report-format'
      ? FormatName
      : Hint extends `${string} ${string}`
        ? string | undefined
        : Hint extends `${string}|${string}`
          ? OneOf<Hint>
          : string | (Usual extends '' ? undefined : never)
    : F extends '--fetch-references'
      ? Permission | false
      : boolean

type OneOf<Choices> = Choices extends `${infer First}|${infer Rest}` ? First | OneOf<Rest> : Choices

/** A flag from `commands.ts`. It takes a value if it has a hint. */
export type Flag = {
  readonly text: string
  /** One letter: `o` for `-o`. */
  readonly short: string | undefined
  readonly hint: string | undefined
  readonly choices: readonly string[] | undefined
  readonly default: string | undefined
  readonly isRepeated: boolean
}

type Flags = Readonly<Record<string, Flag>>

/** The flags of a command by name, and `config`, which every command has. */
export const flagsOf = (verb: Verb): Flags => read({ ...COMMANDS[verb].flags, ...CONFIG_FLAG })

const read = (written: Command['flags']): Flags =>
  Object.fromEntries(
    Object.entries(written).map(([flag, text]) => {
      const [, short, name = '', own, dots, usual] = WRITTEN.exec(flag) ?? []
      const hint = own === 'report-format' ? Object.keys(FORMATS).join('|') : own
      const choices = hint?.includes('|') && !hint.includes(' ') ? hint.split('|') : undefined
      return [name, { text, short, hint, choices, default: usual, isRepeated: dots !== undefined }]
    }),
  )

const WRITTEN = /^(?:-(\w), )?--([\w-]+)(?:=<([^>]+)>(\.{3})?(?: \((.+)\))?)?$/

/**
 * Parses the flags and arguments of a command. Throws UsageError for an unknown or repeated flag, a value that is missing or not
 * one of the choices, and arguments that the command does not accept.
 */
export const readFlags = (verb: Verb, args: readonly string[]): ParsedFlags => {
  const { words: accepted }: Command = COMMANDS[verb]
  const flags = flagsOf(verb)
  const names = Object.keys(flags)
  const reject = (what: string): never => {
    throw new UsageError(what)
  }
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(flags).map(([name, { short, hint }]) => {
        const type = hint === undefined ? 'boolean' : 'string'
        return [name, short === undefined ? { type } : { type, short }] as const
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const read = new Map<string, readonly (string | true)[]>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (accepted === undefined)
        reject(
          `unexpected argument "${token.value}": the flags are ${names.map(dashed).join(', ')}`,
        )
      words.push(token.value)
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
    if (flag === undefined) {
      const hint = OF_OTHER_TOOLS[rawName] ?? suggestion(rawName, names.map(dashed))
      return reject(`there is no flag ${rawName}${hint}`)
    }
    const before = read.get(name) ?? []
    if (before.length > 0 && !flag.isRepeated) reject(`${rawName} is given twice`)
    read.set(name, [...before, value ?? true])
    if (flag.hint === undefined) {
      if (value !== undefined) reject(`${rawName} does not take a value`)
      continue
    }
    // A negative number counts as a value, even if invalid; in `--out --check` the value is missing.
    if (!value || (!inlineValue && /^-(?!\d|$)/.test(value))) reject(`${rawName} needs a value`)
    if (flag.choices && !flag.choices.includes(value ?? ''))
      reject(`${rawName} cannot be ${value}${suggestion(value ?? '', flag.choices)}`)
  }
  const { config, ...values } = Object.fromEntries(
    [...read].map(([name, all]) => [name, flags[name]?.isRepeated ? all : all[0]] as const),
  )
  return { values, words, config: config as string | undefined }
}

/**
 * The values of all flags of a command: from the command line, else the environment (`TWINSPEC_DIFF_FAIL_ON` for `diff
 * --fail-on`), else the configuration, else the default. Throws UsageError for a value of the environment that is not one of the
 * choices.
 */
export const completeFlags = (
  verb: Verb,
  { values, words }: ParsedFlags,
  env: Io['env'],
  config: Config | undefined,
): ParsedFlags['values'] => {
  const { config: _, ...flags } = flagsOf(verb)
  // The arguments of `usage` are traffic, not documents.
  const isWord = verb !== 'usage' && words.some((one) => !isAddress(one))
  const isNamed = isWord || DOCUMENTS.some((name) => name in values)
  const configured: Readonly<Record<string, FlagValue>> = {
    ...(isNamed ? {} : config?.flags.documents),
    'allow-outside': config?.flags.documents?.['allow-outside'] ?? '',
    'fetch-references': config?.flags.documents?.['fetch-references'] ?? '',
    // Code of explicitly named documents must not be written to the configured folder.
    ...(isNamed && verb === 'generate' ? {} : config?.flags[verb]),
  }
  const unnamed: string[] = []
  const complete: ParsedFlags['values'] = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const named = values[name] ?? fromEnvironment(verb, name, flag, env)
      if (named === undefined) unnamed.push(name)
      // A checkout of somebody else has its own configuration, which must not have all permissions of the command line.
      const isPermission = name === 'fetch-references' && configured[name] === true
      const value = named ?? (isPermission ? 'configured' : configured[name])
      const missing = flag.hint === undefined ? false : flag.default
      if (flag.isRepeated && typeof value === 'string') return [name, value === '' ? [] : [value]]
      return [name, (value === '' ? undefined : value) ?? (flag.isRepeated ? [] : missing)]
    }),
  )
  const writesDocuments = complete.fix === true || Boolean(complete['fetch-references'])
  for (const name of unnamed) {
    const path = complete[name]
    const isDocument = DOCUMENTS.includes(name) || name === 'arazzo'
    const isWritten = isDocument ? writesDocuments : WRITTEN_PATHS.includes(name)
    if (!isWritten || typeof path !== 'string' || isAddress(path)) continue
    const section = isDocument ? 'documents' : verb
    const isConfigured = configured[name] !== undefined
    assertInProject(path, {
      config: config?.file,
      by: isConfigured ? `${section}.${name} of ${config?.file}` : `the default of --${name}`,
      instead: `give --${name} on the command line`,
      ...(complete.check === true && { use: 'compared' }),
    })
  }
  return complete
}

/** How other generators name their documents. */
const OF_OTHER_TOOLS: Readonly<Record<string, string>> = {
  '-i': ': documents are named without a flag',
  '--input': ': documents are named without a flag',
}

const DOCUMENTS = ['openapi', 'openrpc']

/** Flags with the path of a file or folder that a command writes, and that a configuration or a default may name. */
const WRITTEN_PATHS = ['out', 'changelog', 'matrix']

/** The arguments of a command; those of `conform` begin with the configured address if none is given. */
export const completeWords = (
  verb: Verb,
  { values, words }: ParsedFlags,
  config: Config | undefined,
): readonly string[] => {
  const url = verb === 'conform' ? config?.flags.conform?.url : undefined
  const isPassed =
    words.some(isAddress) || ['traffic', 'server', 'stdio'].some((name) => name in values)
  return typeof url !== 'string' || isPassed ? words : [url, ...words]
}

const isAddress = (word: string): boolean => /^(?:https?|wss?):/i.test(word)

/**
 * Environment variables that resemble the variable of a flag but are not read: `TWINSPEC_DIF_FAIL_ON`. Variables of other
 * programs with the same prefix, such as a service, resemble none.
 */
export const misspeltVariables = (
  env: Io['env'],
): readonly { readonly name: string; readonly nearest: string }[] => {
  const verbs = Object.entries<Command>(COMMANDS)
  const known = [
    ...['TWINSPEC_CONFIG', 'TWINSPEC_KEY'],
    ...verbs.flatMap(([verb, { flags }]) =>
      Object.keys(read(flags)).map((flag) => variableOf(verb, flag)),
    ),
  ]
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('TWINSPEC_') || known.includes(name)) return []
    const close = nearest(name, known, MOST_MISSPELT)
    const isOfVerb = verbs.some(([verb]) => name.startsWith(variableOf(verb, '')))
    if (close === undefined && !isOfVerb) return []
    return { name, nearest: close ?? nearest(name, known, name.length) ?? '' }
  })
}

/** A fixed limit, because the shared prefix would make a relative one too lenient. */
const MOST_MISSPELT = 2

const variableOf = (verb: string, flag: string): string =>
  `TWINSPEC_${verb}_${flag}`.toUpperCase().replaceAll('-', '_')

const fromEnvironment = (
  verb: Verb,
  name: string,
  flag: Flag,
  env: Io['env'],
): FlagValue | undefined => {
  const variable = variableOf(verb, name)
  const value = env[variable]
  if (!value) return undefined
  if (flag.hint !== undefined) {
    if (flag.choices && !flag.choices.includes(value))
      throw new UsageError(`${variable} cannot be ${value}${suggestion(value, flag.choices)}`)
    return flag.isRepeated ? [value] : value
  }
  if (['true', '1'].includes(value)) return true
  if (['false', '0'].includes(value)) return false
  throw new UsageError(`${variable} must be true or false, not ${value}`)
}

export type ParsedFlags = {
  /** Only values given on the command line. */
  readonly values: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
  /** The value of `--config`, which every command has. */
  readonly config: string | undefined
}

const dashed = (name: string): string => `--${name}`
