import type { Api, HttpOperation } from '../../model/api.js'
import { sectionsOf } from '../../model/groups.js'
import { httpOperations } from '../../model/operations.js'
import { cached } from '../../runtime/shared/cached.js'
import { grouped } from '../../schema/grouped.js'
import { refTo, type Schema } from '../../schema/schema.js'
import { kebabCase, uniqueName } from '../../text/names.js'
import { shortFileName } from '../../text/short-file-name.js'
import { type File, type Fragment, file, join } from '../file.js'
import { folderHeader, header } from '../header.js'
import { namesIn } from '../order.js'
import { isPlace, nameIn } from './places.js'

/**
 * The places of the operations and schemas of a large document. Each operation has a place in the folder of its tag,
 * with the schemas that only it uses. Schemas with the same users share a place in their folder, or in `shared` if
 * the users are in several folders.
 * So the compiler reads for one operation exactly the schemas that it uses. There are no import cycles between
 * places.
 */
export type Division = {
  /** Sorted. */
  readonly folders: readonly Folder[]
  /** Every place, `repos/repos-get`, sorted. */
  readonly places: readonly string[]
  /**
   * The place of an operation or of a named schema, or its folder if operations have no places; undefined for
   * those of methods.
   */
  readonly placeOf: (name: string) => string | undefined
  /** The place of the schemas that exactly these operations use, by the places of the operations; undefined if there are none. */
  readonly placeForAll: (operations: readonly string[]) => string | undefined
}

export type Folder = { readonly name: string; readonly operations: readonly HttpOperation[] }

/** The folder for declarations that more than one folder needs. */
export const SHARED = 'shared'

/** The place of declarations that belong to no schema or operation. */
export const SUPPORT = `${SHARED}/support`

/** Schemas that no operation uses, such as those of webhooks. */
const UNCALLED = `${SHARED}/uncalled`

/** Schemas that several folders need, if operations have no separate files. */
const TOGETHER = `${SHARED}/schemas`

export const folderOfPlace = (place: string): string => place.slice(0, place.indexOf('/'))

/** Whether a document is too large for whole files. */
export const isLarge = (api: Api): boolean => httpOperations(api).length > MOST_UNDIVIDED

/** Undefined if a document is small enough for whole files. */
export function divisionOf(api: Api): Division | undefined {
  if (!isLarge(api)) return undefined
  const http = httpOperations(api)
  const isFine = http.length <= MOST_ALONE
  const folders = foldersOf(http, isFine ? FEWEST : FEWEST_TOGETHER)
  const { places, groupPlaces } = isFine ? placesOf(folders, api) : folderPlaces(folders, api)
  return {
    folders,
    places: [...new Set([...places.values(), SUPPORT])].filter(isPlace).sort(),
    placeOf: (name) => places.get(name),
    placeForAll: (operations) => {
      const group = [...operations].sort().join()
      return groupPlaces.get(group) ?? groupPlaces.get(group + WITH_METHODS)
    },
  }
}

/** Above it, the compiler takes too long to read the types of all operations. */
const MOST_UNDIVIDED = 100

/** Above it, files for each operation are too many for editors and repositories; the operations of a folder share files. */
const MOST_ALONE = 2000

/** The least operations per folder on average; with fewer, all are in one folder. */
const FEWEST = 2
const FEWEST_TOGETHER = 10

/** The operations in folders, one for each section. */
function foldersOf(operations: readonly HttpOperation[], fewest: number): readonly Folder[] {
  const sections = grouped(sectionsOf(operations), ([, section]) => section)
  if (operations.length < fewest * sections.size) return [{ name: 'operations', operations }]
  const used = new Set([SHARED])
  return [...sections]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([section, own]) => ({
      name: uniqueName(shortFileName(kebabCase(section)) || 'untagged', used),
      operations: own.map(([operation]) => operation),
    }))
}

/** The folder of each operation and of the schemas that only the folder needs; schemas of several folders are together. */
function folderPlaces(folders: readonly Folder[], api: Api): Places {
  const places = new Map<string, string>()
  const leadsTo = reachingIn(api)
  const callers = new Map<string, Set<string>>()
  for (const { name: folder, operations } of folders) {
    for (const { id } of operations) places.set(id, folder)
    for (const name of leadsTo(operations.flatMap(schemasOf)))
      cached(callers, name, () => new Set<string>()).add(folder)
  }
  const methods = schemasOfMethods(api, callers)
  for (const { name, usedBy } of api.schemas.values()) {
    const [folder, another] = callers.get(name) ?? []
    if (folder === undefined) {
      if (usedBy === 'http') places.set(name, UNCALLED)
    } else places.set(name, another !== undefined || methods.has(name) ? TOGETHER : folder)
  }
  return { places, groupPlaces: new Map(folders.map(({ name }) => [name, name])) }
}

/** By the names of operations and schemas, and by the places of the operations that use the same schemas. */
type Places = {
  readonly places: ReadonlyMap<string, string>
  readonly groupPlaces: ReadonlyMap<string, string>
}

function placesOf(folders: readonly Folder[], api: Api): Places {
  const kinds = ['explanations', 'operations', 'validators']
  const folderNames = [...folders.map(({ name }) => name), SHARED]
  const used = new Set([
    SUPPORT,
    UNCALLED,
    // Names of files that folders have themselves.
    ...folderNames.flatMap((folder) => kinds.map((kind) => `${folder}/${kind}`)),
  ])
  const places = new Map<string, string>()
  const free = (folder: string, name: string) =>
    uniqueName(`${folder}/${shortFileName(kebabCase(name)) || 'unnamed'}`, used)
  for (const { name, operations } of folders)
    for (const { id } of operations) places.set(id, free(name, id))

  const leadsTo = reachingIn(api)
  const callers = new Map<string, string[]>()
  const groupPlaces = new Map<string, string>()
  for (const { operations } of folders) {
    for (const operation of operations) {
      const place = places.get(operation.id) ?? ''
      groupPlaces.set(place, place)
      for (const name of leadsTo(schemasOf(operation)))
        cached(callers, name, (): string[] => []).push(place)
    }
  }
  const methods = schemasOfMethods(api, callers)
  const groups = new Map<
    string,
    { readonly callers: readonly string[]; readonly names: string[] }
  >()
  for (const { name, usedBy } of api.schemas.values()) {
    const own = callers.get(name)
    if (own === undefined) {
      if (usedBy === 'http') places.set(name, UNCALLED)
      continue
    }
    const key = own.sort().join() + (methods.has(name) ? WITH_METHODS : '')
    const group = groups.get(key)
    if (group) group.names.push(name)
    else groups.set(key, { callers: own, names: [name] })
  }
  for (const [key, { callers, names }] of groups) {
    const [folder = SHARED, another] = new Set(callers.map(folderOfPlace))
    const isShared = another !== undefined || key.endsWith(WITH_METHODS)
    const place = groupPlaces.get(key) ?? free(isShared ? SHARED : folder, headOf(names, api))
    groupPlaces.set(key, place)
    for (const name of names) places.set(name, place)
  }
  return { places, groupPlaces }
}

/** Schemas that methods need too are not in the files of operations, because methods do not import HTTP clients. */
const WITH_METHODS = ',rpc'

function schemasOfMethods(api: Api, callers: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  if (api.operations.every(({ kind }) => kind === 'http')) return new Set()
  const both = [...api.schemas.values()].filter(
    ({ name, usedBy }) => usedBy === 'both' && callers.has(name),
  )
  return reachingIn(api)(both.map(({ name }) => ({ $ref: refTo(name) })))
}

/** The names that some schemas refer to, directly or through others. */
function reachingIn(api: Api): (schemas: readonly Schema[]) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  const namesOf = (name: string): ReadonlySet<string> =>
    cached(known, name, () => namesIn(api.schemas.get(name)?.schema ?? true))
  return (schemas) => {
    const seen = new Set(schemas.flatMap((one) => [...namesIn(one)]))
    // The iteration includes members that are added during it.
    for (const name of seen) for (const one of namesOf(name)) seen.add(one)
    return seen
  }
}

/** Of the schemas of a group, the one that no other refers to; the rest are its parts. */
function headOf(names: readonly string[], api: Api): string {
  const [first = ''] = names
  if (names.length === 1) return first
  const referred = new Set<string>()
  for (const name of names)
    for (const one of namesIn(api.schemas.get(name)?.schema ?? true))
      if (one !== name) referred.add(one)
  return names.find((name) => !referred.has(name)) ?? first
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

/** The part of a module at a place, in a folder, or for the whole document. */
export type ModulePart = {
  readonly where: string | undefined
  /** The name of the module: `validators.ts`. */
  readonly name: string
  readonly body: Fragment
}

/** The files of some parts. Parts that are needed together have the same file, one after another. */
export function filesOf(parts: readonly ModulePart[]): readonly File[] {
  const byName = grouped(parts, (one) => nameIn(one.where, one.name))
  return [...byName].map(([name, all]) => {
    const head = all[0]?.where === undefined ? header() : folderHeader()
    return file(
      name,
      join(
        all.map(({ body }) => body),
        '\n\n',
      ),
      head,
    )
  })
}
