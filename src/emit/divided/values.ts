import { type File, type Fragment, file, type Import, join, raw } from '../file.js'
import { folderHeader, header } from '../header.js'
import { type Division, SHARED } from './division.js'
import { type Piece, readPieces } from './pieces.js'
import { moduleFrom, nameIn } from './places.js'

/**
 * A file of exported values in the folders of a division: what belongs to a schema or an operation stands in its
 * folder, what several of them call in `shared`. The whole exports all of it.
 */
export function divideValues(whole: File, division: Division): readonly File[] {
  const { imports, pieces } = readPieces(whole.text)
  const owners = new Map<string, Piece>()
  for (const piece of pieces) for (const name of piece.names) owners.set(name, piece)
  const placed = place(pieces, owners, division)
  const outside = new Map(imports.map((one) => [nameOf(one), one]))
  const folders = [...division.folders.map(({ name }) => name), SHARED].sort()
  const asked = new Set<string>()
  const ownOf = ownPieces(pieces, placed, [...folders, undefined], division)

  const files = [...folders, undefined].flatMap((folder): readonly File[] => {
    const own = ownOf.get(folder) ?? []
    if (own.length === 0 && folder !== undefined) return []
    const declared = new Set(own.flatMap(({ names }) => names))
    const needed: Import[] = []
    const local: Piece[] = []
    const waiting = own.flatMap(({ uses }) => [...uses])
    const seen = new Set<string>()
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name) || declared.has(name)) continue
      seen.add(name)
      const from = outside.get(name)
      if (from !== undefined) needed.push({ ...from, from: movedTo(folder, from.from) })
      const owner = owners.get(name)
      if (owner === undefined) continue
      if (owner.kind === 'local') {
        local.push(owner)
        waiting.push(...owner.uses)
      } else {
        asked.add(name)
        needed.push({
          name,
          from: moduleFrom(folder, placed.get(owner), whole.name),
          kind: 'value',
        })
      }
    }
    const texts = [...local.sort((a, b) => (a.text < b.text ? -1 : 1)), ...own].map(({ text }) =>
      raw(text),
    )
    const body: Fragment = { ...join(texts, '\n\n'), imports: needed }
    const head = folder === undefined ? header() : folderHeader()
    return [file(nameIn(folder, whole.name), head, body)]
  })
  const exported = files.map((one) => ({ ...one, text: exporting(one.text, asked) }))
  const written = new Set(files.map(({ name }) => name))
  const doors = folders
    .map((folder) => nameIn(folder, whole.name))
    .filter((name) => written.has(name))
    .map((name) => `export * from './${name.replace(/\.ts$/, '.js')}'\n`)
  return exported.map((one) =>
    one.name === whole.name ? { ...one, text: `${one.text}\n${doors.join('')}` } : one,
  )
}

/** The folder of each piece: its own, or for a function that others call the folder of those who call it. */
function place(
  pieces: readonly Piece[],
  owners: ReadonlyMap<string, Piece>,
  { folderOf }: Division,
): ReadonlyMap<Piece, string | undefined> {
  const callers = new Map<Piece, Set<string>>()
  const placed = new Map<Piece, string | undefined>()
  const visit = (piece: Piece, folder: string) => {
    const waiting = [piece]
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      for (const name of one.uses) {
        const owner = owners.get(name)
        if (owner?.kind !== 'support') continue
        const folders = callers.get(owner) ?? new Set()
        callers.set(owner, folders)
        if (!folders.has(folder)) waiting.push(owner)
        folders.add(folder)
      }
    }
  }
  for (const piece of pieces) {
    if (piece.kind !== 'export') continue
    const folder = piece.names.map(folderOf).find((one) => one !== undefined)
    placed.set(piece, folder)
    if (folder !== undefined) visit(piece, folder)
  }
  for (const piece of pieces) {
    if (piece.kind !== 'support') continue
    const [one, another] = callers.get(piece) ?? []
    placed.set(piece, another === undefined ? one : SHARED)
  }
  return placed
}

/** What stands in each folder, in the order of the whole. */
function ownPieces(
  pieces: readonly Piece[],
  placed: ReadonlyMap<Piece, string | undefined>,
  folders: readonly (string | undefined)[],
  division: Division,
): ReadonlyMap<string | undefined, readonly Piece[]> {
  const own = new Map(folders.map((folder): [typeof folder, Piece[]] => [folder, []]))
  for (const piece of pieces) {
    if (piece.kind === 'local') continue
    if (piece.kind !== 'service') own.get(placed.get(piece))?.push(piece)
    else {
      const serviceOf = servicesIn(piece, division)
      for (const folder of folders) own.get(folder)?.push(...serviceOf(folder))
    }
  }
  return own
}

/** The list of all operations as the list of a folder's. */
function servicesIn(piece: Piece, { folderOf }: Division) {
  const lines = piece.text.split('\n')
  const rows = byPlace(lines, (line) => folderOf(/^ +([\w$]+),$/.exec(line)?.[1] ?? ''))
  const names = byPlace([...piece.uses], folderOf)
  return (folder: string | undefined): readonly Piece[] => {
    if (folder === undefined) return [piece]
    if (folder === SHARED || !piece.names[0]?.startsWith('http')) return []
    return [{ ...piece, text: rows(folder).join('\n'), uses: new Set(names(folder)) }]
  }
}

/** Folder -> what belongs there or to every folder, in the order given. */
function byPlace(all: readonly string[], placeOf: (one: string) => string | undefined) {
  const places = new Map<string | undefined, number[]>()
  for (const [index, one] of all.entries()) {
    const place = placeOf(one)
    const known = places.get(place)
    if (known) known.push(index)
    else places.set(place, [index])
  }
  const everywhere = places.get(undefined) ?? []
  return (folder: string): readonly string[] =>
    [...everywhere, ...(places.get(folder) ?? [])]
      .sort((a, b) => a - b)
      .map((index) => all[index] ?? '')
}

const nameOf = ({ name }: Import): string => name.split(' as ').at(-1) ?? name

/** Folders hold the files about HTTP alone; what methods need stands in the whole. */
const movedTo = (folder: string | undefined, from: string): string =>
  folder !== undefined && from.startsWith('./rpc.') ? `../../${from.slice(2)}` : from

/** Declarations that another file asks for, exported. */
const exporting = (text: string, asked: ReadonlySet<string>): string =>
  text.replaceAll(/^(?:function|const|let) ([\w$]+)/gm, (line, name) =>
    asked.has(name) ? `export ${line}` : line,
  )
