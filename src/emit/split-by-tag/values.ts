import { type File, type Fragment, file, type Import, join, raw } from '../file.js'
import { folderHeader, header } from '../header.js'
import { type Declaration, readDeclarations } from './declarations.js'
import { type Division, folderOfPlace, SHARED, SUPPORT } from './division.js'
import { isPlace, moduleFrom, movedTo, nameIn, passedOn } from './layout.js'

/**
 * A file of exported values at the places of a division: what belongs to a schema or an operation is at its place,
 * what several of them call where the schemas stand that just those lead to. Folders and the whole export all of it.
 */
export function divideValues(whole: File, division: Division): readonly File[] {
  const { imports, pieces } = readDeclarations(whole.text)
  const owners = new Map<string, Declaration>()
  for (const piece of pieces) for (const name of piece.names) owners.set(name, piece)
  const placed = place(pieces, owners, division)
  const outside = new Map(imports.map((one) => [nameOf(one), one]))
  const folders = [...division.folders.map(({ name }) => name), SHARED].sort()
  const asked = new Set<string>()
  const ownOf = ownPieces(pieces, placed, division)

  const fileOf = (where: string | undefined, children: readonly string[]): File => {
    const own = ownOf.get(where) ?? []
    const declared = new Set(own.flatMap(({ names }) => names))
    const needed: Import[] = []
    const local: Declaration[] = []
    const waiting = own.flatMap(({ uses }) => [...uses])
    const seen = new Set<string>()
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name) || declared.has(name)) continue
      seen.add(name)
      const from = outside.get(name)
      if (from !== undefined) needed.push({ ...from, from: movedTo(where, from.from) })
      const owner = owners.get(name)
      if (owner === undefined) continue
      if (owner.kind === 'local') {
        local.push(owner)
        waiting.push(...owner.uses)
      } else {
        asked.add(name)
        const at = placed.get(owner)
        const from = moduleFrom(where, at, whole.name)
        needed.push({ name: nameAt(at, name, whole, owner), from, kind: 'value' })
      }
    }
    const texts = [...local.sort((a, b) => (a.text < b.text ? -1 : 1)), ...own].map((one) =>
      raw(textAt(where, one, whole)),
    )
    const exported = children.flatMap((child) => {
      const from = moduleFrom(where, child, whole.name)
      if (!isPlace(child)) return raw(`export * from '${from}'`)
      const names = (ownOf.get(child) ?? []).flatMap((one) =>
        one.kind === 'export' ? one.names.map((name) => nameAt(child, name, whole, one)) : [],
      )
      return names.length === 0 ? [] : raw(passedOn(names, from))
    })
    const body: Fragment = {
      ...join([...texts, ...(exported.length > 0 ? [join(exported)] : [])], '\n\n'),
      imports: needed,
    }
    const head = where === undefined ? header() : folderHeader()
    return file(nameIn(where, whole.name), head, body)
  }

  const places = division.places.filter((one) => ownOf.has(one))
  const doorsOf = new Map<string, string[]>(folders.map((folder) => [folder, []]))
  for (const one of places) doorsOf.get(folderOfPlace(one))?.push(one)
  const written = folders.filter((folder) => ownOf.has(folder) || doorsOf.get(folder)?.length)
  const files: (readonly [string | undefined, File])[] = [
    ...places.map((one) => [one, fileOf(one, [])] as const),
    ...written.map((folder) => [folder, fileOf(folder, doorsOf.get(folder) ?? [])] as const),
    [undefined, fileOf(undefined, written)],
  ]
  const isAsked = ({ kind, names }: Declaration) =>
    kind === 'support' && names.some((one) => asked.has(one))
  return files.map(([where, one]) =>
    ownOf.get(where)?.some(isAsked) ? { ...one, text: exporting(one.text, asked) } : one,
  )
}

/** The record of an operation is beside its client, and could be called as something that this one needs. */
const isRecord = (where: string | undefined, { name }: File): where is string =>
  name === 'operations.ts' && where !== undefined && isPlace(where)

const RECORD = 'operation'

/** What others have to ask a place for. */
const nameAt = (
  where: string | undefined,
  name: string,
  whole: File,
  { kind }: Declaration,
): string => (kind === 'export' && isRecord(where, whole) ? `${RECORD} as ${name}` : name)

function textAt(
  where: string | undefined,
  { kind, names, text, uses }: Declaration,
  whole: File,
): string {
  if (!isRecord(where, whole)) return text
  const [name = ''] = names
  if (kind === 'export') return text.replace(`export const ${name}:`, `export const ${RECORD}:`)
  if (kind !== 'service') return text
  return [...uses].reduce((all, id) => all.replace(`    ${id},\n`, `    ${id}: ${RECORD},\n`), text)
}

/**
 * The place of each piece: its own, or for a function that others call that of the schemas which the same operations lead
 * to, so that no operation is given what only another needs.
 */
function place(
  pieces: readonly Declaration[],
  owners: ReadonlyMap<string, Declaration>,
  { folders, placeOf, placeForAll }: Division,
): ReadonlyMap<Declaration, string | undefined> {
  const placed = new Map<Declaration, string | undefined>()
  for (const piece of pieces) {
    if (piece.kind !== 'export') continue
    placed.set(
      piece,
      piece.names.map(placeOf).find((one) => one !== undefined),
    )
  }
  const calls = folders.flatMap(({ operations }) =>
    operations.flatMap(({ id }) => owners.get(id) ?? []),
  )
  const callers = callersOf(calls, owners, placed)
  const mentions = callersOf(placed.keys(), owners, placed)
  const settle = (piece: Declaration): string | undefined => {
    if (placed.has(piece)) return placed.get(piece)
    placed.set(piece, SUPPORT)
    const calling = callers.get(piece)
    const mentioning = mentions.get(piece) ?? []
    const where = calling === undefined ? only(mentioning) : placeForAll(calling)
    const isMentioned = where !== undefined && mentioning.includes(where)
    if (isMentioned) placed.set(piece, where)
    else placed.set(piece, mentioning.length === 0 ? undefined : besideWhatItCalls(piece))
    return placed.get(piece)
  }
  // A caller that reads a list of pets reads pets as well; what calls nothing that has a place is there for all.
  const besideWhatItCalls = (piece: Declaration): string => {
    const called = [...piece.uses].flatMap((name) => {
      const owner = owners.get(name)
      return owner === undefined || owner.kind === 'local' ? [] : (settle(owner) ?? [])
    })
    return called.find((where) => where !== SUPPORT) ?? SUPPORT
  }
  for (const piece of pieces) if (piece.kind === 'support') settle(piece)
  return placed
}

const only = ([one, another]: readonly string[]): string | undefined =>
  another === undefined ? one : undefined

/** The places of those pieces, among some, that lead to another. */
function callersOf(
  roots: Iterable<Declaration>,
  owners: ReadonlyMap<string, Declaration>,
  placed: ReadonlyMap<Declaration, string | undefined>,
): ReadonlyMap<Declaration, readonly string[]> {
  const callers = new Map<Declaration, string[]>()
  for (const root of roots) {
    const where = placed.get(root)
    if (where === undefined) continue
    const seen = new Set([root])
    // A set hands over what is added to it while it is walked.
    for (const piece of seen) {
      for (const name of piece.uses) {
        const owner = owners.get(name)
        if (owner === undefined || owner.kind === 'local' || seen.has(owner)) continue
        seen.add(owner)
        if (owner.kind !== 'support') continue
        const known = callers.get(owner)
        if (known === undefined) callers.set(owner, [where])
        else if (known.at(-1) !== where) known.push(where)
      }
    }
  }
  return callers
}

/** What is at each place, in each folder and in the whole, in the order of the whole. */
function ownPieces(
  pieces: readonly Declaration[],
  placed: ReadonlyMap<Declaration, string | undefined>,
  division: Division,
): ReadonlyMap<string | undefined, readonly Declaration[]> {
  const own = new Map<string | undefined, Declaration[]>()
  const add = (where: string | undefined, piece: Declaration) => {
    const known = own.get(where)
    if (known) known.push(piece)
    else own.set(where, [piece])
  }
  for (const piece of pieces) {
    if (piece.kind === 'local') continue
    if (piece.kind !== 'service') add(placed.get(piece), piece)
    else for (const [where, one] of servicesIn(piece, division)) add(where, one)
  }
  return own
}

/** The list of all operations: whole, of each folder, and of each operation by itself. */
function servicesIn(
  piece: Declaration,
  { folders, placeOf }: Division,
): readonly (readonly [string | undefined, Declaration])[] {
  const whole = [undefined, piece] as const
  if (!piece.names[0]?.startsWith('http')) return [whole]
  // The types of the members stand before their values.
  const at = piece.text.indexOf('} = {\n')
  const lists = [piece.text.slice(0, Math.max(at, 0)), piece.text.slice(Math.max(at, 0))].map(
    (text) => rowsIn(text, placeOf),
  )
  const besides = [...piece.uses].filter((name) => placeOf(name) === undefined)
  const only = (ids: readonly string[]): Declaration => {
    return {
      ...piece,
      text: lists.map((list) => list(ids)).join(''),
      uses: new Set([...besides, ...ids]),
    }
  }
  return [
    whole,
    ...folders.flatMap(({ name, operations }) => {
      const ids = operations.map(({ id }) => id)
      return [[name, only(ids)] as const, ...ids.map((id) => [placeOf(id), only([id])] as const)]
    }),
  ]
}

/** A list of operations, of which some are to be left. */
function rowsIn(text: string, placeOf: Division['placeOf']): (ids: readonly string[]) => string {
  const lines = text.split('\n')
  const idOf = (line: string) => /^ +(?:readonly )?([\w$]+)(?:,|: typeof [\w$]+)$/.exec(line)?.[1]
  const rows = new Map(lines.map((line) => [idOf(line) ?? '', line]))
  const isRow = (line: string) => placeOf(idOf(line) ?? '') !== undefined
  const first = lines.findIndex(isRow)
  const last = lines.findLastIndex(isRow)
  if (first < 0) return () => text
  return (ids) =>
    [
      ...lines.slice(0, first),
      ...ids.flatMap((id) => rows.get(id) ?? []),
      ...lines.slice(last + 1),
    ].join('\n')
}

const nameOf = ({ name }: Import): string => name.split(' as ').at(-1) ?? name

/** Declarations that another file asks for, exported. */
const exporting = (text: string, asked: ReadonlySet<string>): string =>
  text.replaceAll(/^(?:function|const|let) ([\w$]+)/gm, (line, name) =>
    asked.has(name) ? `export ${line}` : line,
  )
