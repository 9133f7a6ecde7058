import type { Api, HttpOperation } from '../../model/api.js'
import { kebabCase, uniqueName } from '../../model/names.js'
import { refTo, type Schema } from '../../schema/schema.js'
import { namesIn } from '../order.js'

/**
 * Where a large document's operations and schemas stand: each operation at a place of its own in the folder of its tag,
 * with the schemas that it alone leads to; schemas that the same operations lead to at one place together, in their
 * folder, or in `shared` where they have several. A program that calls one operation then has the compiler read what that
 * one leads to, no more and no less, and the places import each other in no circle.
 */
export type Division = {
  /** Sorted. */
  readonly folders: readonly Folder[]
  /** Every place, `repos/repos-get`, sorted. */
  readonly places: readonly string[]
  /** The place of an operation or of a named schema; undefined for those of methods. */
  readonly placeOf: (name: string) => string | undefined
  /** The place of what some operations lead to, by their places; undefined where no schema belongs to exactly these. */
  readonly placeForAll: (operations: readonly string[]) => string | undefined
}

export type Folder = { readonly name: string; readonly operations: readonly HttpOperation[] }

/** What more than one folder needs. */
export const SHARED = 'shared'

/** What is left to a kind of files when all that belongs to schemas and operations has its place. */
export const SUPPORT = `${SHARED}/support`

/** Schemas that no operation leads to, those of webhooks say. */
const UNCALLED = `${SHARED}/uncalled`

export const folderOfPlace = (place: string): string => place.slice(0, place.indexOf('/'))

/** Undefined where a document is small enough for whole files, or has one tag alone. */
export function divisionOf(api: Api): Division | undefined {
  const http = api.operations.filter((one): one is HttpOperation => one.kind === 'http')
  if (http.length <= MOST_UNDIVIDED) return undefined
  const groups = new Map<string, HttpOperation[]>()
  for (const one of http) {
    const tag = tagOf(one)
    groups.set(tag, [...(groups.get(tag) ?? []), one])
  }
  if (groups.size < 2) return undefined
  const taken = new Set([SHARED])
  const folders = [...groups.keys()].sort().map((tag): Folder => {
    const name = uniqueName(kebabCase(tag) || 'untagged', taken)
    return { name, operations: groups.get(tag) ?? [] }
  })
  const { places, groupPlaces } = placesOf(folders, api)
  return {
    folders,
    places: [...new Set([...places.values(), SUPPORT])].sort(),
    placeOf: (name) => places.get(name),
    placeForAll: (operations) => {
      const group = [...operations].sort().join()
      return groupPlaces.get(group) ?? groupPlaces.get(group + WITH_METHODS)
    },
  }
}

/** Above it, the compiler takes longer to read the types of all operations than anybody likes to wait. */
const MOST_UNDIVIDED = 100

/** The first of the tags, or the first part of the path that is no parameter. */
const tagOf = ({ tags, path }: HttpOperation): string =>
  tags[0] ?? path.split('/').find((part) => part !== '' && !part.startsWith('{')) ?? ''

function placesOf(folders: readonly Folder[], api: Api) {
  const kinds = ['explanations', 'operations', 'validators']
  const folderNames = [...folders.map(({ name }) => name), SHARED]
  const taken = new Set([
    SUPPORT,
    UNCALLED,
    // What folders have files of their own for.
    ...folderNames.flatMap((folder) => kinds.map((kind) => `${folder}/${kind}`)),
  ])
  const places = new Map<string, string>()
  const free = (folder: string, name: string) =>
    uniqueName(`${folder}/${kebabCase(name) || 'unnamed'}`, taken)
  for (const { name, operations } of folders)
    for (const { id } of operations) places.set(id, free(name, id))

  const leadsTo = reachingIn(api)
  const callers = new Map<string, string[]>()
  const groupPlaces = new Map<string, string>()
  for (const { operations } of folders) {
    for (const operation of operations) {
      const place = places.get(operation.id) ?? ''
      groupPlaces.set(place, place)
      for (const name of leadsTo(schemasOf(operation))) {
        const known = callers.get(name)
        if (known) known.push(place)
        else callers.set(name, [place])
      }
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

/** What methods need too is apart from operations, as no client of theirs is there for a method. */
const WITH_METHODS = ',rpc'

function schemasOfMethods(api: Api, callers: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  if (api.operations.every(({ kind }) => kind === 'http')) return new Set()
  const both = [...api.schemas.values()].filter(
    ({ name, usedBy }) => usedBy === 'both' && callers.has(name),
  )
  return reachingIn(api)(both.map(({ name }) => ({ $ref: refTo(name) })))
}

/** The names that some schemas lead to, at once or by way of others. */
function reachingIn(api: Api): (schemas: readonly Schema[]) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  const namesOf = (name: string): ReadonlySet<string> => {
    const names = known.get(name) ?? namesIn(api.schemas.get(name)?.schema ?? true)
    known.set(name, names)
    return names
  }
  return (schemas) => {
    const seen = new Set(schemas.flatMap((one) => [...namesIn(one)]))
    // A set hands over what is added to it while it is walked.
    for (const name of seen) for (const one of namesOf(name)) seen.add(one)
    return seen
  }
}

/** Of the schemas of a group, the one that no other refers to: what the rest is there for. */
function headOf(names: readonly string[], api: Api): string {
  const [first = ''] = names
  if (names.length === 1) return first
  const referred = new Set<string>()
  for (const name of names)
    for (const one of namesIn(api.schemas.get(name)?.schema ?? true))
      if (one !== name) referred.add(one)
  return names.find((name) => !referred.has(name)) ?? first
}

/** Everything within an operation that has a type. */
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
