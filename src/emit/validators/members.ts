import { isIdentifier } from '../../model/names.js'
import { string } from '../file.js'
import type { Place, Writer } from './check-writer.js'

/** A property in place, `value.to`; through `own` where every object has something of the name. */
export function member({ value }: Place, key: string, writer: Writer): string {
  if (key in Object.prototype) return `${writer.helper('own')}(${value}, ${string(key)})`
  if (!isIdentifier(key)) return `${value}[${string(key)}]`
  writer.readField(key)
  return `${value}.${key}`
}

/** Names as a union of literals, each on a line of its own. */
export const printNames = (names: ReadonlySet<string>): string =>
  names.size === 0
    ? 'never'
    : [...names]
        .sort()
        .map((name) => `\n  | ${string(name)}`)
        .join('')
