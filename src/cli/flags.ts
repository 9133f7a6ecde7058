import { parseArgs } from 'node:util'
import type { ArgsDef } from 'citty'
import { suggestion } from '../model/nearest.js'
import { UsageError } from './io.js'

/**
 * Throws UsageError for a flag that the command does not have, one without its value, one that stands
 * twice, or a word too many; citty itself would read over all of them.
 */
export const assertFlags = (
  command: string,
  rawArgs: readonly string[],
  known: ArgsDef,
  takesWords: boolean,
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
      const named = names.includes('openapi')
        ? ': documents are named with --openapi, --openrpc and --arazzo'
        : ''
      refuse(`"${token.value}" is a word too many${named}`)
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!names.includes(name)) {
      const dashed = names.map((one) => `--${one}`)
      refuse(`there is no flag ${rawName}${suggestion(rawName, dashed)}`)
    }
    if (seen.has(name)) refuse(`${rawName} stands twice`)
    seen.add(name)
    if (type(name) === 'boolean') {
      if (value !== undefined) refuse(`${rawName} takes no value`)
      continue
    }
    const needsValue = value === undefined || value === '' || (!inlineValue && value[0] === '-')
    if (needsValue) refuse(`${rawName} needs a value`)
    const arg = known[name]
    const choices = arg?.type === 'enum' ? (arg.options ?? []) : []
    if (choices.length > 0 && !choices.includes(value ?? '')) {
      refuse(`${rawName} cannot be ${value}${suggestion(value ?? '', choices)}`)
    }
  }
}
