import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import type { Api, JsonObject } from '../model/api.js'
import { DocumentError } from '../model/finding.js'
import type { Schema } from '../model/schema.js'
import type { File } from './file.js'
import { header } from './header.js'
import { projectHttp, projectRpc } from './projection.js'
import { BINARY, typeView } from './type-view.js'

/** `http.types.ts`: openapi-typescript over the HTTP operations. */
export const emitHttpTypes = (api: Api): Promise<File> =>
  emitTypes('http.types.ts', projectHttp(api), fileOf(api, 'http'))

/** `rpc.types.ts`: openapi-typescript over the projection. */
export const emitRpcTypes = (api: Api): Promise<File> =>
  emitTypes('rpc.types.ts', projectRpc(api), fileOf(api, 'rpc'))

/** The file that the first operation of a kind was written in. */
const fileOf = (api: Api, kind: 'http' | 'rpc'): string =>
  api.operations.find((one) => one.kind === kind)?.source.locate().file ?? kind

async function emitTypes(name: string, document: JsonObject, source: string): Promise<File> {
  const nodes = await print(source, asSeen(document) as unknown as OpenAPI3, {
    silent: true,
    // A field with a default may still be left out by a caller.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
  })
  const text = astToString(nodes)
    .replaceAll(/\/\*\* @constant \*\/\s*(?=[^\n]*"twinspec:binary")/g, '')
    .replaceAll(JSON.stringify(BINARY), 'Blob')
  return { name, text: `${header()}\n\n${text.trim()}\n` }
}

/** openapi-typescript walks documents by recursion, and a long chain of schemas ends its stack. */
async function print(
  file: string,
  ...args: Parameters<typeof openapiTS>
): ReturnType<typeof openapiTS> {
  try {
    return await openapiTS(...args)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const message =
      'openapi-typescript runs out of stack on a chain of some hundred schemas, each within the one before: shorten the chain, or run node with --stack-size=8000'
    const location = { file, line: 1, column: 1, pointer: '' }
    const rule = 'schemas-are-nested-too-deep'
    throw new DocumentError({ rule, level: 'error', location, message }, { cause })
  }
}

/** The document with every schema replaced by its view, examples left out. */
function asSeen(document: JsonObject): JsonObject {
  const see = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(see)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, member]) => {
        if (key === 'examples') return []
        if (key === 'schema') return [[key, typeView(member as Schema)]]
        if (key !== 'schemas') return [[key, see(member)]]
        const schemas = Object.entries(member as Record<string, Schema>)
        return [[key, Object.fromEntries(schemas.map(([name, one]) => [name, typeView(one)]))]]
      }),
    )
  }
  return see(document) as JsonObject
}
