import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpOperation, RpcOperation } from '../../src/model/api.js'
import { readDocument } from '../../src/read/document.js'
import { findDocuments, loadApi } from '../../src/read/load.js'
import type { JsonObject } from '../../src/runtime/validate/json-value.js'
import { createChecker } from '../../src/schema/check.js'

/** Our own documents, read once for the tests that say what must stand in them. */
export const SPEC = fileURLToPath(new URL('../../spec', import.meta.url))

export const api = await loadApi(findDocuments(SPEC))
export const checker = createChecker(api.schemas)

export const methods: readonly RpcOperation[] = api.operations.filter(
  (operation) => operation.kind === 'rpc',
)
export const httpOperations: readonly HttpOperation[] = api.operations.filter(
  (operation) => operation.kind === 'http',
)

/** An HTTP operation by its id. */
export function http(id: string): HttpOperation {
  const found = httpOperations.find((operation) => operation.id === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}

/** The YAML files of the documents, by their path within `spec/`. */
export const sources: ReadonlyMap<string, string> = new Map(
  readdirSync(SPEC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => [file, readFileSync(join(SPEC, file), 'utf8')] as const),
)

/** Every object of the files as written, with its place. */
export const written: readonly Written[] = [...sources.keys()].flatMap((file) =>
  objectsIn(readDocument(join(SPEC, file)).value, file, ''),
)

export type Written = {
  readonly file: string
  readonly pointer: string
  readonly node: JsonObject
}

function objectsIn(value: unknown, file: string, pointer: string): readonly Written[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : [{ file, pointer, node: value as JsonObject }]
  const inner = Object.entries(value).flatMap(([key, member]) =>
    objectsIn(member, file, `${pointer}/${key}`),
  )
  return [...own, ...inner]
}
