import type { File } from './file.js'
import { membersOf, outdented } from './type-members.js'

/**
 * What openapi-typescript printed, with each member of `components.schemas` as a type of its own, by its name: an editor
 * shows `Block` where it would show all fields of a block, and a declaration says `Block` where it would repeat them. The
 * list of `components` holds the same types as before. What is called as something else in the file stays where it was.
 */
export function nameTypes({ name, text }: File): File {
  const schemas = membersOf(text, SCHEMAS, END)
  const taken = new Set([...GLOBAL, ...declaredIn(text)])
  const named = new Set(schemas.entries.flatMap(([key]) => (taken.has(key) ? [] : [key])))
  if (named.size === 0) return { name, text }

  const types: string[] = []
  const members = schemas.entries.map(([key, lines]) => {
    if (!named.has(key)) return lines
    types.push(declared(key, outdented(outdented(lines))))
    return `        ${key}: ${key};\n`
  })
  const list = `${types.join('')}${SCHEMAS}${members.join('').trimEnd()}${END}`
  const referred = text
    .replace(schemas.text, () => list)
    .replaceAll(REFERENCE, (found, key) => (named.has(key) ? key : found))
  return { name, text: referred }
}

/** `Block: {…};` with the comment above it -> `export type Block = {…};` */
function declared(key: string, lines: string): string {
  const at = lines.startsWith('/**') ? lines.indexOf('*/\n') + 3 : 0
  return `${lines.slice(0, at)}export type ${key} =${lines.slice(at + key.length + 1)}`
}

const declaredIn = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:export )?(?:interface|type) ([\w$]+)/gm)].map(([, name = '']) => name)

const SCHEMAS = 'export interface components {\n    schemas: {\n'
const END = '\n    };'
const REFERENCE = /components\["schemas"\]\["([\w$]+)"\]/g

/** What else is called by its name in such a file. */
const GLOBAL = ['Blob', 'Record']
