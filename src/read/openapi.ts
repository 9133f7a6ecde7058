import type { HttpOperation, OutgoingRequest, Variant } from '../model/api.js'
import type { HttpBody, HttpParameter } from '../model/http-content.js'
import { defined, entriesOf, isObject, isReference } from '../model/json.js'
import { pagesOfLinks } from '../model/pages.js'
import { type ItemOperation, operationsIn, SAFE_METHODS } from '../model/path-item.js'
import { sharingHeader, withOnePerHeader } from '../model/security.js'
import type { ContractFields, SecurityScheme } from '../runtime/operation.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { referredName } from '../schema/schema.js'
import { camelCase } from '../text/names.js'
import { httpFirst, servers } from './document-info.js'
import { readHttpBody, readHttpResponses, readLinks } from './openapi-content.js'
import { readDeclaredParameters } from './openapi-parameters.js'
import { commonFields, objects, type ReadContext, text } from './reading.js'
import { namelessIn } from './structure-rules.js'

/** The operations of an OpenAPI document (3.0 to 3.2) that is bundled. */
export function readHttpOperations(reading: ReadContext): readonly HttpOperation[] {
  const root = reading.document.value
  const schemes = securitySchemes(reading)
  const found: (readonly [one: ItemOperation, item: JsonObject, path: string, id: string])[] = []
  const written = new Map<string, JsonObject>()
  const seen = new WeakSet<JsonObject>()
  const reported = new WeakSet<JsonObject>()
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

  function readOperation(
    { node, method }: ItemOperation,
    item: JsonObject,
    path: string,
    id: string,
  ): HttpOperation {
    const security = securityOf(node.security === undefined ? root : node)
    const body = readHttpBody(node, reading)
    const carried = readDeclaredParameters(node, item, path, reading)
    const links = readLinks(node, reading, idAt)
    return {
      kind: 'http',
      id,
      operationId: id,
      method,
      path,
      tags: Array.isArray(node.tags) ? node.tags.map(String) : [],
      servers: httpFirst(servers(node.servers ?? item.servers ?? root.servers)),
      ...carried,
      body,
      responses: readHttpResponses(node, reading),
      security,
      schemes: Object.fromEntries(
        security.flat().flatMap((name) => (schemes[name] ? [[name, schemes[name]]] : [])),
      ),
      variants: readVariants(node, body, reading),
      ...defined({
        poll: readPoll(node['x-poll']),
        idempotencyKey: readIdempotencyKey(node, carried.parameters),
      }),
      links,
      source: reading.source(node),
      ...commonFields({ ...node, ...proseOf(node, item) }),
      ...(node['x-pagination'] === undefined &&
        defined({ pages: pagesOfLinks(id, links, carried.parameters) })),
      ...(node['x-idempotent'] === undefined && { idempotent: SAFE_METHODS.has(method) }),
    }
  }

  function securityOf(holder: JsonObject): readonly (readonly string[])[] {
    const read = objects(holder.security).flatMap((alternative) => {
      const names = Object.keys(alternative)
      const missing = names.find((name) => !schemes[name])
      // A problem that all operations share is reported once.
      if (missing !== undefined && !seen.has(alternative)) {
        seen.add(alternative)
        reading.report({
          rule: 'security-scheme-is-undeclared',
          level: 'warning',
          location: reading.source(alternative, missing).locate(),
          message: `the security scheme ${missing} is not declared in components.securitySchemes, so callers cannot send its credentials: declare it`,
        })
      }
      const [shared] = sharingHeader(names, schemes)
      if (shared !== undefined && !reported.has(alternative)) {
        reported.add(alternative)
        const [first = '', second = ''] = shared.names
        reading.report({
          rule: 'security-schemes-share-a-header',
          level: 'warning',
          location: reading.source(alternative, second).locate(),
          message: `the security schemes ${shared.names.join(' and ')} of one requirement have the same header, ${shared.header}, which a request has once: either is read as sufficient; write two requirements, - ${first}: [] and - ${second}: []`,
        })
      }
      return withOnePerHeader(names, schemes)
    })
    const written = new Set<string>()
    return read.filter((names) => {
      const key = JSON.stringify(names)
      return !written.has(key) && written.add(key)
    })
  }
}

function securitySchemes(reading: ReadContext): Readonly<Record<string, SecurityScheme>> {
  const { components } = reading.document.value
  const declared = isObject(components) ? entriesOf(components.securitySchemes) : []
  const schemes = declared.map(([name, value]) => {
    const node = reading.resolve(value) ?? {}
    const scheme = securityScheme(node)
    const isHttp = node.type === 'http' && text(node.scheme) !== undefined
    if (scheme.kind === 'outside' && isHttp) {
      reading.report({
        rule: 'security-scheme-is-not-sent',
        level: 'note',
        location: reading.source(node).locate('scheme'),
        message: `clients send nothing for the security scheme ${name}: ${scheme.type} needs more than a header with a secret; callers pass the option fetch, or headers with each call`,
      })
    }
    return [name, scheme] as const
  })
  // Without inherited members, because `security` may name a scheme `constructor` that is not declared.
  return Object.assign(Object.create(null), Object.fromEntries(schemes))
}

function securityScheme(node: JsonObject): SecurityScheme {
  const scheme = text(node.scheme)?.toLowerCase()
  const { type, in: place } = node
  if (type === 'apiKey' && (place === 'header' || place === 'query' || place === 'cookie')) {
    return { kind: 'key', in: place, parameter: text(node.name) ?? '' }
  }
  if (type === 'http' && scheme === 'basic') return { kind: 'basic' }
  // OAuth 2 and OpenID Connect produce a bearer token, which the request carries.
  if (scheme === 'bearer' || type === 'oauth2' || type === 'openIdConnect') {
    return { kind: 'bearer' }
  }
  return { kind: 'outside', type: scheme ?? text(node.type) ?? 'unknown' }
}

function readVariants(
  node: JsonObject,
  body: HttpBody | undefined,
  reading: ReadContext,
): readonly Variant[] {
  const shown = new Set(
    (body?.content ?? []).flatMap(({ examples }) => examples.map(({ name }) => name)),
  )
  return entriesOf(node['x-variants']).flatMap(([name, value]) => {
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
  const { abi, method, arguments: args, output } = isObject(value) ? value : {}
  const names = [abi, method, args, output].map(text)
  if (names.includes(undefined)) return undefined
  const [abiName = '', methodName = '', argumentsName = '', outputName = ''] = names
  return { abi: abiName, method: methodName, arguments: argumentsName, output: outputName }
}

/** The name in the Api of a schema to which an extension refers. */
function schemaName(value: unknown, reading: ReadContext): string | undefined {
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

/**
 * The summary and description of an operation. Those of its path item apply to all its operations (OpenAPI 3.0.3, Path Item
 * Object), so an operation that has neither has them.
 */
function proseOf(node: JsonObject, item: JsonObject): JsonObject {
  const isDescribed = [node.summary, node.description].some((one) => text(one)?.trim())
  const { summary, description } = isDescribed ? node : item
  return { summary, description }
}

/**
 * The webhooks (OpenAPI 3.1, OpenAPI Object; before, Redocly's `x-webhooks`) and the callbacks (Operation Object) of a bundled
 * document. They have no final ids yet.
 */
export function readOutgoingRequests(reading: ReadContext): readonly OutgoingRequest[] {
  const root = reading.document.value
  const written = new Map([...entriesOf(root['x-webhooks']), ...entriesOf(root.webhooks)])
  const webhooks = [...written].flatMap(([name, item]) =>
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
  reading: ReadContext,
): readonly OutgoingRequest[] {
  const item = reading.resolve(value)
  return operationsIn(item).map(({ method, node }) => {
    const body = readHttpBody(node, reading)
    const { summary, description, stability, deprecated, sunset } = commonFields({
      ...node,
      ...proseOf(node, item ?? {}),
    })
    return {
      ...place,
      id: place.name,
      method,
      // The URL is the subscriber's, so no parameter is in its path.
      parameters: readDeclaredParameters(node, item ?? {}, '', reading).parameters,
      body: body && { ...body, source: reading.source(reading.resolve(node.requestBody) ?? node) },
      responses: readHttpResponses(node, reading),
      ...{ summary, description, stability, deprecated, sunset },
      source: reading.source(node),
    }
  })
}
