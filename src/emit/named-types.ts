import { camelCase, pascalCase } from '../model/names.js'
import type { File } from './file.js'
import { membersOf, outdented } from './type-members.js'

/**
 * What openapi-typescript printed, with each member of `components.schemas` as a type of its own, by its name: an editor
 * shows `Block` where it would show all fields of a block, and a declaration says `Block` where it would repeat them. The
 * list of `components` holds the same types as before. What is called as something else in the file stays where it was.
 */
export function nameSchemas({ name, text }: File): File {
  const { named, text: listed } = taken(text, SCHEMAS, (key) => key)
  const referred = listed.replaceAll(REFERENCE, (found, key) => (named.has(key) ? key : found))
  return { name, text: referred }
}

/** The same of `operations`: `placeOrder` is `PlaceOrderOperation`. */
export const nameOperations = ({ name, text }: File): File => ({
  name,
  text: taken(text, OPERATIONS, operationName).text,
})

/** An id spelt otherwise keeps its spelling, so that no two share a name. */
const operationName = (id: string): string =>
  camelCase(id) === id ? `${pascalCase(id)}Operation` : `${id}_Operation`

type Block = { readonly opening: string; readonly closing: string; readonly depth: number }

const SCHEMAS: Block = {
  opening: 'export interface components {\n    schemas: {\n',
  closing: '\n    };',
  depth: 2,
}
const OPERATIONS: Block = { opening: 'export interface operations {\n', closing: '\n}', depth: 1 }
const REFERENCE = /components\["schemas"\]\["([\w$]+)"\]/g

/** The members of a block as types above it, and in it their names alone. */
function taken(text: string, { opening, closing, depth }: Block, nameOf: (key: string) => string) {
  const block = membersOf(text, opening, closing)
  const others = new Set([...GLOBAL, ...declaredIn(text)])
  const keys = block.entries.map(([key]) => key).filter((key) => /^[\w$]+$/.test(key))
  const named = new Set(keys.filter((key) => !others.has(nameOf(key))))
  if (named.size === 0) return { named, text }
  const types: string[] = []
  const members = block.entries.map(([key, lines]) => {
    if (!named.has(key)) return lines
    const own = Array.from({ length: depth }).reduce<string>((all) => outdented(all), lines)
    types.push(declared(key, nameOf(key), own))
    return `${'    '.repeat(depth)}${key}: ${nameOf(key)};\n`
  })
  const list = `${types.join('')}${opening}${members.join('').trimEnd()}${closing}`
  return { named, text: text.replace(block.text, () => list) }
}

/** `Block: {…};` with the comment above it -> `export type Block = {…};` */
function declared(key: string, name: string, lines: string): string {
  const at = lines.startsWith('/**') ? lines.indexOf('*/\n') + 3 : 0
  return `${lines.slice(0, at)}export type ${name} =${lines.slice(at + key.length + 1)}`
}

const declaredIn = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:export )?(?:interface|type) ([\w$]+)/gm)].map(([, name = '']) => name)

/** What else is called by its name in such a file. */
const GLOBAL = ['Blob', 'Record']
