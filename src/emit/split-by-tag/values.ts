import { cached } from '../../runtime/shared/cached.js'
import { type Declaration, type Module, ownNamesIn, printDeclaration } from '../declaration.js'
import { type Fragment, join, raw } from '../file.js'
import { type Import, moduleLine, OWN } from '../header.js'
import { type Division, folderOfPlace, type ModulePart, SHARED, SUPPORT } from './division.js'
import { isPlace, moduleFrom, movedTo } from './places.js'

/**
 * Divides a module among the places of a division. A declaration of a schema or operation is at its place. One that
 * several declarations call is where the schemas with the same users are. The modules of folders and of the whole document
 * export all of them.
 */
export function divideValues(module: Module, division: Division): readonly ModulePart[] {
  const owners = new Map(module.declarations.map((one) => [one.name, one]))
  const placed = placesOf(module, owners, division)
  const ownOf = new Map<Where, Declaration[]>()
  const add = (where: Where, one: Declaration): void => {
    cached(ownOf, where, (): Declaration[] => []).push(one)
  }
  for (const one of module.declarations) {
    if (one.kind !== 'list') add(placed.get(one.name), one)
    else for (const [where, part] of listsOf(one, module, division)) add(where, part)
  }
  const isElsewhere = (name: string, where: Where) => owners.has(name) && placed.get(name) !== where
  const called = new Set(
    [...ownOf].flatMap(([where, own]) =>
      own.flatMap(({ body }) => ownNamesIn(body).filter((name) => isElsewhere(name, where))),
    ),
  )

  const partOf = (where: Where, children: readonly string[]): ModulePart => {
    const own = ownOf.get(where) ?? []
    const texts = own.map((one) => {
      const name = nameAt(where, one, module)
      return printDeclaration({ ...one, name }, one.kind !== 'support' || called.has(one.name))
    })
    const exported = children.flatMap((child): string | readonly string[] => {
      const from = moduleFrom(where, child, module.name)
      if (!isPlace(child)) return `export * from '${from}'`
      const items = (ownOf.get(child) ?? []).filter(({ kind }) => kind === 'item')
      const names = items.map((one) => importNameAt(child, one, module))
      return names.length === 0 ? [] : moduleLine('export', names, from)
    })
    const body = join([...texts, ...(exported.length > 0 ? [join(exported)] : [])], '\n\n')
    const imports = body.imports.map((one): Import => {
      if (one.from !== OWN) return { ...one, from: movedTo(where, one.from) }
      const owner = owners.get(one.name)
      if (owner === undefined || !isElsewhere(one.name, where)) return one
      const at = placed.get(one.name)
      const from = moduleFrom(where, at, module.name)
      return { name: importNameAt(at, owner, module), from, kind: 'value' }
    })
    return { where, name: module.name, body: { ...body, imports } }
  }

  const places = division.places.filter((one) => ownOf.has(one))
  const placesIn = new Map<string, readonly string[]>(
    [...division.folders.map(({ name }) => name), SHARED]
      .sort()
      .map((folder) => [folder, places.filter((one) => folderOfPlace(one) === folder)]),
  )
  const hasItems = (place: string) => (ownOf.get(place) ?? []).some(({ kind }) => kind === 'item')
  // A file without exports is not a module, and cannot be re-exported.
  const folders = [...placesIn].filter(([folder, all]) => ownOf.has(folder) || all.some(hasItems))
  return [
    ...places.map((one) => partOf(one, [])),
    ...folders.map(([folder, all]) => partOf(folder, all)),
    partOf(
      undefined,
      folders.map(([folder]) => folder),
    ),
  ]
}

/** A place or a folder; undefined for the whole document. */
type Where = string | undefined

/** The record of an operation is in the file of its client, where its name could collide with an import. */
const nameAt = (where: Where, { kind, name }: Declaration, module: Module): string =>
  kind === 'item' && module.name === 'operations.ts' && where !== undefined && isPlace(where)
    ? RECORD
    : name

const RECORD = 'operation'

const importNameAt = (where: Where, one: Declaration, module: Module): string => {
  const name = nameAt(where, one, module)
  return name === one.name ? name : `${name} as ${one.name}`
}

/**
 * The place of each declaration: its own, or for one that others call, the place of the schemas with the same users.
 * So no operation imports declarations that only another one needs.
 */
function placesOf(
  { declarations }: Module,
  owners: ReadonlyMap<string, Declaration>,
  { folders, placeOf, placeForAll }: Division,
): ReadonlyMap<string, Where> {
  const placed = new Map<string, Where>()
  for (const { kind, name } of declarations) if (kind === 'item') placed.set(name, placeOf(name))
  const uses = new Map(declarations.map(({ name, body }) => [name, ownNamesIn(body)]))
  const ids = folders.flatMap(({ operations }) => operations.map(({ id }) => id))
  const callers = callersOf(ids, uses, placed)
  const mentions = callersOf([...placed.keys()], uses, placed)
  const called = (name: string) => (uses.get(name) ?? []).filter((one) => owners.has(one))
  // A caller that reads a list of pets reads pets as well. Declarations that call nothing with a place are support.
  const besideWhatItCalls = (name: string): string =>
    called(name)
      .flatMap((one) => placed.get(one) ?? [])
      .find((where) => where !== SUPPORT) ?? SUPPORT
  // What a declaration calls is settled before it; a loop, not a recursion, because chains of schemas are long.
  const settle = (first: string): void => {
    const waiting = [first]
    const open = new Set<string>()
    for (let name = waiting.at(-1); name !== undefined; name = waiting.at(-1)) {
      const mentioning = mentions.get(name) ?? []
      if (!placed.has(name)) {
        placed.set(name, mentioning.length === 0 ? undefined : SUPPORT)
        if (mentioning.length === 0) continue
        open.add(name)
        waiting.push(...called(name).toReversed())
        continue
      }
      waiting.pop()
      if (!open.delete(name)) continue
      const calling = callers.get(name)
      const where = calling === undefined ? only(mentioning) : placeForAll(calling)
      const isMentioned = where !== undefined && mentioning.includes(where)
      placed.set(name, isMentioned ? where : besideWhatItCalls(name))
    }
  }
  for (const { kind, name } of declarations) if (kind === 'support') settle(name)
  return placed
}

const only = ([one, another]: readonly string[]): Where => (another === undefined ? one : undefined)

/** Support declaration -> the places of those roots that call it, directly or through others. */
function callersOf(
  roots: readonly string[],
  uses: ReadonlyMap<string, readonly string[]>,
  placed: ReadonlyMap<string, Where>,
): ReadonlyMap<string, readonly string[]> {
  const callers = new Map<string, string[]>()
  for (const root of roots) {
    const where = placed.get(root)
    if (where === undefined) continue
    const seen = new Set([root])
    // The iteration includes members that are added during it.
    for (const one of seen) for (const name of uses.get(one) ?? []) seen.add(name)
    for (const name of seen) {
      if (placed.has(name)) continue
      const known = cached(callers, name, (): string[] => [])
      if (known.at(-1) !== where) known.push(where)
    }
  }
  return callers
}

/** The list of operations: of the whole document, of each folder, and of each operation alone. */
function listsOf(
  list: Declaration,
  module: Module,
  { folders, placeOf }: Division,
): readonly (readonly [Where, Declaration])[] {
  const { bodyOf } = list
  const whole = [undefined, list] as const
  if (bodyOf === undefined) return [whole]
  const reference = (name: string, text: string): Fragment => ({
    ...raw(text),
    imports: [{ name, from: OWN, kind: 'value' }],
  })
  return [
    whole,
    ...folders.flatMap(({ name, operations }) => {
      const rows = operations.map(({ id }) => ({ id, value: reference(id, id) }))
      const alone = operations.filter(({ id }) => isPlace(placeOf(id) ?? ''))
      const own = alone.map(({ id }): readonly [Where, Declaration] => {
        const text = module.name === 'operations.ts' ? RECORD : id
        return [placeOf(id), { ...list, body: bodyOf([{ id, value: reference(id, text) }]) }]
      })
      return [[name, { ...list, body: bodyOf(rows) }] as const, ...own]
    }),
  ]
}
