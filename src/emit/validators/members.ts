import { camelCase, isIdentifier, uniqueName } from '../../model/names.js'
import { keyText, string } from '../file.js'
import { helperNames } from './library.js'
import type { Place, Writer } from './writer.js'

/** The properties that a function reads, by the names that they have in it: `arguments` is read as `arguments_`. */
export type Members = Map<string, string>

/** A property as the function reads it; through `own` where every object has something of the name. */
export function member({ members, value }: Place, key: string, writer: Writer): string {
  if (key in Object.prototype) return `${writer.helper('own')}(${value}, ${string(key)})`
  const known = members.get(key)
  if (known !== undefined) return known
  const spelled = isIdentifier(key) ? key : camelCase(key)
  const plain = spelled === '' || /^\d/.test(spelled) ? `_${spelled}` : spelled
  // What functions of the file are called may not be hidden by what they read.
  const clashes =
    NAMES.has(plain) || /^is[A-Z]|^matches\d|(Pattern|Values|Keys|Openly)$/.test(plain)
  const name = uniqueName(clashes ? `${plain}_` : plain, new Set(members.values()))
  members.set(key, name)
  return name
}

/** `const { to, arguments: arguments_ } = value`, broken where that is too long. */
export function printMembers(members: Members, body: string): readonly string[] {
  // A property that may be anything is not asked of.
  const read = [...members].filter(([, name]) =>
    new RegExp(`(?<![.\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(body),
  )
  if (read.length === 0) return []
  const names = read.map(([key, name]) => (key === name ? key : `${keyOf(key)}: ${name}`))
  const line = `const { ${names.join(', ')} } = value`
  if (line.length < 98) return [line]
  return ['const {', ...names.map((name) => `  ${name},`), '} = value']
}

const keyOf = (key: string): string => (isIdentifier(key) ? key : keyText(key))

/** What functions call their own variables, what they call, and what is no name in a module. */
const NAMES = new Set([
  ...helperNames,
  ...`value item key known found exact open at Array JSON Number Object Set arguments await break case catch
  class const continue debugger default delete do else enum eval export extends false finally for
  function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof undefined var void while with yield`.split(
    /\s+/,
  ),
])
