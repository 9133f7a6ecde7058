import { isObject, isReference } from '../model/json.js'
import type { Origin } from './document.js'
import { type Place, placeInSection } from './repair/places.js'

/** The role of a node: an object of keywords, a map whose keys are names, or plain data. */
export type NodeContext = {
  readonly kind: 'object' | 'map' | 'data'
  /** The section of components that references here belong to. */
  readonly section: string | undefined
  /** The targets of $dynamicRef here, within schemas. */
  readonly scope?: DynamicScope
  /** What is expected here, by which faults are repaired; undefined for data and extensions. */
  readonly place?: Place | undefined
}

/**
 * The targets of `$dynamicRef` on a path through references, by the name of their `$dynamicAnchor`. The outermost one of each
 * name applies (JSON Schema Core 2020-12, 8.2.3.2).
 */
export type DynamicScope = ReadonlyMap<string, Origin>

/** As components, these would need OpenAPI 3.1 or are not defined, so they are copied to the place of the reference. */
export const INLINED = new Set(['pathItems', 'methods', 'callbacks'])

const DATA = new Set(['example', 'default', 'enum', 'const', 'value', 'x-error', 'required'])

/** Keyword -> the section of its value; a map or list of that section's objects where the value has such a shape. */
const SECTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
    security: 'requirements',
    paths: 'pathItems',
    pathItems: 'pathItems',
    webhooks: 'pathItems',
    'x-webhooks': 'pathItems',
    methods: 'methods',
    params: 'contentDescriptors',
    result: 'contentDescriptors',
    contentDescriptors: 'contentDescriptors',
    errors: 'errors',
    examplePairings: 'examplePairingObjects',
    tags: 'tags',
    'x-variants': 'schemas',
    'x-additional-params': 'schemas',
    // Swagger 2.0, for `init`.
    definitions: 'schemas',
  }),
)

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
  'x-webhooks',
  'variables',
  'content',
  'additionalOperations',
  'mediaTypes',
  'contentDescriptors',
  'x-variants',
  'definitions',
])

/** Fields of a component in this section that contain any value, or a runtime expression. */
const HELD: ReadonlyMap<string | undefined, ReadonlySet<string>> = new Map([
  ['errors', new Set(['data'])],
  ['links', new Set(['parameters', 'params', 'requestBody'])],
])

/** Fields of any object that some documents keep in a file of their own. They are copied to the place of the reference. */
const TEXTS = new Set(['description', 'summary', 'externalDocs'])

const SCHEMA_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

export function enter(context: NodeContext, key: string, value: unknown): NodeContext {
  if (context.kind === 'data') return context
  if (context.kind === 'map') return { ...context, kind: 'object' }
  // The value of an extension that is no schema is data.
  if (key.startsWith('x-') && !SECTIONS.has(key)) return AS_DATA
  if (TEXTS.has(key) && isReference(value)) return contextOf(undefined)
  if (context.section === 'schemas') {
    if (DATA.has(key) || key === 'examples' || key === 'discriminator') return AS_DATA
    return { ...context, kind: SCHEMA_MAPS.has(key) ? 'map' : 'object' }
  }
  if (DATA.has(key) || HELD.get(context.section)?.has(key)) return AS_DATA
  // OpenRPC's method `examples` is a list of pairings, OpenAPI's a map of named examples.
  if (key === 'examples' && Array.isArray(value)) {
    return { kind: 'object', section: 'examplePairingObjects' }
  }
  const section = SECTIONS.get(key) ?? (context.section === 'methods' ? undefined : context.section)
  const isMap = MAPS.has(key) || (isObject(value) && (key === 'parameters' || key === 'examples'))
  return { kind: isMap ? 'map' : 'object', section }
}

/** Values without keywords, in which nothing is a reference. */
export const AS_DATA: NodeContext = { kind: 'data', section: undefined }

export const itemKind = (context: NodeContext): NodeContext['kind'] =>
  context.kind === 'map' ? 'object' : context.kind

export const contextOf = (section: string | undefined): NodeContext => ({
  kind: 'object',
  section,
  place: placeInSection(section),
})
