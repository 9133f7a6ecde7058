import { parseArgs } from 'node:util'
import { suggestion } from '../model/nearest.js'
import { RENAMED_FLAGS } from '../model/old-names.js'
import { COMMANDS, type Command, type Verb } from './commands.js'
import { UsageError } from './io.js'

/**
 * The values of the flags of a verb, with their defaults, and its words. Throws UsageError for an unknown flag, a value that
 * is missing or none of the choices, a flag that is given twice, and words where the verb has none.
 */
export const readFlags = (verb: Verb, args: readonly string[]): Given => {
  const { flags, words: accepted }: Command = COMMANDS[verb]
  const names = Object.keys(flags)
  const takesValue = (name: string) =>
    flags[name]?.hint !== undefined || flags[name]?.choices !== undefined
  const reject = (what: string): never => {
    throw new UsageError(`twinspec ${verb}: ${what}`)
  }
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      names.map((name) => [name, { type: takesValue(name) ? 'string' : 'boolean' }] as const),
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
    if (!takesValue(name)) {
      if (value !== undefined) reject(`${rawName} takes no value`)
      continue
    }
    // A negative number is a value, if a wrong one; in `--out --check` the value was forgotten.
    if (!value || (!inlineValue && /^-(?!\d)/.test(value))) reject(`${rawName} needs a value`)
    if (flag.choices && !flag.choices.includes(value ?? ''))
      reject(`${rawName} cannot be ${value}${suggestion(value ?? '', flag.choices)}`)
  }
  const values = Object.entries(flags).map(([name, flag]) => {
    const all = given.get(name) ?? []
    const missing = takesValue(name) ? flag.default : false
    return [name, flag.isRepeated ? all : (all[0] ?? missing)] as const
  })
  return { values: Object.fromEntries(values), words }
}

export type Given = {
  readonly values: Readonly<Record<string, unknown>>
  readonly words: readonly string[]
}

const dashed = (name: string): string => `--${name}`
