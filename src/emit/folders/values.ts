import { cached } from '../../runtime/shared/cached.js'
import { camelCase, identifier, isReserved, uniqueName } from '../../text/names.js'
import { type Declaration, type Module, ownNamesIn, printDeclaration } from '../declaration.js'
import { type Fragment, importedNamespace, join, raw } from '../file.js'
import { type Import, moduleLine, OWN } from '../header.js'
import { placesByUse } from './by-use.js'
import type { Folders } from './folders.js'
import { type FilePart, moduleFrom, movedTo, SHARED } from './places.js'

/**
 * Divides a module among folders. A declaration of a schema or operation is in its folder, and one that others call in the folder
 * of those. The module of the whole document exports those of schemas and operations.
 */
export function divideValues(module: Module, folders: Folders): readonly FilePart[] {
  const { declarations } = module
  const owners = new Map(declarations.map((one) => [one.name, one]))
  const placed = placesOf(declarations, folders)
  const placeOf = (name: string) => placed.get(name) ?? WHOLE
  const ownOf = new Map<string, Declaration[]>()
  for (const one of declarations)
    cached(ownOf, placeOf(one.name), (): Declaration[] => []).push(one)
  const written = folders.names.filter((folder) => ownOf.has(folder))

  const partAt = (place: string, more: readonly Fragment[]): FilePart => {
    const folder = place === WHOLE ? undefined : place
    const texts = (ownOf.get(place) ?? []).map((one) => {
      const body =
        one.joined && folder === undefined ? one.joined(namespaces(module, written)) : one.body
      return printDeclaration({ ...one, body }, one.kind !== 'support' || place === SHARED)
    })
    const body = join([...texts, ...more], '\n\n')
    const imports = body.imports.map((one): Import => {
      if (one.from !== OWN) return { ...one, from: movedTo(folder, one.from) }
      const at = placeOf(one.name)
      if (at === place || !owners.has(one.name)) return one
      const to = at === WHOLE ? undefined : at
      return { name: one.name, from: moduleFrom(folder, to, module.name), kind: 'value' }
    })
    return { folder, name: module.name, body: { ...body, imports } }
  }

  const exported = written.flatMap((folder) => {
    const from = moduleFrom(undefined, folder, module.name)
    const names = (ownOf.get(folder) ?? []).flatMap(({ kind, name }) =>
      kind === 'item' ? name : [],
    )
    if (folder !== SHARED) return `export * from '${from}'`
    return names.length === 0 ? [] : moduleLine('export', names, from)
  })
  return [
    ...written.map((folder) => partAt(folder, [])),
    partAt(WHOLE, exported.length === 0 ? [] : [raw(exported.join('\n'))]),
  ]
}

/** The place of what no folder has: the file of the whole document. */
const WHOLE = ''

/** The place of each declaration. What only declarations of one folder call is in this folder. */
function placesOf(
  declarations: readonly Declaration[],
  { folderOf }: Folders,
): ReadonlyMap<string, string> {
  const placeOf = ({ kind, name }: Declaration) =>
    kind === 'item' ? (folderOf(name) ?? WHOLE) : WHOLE
  const uses = new Map(
    declarations.map(({ name, kind, body }) => [name, kind === 'support' ? ownNamesIn(body) : []]),
  )
  const fixed = declarations.filter(({ kind }) => kind !== 'support')
  const users = fixed.map((one) => ({ place: placeOf(one), uses: ownNamesIn(one.body) }))
  const byUse = placesByUse(users, (name) => uses.get(name) ?? [])
  return new Map([...byUse, ...fixed.map((one) => [one.name, placeOf(one)] as const)])
}

/** The modules of folders as objects. */
const namespaces = ({ name }: Module, folders: readonly string[]): readonly Fragment[] => {
  const used = new Set<string>()
  return folders.map((folder) => {
    const word = identifier(folder, camelCase)
    const free = uniqueName(isReserved(word) ? `${word}_` : word, used)
    return importedNamespace(free, moduleFrom(undefined, folder, name))
  })
}
