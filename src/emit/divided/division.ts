import type { Api, HttpOperation } from '../../model/api.js'
import { kebabCase, uniqueName } from '../../model/names.js'
import { refTo, type Schema } from '../../model/schema.js'
import { namesIn } from '../order.js'

/**
 * Where a large document's operations and schemas stand: in a folder for each tag, and what several folders need in
 * `shared`. A program that calls one operation then has the compiler read one tag's types, and not all there are.
 */
export type Division = {
  /** Sorted. */
  readonly folders: readonly Folder[]
  /** The folder of an operation or of a named schema; undefined for what no HTTP operation leads to. */
  readonly folderOf: (name: string) => string | undefined
}

export type Folder = { readonly name: string; readonly operations: readonly HttpOperation[] }

/** What more than one folder needs. */
export const SHARED = 'shared'

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
  const places = placesOf(folders, api)
  return { folders, folderOf: (name) => places.get(name) }
}

/** Above it, the compiler takes longer to read the types of all operations than anybody likes to wait. */
const MOST_UNDIVIDED = 100

/** The first of the tags, or the first part of the path that is no parameter. */
const tagOf = ({ tags, path }: HttpOperation): string =>
  tags[0] ?? path.split('/').find((part) => part !== '' && !part.startsWith('{')) ?? ''

function placesOf(folders: readonly Folder[], api: Api): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const take = (folder: string, schemas: readonly Schema[]) => {
    const seen = new Set<string>()
    const waiting = [...schemas]
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      for (const name of namesIn(one)) {
        if (seen.has(name)) continue
        seen.add(name)
        const place = places.get(name)
        places.set(name, place === undefined || place === folder ? folder : SHARED)
        waiting.push(api.schemas.get(name)?.schema ?? true)
      }
    }
  }
  for (const { name, operations } of folders) {
    take(name, operations.flatMap(schemasOf))
    for (const { id } of operations) places.set(id, name)
  }
  // What methods need too is shared with them, as no folder's file is there for them.
  const rpc = api.operations.filter((one) => one.kind === 'rpc')
  const both = [...api.schemas.values()].filter(
    ({ name, usedBy }) => usedBy === 'both' && places.has(name),
  )
  if (rpc.length > 0)
    take(
      SHARED,
      both.map(({ name }) => ({ $ref: refTo(name) })),
    )
  return places
}

/** Everything within an operation that has a type. */
const schemasOf = ({ parameters, body, responses, forms }: HttpOperation): readonly Schema[] => [
  ...parameters.map(({ schema }) => schema),
  ...(body?.content ?? []).map(({ schema }) => schema),
  ...responses
    .flatMap(({ content, headers }) => [...content, ...headers])
    .map(({ schema }) => schema),
  ...forms
    .flatMap(({ request, responses, errors }) => [request, ...responses, ...errors])
    .map((name) => ({ $ref: refTo(name) })),
]
