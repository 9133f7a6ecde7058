import { isIdentifier } from '../../model/names.js'
import { string } from '../file.js'
import type { Place, Writer } from './check-writer.js'
import type { Code } from './expression.js'

/** A property in place, `value.to`; through `own` where every object has something of the name. */
export function member({ value, uses = [] }: Place, key: string, writer: Writer): Code {
  if (key in Object.prototype) {
    const own = writer.helper('own', value, string(key))
    return { ...own, uses: [...own.uses, ...uses] }
  }
  if (!isIdentifier(key)) return { text: `${value}[${string(key)}]`, uses }
  writer.readField(key)
  return { text: `${value}.${key}`, uses }
}

/** Names as a union of literals, each on a line of its own. */
export const printNames = (names: ReadonlySet<string>): string =>
  names.size === 0
    ? 'never'
    : [...names]
        .sort()
        .map((name) => `\n  | ${string(name)}`)
        .join('')
