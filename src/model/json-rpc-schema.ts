import type { JsonObject } from './api.js'
import type { Document } from './document.js'
import type { Finding } from './finding.js'
import { entriesOf, isObject } from './json.js'
import { flattened } from './json-rpc-paths.js'
import { mapSchemas } from './map-schemas.js'
import { pointerOf, segmentsOf } from './pointer.js'

/**
 * A JSON Schema that defines the messages of a JSON-RPC protocol, as the Model Context Protocol publishes one, as OpenRPC, with
 * the places of what was written; undefined for any other document. The members of `ClientRequest`, `ServerRequest`,
 * `ClientNotification` and `ServerNotification` are its methods.
 */
export function importRpcSchema(
  document: Document,
  tell: (finding: Finding) => void,
): Document | undefined {
  const protocol = protocolOf(document)
  if (protocol === undefined) return undefined
  const { section, definitions, messages, value } = protocol
  const location = document.locate(pointerOf(section))
  const message = `the definitions are messages of JSON-RPC: the document is read as OpenRPC, with ${messages.length} methods`
  tell({ rule: 'document-is-converted', level: 'note', location, message })
  const { title = 'JSON-RPC', version = '0.0.0', $schema } = value
  const left = [...UNIONS.map(([union]) => union as string), ...messages.map(({ name }) => name)]
  const kept = new Set(Object.keys(definitions).filter((name) => !left.includes(name)))
  // A message stays where another definition refers to it.
  for (const name of kept) for (const other of referredIn(definitions[name])) kept.add(other)
  // Draft-07 is the dialect of OpenRPC.
  const dialect = /20\d\d/.test(String($schema)) ? { $schema } : {}
  const schemas = entriesOf(definitions)
    .filter(([name]) => kept.has(name))
    .map(([name, one]) => [name, isObject(one) ? { ...dialect, ...one } : one])
  const converted = {
    openrpc: '1.3.2',
    info: { title, version },
    // No object is in two places of a document.
    methods: structuredClone(messages.map((one) => methodOf(one, definitions))),
    components: { schemas: Object.fromEntries(schemas) },
  }
  const placeOf = (pointer: string) => {
    const [first = '', second = '', ...rest] = segmentsOf(pointer)
    if (first === 'components') return pointerOf(section, ...rest)
    const one = first === 'methods' && messages[Number(second)]
    return one ? pointerOf(section, ...placeIn(one, rest)) : ''
  }
  return {
    ...document,
    value: mapSchemas(converted, withReference),
    locate: (pointer, part) => document.locate(placeOf(pointer), part),
    numberText: (pointer) => document.numberText(placeOf(pointer)),
  }
}

/** Whether a document defines the messages of a JSON-RPC protocol. */
export const isRpcSchema = (document: Document): boolean => protocolOf(document) !== undefined

function protocolOf({ value }: Document) {
  if (!isObject(value)) return undefined
  const section = SECTIONS.find((key) => isObject(value[key]))
  const definitions = section && value[section]
  const messages = isObject(definitions) ? messagesOf(value, definitions) : []
  return section && isObject(definitions) && messages.length > 0
    ? { section, definitions, messages, value }
    : undefined
}

const SECTIONS = ['definitions', '$defs'] // Up to draft-07, and since 2019-09.

const UNIONS = [
  ['ClientRequest', 'client'],
  ['ClientNotification', 'client'],
  ['ServerRequest', 'server'],
  ['ServerNotification', 'server'],
] as const

/** A definition that is a method, and who sends it. */
type Message = Readonly<Record<'name' | 'method', string>> & {
  readonly direction: 'client' | 'server' | 'both'
  readonly schema: JsonObject
  readonly params: ReturnType<typeof flattened>
}

function messagesOf(root: JsonObject, definitions: JsonObject): readonly Message[] {
  const found = new Map<string, Message>()
  for (const [union, direction] of UNIONS) {
    const all = definitions[union.replace(/Client|Server/, '')]
    const general = flattened(root, propertiesOf(all).params)
    for (const name of referredIn(definitions[union])) {
      const schema = definitions[name]
      const { method, params } = propertiesOf(schema)
      const own = flattened(root, params)
      const known = found.get(name)?.direction ?? direction
      if (!isObject(schema) || !isObject(method) || typeof method.const !== 'string') continue
      found.set(name, {
        ...{ name, schema, method: method.const },
        direction: known === direction ? direction : 'both',
        // Every message may have what the general one has, such as `_meta`.
        params: { ...own, properties: { ...general.properties, ...own.properties } },
      })
    }
  }
  return [...found.values()]
}

/** The names of the definitions that a schema refers to. */
const referredIn = (schema: unknown): readonly string[] =>
  [...(JSON.stringify(schema) ?? '').matchAll(REFERENCE)].map(([, name = '']) => name)

const REFERENCE = /"\$ref":"#\/(?:definitions|\$defs)\/([^/"]+)"/g

const propertiesOf = (schema: unknown): JsonObject =>
  isObject(schema) && isObject(schema.properties) ? schema.properties : {}

/** Where a part of a method is written. */
function placeIn({ name, schema, params }: Message, rest: readonly string[]): readonly string[] {
  const [first, index, , ...inner] = rest
  if (first !== 'params') return [name]
  const { params: written } = propertiesOf(schema)
  const [shared] = isObject(written) ? referredIn({ $ref: written.$ref }) : []
  const holder = shared ? [shared] : [name, 'properties', 'params']
  const param = Object.keys(params.properties)[Number(index)]
  return param === undefined ? holder : [...holder, 'properties', param, ...inner]
}

const withReference = (schema: JsonObject): JsonObject =>
  typeof schema.$ref === 'string'
    ? { ...schema, $ref: schema.$ref.replace(/^#\/(definitions|\$defs)/, '#/components/schemas') }
    : schema

function methodOf(message: Message, definitions: JsonObject): JsonObject {
  const { name, method, direction, schema, params } = message
  const result = [name.replace(/Request$/, 'Result'), 'EmptyResult', 'Result'].find((one) =>
    Object.hasOwn(definitions, one),
  )
  return {
    name: method,
    ...(typeof schema.description === 'string' && { description: schema.description }),
    'x-direction': direction,
    paramStructure: 'by-name',
    params: entriesOf(params.properties).map(([param, one]) => ({
      name: param,
      required: params.required.includes(param),
      schema: one,
    })),
    ...(!name.endsWith('Notification') && {
      result: { name: 'result', schema: result ? { $ref: `#/components/schemas/${result}` } : {} },
    }),
  }
}
