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
  const inFolder = (members: Members, folder: string | undefined): string =>
    members.entries.flatMap(([key, one]) => (folderOf(key) === folder ? [one] : [])).join('')

  const names = [SHARED, ...folders.map((folder) => folder.name)]
  const files = names.map((folder): File => {
    const own = inFolder(schemas, folder).replaceAll(/^ {4}/gm, '')
    const base = folder === SHARED ? '' : ' extends shared'
    const from = moduleFrom(folder, SHARED, name)
    const lines = [
      folderHeader(),
      ...(folder === SHARED ? [] : [`import type { schemas as shared } from '${from}'\n`]),
      'export interface components {\n    schemas: schemas;\n}',
      `export interface schemas${base} {\n${own}}`,
      ...(folder === SHARED
        ? []
        : [`export interface operations {\n${inFolder(operations, folder)}}`]),
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
  const rest = inFolder(schemas, undefined).replaceAll(/^ {4}/gm, '')
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
  let lines = ''
  for (const line of inside.split('\n')) {
    lines += `${line}\n`
    // A comment's lines stand one character further in.
    const isOutermost = line.startsWith(indent) && !/[\s/*]/.test(line[indent.length] ?? ' ')
    if (!isOutermost || !line.endsWith(';')) continue
    const [, quoted, plain] =
      /^ *(?:("(?:[^"\\]|\\.)*")|([\w$]+))\??: /m.exec(lines.replace(COMMENT, '')) ?? []
    entries.push([quoted === undefined ? (plain ?? '') : JSON.parse(quoted), lines])
    lines = ''
  }
  return { text: text.slice(start, end + closing.length), entries }
}

const COMMENT = /^ *\/\*\*.*?\*\/\n/s

const aliasOf = (folder: string): string => {
  const name = identifier(folder, camelCase)
  return isReserved(name) ? `${name}_` : name
}
