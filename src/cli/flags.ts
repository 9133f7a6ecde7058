import { parseArgs } from 'node:util'
import { suggestion } from '../model/nearest.js'
import { RENAMED_FLAGS } from '../model/old-names.js'
import { COMMANDS, CONFIG_FLAG, type Command, type Flag, type Verb } from './commands.js'
import type { Config, FlagValue } from './config/read.js'
import { type Io, UsageError } from './io.js'

/**
 * The flags of a verb that a command line gives, and its words. Throws UsageError for an unknown flag, a value that
 * is missing or none of the choices, a flag that is given twice, and words where the verb has none.
 */
export const readFlags = (verb: Verb, args: readonly string[]): Given => {
  const { words: accepted, ...command }: Command = COMMANDS[verb]
  const flags: Command['flags'] = { ...command.flags, config: CONFIG_FLAG }
  const names = Object.keys(flags)
  const reject = (what: string): never => {
    throw new UsageError(what)
  }
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(flags).map(([name, flag]) => {
        const { short } = flag
        const type = takesValue(flag) ? 'string' : 'boolean'
        return [name, short === undefined ? { type } : { type, short }] as const
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const given = new Map<string, readonly (string | true)[]>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (accepted === undefined)
        reject(`"${token.value}" is a word too many: there are ${names.map(dashed).join(', ')}`)
      words.push(token.value)
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const flag = flags[name]
    if (flag === undefined) {
      const current = RENAMED_FLAGS.get(`${verb} ${rawName}`)
      return reject(
        current === undefined
          ? `there is no flag ${rawName}${suggestion(rawName, names.map(dashed))}`
          : `${rawName} is now called ${current}`,
      )
    }
    const before = given.get(name) ?? []
    if (before.length > 0 && !flag.isRepeated) reject(`${rawName} is given twice`)
    given.set(name, [...before, value ?? true])
    if (!takesValue(flag)) {
      if (value !== undefined) reject(`${rawName} takes no value`)
      continue
    }
    // A negative number is a value, if a wrong one; in `--out --check` the value was forgotten.
    if (!value || (!inlineValue && /^-(?!\d|$)/.test(value))) reject(`${rawName} needs a value`)
    if (flag.choices && !flag.choices.includes(value ?? ''))
      reject(`${rawName} cannot be ${value}${suggestion(value ?? '', flag.choices)}`)
  }
  const { config, ...values } = Object.fromEntries(
    [...given].map(([name, all]) => [name, flags[name]?.isRepeated ? all : all[0]] as const),
  )
  return { values, words, config: config as string | undefined }
}

/**
 * The values of all flags of a verb: of the command line, else of the environment (`TWINSPEC_DIFF_FAIL_ON` for `diff --fail-on`),
 * else of the configuration, else the default. Throws UsageError for a value of the environment that is none of the choices.
 */
export const completeFlags = (
  verb: Verb,
  { values, words }: Given,
  env: Io['env'],
  config: Config | undefined,
): Given['values'] => {
  const { flags }: Command = COMMANDS[verb]
  const isNamed = words.some((one) => !isAddress(one)) || DOCUMENTS.some((name) => name in values)
  const configured: Readonly<Record<string, FlagValue>> = {
    ...(isNamed ? {} : config?.flags.documents),
    'allow-outside': config?.flags.documents?.['allow-outside'] ?? '',
    'fetch-references': config?.flags.documents?.['fetch-references'] ?? '',
    // Code of other documents does not belong into the configured folder.
    ...(isNamed && verb === 'generate' ? {} : config?.flags[verb]),
  }
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const value = values[name] ?? fromEnvironment(verb, name, flag, env) ?? configured[name]
      const missing = takesValue(flag) ? flag.default : false
      return [name, (value === '' ? undefined : value) ?? (flag.isRepeated ? [] : missing)]
    }),
  )
}

const DOCUMENTS = ['openapi', 'openrpc']

/** The words of a command line; those of `conform` begin with the address of the configuration where none is given. */
export const completeWords = (
  verb: Verb,
  { values, words }: Given,
  config: Config | undefined,
): readonly string[] => {
  const url = verb === 'conform' ? config?.flags.conform?.url : undefined
  const isGiven =
    words.some(isAddress) || values.traffic !== undefined || values.server !== undefined
  return typeof url !== 'string' || isGiven ? words : [url, ...words]
}

export const isAddress = (word: string): boolean => /^https?:/.test(word)

const fromEnvironment = (
  verb: Verb,
  name: string,
  flag: Flag,
  env: Io['env'],
): FlagValue | undefined => {
  const variable = `TWINSPEC_${verb}_${name}`.toUpperCase().replaceAll('-', '_')
  const value = env[variable]
  if (!value) return undefined
  if (takesValue(flag)) {
    if (flag.choices && !flag.choices.includes(value))
      throw new UsageError(`${variable} cannot be ${value}${suggestion(value, flag.choices)}`)
    return flag.isRepeated ? [value] : value
  }
  if (['true', '1'].includes(value)) return true
  if (['false', '0'].includes(value)) return false
  throw new UsageError(`${variable} must be true or false, not ${value}`)
}

const takesValue = ({ hint, choices }: Flag): boolean => hint !== undefined || choices !== undefined

export type Given = {
  /** Only those that were given. */
  readonly values: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
  /** The value of `--config`, which every verb has. */
  readonly config: string | undefined
}

const dashed = (name: string): string => `--${name}`
