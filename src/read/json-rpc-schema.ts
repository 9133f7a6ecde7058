import type { Finding } from '../model/finding.js'
import { entriesOf, isObject, isReference } from '../model/json.js'
import { pointerOf, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { convertedFrom, type Document } from './document.js'
import { mapSchemas } from './map-schemas.js'
import { paramsByName, propertiesOf, type WrittenProperties } from './written-properties.js'

/**
 * Reads a JSON Schema of the messages of a JSON-RPC protocol as OpenRPC, and keeps the positions. The Model Context Protocol
 * publishes such a schema. The members of `ClientRequest`, `ServerRequest`, `ClientNotification` and `ServerNotification` are
 * its methods. Undefined for any other document.
 */
export function importRpcSchema(
  document: Document,
  report: (finding: Finding) => void,
): Document | undefined {
  const protocol = protocolOf(document)
  if (protocol === undefined) return undefined
  const { section, definitions, messages, value } = protocol
  const location = document.locate(pointerOf(section))
  const message = `the definitions are JSON-RPC messages: the document is read as OpenRPC, with ${messages.length} methods`
  report({ rule: 'document-is-converted', level: 'note', location, message })
  const { title = 'JSON-RPC', version = '0.0.0', $schema } = value
  const left = [...UNIONS.map(([union]) => union as string), ...messages.map(({ name }) => name)]
  const kept = new Set(Object.keys(definitions).filter((name) => !left.includes(name)))
  // A message is kept if another definition refers to it.
  for (const name of kept) for (const other of referredIn(definitions[name])) kept.add(other)
  // Draft-07 is the dialect of OpenRPC.
  const dialect = /20\d\d/.test(String($schema)) ? { $schema } : {}
  const schemas = entriesOf(definitions)
    .filter(([name]) => kept.has(name))
    .map(([name, one]) => [name, isObject(one) ? { ...dialect, ...one } : one])
  const converted = {
    openrpc: '1.3.2',
    info: { title, version },
    // In a document, no object occurs twice.
    methods: structuredClone(messages.map((one) => methodOfMessage(one, definitions))),
    components: { schemas: Object.fromEntries(schemas) },
  }
  const placeOf = (pointer: string) => {
    const [first = '', second = '', ...rest] = segmentsOf(pointer)
    if (first === 'components') return pointerOf(section, ...rest)
    const one = first === 'methods' && messages[Number(second)]
    return one ? pointerOf(section, ...placeIn(one, rest)) : ''
  }
  return convertedFrom(document, mapSchemas(converted, withReference), placeOf)
}

/** Whether a document defines the messages of a JSON-RPC protocol. */
export const isRpcSchema = (document: Document): boolean => protocolOf(document) !== undefined

function protocolOf(document: Document) {
  const { value } = document
  if (!isObject(value)) return undefined
  const section = SECTIONS.find((key) => isObject(value[key]))
  const definitions = section && value[section]
  const messages = isObject(definitions) ? messagesOf(document, definitions) : []
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

/** A definition that is a method, with the side that sends it. */
type Message = Readonly<Record<'name' | 'method', string>> & {
  readonly direction: 'client' | 'server' | 'both'
  readonly schema: JsonObject
  readonly params: WrittenProperties
}

function messagesOf(document: Document, definitions: JsonObject): readonly Message[] {
  const found = new Map<string, Message>()
  for (const [union, direction] of UNIONS) {
    const general = propertiesOf(document, membersOf(definitions[union.slice(6)]).params)
    const { anyOf, oneOf } = isObject(definitions[union]) ? definitions[union] : {}
    for (const member of [anyOf ?? oneOf ?? definitions[union]].flat()) {
      // Generators of JSON Schema replace a union of one message by that message.
      const own = entriesOf(definitions).find(([, one]) => methodIn(one) === methodIn(member))
      const name = isReference(member) ? referredIn(member)[0] : own?.[0]
      const schema = definitions[name ?? '']
      const method = methodIn(schema)
      if (name === undefined || !isObject(schema) || method === undefined) continue
      const params = propertiesOf(document, membersOf(schema).params)
      const known = found.get(name)?.direction ?? direction
      found.set(name, {
        ...{ name, schema, method },
        direction: known === direction ? direction : 'both',
        // Every message may have the members of the general one, such as `_meta`.
        params: {
          ...params,
          properties: { ...general.properties, ...params.properties },
          others: params.others === true ? general.others : params.others,
        },
      })
    }
  }
  return [...found.values()]
}

const methodIn = (schema: unknown): string | undefined => {
  const { method } = membersOf(schema)
  return isObject(method) && typeof method.const === 'string' ? method.const : undefined
}

/** The names of the definitions that a schema refers to. */
const referredIn = (schema: unknown): readonly string[] =>
  [...(JSON.stringify(schema) ?? '').matchAll(REFERENCE)].map(([, name = '']) => name)

const REFERENCE = /"\$ref":"#\/(?:definitions|\$defs)\/([^/"]+)"/g

const membersOf = (schema: unknown): JsonObject =>
  isObject(schema) && isObject(schema.properties) ? schema.properties : {}

/** The place of a part of a method in the schema. */
function placeIn({ name, schema, params }: Message, rest: readonly string[]): readonly string[] {
  const [first, index, , ...inner] = rest
  if (first !== 'params') return [name]
  const { params: written } = membersOf(schema)
  const [shared] = isObject(written) ? referredIn({ $ref: written.$ref }) : []
  const holder = shared ? [shared] : [name, 'properties', 'params']
  const param = Object.keys(params.properties)[Number(index)]
  return param === undefined ? holder : [...holder, 'properties', param, ...inner]
}

const withReference = (schema: JsonObject): JsonObject =>
  typeof schema.$ref === 'string'
    ? { ...schema, $ref: schema.$ref.replace(/^#\/(definitions|\$defs)/, '#/components/schemas') }
    : schema

function methodOfMessage(message: Message, definitions: JsonObject): JsonObject {
  const { name, method, direction, schema, params } = message
  const base = name.replace(/Request$/, 'Result')
  const result = [base, 'EmptyResult', 'Result'].find((one) => Object.hasOwn(definitions, one))
  const { result: schemaOfResult = result && { $ref: `#/components/schemas/${result}` } } =
    membersOf(definitions[`${base}Response`])
  return {
    name: method,
    ...(typeof schema.description === 'string' && { description: schema.description }),
    'x-direction': direction,
    ...paramsByName(params),
    ...(!name.endsWith('Notification') && {
      result: { name: 'result', schema: schemaOfResult ?? {} },
    }),
  }
}
