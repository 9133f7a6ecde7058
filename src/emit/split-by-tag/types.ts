import { camelCase, identifier, isReserved } from '../../model/names.js'
import type { File } from '../file.js'
import { folderHeader, header } from '../header.js'
import { type Members, membersOf, outdented } from '../type-members.js'
import { type Division, folderOfPlace, SHARED } from './division.js'
import { moduleFrom, nameIn } from './layout.js'

/**
 * `http.types.ts` in the folders of a division: what openapi-typescript printed, word for word, each member of
 * `operations` and of `components.schemas` at its place, beside what it refers to. Folders and the whole are made of them
 * again by inheritance.
 */
export function divideTypes(
  { name, text }: File,
  { folders, placeOf, places }: Division,
): readonly File[] {
  const schemas = membersOf(text, '    schemas: {\n', '\n    };')
  const operations = membersOf(text, 'export interface operations {\n', '\n}')
  const ownSchemas = byPlace(schemas, placeOf)
  const ownOperations = byPlace(operations, placeOf)

  // Beside the types stand checks, which are called as operations are.
  const ids = new Set(folders.flatMap(({ operations }) => operations.map(({ id }) => id)))
  const written = places.filter((place) => ownSchemas.has(place) || ownOperations.has(place))
  const files = written.map((place): File => {
    const own = outdented(ownSchemas.get(place))
    const called = ownOperations.get(place)
    const needed = new Set<string>()
    for (const [, quoted = ''] of `${own}${called ?? ''}`.matchAll(REFERENCE)) {
      const other = placeOf(JSON.parse(quoted))
      if (other !== undefined && other !== place) needed.add(other)
    }
    const parts = partsOf({
      name,
      from: place,
      others: [...needed].sort(),
      parts: ['schemas'],
      ids,
    })
    const lines = [
      folderHeader(),
      ...parts.imports,
      '',
      'export interface components {\n    schemas: schemas;\n}',
      `export interface schemas${parts.inherited('schemas')} {\n${own}}`,
      ...(called === undefined ? [] : [`export interface operations {\n${called}}`]),
    ]
    return { name: nameIn(place, name), text: `${lines.join('\n')}\n` }
  })

  const placesIn = new Map<string, string[]>()
  for (const place of written) {
    const folder = folderOfPlace(place)
    const known = placesIn.get(folder)
    if (known) known.push(place)
    else placesIn.set(folder, [place])
  }
  const folderFiles = [...folders.map((folder) => folder.name), SHARED].map((folder): File => {
    const own = placesIn.get(folder) ?? []
    const calling = new Set(own.filter((place) => ownOperations.has(place)))
    const parts = partsOf({ name, from: folder, others: own, parts: BOTH, calling })
    const lines = [
      folderHeader(),
      ...parts.imports,
      '',
      'export interface components {\n    schemas: schemas;\n}',
      `export interface schemas${parts.inherited('schemas')} {}`,
      `export interface operations${parts.inherited('operations')} {}`,
    ]
    return { name: nameIn(folder, name), text: `${lines.join('\n')}\n` }
  })

  const all = [...folders.map((folder) => folder.name), SHARED]
  const parts = partsOf({ name, from: undefined, others: all, parts: BOTH })
  const rest = outdented(ownSchemas.get(undefined))
  const whole = text
    // Where there are none, it says so, and nothing is to be put in its place.
    .replace(schemas.text, (found) => (found === '' ? '' : '    schemas: schemas;'))
    .replace(
      operations.text,
      () => `export interface schemas${parts.inherited('schemas')} {\n${rest}}
export interface operations${parts.inherited('operations')} {}`,
    )
    .replace(`${header()}\n`, (line) => `${line}${parts.imports.join('\n')}\n`)
  return [{ name, text: whole }, ...files, ...folderFiles]
}

const REFERENCE = /components\["schemas"\]\[("(?:[^"\\]|\\.)*")\]/g

type Part = 'schemas' | 'operations'

const BOTH: readonly Part[] = ['schemas', 'operations']

/** What is inherited of others, and the imports that it takes. */
function partsOf({
  name,
  from,
  others,
  parts,
  calling,
  ids = NO_NAMES,
}: {
  readonly name: string
  readonly from: string | undefined
  readonly others: readonly string[]
  readonly parts: readonly Part[]
  /** Those among the others that have operations; all of them, unless named. */
  readonly calling?: ReadonlySet<string>
  /** Names that are taken beside. */
  readonly ids?: ReadonlySet<string>
}) {
  const taken = new Set<string>()
  const rows = others.map((other) => {
    const asked = parts.filter((part) => part === 'schemas' || (calling?.has(other) ?? true))
    const alias = aliasOf(other, (word) =>
      BOTH.some((part) => taken.has(word) || ids.has(`${word}${SUFFIX[part]}`)),
    )
    taken.add(alias)
    return { asked, alias, from: moduleFrom(from, other, name) }
  })
  return {
    imports: rows.map(({ asked, alias, from }) => {
      const names = asked.map((part) => `${part} as ${alias}${SUFFIX[part]}`).sort()
      return `import type { ${names.join(', ')} } from '${from}'`
    }),
    inherited: (part: Part): string => {
      const asked = rows.filter((row) => row.asked.includes(part))
      const names = asked.map(({ alias }) => `\n    ${alias}${SUFFIX[part]}`)
      return names.length === 0 ? '' : ` extends${names.join(',')}`
    },
  }
}

const NO_NAMES: ReadonlySet<string> = new Set()

const SUFFIX = { schemas: 'Schemas', operations: 'Operations' } as const

/** The members of each place, in their order. */
function byPlace(
  { entries }: Members,
  placeOf: Division['placeOf'],
): ReadonlyMap<string | undefined, string> {
  const found = new Map<string | undefined, string>()
  for (const [key, lines] of entries) {
    const place = placeOf(key)
    found.set(place, (found.get(place) ?? '') + lines)
  }
  return found
}

function aliasOf(folder: string, isTaken: (word: string) => boolean): string {
  const name = identifier(folder, camelCase)
  const word = isReserved(name) ? `${name}_` : name
  if (!isTaken(word)) return word
  for (let number = 2; ; number++) if (!isTaken(`${word}${number}`)) return `${word}${number}`
}
