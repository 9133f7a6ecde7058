import { camelCase, identifier, isReserved } from '../../model/names.js'
import type { File } from '../file.js'
import { folderHeader, header } from '../header.js'
import { type Division, SHARED } from './division.js'
import { moduleFrom, nameIn } from './places.js'

/**
 * `http.types.ts` in the folders of a division: what openapi-typescript printed, word for word, each member of
 * `operations` and of `components.schemas` where it belongs. The whole is made of them again by inheritance.
 */
export function divideTypes(
  { name, text }: File,
  { folders, folderOf }: Division,
): readonly File[] {
  const schemas = membersOf(text, '    schemas: {\n', '\n    };')
  const operations = membersOf(text, 'export interface operations {\n', '\n}')
  const ownSchemas = byFolder(schemas, folderOf)
  const ownOperations = byFolder(operations, folderOf)

  const names = [SHARED, ...folders.map((folder) => folder.name)]
  const files = names.map((folder): File => {
    const own = outdented(ownSchemas.get(folder))
    const base = folder === SHARED ? '' : ' extends shared'
    const from = moduleFrom(folder, SHARED, name)
    const lines = [
      folderHeader(),
      ...(folder === SHARED ? [] : [`import type { schemas as shared } from '${from}'\n`]),
      'export interface components {\n    schemas: schemas;\n}',
      `export interface schemas${base} {\n${own}}`,
      ...(folder === SHARED
        ? []
        : [`export interface operations {\n${ownOperations.get(folder) ?? ''}}`]),
    ]
    return { name: nameIn(folder, name), text: `${lines.join('\n')}\n` }
  })

  const parts = folders.map((folder) => ({
    alias: aliasOf(folder.name),
    from: moduleFrom(undefined, folder.name, name),
  }))
  const imports = parts.map(
    ({ alias, from }) =>
      `import type { operations as ${alias}Operations, schemas as ${alias}Schemas } from '${from}'\n`,
  )
  const inherited = (what: string) => parts.map(({ alias }) => `\n    ${alias}${what}`).join(',')
  const rest = outdented(ownSchemas.get(undefined))
  const whole = text
    .replace(schemas.text, () => '    schemas: schemas;')
    .replace(
      operations.text,
      () => `export interface schemas extends${inherited('Schemas')} {\n${rest}}
export interface operations extends${inherited('Operations')} {}`,
    )
    .replace(`${header()}\n`, (line) => line + imports.join(''))
  return [{ name, text: whole }, ...files]
}

/** The members of each folder, in their order. */
function byFolder(
  { entries }: Members,
  folderOf: Division['folderOf'],
): ReadonlyMap<string | undefined, string> {
  const found = new Map<string | undefined, string>()
  for (const [key, lines] of entries) {
    const folder = folderOf(key)
    found.set(folder, (found.get(folder) ?? '') + lines)
  }
  return found
}

/** One level further out. */
const outdented = (lines = ''): string => lines.replace(/^ {4}/, '').replaceAll('\n    ', '\n')

type Members = {
  /** All of it, braces included. */
  readonly text: string
  /** Name -> the lines of a member, its comment included. */
  readonly entries: readonly (readonly [name: string, lines: string])[]
}

/** The members of the block between two lines, which are told by how far they are indented. */
function membersOf(text: string, opening: string, closing: string): Members {
  const start = text.indexOf(opening)
  const end = text.indexOf(closing, start)
  if (start < 0 || end < 0) return { text: '', entries: [] }
  const inside = text.slice(start + opening.length, end)
  const indent = /^ */.exec(inside)?.[0] ?? ''
  const entries: (readonly [string, string])[] = []
  let first = 0
  for (let at = 0; at < inside.length; ) {
    const found = inside.indexOf('\n', at)
    const last = found < 0 ? inside.length : found
    // A comment's lines stand one character further in.
    const isOutermost =
      inside.startsWith(indent, at) && !/[\s/*]/.test(inside.charAt(at + indent.length) || ' ')
    at = last + 1
    if (!isOutermost || !inside.endsWith(';', last)) continue
    const lines = `${inside.slice(first, last)}\n`
    first = at
    const [, quoted, plain] =
      /^ *(?:("(?:[^"\\]|\\.)*")|([\w$]+))\??: /m.exec(lines.replace(COMMENT, '')) ?? []
    entries.push([quoted === undefined ? (plain ?? '') : JSON.parse(quoted), lines])
  }
  return { text: text.slice(start, end + closing.length), entries }
}

const COMMENT = /^ *\/\*\*.*?\*\/\n/s

const aliasOf = (folder: string): string => {
  const name = identifier(folder, camelCase)
  return isReserved(name) ? `${name}_` : name
}
