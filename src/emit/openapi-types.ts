import type { OpenAPI3 } from 'openapi-typescript'
import type { Api, JsonObject } from '../model/api.js'
import { commentText, visibleCode, withoutControls } from '../model/escape.js'
import { mapSubschemas, type Schema, type SchemaObject } from '../schema/schema.js'
import type { File } from './file.js'
import { header } from './header.js'
import { nameSchemas } from './named-types.js'
import { flowed, wrap } from './paragraphs.js'
import { printTypes } from './print-types.js'
import { projectHttp, projectRpc } from './projection.js'
import { isBinary, isNever, withPatterns } from './type-expression.js'

/** `http.types.ts`: openapi-typescript over the HTTP operations, whose types `named-types.ts` names where they are not divided. */
export const emitHttpTypes = (api: Api): File => emitTypes('http.types.ts', projectHttp(api))

/**
 * `rpc.types.ts`: openapi-typescript over the schemas of the projection. Its paths are left out: the params and results of
 * methods have their types in `rpc.client.ts`.
 */
export const emitRpcTypes = (api: Api): File => {
  const document = { ...projectRpc(api), paths: {} }
  return nameSchemas(emitTypes('rpc.types.ts', document, 'components'))
}

function emitTypes(name: string, document: JsonObject, part: 'all' | 'components' = 'all'): File {
  const seen = asSeen(document) as unknown as OpenAPI3
  const parts = printTypes(seen, (text) => withShortLines(withPlainComments(text)))
  // Part by part, as each copy of all of it would be megabytes.
  return { name, text: [`${header()}\n\n`, ...parts[part].map(withBlobs)].join('') }
}

const withBlobs = (text: string): string =>
  text.includes(BINARY)
    ? text
        .replaceAll(/\/\*\* @constant \*\/\s*(?=[^\n]*"twinspec:binary")/g, '')
        .replaceAll(JSON.stringify(BINARY), 'Blob')
    : text

/** Whole comments without control characters; in names and values these are written by their codes. */
const withPlainComments = (text: string): string =>
  visibleCode(
    withoutControls(text) === text
      ? text
      : text.replace(STRINGS_AND_COMMENTS, (piece, comment: string | undefined) =>
          comment === undefined ? piece : `/*${commentText(comment)}*/`,
        ),
  )

/** A string is found so that a comment within it is not taken for one. */
const STRINGS_AND_COMMENTS = /"(?:[^"\\\n]|\\.)*"|\/\*([\s\S]*?)\*\//g

/** Comments that openapi-typescript prints in a line, however long, in several. */
const withShortLines = (text: string): string =>
  text
    .replace(/^( *)\/\*\* (.+) \*\/$/gm, (line, margin: string, said: string) =>
      line.length <= LINE ? line : `${margin}/**\n${commented(margin, said)}\n${margin} */`,
    )
    .replace(/^( *) \* (?! |\|)(.+)$/gm, (line, margin: string, said: string) =>
      line.length <= LINE ? line : commented(margin, said),
    )

const LINE = 100

const commented = (margin: string, said: string): string =>
  wrap(said)
    .map((line) => `${margin} * ${line}`)
    .join('\n')

/** The document with every schema replaced by its view, examples left out. */
function asSeen(document: JsonObject): JsonObject {
  const see = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(see)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, member]) => {
        if (key === 'examples') return []
        if (key === 'description' && typeof member === 'string')
          return [[key, flowed(member).join('\n')]]
        if (key === 'schema') return [[key, typeView(member as Schema)]]
        if (key !== 'schemas') return [[key, see(member)]]
        const schemas = Object.entries(member as Record<string, Schema>)
        return [[key, Object.fromEntries(schemas.map(([name, one]) => [name, typeView(one)]))]]
      }),
    )
  }
  return see(document) as JsonObject
}

/**
 * A schema as openapi-typescript has to be shown it, so that it prints what the schema means: it
 * would read `anyOf` beside `properties` as an alternative to them, and knows neither `not: {}` nor
 * `patternProperties`.
 */
export function typeView(schema: Schema): unknown {
  if (typeof schema === 'boolean') return schema
  if (schema.$ref !== undefined) return { $ref: schema.$ref, ...said(schema) }
  if (isNever(schema)) return false
  if (schema.type === 'string' && isBinary(schema)) return { const: BINARY, ...said(schema) }
  if (schema.const === null) return { type: 'null', ...said(schema) }
  const { anyOf, oneOf, allOf, ...own } = mapSubschemas(kept(schema), typeView) as SchemaObject
  const unions = [anyOf && { anyOf }, oneOf && { oneOf }].filter((part) => part !== undefined)
  const own_ = withPatterns(own)
  // Beside allOf, openapi-typescript would apply `required` to each branch by a helper type that a union has no keys for.
  const isApart = allOf !== undefined && own_.required !== undefined
  if (unions.length === 0 && !isApart) return allOf ? { ...own_, allOf } : own_
  const described = Object.keys(own_).some((key) => SHAPING.has(key))
  if (!described && !allOf && unions.length === 1) return { ...own_, ...unions[0] }
  const parts = [...(described ? [strip(own_)] : []), ...(allOf ?? []), ...unions]
  return { ...said(schema), allOf: parts }
}

/** A placeholder for `Blob` until openapi-typescript has printed it; nobody writes such a constant. */
const BINARY = 'twinspec:binary'

const said = ({ title, description, deprecated }: SchemaObject) => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description: flowed(description).join('\n') }),
  ...(deprecated === true && { deprecated }),
})

const strip = ({ title, description, deprecated, ...rest }: SchemaObject) => rest

const SHAPING = new Set(['type', 'properties', 'additionalProperties', 'enum', 'const', 'required'])

/** What shapes a type or is worth a comment on it. */
function kept(schema: SchemaObject): SchemaObject {
  const entries = Object.entries(schema).filter(
    ([key]) => !key.startsWith('x-') && !SILENT.has(key),
  )
  return { ...Object.fromEntries(entries), ...said(schema) }
}

const SILENT = new Set(
  `not if then else dependentSchemas dependentRequired propertyNames contains unevaluatedProperties
  unevaluatedItems readOnly writeOnly examples pattern contentEncoding contentMediaType
  contentSchema`.split(/\s+/),
)
