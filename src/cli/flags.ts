import { parseArgs } from 'node:util'
import type { ArgsDef } from 'citty'
import { suggestion } from '../model/nearest.js'
import { RENAMED_FLAGS } from '../model/old-names.js'
import { UsageError } from './io.js'

/**
 * Throws UsageError for a flag that the command does not have, one without its value, one that is given
 * twice and is none of `repeats`, or a word too many; citty itself would read over all of them.
 */
export const assertFlags = (
  command: string,
  rawArgs: readonly string[],
  known: ArgsDef,
  takesWords: boolean,
  repeats: readonly string[] = [],
): void => {
  const names = Object.entries(known).flatMap(([name, { type }]) =>
    type === 'positional' ? [] : [name],
  )
  const type = (name: string) => (known[name]?.type === 'boolean' ? 'boolean' : 'string')
  const options = Object.fromEntries(names.map((name) => [name, { type: type(name) }] as const))
  const args = [...rawArgs]
  const { tokens } = parseArgs({
    args,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const refuse = (what: string): never => {
    throw new UsageError(`twinspec ${command}: ${what}`)
  }
  const seen = new Set<string>()
  for (const token of tokens) {
    if (token.kind === 'positional' && !takesWords) {
      const given = tokens.flatMap((one) => (one.kind === 'option' ? one.name : []))
      refuse(`"${token.value}" is a word too many${flagsMeant(token.value, names, given)}`)
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!names.includes(name)) {
      const current = RENAMED_FLAGS.get(`${command} ${rawName}`)
      if (current !== undefined) refuse(`${rawName} is now called ${current}`)
      const dashed = names.map((one) => `--${one}`)
      refuse(`there is no flag ${rawName}${suggestion(rawName, dashed)}`)
    }
    if (seen.has(name) && !repeats.includes(name)) refuse(`${rawName} is given twice`)
    seen.add(name)
    if (type(name) === 'boolean') {
      if (value !== undefined) refuse(`${rawName} takes no value`)
      continue
    }
    // A negative number is a value, if a wrong one, and `--out --check` a value forgotten.
    const isFlag = !inlineValue && /^-(?!\d)/.test(value ?? '')
    const needsValue = value === undefined || value === '' || isFlag
    if (needsValue) refuse(`${rawName} needs a value`)
    const arg = known[name]
    const choices = arg?.type === 'enum' ? (arg.options ?? []) : []
    if (choices.length > 0 && !choices.includes(value ?? '')) {
      refuse(`${rawName} cannot be ${value}${suggestion(value ?? '', choices)}`)
    }
  }
}

/** What a word was probably meant to be the value of, among flags that are not `given` yet. */
const flagsMeant = (word: string, names: readonly string[], given: readonly string[]): string => {
  const documents = names.filter((name) => DOCUMENT.test(name))
  const isFile = /\.(ya?ml|json)$/i.test(word)
  const open = (isFile ? documents : names.filter((name) => name === 'dir')).filter(
    (name) => !given.includes(name),
  )
  const kindOf = (name: string) => name.replace(/^from-/, '')
  const said = open.filter((name) => word.toLowerCase().includes(kindOf(name)))
  const meant = said.length > 0 ? said : open.filter((name) => name !== 'arazzo')
  if (meant.length > 0) {
    return `: did you mean ${listed(
      meant.map((name) => `--${name} ${word}`),
      'or',
    )}?`
  }
  const flags = documents.map((name) => `--${name}`)
  return flags.length > 0 ? `: documents are named with ${listed(flags, 'and')}` : ''
}

const DOCUMENT = /^((from-)?open(api|rpc)|arazzo)$/

const listed = (words: readonly string[], last: 'and' | 'or'): string =>
  words.join(', ').replace(/, ([^,]*)$/, ` ${last} $1`)
