import type { ContractFields, SecurityScheme } from '../runtime/operation.js'
import { referredName } from '../schema/schema.js'
import type { HttpOperation, JsonObject, OutgoingRequest, Variant } from './api.js'
import { servers } from './document-info.js'
import type { HttpBody, HttpParameter } from './http-content.js'
import { entriesOf, isObject, isReference } from './json.js'
import { camelCase } from './names.js'
import { extensionKey } from './old-names.js'
import { readBody, readHttpResponses, readLinks } from './openapi-content.js'
import { readParameters } from './openapi-parameters.js'
import { pagesOfLinks } from './pages.js'
import { type ItemOperation, operationsIn, SAFE_METHODS } from './path-item.js'
import { promises, type Reading, text } from './reading.js'
import { namelessIn, placeNamed } from './structure-rules.js'

/** The operations of an OpenAPI document (3.0 to 3.2) that is bundled. */
export function readHttpOperations(reading: Reading): readonly HttpOperation[] {
  const root = reading.document.value
  const schemes = securitySchemes(reading)
  const found: (readonly [one: ItemOperation, item: JsonObject, path: string, id: string])[] = []
  const written = new Map<string, JsonObject>()
  const seen = new WeakSet<JsonObject>()
  for (const [path, item] of entriesOf(root.paths)) {
    if (!path.startsWith('/') || !isObject(item)) continue
    if (path.includes('{}')) {
      reading.report({
        rule: 'variable-has-no-name',
        level: 'warning',
        location: reading.source(item).locate(),
        message: namelessIn('path'),
      })
    }
    for (const one of operationsIn(item))
      found.push([one, item, path, idOf(one.node, one.method, path)])
  }
  if (entriesOf(root.webhooks).length > 0) {
    leftOut('webhooks', root, 'they are requests that the service sends')
  }
  return found.map((one) => readOperation(...one))

  /**
   * An operation without an operationId is named after its request line, and so is the second operation with the same
   * operationId. The first keeps it, and the name of the second does not depend on the number of duplicates.
   */
  function idOf(node: JsonObject, method: string, path: string): string {
    const id = text(node.operationId)
    const fromRequestLine = camelCase(`${method.toLowerCase()} ${path}`)
    if (id === undefined) return fromRequestLine
    const first = written.get(id)
    if (!first) {
      written.set(id, node)
      return id
    }
    const { file, line } = reading.source(first).locate()
    reading.report({
      rule: 'operation-name-was-changed',
      level: 'warning',
      location: reading.source(node, 'operationId').locate(),
      message: `the operationId ${id} is already used at ${file}:${line}: this operation is called ${fromRequestLine} in generated code; give it an operationId of its own`,
    })
    return fromRequestLine
  }

  function idAt(method: string, path: string): string | undefined {
    return found.find(([one, , other]) => one.method === method && other === path)?.[3]
  }

  function leftOut(what: string, node: JsonObject, why: string) {
    reading.report({
      rule: `${what}-ignored`,
      level: 'note',
      location: reading.source(node, what).locate(),
      message: `no code is generated for ${what}: ${why}`,
    })
  }

  function readOperation(
    { node, method }: ItemOperation,
    item: JsonObject,
    path: string,
    id: string,
  ): HttpOperation {
    const security = securityOf(node.security === undefined ? root : node)
    const body = readBody(node, reading)
    const carried = readParameters(node, item, path, reading)
    const links = readLinks(node, reading, idAt)
    if (node.callbacks) leftOut('callbacks', node, 'they are requests that the service sends')
    return {
      kind: 'http',
      id,
      method,
      path,
      tags: Array.isArray(node.tags) ? node.tags.map(String) : [],
      servers: servers(node.servers ?? item.servers ?? root.servers),
      ...carried,
      body,
      responses: readHttpResponses(node, reading),
      security,
      schemes: Object.fromEntries(
        security.flat().flatMap((name) => (schemes[name] ? [[name, schemes[name]]] : [])),
      ),
      variants: readVariants(node, body, reading),
      poll: readPoll(node['x-poll']),
      idempotencyKey: readIdempotencyKey(node, carried.parameters),
      links,
      source: reading.source(node),
      ...promises(node),
      ...(node['x-pagination'] === undefined && {
        pages: pagesOfLinks(id, links, carried.parameters),
      }),
      ...(node['x-idempotent'] === undefined && { idempotent: SAFE_METHODS.has(method) }),
    }
  }

  function securityOf(holder: JsonObject): readonly (readonly string[])[] {
    const { security } = holder
    const isWritten = Array.isArray(security) && security.every(isObject)
    return requirementsIn(security).map((alternative) => {
      const names = Object.keys(alternative)
      const missing = names.find((name) => !schemes[name])
      // A problem that all operations share is reported once.
      if (missing !== undefined && !seen.has(alternative)) {
        seen.add(alternative)
        reading.report({
          rule: 'security-scheme-is-undeclared',
          level: 'warning',
          location: (isWritten
            ? reading.source(alternative, missing)
            : reading.source(holder, 'security')
          ).locate(),
          message: `the security scheme ${missing} is not declared in components.securitySchemes, so callers cannot send its credentials: declare it`,
        })
      }
      return names
    })
  }
}

/** The alternatives of `security`; some documents write names in their place, or one object in the place of the list. */
const requirementsIn = (value: unknown): readonly JsonObject[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one: unknown): readonly JsonObject[] => {
    if (typeof one === 'string') return [{ [one]: [] }]
    return isObject(one) ? [one] : []
  })

function securitySchemes(reading: Reading): Readonly<Record<string, SecurityScheme>> {
  const { components } = reading.document.value
  const declared = isObject(components) ? entriesOf(components.securitySchemes) : []
  const schemes = declared.map(
    ([name, value]) => [name, securityScheme(reading.resolve(value) ?? {})] as const,
  )
  // Without inherited members, because `security` may name a scheme `constructor` that is not declared.
  return Object.assign(Object.create(null), Object.fromEntries(schemes))
}

function securityScheme(node: JsonObject): SecurityScheme {
  const scheme = text(node.scheme)?.toLowerCase()
  const type = text(node.type)?.toLowerCase() ?? ''
  const place = placeNamed(node.in)
  if (type === 'apikey' && (place === 'header' || place === 'query' || place === 'cookie')) {
    return { kind: 'key', in: place, parameter: text(node.name) ?? '' }
  }
  // Swagger 2.0 has the type basic.
  if (type === 'basic' || (type === 'http' && scheme === 'basic')) return { kind: 'basic' }
  // OAuth 2 and OpenID Connect produce a bearer token, which the request carries.
  if (scheme === 'bearer' || ['oauth2', 'openidconnect', 'bearer'].includes(type)) {
    return { kind: 'bearer' }
  }
  return { kind: 'outside', type: scheme ?? text(node.type) ?? 'unknown' }
}

function readVariants(
  node: JsonObject,
  body: HttpBody | undefined,
  reading: Reading,
): readonly Variant[] {
  const shown = new Set(
    (body?.content ?? []).flatMap(({ examples }) => examples.map(({ name }) => name)),
  )
  return entriesOf(node[extensionKey(node, 'x-variants')]).flatMap(([name, value]) => {
    if (!isObject(value)) return []
    const named = (list: unknown) =>
      (Array.isArray(list) ? list : []).flatMap((entry) => schemaName(entry, reading) ?? [])
    const request = schemaName(value.request, reading)
    if (!request) {
      reading.report({
        rule: 'variant-without-request',
        level: 'error',
        location: reading.source(value).locate(),
        message: `the variant ${name} needs a request: a $ref to the schema of its body`,
      })
      return []
    }
    const example = text(value.example)
    if (example !== undefined && !shown.has(example)) {
      reading.report({
        rule: 'variant-example-unknown',
        level: 'warning',
        location: reading.source(value, 'example').locate(),
        message: `the variant ${name} refers to the example ${example}, which the request does not have`,
      })
    }
    const contractCall = contractFields(value['x-contract-call'])
    return {
      name,
      request,
      responses: named(value.responses),
      errors: named(value.errors),
      example,
      ...(contractCall && { contractCall }),
    }
  })
}

/** Undefined if a field is missing. */
function contractFields(value: unknown): ContractFields | undefined {
  const { abi, method, arguments: given, output } = isObject(value) ? value : {}
  const names = [abi, method, given, output].map(text)
  if (names.includes(undefined)) return undefined
  const [abiName = '', methodName = '', argumentsName = '', outputName = ''] = names
  return { abi: abiName, method: methodName, arguments: argumentsName, output: outputName }
}

/** The name in the Api of a schema to which an extension refers. */
function schemaName(value: unknown, reading: Reading): string | undefined {
  if (!isReference(value)) return undefined
  return referredName(reading.schema(value, value, '$ref'))
}

function readPoll(value: unknown): HttpOperation['poll'] {
  if (!isObject(value) || typeof value.field !== 'string') return undefined
  const list = (entry: unknown) => (Array.isArray(entry) ? entry.map(String) : [])
  return { field: value.field, terminal: list(value.terminal), order: list(value.order) }
}

/** The header of `x-idempotency-key`, or a declared parameter with the usual name. */
function readIdempotencyKey(
  node: JsonObject,
  parameters: readonly HttpParameter[],
): string | undefined {
  const value = node['x-idempotency-key']
  const declared = parameters.find(
    (one) => one.in === 'header' && one.name.toLowerCase() === IDEMPOTENCY_KEY.toLowerCase(),
  )
  if (value === undefined) return declared?.name
  return value === true || value === 'header' ? IDEMPOTENCY_KEY : text(value)
}

const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** The webhooks (OpenAPI 3.1, OpenAPI Object) and the callbacks (Operation Object) of a bundled document. */
export function readOutgoingRequests(reading: Reading): readonly OutgoingRequest[] {
  const root = reading.document.value
  const webhooks = entriesOf(root.webhooks).flatMap(([name, item]) =>
    requestsOf(item, { kind: 'webhook', name, callback: undefined }, reading),
  )
  const callbacks = entriesOf(root.paths).flatMap(([path, item]) =>
    operationsIn(item).flatMap(({ method, node }) =>
      entriesOf(node.callbacks).flatMap(([name, value]) =>
        entriesOf(reading.resolve(value)).flatMap(([url, target]) =>
          requestsOf(target, { kind: 'callback', name, callback: { method, path, url } }, reading),
        ),
      ),
    ),
  )
  return [...webhooks, ...callbacks]
}

/** The requests of one path item. */
function requestsOf(
  value: unknown,
  place: Pick<OutgoingRequest, 'kind' | 'name' | 'callback'>,
  reading: Reading,
): readonly OutgoingRequest[] {
  const item = reading.resolve(value)
  return operationsIn(item).map(({ method, node }) => {
    const body = readBody(node, reading)
    const { summary, description, stability, deprecated, sunset } = promises(node)
    return {
      ...place,
      method,
      // The URL is the subscriber's, so no parameter is in its path.
      parameters: readParameters(node, item ?? {}, '', reading).parameters,
      body: body && { ...body, source: reading.source(reading.resolve(node.requestBody) ?? node) },
      responses: readHttpResponses(node, reading),
      ...{ summary, description, stability, deprecated, sunset },
      source: reading.source(node),
    }
  })
}
