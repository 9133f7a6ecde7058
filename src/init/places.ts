import { dirname, extname, relative, resolve, sep } from 'node:path'
import type { Document } from '../model/document.js'
import type { Family } from './family.js'

/** The file that a document was read from, absolute. */
export const pathOf = ({ path, file }: Document): string => resolve(path ?? file)

/**
 * Where each file of the documents is to stand: the entries under the names by which commands find them, the others as they
 * lay below the folder that they have in common. Documents that share no file have no folder in common either.
 */
export const placesOf = (families: readonly Family[]): ReadonlyMap<string, string> => {
  const places = new Map<string, string>()
  const taken = new Set<string>()
  for (const { kind, entry } of families) {
    const place = `spec/${kind}${extensionOf(entry)}`
    places.set(pathOf(entry), place)
    taken.add(place)
  }
  for (const members of together(families)) {
    const root = commonFolder(members)
    for (const path of members) {
      if (places.has(path)) continue
      const place = freePlace(`spec/${relative(root, path).split(sep).join('/')}`, taken)
      places.set(path, place)
      taken.add(place.toLowerCase())
    }
  }
  return places
}

/** YAML reads JSON too, so it is right for a file whose name says nothing. */
const extensionOf = (entry: Document): string => {
  const named = extname(pathOf(entry)).toLowerCase()
  return EXTENSIONS.has(named) ? named : '.yaml'
}

const EXTENSIONS = new Set(['.yaml', '.yml', '.json'])

const together = (families: readonly Family[]): readonly (readonly string[])[] => {
  const lists = families.map(({ members }) => members.map(pathOf))
  const [first = [], second = []] = lists
  const shared = first.some((path) => second.includes(path))
  return shared ? [[...new Set([...first, ...second])]] : lists
}

const commonFolder = (paths: readonly string[]): string =>
  paths.map(dirname).reduce((common, folder) => {
    let here = common
    while (here !== folder && !folder.startsWith(here.endsWith(sep) ? here : here + sep)) {
      here = dirname(here)
    }
    return here
  })

/** Disks that know no difference between a and A are many. */
const freePlace = (place: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(place.toLowerCase())) return place
  const extension = extname(place)
  const stem = place.slice(0, place.length - extension.length)
  for (let number = 2; ; number++) {
    const next = `${stem}-${number}${extension}`
    if (!taken.has(next.toLowerCase())) return next
  }
}
