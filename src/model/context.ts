import type { Origin } from './document.js'
import { isObject } from './json.js'
import { currentExtension } from './old-names.js'

/** What a node is: an object of keywords, a map whose keys are names, or plain data. */
export type Context = {
  readonly kind: 'object' | 'map' | 'data'
  /** The section of components that a reference in this place belongs to. */
  readonly section: string | undefined
  /** What $dynamicRef means here, within schemas. */
  readonly scope?: Scope
}

/**
 * The schemas that `$dynamicRef` means on a way through references, by the name of their `$dynamicAnchor`. The outermost one of
 * each name counts (JSON Schema Core 2020-12, 8.2.3.2).
 */
export type Scope = ReadonlyMap<string, Origin>

/** Standing in components would need OpenAPI 3.1 or is not foreseen: these are copied into their place. */
export const INLINED = new Set(['pathItems', 'methods', 'callbacks'])

const DATA = new Set(['example', 'default', 'enum', 'const', 'value', 'x-error', 'required'])

/** Keyword -> the section its value belongs to; a map or list of such where its shape says so. */
const SECTIONS: Readonly<Record<string, string>> = {
  schema: 'schemas',
  itemSchema: 'schemas',
  contentSchema: 'schemas',
  content: 'mediaTypes',
  mediaTypes: 'mediaTypes',
  schemas: 'schemas',
  parameters: 'parameters',
  requestBody: 'requestBodies',
  requestBodies: 'requestBodies',
  responses: 'responses',
  headers: 'headers',
  examples: 'examples',
  links: 'links',
  callbacks: 'callbacks',
  securitySchemes: 'securitySchemes',
  paths: 'pathItems',
  pathItems: 'pathItems',
  webhooks: 'pathItems',
  methods: 'methods',
  params: 'contentDescriptors',
  result: 'contentDescriptors',
  contentDescriptors: 'contentDescriptors',
  errors: 'errors',
  examplePairings: 'examplePairingObjects',
  tags: 'tags',
  'x-variants': 'schemas',
  // Swagger 2.0, as `init` copies it.
  definitions: 'schemas',
}

const MAPS = new Set([
  'schemas',
  'responses',
  'requestBodies',
  'headers',
  'links',
  'callbacks',
  'securitySchemes',
  'paths',
  'pathItems',
  'webhooks',
  'variables',
  'content',
  'additionalOperations',
  'mediaTypes',
  'contentDescriptors',
  'x-variants',
  'definitions',
])

/** Any value, or a runtime expression, within a component of this section. */
const HELD: Readonly<Record<string, ReadonlySet<string>>> = {
  errors: new Set(['data']),
  links: new Set(['parameters', 'params', 'requestBody']),
}

const SCHEMA_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

export function enter(context: Context, written: string, value: unknown): Context {
  if (context.kind === 'data') return context
  if (context.kind === 'map') return { ...context, kind: 'object' }
  const key = currentExtension(written)
  // Only x-variants refers to schemas; the value of another extension is data.
  if (key.startsWith('x-') && key !== 'x-variants') return AS_DATA
  if (context.section === 'schemas') {
    if (DATA.has(key) || key === 'examples' || key === 'discriminator') return AS_DATA
    return { ...context, kind: SCHEMA_MAPS.has(key) ? 'map' : 'object' }
  }
  if (DATA.has(key) || HELD[context.section ?? '']?.has(key)) return AS_DATA
  // OpenRPC's method `examples` is a list of pairings, OpenAPI's a map of named examples.
  if (key === 'examples' && Array.isArray(value)) {
    return { kind: 'object', section: 'examplePairingObjects' }
  }
  const section = SECTIONS[key] ?? (context.section === 'methods' ? undefined : context.section)
  const isMap = MAPS.has(key) || (isObject(value) && (key === 'parameters' || key === 'examples'))
  return { kind: isMap ? 'map' : 'object', section }
}

const AS_DATA: Context = { kind: 'data', section: undefined }

export const itemKind = (context: Context): Context['kind'] =>
  context.kind === 'map' ? 'object' : context.kind

export const contextOf = (section: string): Context => ({ kind: 'object', section })
