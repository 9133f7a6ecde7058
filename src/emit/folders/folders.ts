import type { Api, HttpOperation } from '../../model/api.js'
import { sectionsOf } from '../../model/groups.js'
import { httpOperations } from '../../model/operations.js'
import { grouped } from '../../schema/grouped.js'
import { refTo, type Schema } from '../../schema/schema.js'
import { kebabCase, uniqueName } from '../../text/names.js'
import { shortFileName } from '../../text/short-file-name.js'
import { namesIn } from '../order.js'
import { placesByUse } from './by-use.js'
import { OTHER, RESERVED, SHARED, UNCALLED } from './places.js'

/**
 * The folders of a large document: one for each group of operations, with the schemas that only the group uses. Schemas of
 * several groups are in `shared`, and those that no operation uses in `uncalled`. Groups import from `shared` alone.
 */
export type Folders = {
  /** Sorted. */
  readonly groups: readonly FolderGroup[]
  /** The names of all folders, sorted. */
  readonly names: readonly string[]
  /** The folder of an operation or of a named schema; undefined for those of methods. */
  readonly folderOf: (name: string) => string | undefined
}

export type FolderGroup = { readonly name: string; readonly operations: readonly HttpOperation[] }

/** Whether a document is too large for whole files. */
export const isLarge = (api: Api): boolean => httpOperations(api).length > MOST_UNDIVIDED

/** Above it, the compiler takes too long to read the types of all operations. */
const MOST_UNDIVIDED = 100

/** Folders for at most so many files; undefined if a document is small enough for whole files. */
export function foldersOf(api: Api, files: FileCounts): Folders | undefined {
  if (!isLarge(api)) return undefined
  const sections = bySection(httpOperations(api))
  const isUncalled = (name: string) => folderOf(name) === UNCALLED
  const fewest = placesIn(joined(sections, 1), api)
  const folderOf = (name: string) => fewest.get(name)
  const hasUncalled = [...api.schemas.keys()].some(isUncalled)
  const others = files.whole + files.shared + (hasUncalled ? files.uncalled : 0)
  const most = Math.floor((MOST_FILES - others) / Math.max(1, files.group))
  const groups = joined(sections, Math.max(1, most))
  const places = placesIn(groups, api)
  return {
    groups,
    names: [...new Set([...places.values(), SHARED])].sort(),
    folderOf: (name) => places.get(name),
  }
}

/** The files of the output of a large document. */
const MOST_FILES = 48

export type FileCounts = {
  /** Files that are in no folder. */
  readonly whole: number
  /** Files of each group. */
  readonly group: number
  readonly shared: number
  readonly uncalled: number
}

/** The operations of each section by the name of its folder. Sections of the same name are in the same folder. */
const bySection = (
  operations: readonly HttpOperation[],
): ReadonlyMap<string, readonly HttpOperation[]> => {
  const names = grouped(sectionsOf(operations), ([, section]) => {
    const name = shortFileName(kebabCase(section)) || OTHER
    return RESERVED.has(name) ? uniqueName(name, new Set(RESERVED)) : name
  })
  return new Map([...names].map(([name, own]) => [name, own.map(([operation]) => operation)]))
}

/** At most so many groups: the smallest ones are together. */
function joined(
  sections: ReadonlyMap<string, readonly HttpOperation[]>,
  most: number,
): readonly FolderGroup[] {
  const bySize = [...sections]
    .filter(([name]) => name !== OTHER)
    .sort(([a, { length }], [b, other]) => other.length - length || (a < b ? -1 : 1))
  const isAll = bySize.length + (sections.has(OTHER) ? 1 : 0) <= most
  const kept = new Set((isAll ? bySize : bySize.slice(0, most - 1)).map(([name]) => name))
  // In the order of the document.
  const groups = grouped(
    [...sections].flatMap(([name, own]) => own.map((one) => ({ name, one }))),
    ({ name }) => (kept.has(name) ? name : OTHER),
  )
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => ({ name, operations: own.map(({ one }) => one) }))
}

/** The folder of each operation and of each schema. */
function placesIn(groups: readonly FolderGroup[], api: Api): ReadonlyMap<string, string> {
  const usesOf = (name: string) => namesIn(api.schemas.get(name)?.schema ?? true)
  const users = new Map<string, { readonly place: string; readonly uses: Iterable<string> }>()
  for (const { name: place, operations } of groups)
    for (const operation of operations)
      users.set(operation.id, {
        place,
        uses: schemasOf(operation).flatMap((one) => [...namesIn(one)]),
      })
  // Methods do not import the code of HTTP operations.
  for (const { name, usedBy } of api.schemas.values())
    if (usedBy === 'both') users.set(`${name} of methods`, { place: SHARED, uses: [name] })
  const places = new Map(placesByUse(users.values(), usesOf))
  for (const { name, operations } of groups) for (const { id } of operations) places.set(id, name)
  for (const { name, usedBy } of api.schemas.values())
    if (usedBy === 'http' && !places.has(name)) places.set(name, UNCALLED)
  return places
}

/** All schemas of an operation. */
const schemasOf = ({ parameters, body, responses, variants }: HttpOperation): readonly Schema[] => [
  ...parameters.map(({ schema }) => schema),
  ...(body?.content ?? []).map(({ schema }) => schema),
  ...responses
    .flatMap(({ content, headers }) => [...content, ...headers])
    .map(({ schema }) => schema),
  ...variants
    .flatMap(({ request, responses, errors }) => [request, ...responses, ...errors])
    .map((name) => ({ $ref: refTo(name) })),
]
